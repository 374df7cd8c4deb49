import type { Address } from '@waybill/contract';

/** Case, blanks and the comma before a house number do not count. */
const plain = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(',', ' ').replace(/\s+/g, ' ').trim();

/** Equal for equal addresses: street with number, postal code and town. */
export const addressKey = ({ street, postalCode, city }: Omit<Address, 'country'>): string =>
  [street, postalCode ?? '', city].map(plain).join('\n');

/** The first number of a street line, with its letter: '12a' of 'Hafenstraße 12 a'. Null without one. */
export const houseNumberOf = (street: string): string | null =>
  /\d+(?:\s?[a-z](?![a-z]))?/i.exec(street)?.[0].replace(/\s/g, '').toLowerCase() ?? null;
