import type { Address, Place } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import { placesInBooks, type OwnedAddress } from './address-book.ts';
import { addressKey } from './address-key.ts';
import { findInGazetteer } from './address-queries.ts';
import { openGeocoder, placeAmong, type Geocoder } from './geocoder.ts';

/** `error`: why it is not known yet, so that it is worth another try. */
export interface SearchOutcome {
  place: Place | null;
  error: string | null;
}

/** The geocoder of the settings; null without one. */
export const geocoderOf = ({ GEOCODER_URL: url, GEOCODER_KIND: kind }: Ctx['config']): Geocoder | null =>
  url ? openGeocoder(kind, url) : null;

/** Questions that a geocoder answers at the same time. */
const concurrency = 4;

/** The places of addresses, in their order: from the address book of their owner, the addresses known here, or the geocoder. */
export async function findPlaces(
  ctx: Pick<Ctx, 'config' | 'db' | 'log'>,
  wanted: OwnedAddress[],
): Promise<SearchOutcome[]> {
  if (wanted.length === 0) return [];
  const known = await placesKnownHere(ctx.db, wanted);
  const geocoder = geocoderOf(ctx.config);
  if (!geocoder) return known.map((place) => ({ place, error: null }));
  const open = new Map<string, Address>();
  for (const [n, { address }] of wanted.entries()) if (!known[n]) open.set(addressKey(address), address);
  const answers = new Map<string, SearchOutcome>();
  const queue = [...open];
  const ask = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) answers.set(next[0], await askFor(geocoder, next[1]));
  };
  await Promise.all(Array.from({ length: concurrency }, ask));
  const failed = [...answers.values()].find(({ error }) => error !== null);
  if (failed) ctx.log.warn({ reason: failed.error }, 'the geocoder does not answer; places are looked up again later');
  return wanted.map(
    ({ address }, n) => (known[n] ? { place: known[n], error: null } : answers.get(addressKey(address))) ?? nothing,
  );
}

async function placesKnownHere(db: Queryable, wanted: OwnedAddress[]): Promise<(Place | null)[]> {
  const keys = wanted.map(({ address }) => addressKey(address));
  const [books, rows] = await Promise.all([placesInBooks(db, wanted), findInGazetteer(db, [...new Set(keys)])]);
  const gazetteer = new Map(
    rows.map(({ key, lon, lat, accuracy, source }): [string, Place] => [key, { lon, lat, accuracy, source }]),
  );
  return books.map((place, n) => place ?? gazetteer.get(keys[n] ?? '') ?? null);
}

const nothing: SearchOutcome = { place: null, error: null };

async function askFor(geocoder: Geocoder, address: Address): Promise<SearchOutcome> {
  try {
    return { place: placeAmong(await geocoder.search(lineOf(address), null), address), error: null };
  } catch (error) {
    return { place: null, error: error instanceof Error ? error.message : String(error) };
  }
}

/** For a search. */
export const lineOf = ({ street, postalCode, city, country }: Address): string =>
  [street, [postalCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
