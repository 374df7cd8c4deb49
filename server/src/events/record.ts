import { eventRules, ruleOf, type AuditAct, type EventRule, type EventType } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import { audit } from '../audit/service.ts';
import type { Tx } from '../platform/database/db.ts';
import type { AnyEvent } from './event-types.ts';
import { addToFigures } from './figures.ts';
import { jobsOf, tellingJobs, tellsRecipient } from './event-jobs.ts';
import { queueDeliveries, type QueuedEvent } from './queued-notifications.ts';

/** The history table of an event, or null for signals. What is not about a package is account history, outside the audit log's hash chain. */
function historyOf(type: EventType): 'packages' | 'accounts' | null {
  const { about, signal }: EventRule = eventRules[type];
  if (signal) return null;
  return about === 'package' ? 'packages' : 'accounts';
}

/** The JSON row of an event, by column names. */
const asRow = (event: AnyEvent) => ({
  type: event.type,
  at: event.at,
  actor_id: event.actorId,
  ...('packageId' in event && {
    package_id: event.packageId,
    status: event.status,
    location: event.location,
    note: event.note,
    owner_id: event.ownerId,
    incident_number: event.incidentNumber,
    shown: event.shown,
    recorded_at: event.recordedAt,
    tells: event.reachesRecipient === true && tellsRecipient(event.type),
  }),
  ...('driverId' in event && { driver_id: event.driverId, previous_driver_id: event.previousDriverId }),
  ...('userId' in event && { user_id: event.userId, session_id: event.sessionId, import_id: event.importId }),
  ...('changes' in event && { changes: event.changes }),
  ...('messageNumber' in event && { message_number: event.messageNumber }),
  is_kept_with: historyOf(event.type),
});

const outboxColumns =
  'type, package_id, owner_id, driver_id, previous_driver_id, incident_number, user_id, session_id, import_id';
const packageEventColumns = `id, type, at, actor_id, package_id, status, location, note, owner_id, driver_id, previous_driver_id, incident_number,
  changes, shown, recorded_at`;
const accountEventColumns = 'id, type, at, actor_id, user_id, changes, message_number';

/** Stores each event in one of the two history tables and in the outbox; a signal only in the outbox. Returns what `storedEvents` would read. */
const insertEvents = `
  with given as materialized (
    select nextval('event_ids') as id, event.* from json_to_recordset($1) as event (type text, at timestamptz, actor_id uuid, package_id uuid, status text,
      location text, note text, owner_id uuid, driver_id uuid, previous_driver_id uuid, incident_number integer, user_id uuid,
      session_id uuid, import_id uuid, changes jsonb, message_number integer, shown boolean, recorded_at timestamptz, tells boolean, is_kept_with text)
  ), to_outbox as (
    insert into outbox (event_id, ${outboxColumns}) select case when is_kept_with is not null then id end, ${outboxColumns} from given
  ), to_package_events as (
    insert into package_events (${packageEventColumns}) select ${packageEventColumns} from given where is_kept_with = 'packages'
  ), to_account_events as (
    insert into account_events (${accountEventColumns}) select ${accountEventColumns} from given where is_kept_with = 'accounts'
  )
  select id, type, at, package_id, owner_id, incident_number, user_id, coalesce(tells, false) as tells,
    case is_kept_with when 'packages' then driver_id end as driver_id,
    case is_kept_with when 'packages' then previous_driver_id else (changes #>> '{offeredBy,0}')::uuid end as previous_driver_id
  from given where is_kept_with is not null`;

/**
 * CTEs that record the event `package.created` of each row of the CTE `changed (id, owner_id, status, location)`, caused by its owner at
 * the time $1: part of the statement that inserts the packages, which spares sending them back and forth. Its rule has no audit entry, and
 * only the job that tells recipients: enqueue those of `createdToTell`, and call `tx.notifyAfterCommit()` as well.
 */
export const recordCreated = `
  created_events as (
    insert into package_events (type, at, actor_id, package_id, status, location, owner_id)
    select 'package.created', $1::timestamptz, owner_id, id, status, location, owner_id from changed
    returning id, type, package_id, owner_id
  ), created_outbox as (
    insert into outbox (event_id, type, package_id, owner_id) select id, type, package_id, owner_id from created_events
  ), created_figures as (
    insert into figure_changes (at, created) select $1::timestamptz, count(*) from changed having count(*) > 0
  )`;

/** SQL: the events of `recordCreated` that recipients are told of, as a JSON array of `EventOfPackage`. */
export const createdToTell = `(select coalesce(json_agg(json_build_object('id', e.id::text, 'packageId', e.package_id) order by e.id), '[]')
    from created_events e join changed on changed.id = e.package_id
    where coalesce(changed.recipient_email, changed.recipient_phone) is not null)`;

/** Whether an event of this type may have ended a session or changed a user's rights. */
export const changesSessions = (type: string): boolean => ruleOf(type)?.clears?.includes('sessions') === true;

/**
 * Appends events to their history and to the outbox, and applies their rules: figures, audit entries, jobs, and a delivery for each
 * notifying job. Signals go only to the outbox.
 * Everything is part of the caller's transaction; listeners are notified after the commit.
 */
export async function recordAll(tx: Tx, events: AnyEvent[]): Promise<void> {
  // Two round trips for any number of events: the statements of each are sent together and carried out in this order.
  const [rows] = await Promise.all([
    tx.query<QueuedEvent & { tells: boolean }>(insertEvents, [JSON.stringify(events.map(asRow))]),
    addToFigures(tx, events),
    ...events.map((event) => auditEvent(tx, event)),
  ]);
  const jobs = rows.flatMap((event) => jobsOf(event.type).map((name) => ({ id: uuid(), name, event })));
  const telling = tellingJobs(
    rows.flatMap(({ id, package_id: packageId, tells }) => (tells && packageId ? { id, packageId } : [])),
  );
  const enqueued = [
    ...jobs.map(({ id, name, event }) => ({
      id,
      name,
      payload: { eventId: event.id, packageId: event.package_id },
    })),
    ...telling,
  ];
  await Promise.all([
    // The command line has no queue.
    enqueued.length > 0 && tx.enqueue(enqueued),
    queueDeliveries(tx, jobs),
  ]);
  if (events.some(({ type }) => changesSessions(type))) tx.invalidateSessions();
  tx.notifyAfterCommit();
}

export const record = (tx: Tx, event: AnyEvent): Promise<void> => recordAll(tx, [event]);

async function auditEvent(tx: Tx, event: AnyEvent): Promise<void> {
  if (!ruleOf(event.type)?.audited || (event.type === 'user.changed' && !('changes' in event))) return;
  const subjectId = 'userId' in event ? event.userId : null;
  const details = 'changes' in event && !('packageId' in event) ? event.changes : {};
  await audit(tx, { act: event.type as AuditAct, actorId: event.actorId, subjectId, details });
}
