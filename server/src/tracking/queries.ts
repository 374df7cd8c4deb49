import { publicEventTypes, type PublicRecipient } from '@waybill/contract';
import { instant, isWithheld, publicFields, publicSource, text } from '../packages/public-view.ts';
import type { Pool } from '../platform/database/db.ts';

export interface Lookup {
  /** The public view of a tracking ID as JSON text, or null. */
  find(trackingId: string): Promise<string | null>;
}

/** What the page shows of a package itself, by which edits are judged that were written down without `shown`, as by version 0.2.0. */
const shownFields = ['name', 'location', 'eta', 'recipientName', 'hideRecipient', 'showSender', 'category', 'weight'];

const publicTypes = publicEventTypes.map((type) => `'${type}'`).join(', ');

/**
 * Where it was with an event. That of the delivery is the town, however much more earlier versions wrote down.
 */
const eventPlace = `case when e.status = 'delivered' then p.location else e.location end`;

const publicEvent = `concat(
  '{"type":"', e.type,
  '","at":"', ${instant('e.at')},
  '","location":', case when ${isWithheld} then 'null' else ${text(`(${eventPlace})`)} end, '}')`;

/**
 * The public views of many tracking IDs, each as the JSON text that goes out.
 * $1 tracking IDs; $2 as in `publicFields`.
 */
const publicViewSql = (recipient: PublicRecipient) => `
  select p.tracking_id, concat(
    '{"trackingId":"', p.tracking_id, '",', ${publicFields(recipient)},
    ',"lastUpdate":"', ${instant('coalesce(told.last_at, p.updated_at)')},
    '","events":[', told.events, ']}') as view
  from ${publicSource}
  cross join lateral (
    select string_agg(${publicEvent}, ',' order by e.id desc) as events, max(e.at) as last_at
    from package_events e where e.package_id = p.id and e.type in (${publicTypes})
      and (e.type <> 'package.updated' or coalesce(e.shown,
        e.changes is null or e.changes ?| array[${shownFields.map((field) => `'${field}'`).join(', ')}]))
  ) told
  where p.tracking_id = any($1)`;

const publicViewSqls: Record<PublicRecipient, string> = {
  full: publicViewSql('full'),
  masked: publicViewSql('masked'),
  hidden: publicViewSql('hidden'),
};

/** IDs in one statement. */
const maxIds = 100;
/** The second is for when a full statement's worth of IDs waits: with one at a time each gathers twice as many. */
const statementsAtOnce = 2;

interface LookupTerms {
  /** How recipients are shown now; asked for each statement. */
  recipient(): Promise<PublicRecipient>;
  oldBefore(): Date;
}

/**
 * Gathers the IDs asked for in one turn of the event loop, and while the connections are busy, into one statement:
 * some three times the lookups a second of one statement each. Nothing is cached, so nothing is stale.
 */
export function openLookup(pool: Pool, { recipient, oldBefore }: LookupTerms): Lookup {
  const waiting = new Map<string, { resolve: (view: string | null) => void; reject: (error: unknown) => void }[]>();
  let running = 0;
  let scheduled = false;

  const send = async () => {
    const ids = [...waiting.keys()].slice(0, maxIds);
    const batch = ids.map((id) => ({ id, callers: waiting.get(id) ?? [] }));
    for (const id of ids) waiting.delete(id);
    running++;
    try {
      const sql = publicViewSqls[await recipient()];
      const rows = await pool.query<{ tracking_id: string; view: string }>(sql, [ids, oldBefore()]);
      const views = new Map(rows.map((row) => [row.tracking_id, row.view]));
      for (const { id, callers } of batch) for (const caller of callers) caller.resolve(views.get(id) ?? null);
    } catch (error) {
      for (const { callers } of batch) for (const caller of callers) caller.reject(error);
    } finally {
      running--;
      sendWaiting();
    }
  };
  const canSend = () => running === 0 || (running < statementsAtOnce && waiting.size >= maxIds);
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
