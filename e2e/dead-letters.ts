import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { useEmbeddedPostgres } from '../server/src/embedded-postgres/embedded-postgres.ts';
import type { RunningProduct } from './product.ts';

/** Leaves what the owner should have been told last of a package among the dead letters, as a job does that failed for good. */
export async function failToTell(product: RunningProduct, packageId: string): Promise<void> {
  const postgres = await useEmbeddedPostgres({ dataDir: product.dataDir, log: () => {} });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    await client.query(
      `with event as (select id, owner_id from events where package_id = $1 order by id desc limit 1),
            told as (delete from notifications using event where event_id = event.id and user_id = event.owner_id)
       insert into jobs.job (name, data, output, source_name, source_id, source_retry_count)
       select 'dead-letters', jsonb_build_object('eventId', id::text), '{"reason": "could not write: the disk is full"}',
              'notify-owner', $2, 8
       from event`,
      [packageId, randomUUID()],
    );
  } finally {
    await client.end();
    await postgres.stop();
  }
}
