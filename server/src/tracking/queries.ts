import { publicEventTypes } from '@waybill/contract';
import type { Pool } from '../platform/db.ts';

export interface Lookup {
  /** The public view of a tracking ID as JSON text, or null. */
  find(trackingId: string): Promise<string | null>;
}

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** How the recipient's name is shown: as it is, as first name and initial, or not at all. */
const recipientColumns = {
  full: 'p.recipient_name',
  masked: `split_part(p.recipient_name, ' ', 1) ||
    case when strpos(p.recipient_name, ' ') > 0 then ' ' || left(split_part(p.recipient_name, ' ', -1), 1) || '.' else '' end`,
  hidden: 'null',
};

const publicTypes = publicEventTypes.map((type) => `'${type}'`).join(', ');

/**
 * The public views of many tracking IDs, each as the JSON text that goes out.
 * $1 tracking IDs; $2 the time before which a delivery is old: recipient and places are gone from it.
 */
export const publicViewSql = (recipient: keyof typeof recipientColumns) => `
  select p.tracking_id, json_build_object(
    'trackingId', p.tracking_id,
    'name', p.name,
    'status', p.status,
    'location', case when not (coalesce(p.completed_at < $2, false)) then p.location end,
    'eta', p.eta,
    'estimatedDeliveryTime', ${instant('p.estimated_delivery_at')},
    'completedAt', ${instant('p.completed_at')},
    'lastUpdate', ${instant('p.updated_at')},
    'recipientName', case when not (p.hide_recipient or coalesce(p.completed_at < $2, false)) then ${recipientColumns[recipient]} end,
    'category', p.category,
    'weight', p.weight_kg,
    'events', (
      select coalesce(json_agg(json_build_object(
        'type', e.type,
        'at', ${instant('e.at')},
        'location', case when not (coalesce(p.completed_at < $2, false)) then e.location end
      ) order by e.id desc), '[]')
      from events e where e.package_id = p.id and e.type in (${publicTypes})
    )
  )::text as view
  from packages p where p.tracking_id = any($1)`;

/** IDs in one statement. */
const mostIds = 100;
/** The second is for when a full statement's worth of IDs waits: with one at a time each gathers twice as many. */
const statementsAtOnce = 2;

/**
 * Gathers the IDs asked for in one turn of the event loop, and while the connections are busy, into one statement:
 * some three times the lookups a second of one statement each. Nothing is cached, so nothing is stale.
 *
 * @param oldBefore the end of the 30 days in which a delivered package shows its recipient
 */
export function openLookup(pool: Pool, recipient: keyof typeof recipientColumns, oldBefore: () => Date): Lookup {
  const sql = publicViewSql(recipient);
  const waiting = new Map<string, { resolve: (view: string | null) => void; reject: (error: unknown) => void }[]>();
  let running = 0;
  let scheduled = false;

  const send = async () => {
    const ids = [...waiting.keys()].slice(0, mostIds);
    const batch = ids.map((id) => ({ id, callers: waiting.get(id) ?? [] }));
    for (const id of ids) waiting.delete(id);
    running++;
    try {
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
  const canSend = () => running === 0 || (running < statementsAtOnce && waiting.size >= mostIds);
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
