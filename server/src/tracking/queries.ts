import { publicEventTypes, type PublicRecipient } from '@waybill/contract';
import { instant, isWithheld, publicFields, publicSource, text } from '../packages/public-view.ts';
import type { Queryable } from '../platform/database/db.ts';

export interface Lookup {
  /** Returns the public view of a tracking ID as JSON text, or null. */
  find(trackingId: string): Promise<string | null>;
}

/** Public fields. They decide whether an edit was public if its event has no `shown`, as events written by version 0.2.0. */
const shownFields = ['name', 'location', 'eta', 'recipientName', 'hideRecipient', 'showSender', 'category', 'weight'];

const publicTypes = publicEventTypes.map((type) => `'${type}'`).join(', ');

/** The public place of an event. For the delivery only the town: earlier versions recorded more in the event. */
const eventPlace = `case when e.status = 'delivered' then p.location else e.location end`;

const publicEvent = `concat(
  '{"type":"', e.type,
  '","at":"', ${instant('e.at')},
  '","location":', case when ${isWithheld} then 'null' else ${text(`(${eventPlace})`)} end, '}')`;

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
    select string_agg(${publicEvent}, ',' order by e.id desc) as events, max(e.at) as last_at
    from package_events e where e.package_id = p.id and e.type in (${publicTypes})
      and (e.type <> 'package.updated' or coalesce(e.shown,
        e.changes is null or e.changes ?| array[${shownFields.map((field) => `'${field}'`).join(', ')}]))
  ) timeline
  where p.tracking_id = any($1)`;

const publicViewSqls: Record<PublicRecipient, string> = {
  full: publicViewSql('full'),
  masked: publicViewSql('masked'),
  hidden: publicViewSql('hidden'),
};

/** IDs per statement. */
const maxBatchSize = 100;
/** Concurrent statements. The second one runs only when a full batch is waiting: one at a time makes batches twice as large. */
const maxStatements = 2;

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
  const waiting = new Map<string, { resolve: (view: string | null) => void; reject: (error: unknown) => void }[]>();
  let running = 0;
  let scheduled = false;

  const send = async () => {
    const ids = [...waiting.keys()].slice(0, maxBatchSize);
    const batch = ids.map((id) => ({ id, callers: waiting.get(id) ?? [] }));
    for (const id of ids) waiting.delete(id);
    running++;
    try {
      const sql = publicViewSqls[await recipient()];
      const rows = await db.query<{ tracking_id: string; view: string }>(sql, [ids, withheldBefore()]);
      const views = new Map(rows.map((row) => [row.tracking_id, row.view]));
      for (const { id, callers } of batch) for (const caller of callers) caller.resolve(views.get(id) ?? null);
    } catch (error) {
      for (const { callers } of batch) for (const caller of callers) caller.reject(error);
    } finally {
      running--;
      sendWaiting();
    }
  };
  const canSend = () => running === 0 || (running < maxStatements && waiting.size >= maxBatchSize);
  const sendWaiting = () => {
    scheduled = false;
    while (waiting.size > 0 && canSend()) void send();
  };
  return {
    find: (trackingId) =>
      new Promise((resolve, reject) => {
        const callers = waiting.get(trackingId);
        if (callers) callers.push({ resolve, reject });
        else waiting.set(trackingId, [{ resolve, reject }]);
        if (scheduled || !canSend()) return;
        scheduled = true;
        setImmediate(sendWaiting);
      }),
  };
}
