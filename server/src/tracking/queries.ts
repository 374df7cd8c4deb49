import type { PublicRecipient } from '@waybill/contract';
import {
  eventsOnPublicTimeline,
  instant,
  isWithheld,
  publicEvent,
  publicFields,
  publicSource,
  isNextStop,
  putArrival,
  putPosition,
} from '../packages/public-view.ts';
import { arrivalIn, findRounds } from '../packages/rounds.ts';
import { readStoredViews, type ReadTerms, type ReadView } from '../packages/stored-views.ts';
import type { Queryable } from '../platform/database/db.ts';
import { findPublicPositions, publicSince } from '../positions/last-positions.ts';

export interface Lookup {
  /** Returns the public view of a tracking ID as JSON text, or null. */
  find(trackingId: string): Promise<string | null>;
}

/**
 * Selects the public views of many packages, each as the JSON text of the response.
 * $1: package ids; $2: as in `publicFields`.
 */
const publicViewSql = (recipient: PublicRecipient) => `
  select p.tracking_id, p.id as package_id, p.route_id, carrier.id is not null as has_carrier, concat(
    '{"trackingId":"', p.tracking_id, '",', ${publicFields(recipient)},
    ',"lastUpdate":"', ${instant('coalesce(timeline.last_at, p.updated_at)')},
    '","events":[', timeline.events, ']}') as view
  from ${publicSource}
  cross join lateral (
    select string_agg(${publicEvent(isWithheld)}, ',' order by e.id desc) as events, max(e.at) as last_at from ${eventsOnPublicTimeline} and e.package_id = any($1)
  ) timeline
  where p.id = any($1)`;

const publicViewSqls: Record<PublicRecipient, string> = {
  full: publicViewSql('full'),
  masked: publicViewSql('masked'),
  hidden: publicViewSql('hidden'),
};

interface ComposedView {
  tracking_id: string;
  package_id: string;
  route_id: string | null;
  /** Whether it is on the road with an active driver. */
  has_carrier: boolean;
  view: string;
}

async function composeRows(
  db: Queryable,
  trackingIds: readonly string[],
  { recipient, withheldBefore }: Omit<ReadTerms, 'positionsSince'>,
): Promise<Map<string, ReadView>> {
  // Most that have no stored view do not exist.
  const found = await db.query<{ id: string }>('select id from packages where tracking_id = any($1)', [trackingIds]);
  if (found.length === 0) return new Map();
  const rows = await db.query<ComposedView>(publicViewSqls[recipient], [found.map(({ id }) => id), withheldBefore]);
  return new Map(
    rows.map(({ tracking_id: trackingId, view, route_id: routeId, package_id: packageId, has_carrier: hasCarrier }) => [
      trackingId,
      { view, stop: hasCarrier ? { routeId, packageId, hasPosition: true } : null },
    ]),
  );
}

/**
 * Composes the public views of these tracking IDs from the tables: what the stored views have to equal, and what a lookup answers for a
 * package whose stored view is missing or stale.
 */
export async function composeViews(
  db: Queryable,
  trackingIds: readonly string[],
  { arrivals, ...terms }: { recipient: PublicRecipient; withheldBefore: Date; arrivals: ArrivalTerms },
): Promise<Map<string, string>> {
  const rows = [...(await composeRows(db, trackingIds, terms))];
  const views = await withStops(
    db,
    rows.map(([, view]) => view),
    arrivals,
  );
  return new Map(rows.map(([trackingId], index) => [trackingId, views[index] ?? '']));
}

/** IDs per statement. */
const maxBatchSize = 100;
/** Concurrent statements, so that this process and the database work at the same time. */
const maxStatements = 2;
/** This many do not wait for the end of the turn: the database reads them while this process parses further requests. */
const fullBatchSize = 48;
/** The second statement runs only when this many are waiting: smaller batches cost more for each. */
const minSecondBatchSize = 32;

