import { packageStatuses, type PackageStatus } from '@waybill/contract';
import { likeContains, type ListFilter } from '../platform/database/keyset-lists.ts';
import type { OwnerScope } from './row.ts';

type Value = ListFilter['value'];

/**
 * What `q` means among packages: part of a name, a tracking ID, a reference, a recipient or an address, of a phone number however it is written, or
 * of what the status is called.
 * @param ownerId whose packages are listed; told apart, so that only their part of the texts is planned for; null for everybody's
 */
export const searchPackages =
  (ownerId: OwnerScope) =>
  (term: string, value: Value): string => {
    const owner = ownerId === null ? 'packages.owner_id' : value(ownerId);
    const conditions = [`found.owner_id = ${owner} and found.package_id = packages.id and ${searchTexts(term, value)}`];
    // Who writes 'PKG-' before it means an ID, not whatever has the same letters somewhere.
    if (namesId(term)) {
      const whole = value(term);
      conditions.push(`(strpos(lower(packages.tracking_id), ${whole}) = 1 or strpos(found.text, ${whole}) > 0)`);
    }
    const found = `exists (select from package_search found where ${conditions.join(' and ')})`;
    const called = statusesCalled(term);
    return called.length > 0 ? `(status = any(${value(called)}) or ${found})` : found;
  };

/** Whether the texts alone tell what a term finds, and nothing of the packages is asked beside. */
export const isToldByTexts = (term: string): boolean => !namesId(term) && statusesCalled(term).length === 0;

/** What a term finds among the rows of `package_search found`. */
export function searchTexts(term: string, value: Value): string {
  // The texts leave out what every tracking ID begins with; who has typed no more of it than that has told nothing yet.
  const told = 'pkg-'.startsWith(term) ? '' : term.replace(/^pkg-/, '');
  const texts = spellings(told).map((spelling) => textCondition(spelling, value));
  return `(${[...texts, ...phoneConditions(told, value)].join(' or ')})`;
}

/**
 * The ways in which a text may have what was typed: as it stands; with one way for what is written in several, as the function
 * `search_spelling` of the database has it; and what may be the parts of a postcode without what separates them. The texts have
 * postcodes both ways.
 */
export function spellings(term: string): string[] {
  const spelled = term
    .replaceAll('ß', 'ss')
    .replaceAll(/str\.(?=[\p{L}\p{N}])/gu, 'strasse ')
    // Somebody who has got as far as 'hauptstr' may go on with anything.
    .replaceAll(/str(?:\.|(?![\p{L}\p{N}]|$))/gu, 'strasse');
  const parts = spelled.split(' ').length > 4 ? [] : [...spelled.matchAll(partsOfPostcode)];
  const joined = parts.map(({ index, 1: one = '' }) => {
    const at = index + one.length;
    return spelled.slice(0, at) + spelled.slice(at + 1);
  });
  return [...new Set([term, spelled, ...joined])];
}

/** 'SW1A 2AA', '1012 AB', '20 457', '00-950': four characters at most, with a digit, then the same or two letters. */
const partsOfPostcode =
  /(?<![^\s,])((?=[a-z]{0,3}\d)[a-z\d]{2,4})[ -](?=(?:[a-z]{0,3}\d[a-z\d]{0,3}|\d{1,4}|[a-z]{2})(?![\p{L}\p{N}]))/gu;

const namesId = (term: string) => /^pkg-./.test(term);

const statusesCalled = (term: string) => packageStatuses.filter((status) => statusWords(status).includes(term));

/** A package in transit is labelled 'Out for Delivery', so it is found by that too. */
const statusWords = (status: PackageStatus) => (status === 'in transit' ? `${status} out for delivery` : status);

/** How many digits a country code has. The function `national_digits` of the database has the same words. */
const countryCode =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])\d)/;

/**
 * What may have these digits in a row: an index finds it by its windows of four, three digits by the beginning of one. The last eight tell
 * enough: numbers of one city or one shop begin alike.
 */
function mayHaveDigits(digits: string, value: Value): string {
  const windows = digits.length < 4 ? [`${digits}:*`] : [digits.slice(-8).slice(0, 4), digits.slice(-4)];
  return `digit_windows(found.text, found.phone) @@ ${value(windows.join(' & '))}::tsquery`;
}

/** The longest number in a term, without the zeros before it, or null where none has four digits. */
const longestNumber = (term: string): string | null =>
  (term.match(/[1-9]\d{3,}/g) ?? []).toSorted((one, other) => other.length - one.length)[0] ?? null;

/** A text with a number in it is found by that: the trigrams of digits are in too many. */
function textCondition(term: string, value: Value): string {
  const contains = `found.text like ${value(likeContains(term))}`;
  const number = longestNumber(term);
  return number === null ? contains : `(${contains} and ${mayHaveDigits(number, value)})`;
}

/**
 * What a term finds among phone numbers. Digits, three at least: the numbers that have them in a row somewhere; '0170 123' also those that
 * go on so behind a country code. '+49 170 123' and '0049 170 123': this country's, and those that were written without one.
 */
function phoneConditions(term: string, value: Value): string[] {
  if (!/^\+?[\d\s()./-]+$/.test(term)) return [];
  const typed = term.replace(/^((?:\+|00)[^(]*)\(0\)/, '$1').replaceAll(/\D/g, '');
  const digits = typed.replace(/^0+/, '');
  if (digits.length < 3) return [];
  const number = longestNumber(term);
  // Where the digits that text and phone are found by are the same, the index is asked once.
  const either = (conditions: string[], shared: string) => [
    `((${conditions.join(' or ')}) and ${mayHaveDigits(number !== null && shared.includes(number) ? number : shared, value)})`,
  ];
  const begins = (text: string, beginning: string) => `${text} like ${value(`${beginning}%`)}`;
  if (term.startsWith('+') || typed.startsWith('00')) {
    const national = digits.replace(countryCode, '');
    const withCode = begins('found.phone', digits);
    if (national.length < 3) return either([withCode], digits);
    return either([withCode, begins('found.phone', `0${national}`)], national);
  }
  const somewhere = `found.phone like ${value(`%${typed}%`)}`;
  if (!typed.startsWith('0')) return either([somewhere], digits);
  return either([somewhere, begins('national_digits(found.phone)', digits)], digits);
}
