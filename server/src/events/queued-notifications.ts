import type { Tx } from '../platform/database/db.ts';
import { isNotifying, notifying, type JobName } from './event-jobs.ts';

/** The recipient of a job, in SQL; null for administrators, who are resolved when it runs. */
const recipient = `case job.audience when 'owner' then e.owner_id when 'driver' then e.driver_id
  when 'formerDriver' then e.previous_driver_id when 'reporter' then i.reporter_id when 'account' then e.user_id end`;

/**
 * The statement that inserts the deliveries of jobs that have not notified anybody yet. Jobs without a recipient get none.
 *
 * @param jobs SQL of two relations: `job` with the columns id, name, audience, channel, state, attempts and error, and its event `e` with
 *   some columns of `storedEvents`
 */
export const insertUndelivered = (jobs: string): string => `
  insert into notification_deliveries
    (id, channel, job, event_id, type, at, package_id, tracking_id, incident_number, user_id, state, attempts, error)
  select job.id, job.channel, job.name, e.id, e.type, e.at, e.package_id, p.tracking_id, e.incident_number, ${recipient}, job.state, job.attempts, job.error
  from ${jobs}
  left join packages p on p.id = e.package_id
  left join incidents i on i.package_id = e.package_id and i.number = e.incident_number
  where job.audience in ('admins', 'dispatchers', 'accountAdmins') or ${recipient} is not null
  on conflict do nothing`;

/** What deliveries need of an event. */
export interface QueuedEvent {
  id: string;
  type: string;
  at: Date;
  package_id: string | null;
  incident_number: number | null;
  owner_id: string | null;
  driver_id: string | null;
  previous_driver_id: string | null;
  user_id: string | null;
}

export interface QueuedJob {
  id: string;
  name: JobName;
  event: QueuedEvent;
}

const insertQueued = insertUndelivered(`(
    select id, name, audience, channel, 'queued' as state, 0 as attempts, null::text as error, event
    from json_to_recordset($1) as given (id uuid, name text, audience text, channel text, event json)
  ) job cross join lateral json_to_record(job.event) as e (id bigint, type text, at timestamptz, package_id uuid, incident_number integer,
    owner_id uuid, driver_id uuid, previous_driver_id uuid, user_id uuid)`);

/** Inserts a delivery for each job that notifies. Call it in the transaction that enqueues the jobs. */
export async function queueDeliveries(tx: Tx, jobs: QueuedJob[]): Promise<void> {
  const rows = jobs.flatMap((job) => (isNotifying(job.name) ? [{ ...job, ...notifying[job.name] }] : []));
  if (rows.length > 0) await tx.query(insertQueued, [JSON.stringify(rows)]);
}
