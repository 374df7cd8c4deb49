import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { useEmbeddedPostgres } from '../server/src/embedded-postgres/embedded-postgres.ts';
import type { RunningProduct } from './product.ts';

/** Replaces the owner's latest notification of a package by what a job leaves after its last retry: a dead letter and a failed delivery. */
export async function createDeadLetter(product: RunningProduct, packageId: string): Promise<void> {
  const postgres = await useEmbeddedPostgres({ dataDir: product.dataDir, log: () => {} });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    await client.query(
      `with event as (select * from package_events where package_id = $1 order by id desc limit 1),
            told as (delete from notifications using event where event_id = event.id and notifications.user_id = event.owner_id),
            gone as (delete from notification_deliveries using event where event_id = event.id and user_id = event.owner_id),
            letter as (
              insert into jobs.job (name, data, output, source_name, source_id, source_retry_count)
              select 'dead-letters', jsonb_build_object('eventId', id::text), '{"reason": "could not write: the disk is full"}',
                     'notify-owner', $2, 8
              from event)
       insert into notification_deliveries
         (id, channel, job, event_id, type, at, package_id, tracking_id, incident_number, user_id, state, attempts, error)
       select $2, 'in-app', 'notify-owner', id, type, at, package_id,
              (select tracking_id from packages where id = package_id), incident_number, owner_id, 'failed', 9,
              'could not write: the disk is full'
       from event`,
      // The list is sorted by these ids: one of version 4 is its last in 1 of 150 runs.
      [packageId, uuid()],
    );
  } finally {
    await client.end();
    await postgres.stop();
  }
}
