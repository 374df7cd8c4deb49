import { generateTrackingId, type CreatePackageInput } from '@waybill/contract';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { handleCommands } from '../child-process.ts';
import type { Connection } from '../databases.ts';

/** Executes the statements of the product's writes in one transaction each, with the same concurrency and pool size. */
export type Command =
  | { open: Connection; poolSize: number; callers: number }
  | { create: CreatePackageInput; ownerId: string; times: number; keyed: boolean }
  | { start: string[]; driverIds: string[] };

/** A queue without a worker. */
const queue = 'by-hand';

let pool = new pg.Pool();
let callers = 1;

async function open(command: { open: Connection; poolSize: number; callers: number }): Promise<number> {
  pool = new pg.Pool({ ...command.open, max: command.poolSize, options: '-c waybill.writes_outbox=on' });
  callers = command.callers;
  await pool.query('select jobs.create_queue($1, $2)', [queue, { policy: 'standard' }]);
  return 0;
}

type Statement = (name: string, text: string, values: unknown[]) => Promise<string>;

/** @returns transactions per second */
async function repeat<T>(items: T[], work: (run: Statement, item: T) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const call = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await inTransaction(work, item);
  };
  await Promise.all(Array.from({ length: callers }, call));
  return items.length / ((performance.now() - startedAt) / 1000);
}

async function inTransaction<T>(work: (run: Statement, item: T) => Promise<void>, item: T): Promise<void> {
  const client = await pool.connect();
  const run: Statement = async (name, text, values) =>
    (await client.query<{ id: string }>({ name, text, values })).rows[0]?.id ?? '';
  try {
    await client.query('begin');
    await work(run, item);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const hash = Buffer.alloc(32);

const insertEvent = `
  with event as (
    insert into package_events (type, at, actor_id, package_id, status, location, owner_id, driver_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8) returning id, type, package_id, owner_id, driver_id
  )
  insert into outbox (event_id, type, package_id, owner_id, driver_id)
  select id, type, package_id, owner_id, driver_id from event returning event_id as id`;

/** @param keyed with the statements of an Idempotency-Key: lock, look for a stored reply, store the reply */
const create = ({ create: pkg, ownerId, times, keyed }: Extract<Command, { create: CreatePackageInput }>) =>
  repeat(
    Array.from({ length: times }, () => uuid()),
    async (run, id) => {
      const at = new Date();
      const path = '/api/packages';
      if (keyed) {
        await run('lock-key', 'select pg_try_advisory_xact_lock(hashtextextended($1, 0))', [
          `${ownerId} ${path} ${id}`,
        ]);
        await run(
          'find-reply',
          `select body_hash, reply from idempotency_keys
           where user_id = $1 and path = $2 and key = $3 and created_at > now() - interval '7 days'`,
          [ownerId, path, id],
        );
      }
      await run(
        'insert-package',
        `insert into packages (id, owner_id, tracking_id, created_at, updated_at, status, name, description, category, weight_kg,
         dimensions_cm, recipient_name, recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient)
       values ($1, $2, $3, $4, $4, 'processing', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
       on conflict (tracking_id) do nothing returning *`,
        [
          id,
          ownerId,
          generateTrackingId(),
          at,
          pkg.name,
          pkg.description,
          pkg.category,
          pkg.weight,
          pkg.dimensions,
          pkg.recipientName,
          pkg.recipientContact,
          pkg.location,
          pkg.eta,
          pkg.address,
          null,
          null,
          pkg.handling,
          pkg.hideRecipient,
        ],
      );
      await run('insert-event', insertEvent, [
        'package.created',
        at,
        ownerId,
        id,
        'processing',
        pkg.location,
        ownerId,
        null,
      ]);
      await run('insert-created', 'insert into figure_changes (at, created) values ($1, 1)', [at]);
      if (keyed)
        await run(
          'insert-reply',
          'insert into idempotency_keys (user_id, path, key, body_hash, reply, subject_id) values ($1, $2, $3, $4, $5, $6)',
          [ownerId, path, id, hash, JSON.stringify({ ...pkg, id }), id],
        );
    },
  );

const start = ({ start: ids, driverIds }: { start: string[]; driverIds: string[] }) =>
  repeat([...ids.entries()], async (run, [index, id]) => {
    const at = new Date();
    const driverId = driverIds[index % driverIds.length];
    await run('lock-package', 'select * from packages where id = $1 for update', [id]);
    await run(
      'set-started',
      `update packages set status = 'in transit', driver_id = $2, started_at = $3, estimated_delivery_at = $4, updated_at = $3,
         version = version + 1 where id = $1 returning *`,
      [id, driverId, at, new Date(at.getTime() + 6 * 3_600_000)],
    );
    const eventId = await run('insert-event', insertEvent, [
      'delivery.started',
      at,
      driverId,
      id,
      'in transit',
      null,
      null,
      driverId,
    ]);
    await run('insert-started', 'insert into figure_changes (at, started) values ($1, 1)', [at]);
    await run('insert-job', 'insert into jobs.job_common (name, data) values ($1, $2) returning id', [
      queue,
      { eventId },
    ]);
  });

handleCommands((command: Command) => {
  if ('open' in command) return open(command);
  return 'create' in command ? create(command) : start(command);
});
