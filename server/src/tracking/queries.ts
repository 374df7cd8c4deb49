import type { PublicRecipient } from '@waybill/contract';
import {
  eventsOnPublicTimeline,
  isWithheld,
  publicEvent,
  publicFields,
  publicSource,
  isNextStop,
  putOnTheRoad,
} from '../packages/public-view.ts';
import { openRoundCache } from '../packages/round-cache.ts';
import { arrivalIn, findRounds, type Round } from '../packages/rounds.ts';
import { readStoredViews, type ReadTerms, type ReadView, type Stop } from '../packages/stored-views.ts';
import type { Queryable } from '../platform/database/db.ts';
import { instant } from '../platform/database/json-text.ts';
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
  { recipient, withheldBefore }: Pick<ReadTerms, 'recipient' | 'withheldBefore'>,
): Promise<Map<string, ReadView>> {
  // Most that have no stored view do not exist.
  const found = await db.query<{ id: string }>('select id from packages where tracking_id = any($1)', [trackingIds]);
  if (found.length === 0) return new Map();
  const rows = await db.query<ComposedView>(publicViewSqls[recipient], [found.map(({ id }) => id), withheldBefore]);
  return new Map(
    rows.map(({ tracking_id: trackingId, view, route_id: routeId, package_id: packageId, has_carrier: hasCarrier }) => [
      trackingId,
      {
        stop: hasCarrier ? { routeId, packageId, isNext: isNextStop(view), lacksDriver: false } : null,
        text: (onTheRoad) => (onTheRoad ? putOnTheRoad(view, onTheRoad) : view),
      },
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

/**
 * Puts the arrivals of stops on routes and the positions of drivers into their views: one more statement for each, where there are any.
 * @returns null for views that lack their driver and are no stops of a started route
 */
async function withStops(
  db: Queryable,
  views: ReadView[],
  { now, msPerStop }: ArrivalTerms,
  readRounds: (db: Queryable, routeIds: string[], at: Date) => Promise<Map<string, Round>> = findRounds,
): Promise<(string | null)[]> {
  const at = now();
  const routeIds = views.flatMap(({ stop }) => stop?.routeId ?? []);
  const nextIds = views.flatMap(({ stop }) => (stop?.isNext && !stop.lacksDriver ? stop.packageId : []));
  const [rounds, positions] = await Promise.all([readRounds(db, routeIds, at), findPublicPositions(db, nextIds, at)]);
  return views.map((view) => {
    const { stop } = view;
    if (!stop) return view.text();
    const round = rounds.get(stop.routeId ?? '');
    const text = round ? withRound(view, stop, round, at, msPerStop) : null;
    if (text !== null || stop.lacksDriver) return text;
    return view.text({ arrival: null, position: positions.get(stop.packageId) ?? null, driver: null });
  });
}

/** @returns null if the package is no stop of this round */
function withRound(
  { text }: ReadView,
  { packageId, isNext }: Stop,
  round: Round,
  at: Date,
  msPerStop: number,
): string | null {
  const arrival = arrivalIn(round, packageId, msPerStop, at);
  if (!arrival) return null;
  const { driver, publicPosition, open } = round;
  if (driver === null) return text({ arrival: null, position: null, driver });
  const isRecent = publicPosition !== null && publicPosition.at >= publicSince(at).getTime();
  // By both, since the view and the round are read one after the other.
  const isShown = isNext && isRecent && open.some(({ id, next }) => next && id === packageId);
  return text({ arrival, position: isShown ? publicPosition.json : null, driver });
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
interface FoundStop {
  found: ReadView;
  caller: Caller;
  /** Whether the rounds that are kept are no older than the lookup. */
  isNoted: boolean;
}

interface LookupTerms {
  /** How recipients are shown at present. Called for each statement. */
  recipient(): Promise<PublicRecipient>;
  withheldBefore(): Date;
  arrivals: ArrivalTerms;
}

/**
 * Batches the lookups of one turn of the event loop, and those that arrive while statements are running, into one statement: about three
 * times the throughput of a statement per lookup. Stops whose round is not known, and packages on the road without a route, wait for what else
 * they need beside the next batch, together with those of other batches; nobody else waits for that. Views are not cached, and rounds only
 * until something changes them (`round-cache.ts`): an answer is never older than a change that was committed before the call.
 */
export function openLookup(db: Queryable, { recipient, withheldBefore, arrivals }: LookupTerms): Lookup {
  let waiting: Caller[] = [];
  let running = 0;
  let scheduled = false;
  let stops: FoundStop[] = [];
  let readsStops = false;
  const rounds = openRoundCache();

  /** The view with all that is put into it; null if something of that has to be read. */
  const complete = (view: ReadView, at: Date, isNoted: boolean): string | null => {
    const { stop } = view;
    if (!stop) return view.text();
    if (stop.routeId === null) return stop.isNext ? null : view.text();
    const round = isNoted ? rounds.find(stop.routeId, at) : null;
    return round && withRound(view, stop, round, at, arrivals.msPerStop);
  };
  const compose = async (ids: string[]) =>
    composeViews(db, ids, { recipient: await recipient(), withheldBefore: withheldBefore(), arrivals });
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
          batch.every(({ isNoted }) => isNoted) ? rounds.read : findRounds,
        );
        const lacking: Caller[] = [];
        for (const [index, { caller }] of batch.entries()) {
          const view = views[index] ?? null;
          if (view === null) lacking.push(caller);
          else caller.resolve(view);
        }
        if (lacking.length > 0) {
          const composed = await compose(lacking.map(({ trackingId }) => trackingId));
          for (const { trackingId, resolve } of lacking) resolve(composed.get(trackingId) ?? null);
        }
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
      const at = arrivals.now();
      const terms = {
        recipient: await recipient(),
        withheldBefore: withheldBefore(),
        positionsSince: publicSince(at),
        seen: rounds.seen(at),
      };
      const { views, changes } = await readStoredViews(db, ids, terms);
      if (changes) rounds.note(changes);
      const isNoted = changes !== null || terms.seen === null;
      const missing = ids.filter((id) => !views.has(id));
      const composed = missing.length > 0 ? await composeRows(db, missing, terms) : null;
      for (const caller of batch) {
        const found = views.get(caller.trackingId) ?? composed?.get(caller.trackingId) ?? null;
        const view = found && complete(found, at, isNoted);
        if (found && view === null) stops.push({ found, caller, isNoted });
        else caller.resolve(view);
      }
      if (stops.length > 0 && !readsStops) void answerStops();
    } catch (error) {
      rounds.forget();
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
