import type { Channel } from '@waybill/contract';
import { notifying, notifyingJobs } from '../events/event-jobs.ts';
import { storedEvents } from '../events/history.ts';
import { insertUndelivered } from '../events/queued-notifications.ts';
import type { Db, Queryable, Tx } from '../platform/database/db.ts';
import { unfinishedJobs } from '../platform/database/queue.ts';
import type { NewNotification } from './queries.ts';

/** `failed`: all attempts failed (a dead letter), until an administrator retries it. */
export type DeliveryState = 'queued' | 'delivered' | 'failed';

/**
 * Records what some jobs of a channel have delivered, in the transaction that delivers it. A job's first delivery takes the row that
 * was queued with the job, the others get rows with the ids of their notifications. A job that delivered nothing leaves no row.
 */
export async function markDelivered(
  tx: Tx,
  channel: Channel,
  jobs: readonly FinishedJob[],
  delivered: NewNotification[],
): Promise<void> {
  if (delivered.length > 0) await tx.query(insertDelivered, [JSON.stringify(delivered), channel]);
  if (jobs.length > 0) await tx.query(deleteUndelivered, [jobs.map(({ id }) => id), ...boundsOf(jobs)]);
}

interface FinishedJob {
  id: string;
  /** The time of its event, which is that of its row. */
  at: Date;
}

/** Between the times of the events, so that not every month is read. The program cuts off microseconds. */
const deleteUndelivered = `
  delete from notification_deliveries where id = any($1) and state <> 'delivered'
    and at between $2::timestamptz - interval '1 second' and $3::timestamptz + interval '1 second'`;

function boundsOf(jobs: readonly FinishedJob[]): [Date, Date] {
  const times = jobs.map(({ at }) => at.getTime());
  return [new Date(Math.min(...times)), new Date(Math.max(...times))];
}

const insertDelivered = `
  with delivered as (
    select given.*, n.id as notification_id, row_number() over (partition by job_id order by place) = 1 as is_first
    from rows from (json_to_recordset($1) as (id uuid, job_id uuid, user_id uuid, event_id bigint, package_id uuid,
      tracking_id text, incident_number integer, type text, at timestamptz, attempts integer)) with ordinality
      as given (id, job_id, user_id, event_id, package_id, tracking_id, incident_number, type, at, attempts, place)
    -- Another channel may deliver what the list of notifications does not have.
    left join notifications n on n.user_id = given.user_id and n.event_id = given.event_id and n.created_at = given.at
  ), waited as (
    update notification_deliveries d set user_id = delivered.user_id, notification_id = delivered.notification_id, state = 'delivered',
      attempts = delivered.attempts, error = null, updated_at = now()
    from delivered where d.id = delivered.job_id and is_first and d.state <> 'delivered'
      -- The time of the event, for its partition only: the program cuts off microseconds.
      and d.at between delivered.at - interval '1 second' and delivered.at + interval '1 second' returning delivered.id
  )
  insert into notification_deliveries
    (id, channel, event_id, type, at, package_id, tracking_id, incident_number, user_id, notification_id, state, attempts)
  select id, $2, event_id, type, at, package_id, tracking_id, incident_number, user_id, notification_id, 'delivered', attempts
  from delivered where id not in (select id from waited)`;

/** Stores a failed attempt with its error. @param attempt counted from 1 */
export async function markFailedAttempt(
  db: Queryable,
  { id, attempt, isLast }: { id: string; attempt: number; isLast: boolean },
  reason: string,
): Promise<void> {
  await db.query(
    `update notification_deliveries set state = $2, attempts = $3, error = left($4, 500), updated_at = now()
     where id = $1 and state <> 'delivered'`,
    [id, isLast ? 'failed' : 'queued', attempt, reason],
  );
}

export interface UndeliveredRow {
  state: DeliveryState;
  /** The name of its job. Null if an older server delivered it. */
  job: string | null;
  event_id: string;
  package_id: string | null;
  type: string;
  attempts: number;
}

/** Locks the row until the transaction ends, so that of concurrent retries only one enqueues the job. */
export async function lockDelivery(tx: Tx, id: string): Promise<UndeliveredRow | null> {
  const [row] = await tx.query<UndeliveredRow>(
    'select state, job, event_id, package_id, type, attempts from notification_deliveries where id = $1 for update',
    [id],
  );
  return row ?? null;
}

/** Resets a failed delivery whose job has been enqueued again. A delivered one stays as it is. */
export async function setQueued(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update notification_deliveries set state = 'queued', error = null, updated_at = now() where id = $1 and state = 'failed'`,
    [id],
  );
}

/** Only these rows are compared with the queue: a worker may be about to update a newer one. */
const untouched = "updated_at < now() - interval '1 minute'";

const jobs = `(
  select id, job as name, (payload->>'eventId')::bigint as event_id, case state when 'failed' then state else 'queued' end as state,
    attempts, error, since
  from ${unfinishedJobs} unfinished) job`;

/**
 * Reconciles the rows with the queue: a worker that was killed in its last attempt stored no failure, and older servers enqueue jobs
 * without rows. Failed rows are deleted after 90 days, as the queue's dead letters are.
 */
export async function reconcileDeliveries(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const [free] = await tx.query<{ free: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended('waybill deliveries', 0)) as free",
    );
    if (!free?.free) return;
    await tx.query(
      `update notification_deliveries d set state = job.state, attempts = job.attempts, error = coalesce(job.error, d.error), updated_at = now()
       from ${jobs} where d.id = job.id and d.state <> 'delivered' and d.state <> job.state and d.${untouched}`,
    );
    await tx.query(
      `delete from notification_deliveries d where state <> 'delivered' and ${untouched} and not exists (select from ${jobs} where job.id = d.id)
         and (state = 'queued' or updated_at < now() - interval '90 days')`,
    );
    // A job that has just run may not be completed yet, and has no row if it delivered nothing.
    await tx.query(
      insertUndelivered(`(
        select * from ${jobs} join json_to_recordset($1) as notifying (name text, audience text, channel text) using (name)
        where not exists (select from notification_deliveries d where d.id = job.id)
          and (state = 'failed' or since < now() - interval '1 minute')) job
        -- At most one row, which the planner cannot know of a union of two tables.
        join lateral (select * from ${storedEvents()} fact where fact.id = job.event_id limit 1) e on true`),
      [JSON.stringify(notifyingJobs.map((name) => ({ name, ...notifying[name] })))],
    );
  });
}
