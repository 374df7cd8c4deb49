import { packageStatuses, type PackageStatus } from '@waybill/contract';
import { containing, type ListFilter } from '../platform/lists.ts';
import type { OwnerScope } from './queries.ts';

/**
 * What `q` means among packages: part of a name, a tracking ID, a reference, a recipient or an address, of a phone number however it is written, or
 * of what the status is called.
 * @param ownerId whose packages are listed; told apart, so that only their part of the texts is planned for; null for everybody's
 */
export const searchPackages =
  (ownerId: OwnerScope) =>
  (term: string, value: ListFilter['value']): string => {
    // The texts leave out what every tracking ID begins with; who has typed no more of it than that has told nothing yet.
    const told = 'pkg-'.startsWith(term) ? '' : term.replace(/^pkg-/, '');
    const owner = ownerId === null ? 'packages.owner_id' : value(ownerId);
    const says = [`found.text like ${value(containing(told))}`, ...phoneConditions(told, value)].join(' or ');
    const conditions = [`found.owner_id = ${owner} and found.package_id = packages.id and (${says})`];
    // Who writes 'PKG-' before it means an ID, not whatever has the same letters somewhere.
    if (told !== '' && told !== term) {
      const whole = value(term);
      conditions.push(`(strpos(lower(packages.tracking_id), ${whole}) = 1 or strpos(found.text, ${whole}) > 0)`);
    }
    const found = `exists (select from package_search found where ${conditions.join(' and ')})`;
    const called = packageStatuses.filter((status) => statusWords(status).includes(term));
    return called.length > 0 ? `(status = any(${value(called)}) or ${found})` : found;
  };

/** A package in transit is labelled 'Out for Delivery', so it is found by that too. */
const statusWords = (status: PackageStatus) => (status === 'in transit' ? `${status} out for delivery` : status);

/** How many digits a country code has. The function `national_digits` of the database has the same words. */
const countryCode =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])\d)/;

/**
 * What a term finds among phone numbers, as conditions. '0170 123': those that go on so behind whatever country code. '+49 170 123' and
 * '0049 170 123': this country's, and those that were written without one. Bare digits: those that begin or end with them.
 */
export function phoneConditions(term: string, value: ListFilter['value']): string[] {
  if (!/^\+?[\d\s()./-]+$/.test(term)) return [];
  const typed = term.replace(/^((?:\+|00)[^(]*)\(0\)/, '$1').replaceAll(/\D/g, '');
  const digits = typed.replace(/^0+/, '');
  if (digits.length < 3) return [];
  const begins = (text: string, beginning: string) => `${text} like ${value(`${beginning}%`)}`;
  if (term.startsWith('+') || typed.startsWith('00')) {
    const national = digits.replace(countryCode, '');
    const withCode = begins('found.phone', digits);
    return national.length < 3 ? [withCode] : [withCode, begins('found.phone', `0${national}`)];
  }
  const national = begins('national_digits(found.phone)', digits);
  if (typed.startsWith('0')) return [national];
  const backwards = Array.from(digits).toReversed().join('');
  return [national, begins('found.phone', digits), begins('reverse(found.phone)', backwards)];
}
