import { packageStatuses, type PackageStatus } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { likeContains, type ListFilter, type Search } from '../platform/database/keyset-lists.ts';
import type { OwnerScope } from './row.ts';

type Value = ListFilter['value'];

/**
 * The search condition of package lists. `q` matches a part of the name, tracking ID, reference, recipient or address, of the phone number
 * in any notation, or of the status's name.
 * @param ownerId whose packages are listed, null for all. Given as a parameter, so that only the owner's partition of `package_search`
 *   is planned and scanned
 */
export const searchPackages =
  (ownerId: OwnerScope) =>
  (term: string, value: Value): string => {
    const owner = ownerId === null ? 'packages.owner_id' : value(ownerId);
    const conditions = [`found.owner_id = ${owner} and found.package_id = packages.id and ${searchTexts(term, value)}`];
    // A term with the `PKG-` prefix means a tracking ID, not any text that contains the same characters.
    if (namesId(term)) {
      const fullTerm = value(term);
      conditions.push(`(strpos(lower(packages.tracking_id), ${fullTerm}) = 1 or strpos(found.text, ${fullTerm}) > 0)`);
    }
    const found = `exists (select from package_search found where ${conditions.join(' and ')})`;
    const statuses = findStatuses(term);
    return statuses.length > 0 ? `(status = any(${value(statuses)}) or ${found})` : found;
  };

/** Up to this many matches, or rows of a list, are read first, and a list reads its page of them by their ids. */
const maxFound = 1000;

/** Conditions of a list on the matches of `q`: for the first rows in the list's order, and for reading or counting all that match. */
export interface PackageSearch {
  first: Search;
  all: Search;
}

/**
 * Finds the page of an owner's list with other conditions among its first rows: common words are met soon. One statement reads the ids of
 * these rows from an index, and their texts, which lie next to each other, in the same order.
 * @param newest the list without `q`, newest first, a thousand rows long
 * @param limit rows of the page
 * @returns null if there are too few matches among these rows and more rows after them
 */
export async function findAmongNewest(
  db: Queryable,
  ownerId: string,
  q: string,
  newest: ListFilter,
  limit: number,
): Promise<Search | null> {
  const term = q.toLowerCase();
  if (!isTextSearchOnly(term)) return null;
  const page = newest.page();
  const [found] = await db.query<{ ids: string[]; tested: number }>(
    `with newest as materialized (select array(select id from packages ${page}) as ids)
     select array(
       select package_id from package_search found
       where owner_id = ${newest.value(ownerId)} and package_id = any((select ids from newest)::uuid[]) and ${searchTexts(term, newest.value)}
       order by package_id desc limit ${limit + 1}
     ) as ids, cardinality(ids) as tested from newest`,
    newest.values(),
  );
  return found && (found.ids.length > limit || found.tested <= maxFound) ? { ids: found.ids } : null;
}

/**
 * Finds the page of a list of all packages that has no other condition. One statement reads the matches and takes the page from them: sending
 * a thousand ids back and forth takes longer.
 * @param after the cursor
 * @param limit rows of the page
 * @returns null if there are too many matches, which a list meets soon that reads in its own order
 */
export async function findAmongAll(
  db: Queryable,
  q: string,
  after: ((value: Value) => string) | null,
  limit: number,
): Promise<string[] | null> {
  const values: unknown[] = [];
  const value: Value = (given) => `$${values.push(given)}`;
  const [found] = await db.query<{ ids: string[]; matches: number }>(
    `with matching as materialized (
       select package_id from package_search found where ${searchTexts(q.toLowerCase(), value)} limit ${maxFound + 1}
     )
     select array(
       select package_id from matching ${after ? `where package_id < ${after(value)}` : ''} order by package_id desc limit ${limit + 1}
     ) as ids, (select count(*) from matching)::integer as matches`,
    values,
  );
  return found && found.matches <= maxFound ? found.ids : null;
}

/** The limit of the list for `findAmongNewest`. */
export const newestLimit = maxFound;

/**
 * How a list with other conditions finds the matches of `q`. Few are read first: the planner cannot tell how many of them have the other
 * conditions, and would join each with its package. Many are met soon by an owner's list that reads in its own order and tests each row.
 * @param among a condition of the list on `packages`, if an index has the ids of the few packages that have it
 */
export async function findPackages(
  db: Queryable,
  ownerId: OwnerScope,
  q: string | undefined,
  among?: (value: Value) => string,
): Promise<PackageSearch> {
  const byText = searchPackages(ownerId);
  const term = q?.toLowerCase();
  if (!term || !isTextSearchOnly(term)) return { first: byText, all: byText };
  const ids = (among && (await findFewAmong(db, term, among))) ?? (await findIds(db, ownerId, term, among));
  if (ids) return { first: { ids }, all: { ids } };
  if (ownerId === null) return { first: byText, all: byText };
  const oneByOne: Search = (_, value) => `coalesce((select true from package_search found
    where found.owner_id = ${value(ownerId)} and found.package_id = packages.id and ${searchTexts(term, value)}), false)`;
  return { first: oneByOne, all: byText };
}

