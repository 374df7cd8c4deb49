import type { Role, SentNotification, SentState } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { unfinishedJobs } from '../platform/database/queue.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { shownTrackingId } from './queries.ts';

export interface SentRow {
  id: string;
  at: Date;
  type: string;
  recipient_id: string | null;
  recipient_name: string | null;
  recipient_role: Role | null;
  package_id: string | null;
  tracking_id: string | null;
  incident_number: number | null;
  state: SentState;
  attempts: number;
  error: string | null;
}

export const asSent = (reader: Actor, row: SentRow): SentNotification => ({
  id: row.id,
  at: row.at.toISOString(),
  type: row.type,
  recipient: { id: row.recipient_id, name: row.recipient_name, role: row.recipient_role ?? 'admin' },
  packageId: row.package_id,
  trackingId: shownTrackingId(reader, row.tracking_id, false),
  incidentId: row.incident_number,
  channel: 'in-app',
  state: row.state,
  attempts: row.attempts,
  error: row.error,
});

/** Whom a job addresses; those who administer are found when it runs. */
const addressee = `case job.job when 'notify-owner' then e.owner_id when 'notify-driver' then e.driver_id
  when 'notify-former-driver' then e.previous_driver_id
  when 'notify-reporter' then i.reporter_id when 'notify-account' then e.user_id end`;

/**
 * What has reached somebody stands in `notifications`, what has not in the queue: there is no third place that says so, and could
 * be wrong.
 */
export const sentNotifications = `(
  select id, created_at as at, type, user_id as recipient_id, package_id, incident_number, 'delivered' as state, attempts,
    null as error from notifications
  union all
  select job.id, e.at, e.type, ${addressee}, e.package_id, e.incident_number, job.state, job.attempts, job.error
  from ${unfinishedJobs} job
  join events e on e.id = (job.payload->>'eventId')::bigint
  left join incidents i on i.number = e.incident_number
  -- A job at its very end has told already.
  where job.job like 'notify-%' and not (job.state = 'waiting'
    and exists (select from notifications told where told.user_id = ${addressee} and told.event_id = e.id))) sent`;

const columns = `sent.*, u.name as recipient_name, u.role as recipient_role, p.tracking_id`;
const more = 'left join users u on u.id = sent.recipient_id left join packages p on p.id = sent.package_id';

/** @param page which, in what order; names are looked up for what is on it only */
export const selectSent = (page: string): string =>
  `select ${columns} from (select * from ${sentNotifications} ${page}) sent ${more} order by sent.id desc`;

export async function findSent(db: Queryable, id: string): Promise<SentRow | null> {
  const [row] = await db.query<SentRow>(selectSent('where sent.id = $1'), [id]);
  return row ?? null;
}
