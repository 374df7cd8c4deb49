import { ruleOf, type AuditAct } from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Tx } from '../platform/db.ts';
import type { AnyEvent } from './event-types.ts';
import { addToFigures } from './figures.ts';
import { jobsOf } from './jobs-of.ts';

const columns = `type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id,
  incident_number, user_id, session_id, import_id, changes, message_number`;

/** In the order of the columns. */
function asRow(event: AnyEvent) {
  const about = 'packageId' in event ? event : null;
  const user = 'userId' in event ? event : null;
  return {
    type: event.type,
    at: event.at,
    actor_id: event.actorId,
    package_id: about?.packageId ?? null,
    status: about?.status ?? null,
    location: about?.location ?? null,
    note: about?.note ?? null,
    owner_id: about?.ownerId ?? null,
    driver_id: about?.driverId ?? null,
    previous_driver_id: about?.previousDriverId ?? null,
    incident_number: about?.incidentNumber ?? null,
    user_id: user?.userId ?? null,
    session_id: user?.sessionId ?? null,
    import_id: user?.importId ?? null,
    changes: ('changes' in event && event.changes) || null,
    message_number: 'messageNumber' in event ? event.messageNumber : null,
  };
}

/** Whether an event of this type may have ended a session or changed somebody's rights. */
export const changesCallers = (type: string): boolean => ruleOf(type)?.forgets?.includes('callers') === true;

/**
 * Appends the fact with what it adds to the figures, and puts the jobs it causes into the queue, all in the caller's transaction;
 * listeners wake after its commit.
 * @returns the event's id
 */
export async function record(tx: Tx, event: AnyEvent): Promise<string> {
  const [[row]] = await Promise.all([
    tx.query<{ id: string }>(
      `insert into events (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
         $16) returning id`,
      Object.values(asRow(event)),
    ),
    addToFigures(tx, [event]),
  ]);
  if (!row) throw new Error('the event was not written');
  await auditEvent(tx, event);
  for (const job of jobsOf(event.type)) await tx.enqueue(job, { eventId: row.id });
  if (changesCallers(event.type)) tx.forgetCallers();
  tx.wakeListeners();
  return row.id;
}

async function auditEvent(tx: Tx, event: AnyEvent): Promise<void> {
  if (!ruleOf(event.type)?.audited || (event.type === 'user.changed' && !('changes' in event))) return;
  const subjectId = 'userId' in event ? event.userId : null;
  const details = 'changes' in event && !('packageId' in event) ? event.changes : {};
  await audit(tx, { act: event.type as AuditAct, actorId: event.actorId, subjectId, details });
}

/** The same for many facts at once, in one statement. */
export async function recordAll(tx: Tx, events: AnyEvent[]): Promise<void> {
  for (const event of events) await auditEvent(tx, event);
  const rows = await tx.query<{ id: string; type: AnyEvent['type'] }>(
    `insert into events (${columns})
     select ${columns} from json_to_recordset($1) as event (type text, at timestamptz, actor_id uuid, package_id uuid, status text,
       location text, note text, owner_id uuid, driver_id uuid, previous_driver_id uuid, incident_number integer, user_id uuid,
       session_id uuid, import_id uuid, changes jsonb, message_number integer)
     returning id, type`,
    [JSON.stringify(events.map(asRow))],
  );
  await addToFigures(tx, events);
  for (const { id, type } of rows) for (const job of jobsOf(type)) await tx.enqueue(job, { eventId: id });
  if (rows.some(({ type }) => changesCallers(type))) tx.forgetCallers();
  tx.wakeListeners();
}
