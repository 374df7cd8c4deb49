import type { PublicRecipient } from '@waybill/contract';
import {
  eventsOnPublicTimeline,
  instant,
  isWithheld,
  publicEvent,
  publicFields,
  publicSource,
} from '../packages/public-view.ts';
import { readStoredViews } from '../packages/stored-views.ts';
import type { Queryable } from '../platform/database/db.ts';

export interface Lookup {
  /** Returns the public view of a tracking ID as JSON text, or null. */
  find(trackingId: string): Promise<string | null>;
}

/**
 * Selects the public views of many tracking IDs, each as the JSON text of the response.
 * $1: tracking IDs; $2: as in `publicFields`.
 */
const publicViewSql = (recipient: PublicRecipient) => `
  select p.tracking_id, concat(
    '{"trackingId":"', p.tracking_id, '",', ${publicFields(recipient)},
    ',"lastUpdate":"', ${instant('coalesce(timeline.last_at, p.updated_at)')},
    '","events":[', timeline.events, ']}') as view
  from ${publicSource}
  cross join lateral (
    select string_agg(${publicEvent(isWithheld)}, ',' order by e.id desc) as events, max(e.at) as last_at from ${eventsOnPublicTimeline}
  ) timeline
  where p.tracking_id = any($1)`;

const publicViewSqls: Record<PublicRecipient, string> = {
  full: publicViewSql('full'),
  masked: publicViewSql('masked'),
  hidden: publicViewSql('hidden'),
};

/**
 * Composes the public views of these tracking IDs from the tables: what the stored views have to equal, and what a lookup answers for a
 * package whose stored view is missing or stale.
 */
export async function composeViews(
  db: Queryable,
  trackingIds: readonly string[],
  { recipient, withheldBefore }: { recipient: PublicRecipient; withheldBefore: Date },
): Promise<Map<string, string>> {
  const sql = publicViewSqls[recipient];
  const rows = await db.query<{ tracking_id: string; view: string }>(sql, [trackingIds, withheldBefore]);
  return new Map(rows.map((row) => [row.tracking_id, row.view]));
}

/** IDs per statement. */
const maxBatchSize = 100;
/** Concurrent statements, so that this process and the database work at the same time. */
const maxStatements = 2;
/** This many do not wait for the end of the turn: the database reads them while this process parses further requests. */
const fullBatchSize = 24;
/** The second statement runs only when this many are waiting: smaller batches cost more for each. */
const minSecondBatchSize = 16;

interface Caller {
  trackingId: string;
  resolve: (view: string | null) => void;
  reject: (error: unknown) => void;
}

interface LookupTerms {
  /** How recipients are shown at present. Called for each statement. */
  recipient(): Promise<PublicRecipient>;
  withheldBefore(): Date;
}

/**
 * Batches the lookups of one turn of the event loop, and those that arrive while statements are running, into one statement: about three
 * times the throughput of a statement per lookup. Nothing is cached, so nothing is stale.
 */
export function openLookup(db: Queryable, { recipient, withheldBefore }: LookupTerms): Lookup {
  let waiting: Caller[] = [];
  let running = 0;
  let scheduled = false;

  const send = async () => {
    const batch = waiting.slice(0, maxBatchSize);
    waiting = waiting.slice(maxBatchSize);
    running++;
    try {
      const ids = batch.map(({ trackingId }) => trackingId);
      const terms = { recipient: await recipient(), withheldBefore: withheldBefore() };
      const views = await readStoredViews(db, ids, terms);
      const missing = ids.filter((id) => !views.has(id));
      const composed = missing.length > 0 ? await composeViews(db, missing, terms) : null;
      for (const { trackingId, resolve } of batch) resolve(views.get(trackingId) ?? composed?.get(trackingId) ?? null);
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
