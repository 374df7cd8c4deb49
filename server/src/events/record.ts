import { ruleOf, type AuditAct, type PackageStatus, type TypesWhere } from '@waybill/contract';
import { audit } from '../audit/service.ts';
import type { Tx } from '../platform/db.ts';
import { addToFigures, type Attempt } from './figures.ts';
import { jobsOf } from './jobs-of.ts';

/** What happened to a package. The ids say whom it concerns; `status` is the one after it. */
export interface PackageEvent {
  type: TypesWhere<{ about: 'package' }>;
  at: Date;
  actorId: string;
  packageId: string;
  status: string;
  location: string | null;
  note?: string | null;
  ownerId: string;
  driverId: string | null;
  previousDriverId?: string | null;
  /** The incident it is about. */
  incidentNumber?: number;
  /** The status before it, where the figures depend on it. */
  previousStatus?: PackageStatus;
  /** The attempt that ended with it. */
  attempt?: Attempt;
  /** Of a rating. */
  stars?: number;
  /** Field -> what it was and became; what is personal in them goes when the recipient's or user's data go. */
  changes?: Record<string, { from: unknown; to: unknown }>;
}

/** What happened to an account, or to what is the user's own. */
export interface UserEvent {
  type: TypesWhere<{ about: 'account' }>;
  at: Date;
  actorId: string | null;
  userId: string;
  sessionId?: string;
  importId?: string;
  changes?: Changes;
}

/** Field -> [before, after], for the record. No personal data: it outlives the account. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** What happened to a custom role; whom it concerns is told by a `user.changed` of each. */
export interface RoleEvent {
  type: TypesWhere<{ about: 'role' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

/** What happened to a visitor's message; nobody has sent it as far as we know. */
export interface MessageEvent {
  type: TypesWhere<{ about: 'message' }>;
  at: Date;
  actorId: string | null;
  messageNumber: number;
}

/** Shifts of many drivers were planned at once. */
export interface ShiftsEvent {
  type: TypesWhere<{ about: 'shifts' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

/** What administrators changed about the product itself. */
export interface SettingsEvent {
  type: TypesWhere<{ about: 'settings' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

export type AnyEvent = PackageEvent | UserEvent | RoleEvent | MessageEvent | ShiftsEvent | SettingsEvent;

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
