import {
  maxAddresses,
  type AddressesQuery,
  type BookAddress,
  type BookAddressInput,
  type PlacesQuery,
  type Position,
  type Suggestion,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { filterList } from '../platform/database/keyset-lists.ts';
import type { Tx } from '../platform/database/db.ts';
import { AppError, isUniqueViolation, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { addressKey } from './address-key.ts';
import {
  asBookAddress,
  asSuggestion,
  countAddresses,
  deleteAddress,
  insertAddress,
  listAddressRows,
  nearestInGazetteer,
  searchedAddress,
  searchGazetteer,
  setAddress,
  type AddressRow,
} from './address-queries.ts';
import { straightMetres } from '../travel/estimate.ts';
import { geocoderOf } from './find-places.ts';

const maxSuggestions = 8;
/** An address further away is not the one of a place. */
const maxMetres = 200;

/** Suggestions go on without a geocoder that fails: what is known here is shown all the same. */
export async function searchPlaces(ctx: Ctx, actor: Actor, { q, near }: PlacesQuery): Promise<Suggestion[]> {
  await ctx.rateLimits.take('places', actor.id);
  const own = filterList({ q: searchedAddress, day: '' }, { q, limit: maxSuggestions });
  own.where(`owner_id = ${own.value(actor.id)}`);
  const pattern = `%${q
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll(/[\s,]+/g, '%')}%`;
  const [book, known] = await Promise.all([
    listAddressRows(ctx.db, own.page(), own.values()),
    searchGazetteer(ctx.db, pattern, maxSuggestions),
  ]);
  const found = distinct([...book.map(asSuggestion), ...known]);
  const geocoder = found.length < maxSuggestions ? geocoderOf(ctx.config) : null;
  if (!geocoder) return found;
  try {
    const answers = await geocoder.search(q, near ?? null);
    return distinct([...found, ...answers.map((answer) => ({ name: null, ...answer }))]);
  } catch (error) {
    ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the geocoder suggests nothing');
    return found;
  }
}

/** Each address once, the first of them. */
function distinct(suggestions: Suggestion[]): Suggestion[] {
  const byKey = new Map<string, Suggestion>();
  for (const suggestion of suggestions) {
    const { street, postalCode, city } = suggestion;
    const key = addressKey({ street: street ?? '', postalCode, city: city ?? '' });
    if (!byKey.has(key)) byKey.set(key, suggestion);
  }
  return [...byKey.values()].slice(0, maxSuggestions);
}

export async function findAddressAt(ctx: Ctx, actor: Actor, at: Position): Promise<Suggestion | null> {
  await ctx.rateLimits.take('places', actor.id);
  const known = await nearestInGazetteer(ctx.db, at);
  if (known?.place && straightMetres(known.place, at) <= maxMetres) return known;
  try {
    const answer = await geocoderOf(ctx.config)?.reverse(at);
    return answer ? { name: null, ...answer } : null;
  } catch (error) {
    ctx.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the geocoder finds no address');
    return null;
  }
}

export async function listAddresses(ctx: Ctx, actor: Actor, query: AddressesQuery): Promise<Page<BookAddress>> {
  const filter = filterList({ q: searchedAddress, day: '' }, query);
  filter.where(`owner_id = ${filter.value(actor.id)}`);
  const rows = await listAddressRows(ctx.db, filter.page(), filter.values());
  const count = query.count ? await filter.count(ctx.db, 'addresses') : null;
  return pageOf(rows, query.limit, count, (row) => row.id, asBookAddress);
}

export const createAddress = (ctx: Ctx, actor: Actor, input: BookAddressInput): Promise<BookAddress> =>
  change(ctx, async (tx) => {
    if ((await countAddresses(tx, actor.id)) >= maxAddresses)
      throw new AppError('conflict', `An address book has at most ${maxAddresses.toLocaleString('en')} addresses`);
    return insertAddress(tx, { id: uuid(), ownerId: actor.id, at: ctx.now() }, input);
  });

/** @throws not_found for an entry of another address book */
export const updateAddress = (ctx: Ctx, actor: Actor, id: string, input: BookAddressInput): Promise<BookAddress> =>
  change(ctx, (tx) => setAddress(tx, { id, ownerId: actor.id, at: ctx.now() }, input));

async function change(ctx: Ctx, work: (tx: Tx) => Promise<AddressRow | null>): Promise<BookAddress> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const row = await work(tx);
      if (!row) throw notFound('address');
      return asBookAddress(row);
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'addresses_key')) throw error;
    const message = 'This address is in your address book already';
    throw new AppError('conflict', message, { fields: { street: message } });
  }
}

export const removeAddress = (ctx: Ctx, actor: Actor, id: string): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if (!(await deleteAddress(tx, id, actor.id))) throw notFound('address');
  });