/** Puts the arrivals of stops on routes and the positions of drivers into their views: one more statement for each, where there are any. */
async function withStops(db: Queryable, views: ReadView[], { now, msPerStop }: ArrivalTerms): Promise<string[]> {
  const routeIds = views.flatMap(({ stop }) => stop?.routeId ?? []);
  const nextIds = views.flatMap(({ view, stop }) => (stop?.hasPosition && isNextStop(view) ? stop.packageId : []));
  if (routeIds.length + nextIds.length === 0) return views.map(({ view }) => view);
  const [rounds, positions] = await Promise.all([findRounds(db, routeIds), findPublicPositions(db, nextIds, now())]);
  return views.map((found) => {
    if (!found.stop) return found.view;
    const { routeId, packageId } = found.stop;
    const arrival = arrivalIn(rounds.get(routeId ?? ''), packageId, msPerStop, now());
    const view = arrival ? putArrival(found.view, arrival) : found.view;
    const position = positions.get(packageId);
    return position ? putPosition(view, position) : view;
  });
}

interface ArrivalTerms {
  now(): Date;
  msPerStop: number;
}

interface Caller {
  trackingId: string;
  resolve: (view: string | null) => void;
  reject: (error: unknown) => void;
}

/** A lookup whose view is found, and needs what changes with other packages. */
interface Stop {
  found: ReadView;
  caller: Caller;
}

interface LookupTerms {
  /** How recipients are shown at present. Called for each statement. */
  recipient(): Promise<PublicRecipient>;
  withheldBefore(): Date;
  arrivals: ArrivalTerms;
}

/**
 * Batches the lookups of one turn of the event loop, and those that arrive while statements are running, into one statement: about three
 * times the throughput of a statement per lookup. Packages on the road wait for what else they need beside the next batch, together with
 * those of other batches; nobody else waits for that. Nothing is cached, so nothing is stale.
 */
export function openLookup(db: Queryable, { recipient, withheldBefore, arrivals }: LookupTerms): Lookup {
  let waiting: Caller[] = [];
  let running = 0;
  let scheduled = false;
  let stops: Stop[] = [];
  let readsStops = false;

  const answerStops = async () => {
    readsStops = true;
    while (stops.length > 0) {
      const batch = stops.slice(0, maxBatchSize);
      stops = stops.slice(maxBatchSize);
      try {
        const views = await withStops(
          db,
          batch.map(({ found }) => found),
          arrivals,
        );
        for (const [index, { caller, found }] of batch.entries()) caller.resolve(views[index] ?? found.view);
      } catch (error) {
        for (const { caller } of batch) caller.reject(error);
      }
    }
    readsStops = false;
  };
  const send = async () => {
    const batch = waiting.slice(0, maxBatchSize);
    waiting = waiting.slice(maxBatchSize);
    running++;
    try {
      const ids = batch.map(({ trackingId }) => trackingId);
      const positionsSince = publicSince(arrivals.now());
      const terms = { recipient: await recipient(), withheldBefore: withheldBefore(), positionsSince };
      const views = await readStoredViews(db, ids, terms);
      const missing = ids.filter((id) => !views.has(id));
      const composed = missing.length > 0 ? await composeRows(db, missing, terms) : null;
      for (const caller of batch) {
        const found = views.get(caller.trackingId) ?? composed?.get(caller.trackingId) ?? null;
        if (found?.stop) stops.push({ found, caller });
        else caller.resolve(found?.view ?? null);
      }
      if (stops.length > 0 && !readsStops) void answerStops();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running--;
      sendWaiting();
    }
  };
  const canSend = () => running === 0 || (running < maxStatements && waiting.length >= minSecondBatchSize);
  const sendWaiting = () => {
    scheduled = false;
    while (waiting.length > 0 && canSend()) void send();
  };
  return {
    find: (trackingId) =>
      new Promise((resolve, reject) => {
        waiting.push({ trackingId, resolve, reject });
        if (running < maxStatements && waiting.length >= fullBatchSize) return sendWaiting();
        if (scheduled || !canSend()) return;
        scheduled = true;
        setImmediate(sendWaiting);
      }),
  };
}