/** Looks up few matches in the index of the list's packages, which takes less time than a join with these packages. @returns null of many */
async function findFewAmong(db: Queryable, term: string, among: (value: Value) => string): Promise<string[] | null> {
  const values: unknown[] = [];
  const value: Value = (given) => `$${values.push(given)}`;
  const [found] = await db.query<{ ids: string[]; matches: number }>(
    `with matching as materialized (
       select package_id from package_search found where ${searchTexts(term, value)} limit ${maxFound + 1}
     )
     select array(
       select id from packages where ${among(value)} and id = any(array(select package_id from matching))
     ) as ids, (select count(*) from matching)::integer as matches`,
    values,
  );
  return found && found.matches <= maxFound ? found.ids : null;
}

/** @returns null of many, which are not sent */
async function findIds(
  db: Queryable,
  ownerId: OwnerScope,
  term: string,
  among?: (value: Value) => string,
): Promise<string[] | null> {
  const values: unknown[] = [];
  const value: Value = (given) => `$${values.push(given)}`;
  const ofOwner = ownerId === null ? '' : `owner_id = ${value(ownerId)} and`;
  const ofList = among ? `package_id in (select id from packages where ${among(value)}) and` : '';
  const [found] = await db.query<{ ids: string[] | null }>(
    `with matching as materialized (
       select package_id from package_search found where ${ofOwner} ${ofList} ${searchTexts(term, value)} limit ${maxFound + 1}
     )
     select case when count(*) <= ${maxFound} then array(select package_id from matching) end as ids from matching`,
    values,
  );
  return found?.ids ?? null;
}

/** Whether `package_search` alone answers the term, without any column of packages. */
export const isTextSearchOnly = (term: string): boolean => !namesId(term) && findStatuses(term).length === 0;

/** The condition of a term on the rows of `package_search found`. */
export function searchTexts(term: string, value: Value): string {
  // The indexed texts leave out the `PKG-` prefix, since every row has it. A part of the prefix alone therefore matches every row.
  const significant = 'pkg-'.startsWith(term) ? '' : term.replace(/^pkg-/, '');
  const texts = spellings(significant).map((spelling) => textCondition(spelling, value));
  return `(${[...texts, ...phoneConditions(significant, value)].join(' or ')})`;
}

/**
 * Returns the spellings to search for: the term as typed; with `ß` and `str.` normalized, like the database function `search_spelling`;
 * and with the separator of each likely postcode removed. The indexed texts have postcodes with and without it.
 */
export function spellings(term: string): string[] {
  const spelled = term
    .replaceAll('ß', 'ss')
    .replaceAll(/str\.(?=[\p{L}\p{N}])/gu, 'strasse ')
    // Leave 'hauptstr' at the end of the term: the user may still be typing.
    .replaceAll(/str(?:\.|(?![\p{L}\p{N}]|$))/gu, 'strasse');
  const parts = spelled.split(' ').length > 4 ? [] : [...spelled.matchAll(splitPostcode)];
  const joined = parts.map(({ index, 1: one = '' }) => {
    const at = index + one.length;
    return spelled.slice(0, at) + spelled.slice(at + 1);
  });
  return [...new Set([term, spelled, ...joined])];
}

/** 'SW1A 2AA', '1012 AB', '20 457', '00-950': up to four characters with a digit, then the same or two letters. */
const splitPostcode =
  /(?<![^\s,])((?=[a-z]{0,3}\d)[a-z\d]{2,4})[ -](?=(?:[a-z]{0,3}\d[a-z\d]{0,3}|\d{1,4}|[a-z]{2})(?![\p{L}\p{N}]))/gu;

const namesId = (term: string) => /^pkg-./.test(term);

const findStatuses = (term: string) => packageStatuses.filter((status) => statusWords(status).includes(term));

/** Screens label a package in transit 'Out for Delivery', so that finds it as well. */
const statusWords = (status: PackageStatus) => (status === 'in transit' ? `${status} out for delivery` : status);

/** Matches a country calling code. The database function `national_digits` uses the same expression. */
const countryCode =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])\d)/;

/**
 * An indexable pre-filter for rows that may contain these digits in sequence. The index has every window of four digits; three digits
 * match the start of a window. The last eight digits are enough: phone numbers of one city or one shop share their first digits.
 */
function mayContainDigits(digits: string, value: Value): string {
  const windows = digits.length < 4 ? [`${digits}:*`] : [digits.slice(-8).slice(0, 4), digits.slice(-4)];
  return `digit_windows(found.text, found.phone) @@ ${value(windows.join(' & '))}::tsquery`;
}

