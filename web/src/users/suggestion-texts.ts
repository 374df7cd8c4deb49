import type { Place, Suggestion } from '@waybill/contract';

type Written = Pick<Suggestion, 'street' | 'postalCode' | 'city' | 'country'>;

export const townOf = ({ postalCode, city, country }: Omit<Written, 'street'>): string =>
  [[postalCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');

export const lineOf = (address: Written): string => [address.street, townOf(address)].filter(Boolean).join(', ');

/** Whether a driver finds the door there. */
export const isExact = (place: Place | null): boolean => place?.accuracy === 'rooftop' || place?.accuracy === 'pin';

/** A suggestion as the values of a form. */
export const typedAddress = ({ street, postalCode, city, country }: Written) => ({
  street: street ?? '',
  postalCode: postalCode ?? '',
  city: city ?? '',
  country: country ?? '',
});
