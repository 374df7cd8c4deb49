import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { placeDepots } from '../depots/service.ts';
import { recordAll } from '../events/record.ts';
import { findPlaces, type SearchOutcome } from '../places/find-places.ts';
import type { Tx } from '../platform/database/db.ts';
import { startPoll } from '../platform/polls.ts';
import {
  claimReturns,
  claimSearches,
  endSearches,
  findSought,
  postponeSearches,
  removeObsoleteSearches,
  settleReturns,
  settleSearches,
  storeFound,
  storeReturnPlace,
  type DueSearch,
  type FoundPlace,
  type PlacedPackage,
} from './place-queries.ts';
import { addressOf } from './row.ts';

/** Looks for searches that are due: retries, and those of other servers. */
const pollEveryMs = 5000;
/** So that the searches of a burst are done together. */
const wakeAfterMs = 100;
const cleanEveryMs = 3_600_000;
const batchSize = 50;
/** Longer than a batch takes when each of its questions runs into the time-out of the geocoder. */
const leaseSeconds = 120;
const closeMs = 5000;

const firstRetrySeconds = 30;
const longestRetrySeconds = 3600;
/** With the pauses between them more than a day. */
const maxAttempts = 30;
const retrySeconds = (attempts: number) => Math.min(firstRetrySeconds * 2 ** (attempts - 1), longestRetrySeconds);

/** A pin is the place of other packages to its address, too. */
const addressEvents = new Set([
  // What goes back needs the place of its return address from now on.
  'delivery.failed',
  'package.next-step',
  'package.created',
  'package.updated',
  'package.placed',
  'depot.created',
  'depot.changed',
]);
/** Whether an address may have to be looked up after an event of this type. */
export const bringsAddress = (type: string): boolean => addressEvents.has(type);

export interface PlaceSearches {
  /** Looks for due searches soon. */
  wake(): void;
  close(): Promise<void>;
}

/**
 * Looks up the places of addresses, outside of any transaction: of packages that were made, edited or imported. Any number of processes
 * may do so.
 */
export function openPlaceSearches(ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>): PlaceSearches {
  let isClosed = false;
  let running: Promise<void> | null = null;
  let wakeTimer: NodeJS.Timeout | null = null;

  /** What was due too late for the batch under way waits for the next. */
  let isWoken = false;
  const run = () => {
    wakeTimer = null;
    if (isClosed) return;
    if (running) {
      isWoken = true;
      return;
    }
    isWoken = false;
    running = searchAll()
      .catch((error: unknown) => ctx.log.warn({ reason: messageOf(error) }, 'places could not be looked up'))
      .finally(() => {
        running = null;
        if (isWoken) wake();
      });
  };
  const wake = () => {
    if (!isClosed) wakeTimer ??= setTimeout(run, wakeAfterMs).unref();
  };
  const searchAll = async () => {
    for (;;) {
      const due = await claimSearches(ctx.db, batchSize, leaseSeconds);
      if (due.length > 0) await searchBatch(ctx, due);
      if (isClosed || due.length < batchSize) break;
    }
    await placeReturns(ctx);
    await placeDepots(ctx);
  };

  const stopPoll = startPoll(wake, pollEveryMs);
  const cleanTimer = setInterval(() => {
    removeObsoleteSearches(ctx.db).catch((error: unknown) =>
      ctx.log.warn({ reason: messageOf(error) }, 'searches of finished packages could not be removed'),
    );
  }, cleanEveryMs).unref();
  wake();
  return {
    wake,
    async close() {
      isClosed = true;
      stopPoll();
      clearInterval(cleanTimer);
      if (wakeTimer) clearTimeout(wakeTimer);
      await Promise.race([running, sleep(closeMs, null, { ref: false })]);
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function searchBatch(ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>, due: DueSearch[]): Promise<void> {
  const byId = new Map(due.map((search) => [search.package_id, search]));
  const sought = await findSought(ctx.db, [...byId.keys()]);
  const wanted = sought.flatMap((row) => {
    const address = addressOf(row);
    return address ? [{ id: row.id, ownerId: row.owner_id, address }] : [];
  });
  const outcomes = await findPlaces(ctx, wanted);
  const failed = new Map<number, string[]>();
  const found: FoundPlace[] = [];
  const settled: DueSearch[] = [];
  for (const [n, { id, address }] of wanted.entries()) {
    const { place, error }: SearchOutcome = outcomes[n] ?? { place: null, error: null };
    const search = byId.get(id);
    byId.delete(id);
    if (place) {
      const { street, postalCode: postal_code, city } = address;
      found.push({ id, ...place, street, postal_code, city });
    }
    if (!search || isExact(place)) continue;
    if (error !== null && search.attempts < maxAttempts) {
      const seconds = retrySeconds(search.attempts);
      failed.set(seconds, [...(failed.get(seconds) ?? []), id]);
    } else settled.push(search);
  }
  await ctx.db.transaction(async (tx) => {
    const placed = await storeFound(tx, found);
    const exact = new Set(found.filter(isExact).map(({ id }) => id));
    // What is left of `byId` needs no place any more.
    await endSearches(tx, [...placed.filter(({ id }) => exact.has(id)).map(({ id }) => id), ...byId.keys()]);
    await settleSearches(tx, settled);
    for (const [seconds, ids] of failed) await postponeSearches(tx, ids, seconds);
    await recordLocated(tx, ctx, placed);
  });
}

/** Their screens show where they go. */
export async function recordLocated(tx: Tx, ctx: Pick<Ctx, 'now'>, placed: PlacedPackage[]): Promise<void> {
  if (placed.length === 0) return;
  const at = ctx.now();
  await recordAll(
    tx,
    placed.map(({ id, owner_id: ownerId, driver_id: driverId, status, location }) => ({
      type: 'package.located' as const,
      at,
      actorId: null,
      packageId: id,
      ownerId,
      driverId,
      status,
      location,
    })),
  );
}

/** Looks up the return addresses to which something goes back. */
async function placeReturns(ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>): Promise<void> {
  const wanted = (await claimReturns(ctx.db, batchSize)).flatMap((row) => {
    const address = addressOf(row);
    return address ? [{ ownerId: row.id, address }] : [];
  });
  if (wanted.length === 0) return;
  const outcomes = await findPlaces(ctx, wanted);
  const owners = wanted.map(({ ownerId }) => ownerId);
  await settleReturns(
    ctx.db,
    owners.filter((_, n) => outcomes[n]?.error),
    owners.filter((_, n) => !outcomes[n]?.error),
  );
  for (const [n, { ownerId, address }] of wanted.entries()) {
    const place = outcomes[n]?.place;
    if (!place) continue;
    await ctx.db.transaction(async (tx) =>
      recordLocated(tx, ctx, await storeReturnPlace(tx, ownerId, address, place, true)),
    );
  }
}

const isExact = (place: Place | null): boolean => place !== null && place.accuracy !== 'town';