/** Returns the longest number in the term, without leading zeros, or null if none has at least four digits. */
const longestNumber = (term: string): string | null =>
  (term.match(/[1-9]\d{3,}/g) ?? []).toSorted((one, other) => other.length - one.length)[0] ?? null;

/** A term with a number also goes through the digit index: trigrams of digits occur in too many rows to be selective. */
function textCondition(term: string, value: Value): string {
  const contains = containsTerm(term, value);
  const number = longestNumber(term);
  return number === null ? contains : `(${contains} and ${mayContainDigits(number, value)})`;
}

/**
 * The index reads a list of rows for every trigram of a pattern, and one or two of them are as selective as all. Those with a space occur in
 * too many rows. Of several words the rarest trigram of each is enough, of a long word its one or two rarest. `strpos`, which cannot use the
 * index, compares the term itself; the planner takes `<> 0` for nearly always true, so that it expects as many rows as match the pattern.
 */
function containsTerm(term: string, value: Value): string {
  const pattern = likeContains(term);
  const isOneWord = (pattern.match(words) ?? []).length === 1;
  const indexed = pattern
    .replaceAll(/(?<=[\p{L}\p{N}]{4}) (?=[\p{L}\p{N}]{4})/gu, '_')
    .replaceAll(words, (word) => inParts(word, isOneWord));
  const contains = `found.text like ${value(indexed)}`;
  return indexed === pattern ? contains : `(${contains} and strpos(found.text, ${value(term)}) <> 0)`;
}

const words = /\p{L}{4,}/gu;

/** How often letters occur in a hundred of European texts, about. All others are rare. */
const letterShares: ReadonlyMap<string, number> = new Map(
  Object.entries({
    13: 'e',
    8: 'ani',
    7: 'rst',
    5: 'ol',
    4: 'dhu',
    3: 'cm',
    2: 'gbp',
    1.3: 'kfwv',
    0.8: 'zy',
  }).flatMap(([share, letters]) => Array.from(letters, (letter) => [letter, Number(share)] as const)),
);
const rareShare = 0.4;

/** A trigram with a smaller product of shares is alone rare enough, such as 'zep'. */
const rareProduct = 40;

/** A word by its rarest parts of three letters, with anything between them: 'schmidt' as '%chm%'. */
function inParts(word: string, isOneWord: boolean): string {
  const letters = Array.from(word);
  const trigrams = letters.slice(2).map((_, at) => ({
    at,
    text: letters.slice(at, at + 3).join(''),
    product: letters
      .slice(at, at + 3)
      .reduce((product, letter) => product * (letterShares.get(letter) ?? rareShare), 1),
  }));
  const byProduct = trigrams.toSorted((one, other) => one.product - other.product);
  const [rarest] = byProduct;
  if (!rarest || (isOneWord && letters.length < 6)) return word;
  if (!isOneWord || rarest.product < rareProduct) return `%${rarest.text}%`;
  // Parts that overlap share rows.
  const pairs = byProduct.flatMap((one) =>
    byProduct
      .filter(({ at }) => at >= one.at + 3)
      .map((other) => ({ parts: [one, other], product: one.product * other.product })),
  );
  const [pair] = pairs.toSorted((one, other) => one.product - other.product);
  return pair ? `%${pair.parts.map(({ text }) => text).join('%')}%` : word;
}

/**
 * The phone number conditions of a term with at least three digits. The digits match anywhere in a number; '0170 123' also matches after
 * a country code. '+49 170 123' and '0049 170 123' match the start of a number, with this country code or in national notation.
 */
function phoneConditions(term: string, value: Value): string[] {
  if (!/^\+?[\d\s()./-]+$/.test(term)) return [];
  const typed = term.replace(/^((?:\+|00)[^(]*)\(0\)/, '$1').replaceAll(/\D/g, '');
  const digits = typed.replace(/^0+/, '');
  if (digits.length < 3) return [];
  const number = longestNumber(term);
  // Use the same digits as the text condition where possible, so that the index is scanned once.
  const either = (conditions: string[], shared: string) => [
    `((${conditions.join(' or ')}) and ${mayContainDigits(number !== null && shared.includes(number) ? number : shared, value)})`,
  ];
  const startsWith = (text: string, prefix: string) => `${text} like ${value(`${prefix}%`)}`;
  if (term.startsWith('+') || typed.startsWith('00')) {
    const national = digits.replace(countryCode, '');
    const withCode = startsWith('found.phone', digits);
    if (national.length < 3) return either([withCode], digits);
    return either([withCode, startsWith('found.phone', `0${national}`)], national);
  }
  const anywhere = `found.phone like ${value(`%${typed}%`)}`;
  if (!typed.startsWith('0')) return either([anywhere], digits);
  return either([anywhere, startsWith('national_digits(found.phone)', digits)], digits);
}
