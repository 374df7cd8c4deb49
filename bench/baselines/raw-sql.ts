import { generateTrackingId, withTheDriver, type CreatePackageInput } from '@waybill/contract';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { packageInsert, packageUpdate } from '../../server/src/packages/store.ts';
import { storeViewsSql } from '../../server/src/packages/stored-views.ts';
import { handleCommands } from '../child-process.ts';
import { asProduct, type Connection } from '../databases.ts';

/**
 * Writes the same rows as the product with one transaction for each write, and with the same concurrency and pool size. Packages and what
 * is derived from them are written by the product's own statements, all else by the simplest ones.
 */
export type Command =
  | { open: Connection; poolSize: number; callers: number }
  | { create: CreatePackageInput; ownerId: string; times: number; keyed: boolean }
  | { start: string[]; driverIds: string[]; keyed: boolean };

/** A queue without a worker. */
const queue = 'by-hand';

let pool = new pg.Pool();
let callers = 1;

async function open(command: { open: Connection; poolSize: number; callers: number }): Promise<number> {
  await pool.end();
  pool = new pg.Pool({ ...command.open, max: command.poolSize, options: asProduct });
  callers = command.callers;
  await pool.query('select jobs.create_queue($1, $2)', [queue, { policy: 'standard' }]);
  return 0;
}

/** Runs a prepared statement and returns its first row. */
type Statement = (name: string, text: string, values: unknown[]) => Promise<{ id: string }>;

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
    (await client.query<{ id: string }>({ name, text, values })).rows[0] ?? { id: '' };
  try {
    await client.query('begin');
    await work(run, item);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const hash = Buffer.alloc(32);

const insertPackage = packageInsert(
  `id, owner_id, tracking_id, created_at, updated_at, status, name, description, category, weight, dimensions_cm, recipient_name,
   recipient_contact, location, eta, address_street, address_postal_code, address_city, address_country, handling_fragile,
   handling_keep_upright, handling_refrigerated, handling_signature_required, handling_safe_place, hide_recipient`,
  `values ($1, $2, $3, $4, $4, 'processing', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
);

const setStarted = packageUpdate({
  where: 'id = $1',
  set: {
    status: "'in transit'",
    driver_id: '$2',
    started_at: '$3',
    estimated_delivery_at: '$4',
    updated_at: '$3',
    location: '$5',
    version: 'version + 1',
  },
});

const insertEvent = `
  with event as (
    insert into package_events (type, at, actor_id, package_id, status, location, owner_id, driver_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8) returning id, type, package_id, owner_id, driver_id
  )
  insert into outbox (event_id, type, package_id, owner_id, driver_id)
  select id, type, package_id, owner_id, driver_id from event returning event_id as id`;

const insertJob = 'insert into jobs.job_common (name, data) values ($1, $2) returning id';

/** Locks an Idempotency-Key and looks for a stored reply. */
async function takeKey(run: Statement, userId: string, path: string, key: string): Promise<void> {
  await run('lock-key', 'select pg_try_advisory_xact_lock(hashtextextended($1, 0))', [`${userId} ${path} ${key}`]);
  await run(
    'find-reply',
    `select body_hash, reply from idempotency_keys
     where user_id = $1 and path = $2 and key = $3 and created_at > now() - interval '7 days'`,
    [userId, path, key],
  );
}

/** @param reply of the product about as large, with the id of the package */
async function storeReply(
  run: Statement,
  { userId, path, key, reply }: { userId: string; path: string; key: string; reply: { id: string } },
): Promise<void> {
  await run(
    'insert-reply',
    'insert into idempotency_keys (user_id, path, key, body_hash, reply, subject_id) values ($1, $2, $3, $4, $5, $6)',
    [userId, path, key, hash, JSON.stringify(reply), reply.id],
  );
}

/** @param keyed with the statements of an Idempotency-Key: lock, look for a stored reply, store the reply */
const create = ({ create: pkg, ownerId, times, keyed }: Extract<Command, { create: CreatePackageInput }>) =>
  repeat(
    Array.from({ length: times }, () => uuid()),
    async (run, id) => {
      const at = new Date();
      const path = '/api/packages';
      if (keyed) await takeKey(run, ownerId, path, id);
      await run('insert-package', insertPackage, [
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
        pkg.address?.street,
        pkg.address?.postalCode,
        pkg.address?.city,
        pkg.address?.country,
        pkg.handling?.fragile ?? false,
        pkg.handling?.keepUpright ?? false,
        pkg.handling?.refrigerated ?? false,
        pkg.handling?.signatureRequired ?? false,
        pkg.handling?.safePlace,
        pkg.hideRecipient ?? false,
      ]);
      const { id: eventId } = await run('insert-event', insertEvent, [
        'package.created',
        at,
        ownerId,
        id,
        'processing',
        pkg.location,
        ownerId,
        null,
      ]);
      await run('store-view', storeViewsSql, [[id]]);
      await run('insert-created', 'insert into figure_changes (at, created) values ($1, 1)', [at]);
      // The recipient is told.
      await run('insert-job', insertJob, [queue, { eventIds: [eventId] }]);
      if (keyed) await storeReply(run, { userId: ownerId, path, key: id, reply: { ...pkg, id } });
    },
  );

const start = ({ start: ids, driverIds, keyed }: Extract<Command, { start: string[] }>) =>
  repeat([...ids.entries()], async (run, [index, id]) => {
    const at = new Date();
    const driverId = driverIds[index % driverIds.length] ?? '';
    const path = `/api/deliveries/${id}/start`;
    if (keyed) await takeKey(run, driverId, path, id);
    const pkg = await run('lock-package', 'select * from packages where id = $1 for update', [id]);
    await run('set-started', setStarted, [id, driverId, at, new Date(at.getTime() + 6 * 3_600_000), withTheDriver]);
    const { id: eventId } = await run('insert-event', insertEvent, [
      'delivery.started',
      at,
      driverId,
      id,
      'in transit',
      withTheDriver,
      null,
      driverId,
    ]);
    await run('store-view', storeViewsSql, [[id]]);
    await run('insert-started', 'insert into figure_changes (at, started) values ($1, 1)', [at]);
    const { id: jobId } = await run('insert-job', insertJob, [queue, { eventId }]);
    await run('insert-job', insertJob, [queue, { eventIds: [eventId] }]);
    await run(
      'insert-delivery',
      `insert into notification_deliveries (id, channel, job, event_id, type, at, package_id, tracking_id, user_id, state)
       select $1, 'in-app', 'notify-owner', $2, 'delivery.started', $3, id, tracking_id, owner_id, 'queued' from packages where id = $4`,
      [jobId, eventId, at, id],
    );
    if (keyed) await storeReply(run, { userId: driverId, path, key: id, reply: pkg });
  });

handleCommands((command: Command) => {
  if ('open' in command) return open(command);
  return 'create' in command ? create(command) : start(command);
});
