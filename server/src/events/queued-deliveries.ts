import type { Tx } from '../platform/database/db.ts';
import { facts } from './history.ts';

/** The recipient of a job, in SQL; null for administrators, who are resolved when it runs. */
const addressee = `case job.name when 'notify-owner' then e.owner_id when 'notify-driver' then e.driver_id
  when 'notify-former-driver' then e.previous_driver_id when 'notify-reporter' then i.reporter_id
  when 'notify-account' then e.user_id end`;

/**
 * The statement that inserts the deliveries of jobs that have not notified anybody yet. Jobs without a recipient get none.
 *
 * @param jobs SQL of a relation called `job` with the columns id, name, event_id, state, attempts and error
 */
export const insertUndelivered = (jobs: string): string => `
  insert into notification_deliveries
    (id, channel, job, event_id, type, at, package_id, incident_number, user_id, state, attempts, error)
  select job.id, 'in-app', job.name, e.id, e.type, e.at, e.package_id, e.incident_number, ${addressee}, job.state, job.attempts, job.error
  from ${jobs}
  -- At most one row, which the planner cannot know of a union of two tables.
  join lateral (select * from ${facts} fact where fact.id = job.event_id limit 1) e on true
  left join incidents i on i.number = e.incident_number
  where job.name = 'notify-admins' or ${addressee} is not null
  on conflict (id) do nothing`;

export interface QueuedJob {
  id: string;
  name: string;
  event_id: string;
}

const insertQueued = insertUndelivered(`(
  select id, name, event_id, 'queued' as state, 0 as attempts, null::text as error
  from json_to_recordset($1) as given (id uuid, name text, event_id bigint)) job`);

/** Call it in the transaction that enqueues the jobs. */
export async function queueDeliveries(tx: Tx, jobs: QueuedJob[]): Promise<void> {
  if (jobs.length > 0) await tx.query(insertQueued, [JSON.stringify(jobs)]);
}
