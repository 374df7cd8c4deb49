import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../server/src/config.ts';
import { recordAll } from '../server/src/events/record.ts';
import { toldTogether, type ToldEvents } from '../server/src/events/event-jobs.ts';
import { tellRecipients } from '../server/src/notifications/recipient-messages.ts';
import { createDb, openPool } from '../server/src/platform/database/db.ts';
import { inspectServer } from '../server/src/platform/database/inspect-server.ts';
import { asProduct, type Connection } from './databases.ts';
import type { BenchContext } from './bench.ts';
import { startChild } from './child-process.ts';
import { lookupsPerSecond, startLookups } from './lookups-beside.ts';
import type { Command } from './mail-sink.ts';
import { startProduct } from './product.ts';
import { median, ratioOf } from './quantiles.ts';

/** Packages that one change is about. */
const changed = 10_000;
const mailsPerSecond = 100;
/** How many are queued at once while they are sent: ten a second. */
const mailBatch = 10;

/** Messages to recipients: how long a change of many packages takes to queue them, and lookups while they are sent. */
export async function benchMessages(context: BenchContext): Promise<void> {
  const database = await context.databases.copy('bench_messages', context.size.packages);
  const client = new pg.Client({ ...database.connection, options: asProduct });
  await client.connect();
  try {
    await client.query(
      `update packages set recipient_email = 'recipient' || substr(tracking_id, 5) || '@example.com'
       where id in (select id from packages where status in ('in transit', 'out for delivery') limit $1)`,
      [changed],
    );
    await client.query(
      `update packages set recipient_email = 'recipient' || substr(tracking_id, 5) || '@example.com'
       where id in (select id from packages where recipient_email is null and status = 'delivered' limit $1
         - (select count(*) from packages where recipient_email is not null))`,
      [changed],
    );
    await client.query('analyze packages');
    await benchQueueing(context, database.connection, client);
    await client.query('truncate messages');
    await benchSending(context, database, client);
  } finally {
    await client.end();
  }
}

/** From the change on, in its transaction and in the jobs that it enqueues, to the last message. Each recipient has phone and email. */
async function benchQueueing({ rounds, size, report, note }: BenchContext, connection: Connection, client: pg.Client) {
  const log = pino({ level: 'silent' });
  const { version } = await inspectServer(connection);
  const pool = openPool(connection, version, log, 10);
  const config = readConfig({ LOG_LEVEL: 'silent', SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'a@example.org' });
  const jobs: ToldEvents[] = [];
  const db = createDb(
    pool,
    async (_tx, queued) =>
      void jobs.push(...queued.flatMap(({ payload }) => ('eventIds' in payload ? [payload as ToldEvents] : []))),
    () => {},
  );
  const ctx = {
    config,
    db,
    now: () => new Date(),
    settings: { find: async () => ({ timeZone: 'Europe/Berlin' }) },
  } as unknown as Parameters<typeof tellRecipients>[0];
  const { rows: packages } = await client.query<{ id: string; owner_id: string; driver_id: string | null }>(
    'select id, owner_id, driver_id from packages where recipient_email is not null limit $1',
    [changed],
  );
  const clear = () => client.query('truncate messages');
  try {
    const took = await rounds.interleave(size.fewRounds, {
      product: async () => {
        await clear();
        const startedAt = performance.now();
        const at = new Date();
        await db.transaction((tx) =>
          recordAll(
            tx,
            packages.map(({ id, owner_id: ownerId, driver_id: driverId }) => ({
              type: 'delivery.started' as const,
              at,
              actorId: driverId,
              packageId: id,
              status: 'in transit',
              location: 'Berlin',
              ownerId,
              driverId,
              reachesRecipient: true,
            })),
          ),
        );
        for (const told of jobs.splice(0)) await tellRecipients(ctx, told);
        const seconds = (performance.now() - startedAt) / 1000;
        const { rows } = await client.query<{ count: string }>('select count(*) from messages');
        if (Number(rows[0]?.count) !== 2 * changed) throw new Error(`${rows[0]?.count} messages were queued`);
        return seconds;
      },
      rawSql: async () => {
        const { rows } = await client.query('select * from messages');
        await clear();
        const columns = `id, at, channel, event_id, type, kind, audience, parameters, package_id, tracking_id, user_id, address, language, state, due_at, ends_at`;
        const startedAt = performance.now();
        for (let from = 0; from < rows.length; from += 2 * toldTogether)
          await client.query(
            `insert into messages (${columns}) select ${columns} from json_populate_recordset(null::messages, $1)`,
            [JSON.stringify(rows.slice(from, from + 2 * toldTogether))],
          );
        return (performance.now() - startedAt) / 1000;
      },
    });
    report({
      measure: `queue ${(2 * changed).toLocaleString('en')} messages to the recipients of ${changed.toLocaleString('en')} packages that one change is about`,
      unit: 's',
      product: median(took.product),
      baseline: { name: `the rows of the messages alone, by raw SQL`, figure: median(took.rawSql) },
      ratio: ratioOf(took.product, took.rawSql),
      goal: { of: 'product', is: 'at most', bound: 2 },
    });
    note(
      `A change is recorded with its events and jobs in one transaction; ${Math.ceil(packages.length / toldTogether)} jobs queue the messages one after the other.`,
    );
  } finally {
    await pool.close();
  }
}

/** Lookups at a steady rate, alone and while mails are sent at a steady rate over SMTP. */
async function benchSending(
  { rounds, size, report }: BenchContext,
  database: Awaited<ReturnType<BenchContext['databases']['copy']>>,
  client: pg.Client,
): Promise<void> {
  const { rows: told } = await client.query<{ id: string }>(
    'select id from packages where recipient_email is not null limit $1',
    [changed],
  );
  const sink = await startChild<Command, string | number>('./mail-sink.ts');
  const url = (await sink.run('url')) as string;
  const product = await startProduct(database, {
    SMTP_URL: url,
    MAIL_FROM: 'parcels@example.org',
    PUBLIC_URL: 'https://parcels.example.org',
    RECIPIENT_QUIET_HOURS: 'off',
  });
  const lookups = await startLookups(product.url, database.connection, size.steadySeconds);
  try {
    const take = async () => (await sink.run('take')) as number;
    const figures = await rounds.interleave<'quiet' | 'busy', { lookupP99: number; perSecond: number }>(size.rounds, {
      quiet: async () => ({ lookupP99: await lookups.p99(), perSecond: 0 }),
      busy: async () => {
        const startedAt = performance.now();
        await take();
        const [lookupP99] = await Promise.all([lookups.p99(), queueMails(client, told, size.steadySeconds)]);
        const due = mailsPerSecond * size.steadySeconds;
        let taken = await take();
        for (; taken < due; taken += await take()) await sleep(20);
        if (taken > due) throw new Error(`${taken} mails arrived instead of ${due}`);
        return { lookupP99, perSecond: due / ((performance.now() - startedAt) / 1000) };
      },
    });
    await assertStored(client);
    const p99 = (name: keyof typeof figures) => figures[name].map(({ lookupP99 }) => lookupP99);
    report(
      {
        measure: `lookup p99 at ${lookupsPerSecond}/s while ${mailsPerSecond} mails a second are sent to recipients over SMTP`,
        unit: 'ms',
        product: median(p99('busy')),
        baseline: { name: 'without mails', figure: median(p99('quiet')) },
        ratio: ratioOf(p99('busy'), p99('quiet')),
        goal: { of: 'ratio', is: 'at most', bound: 2 },
      },
      {
        measure: `of the ${mailsPerSecond} mails that are due each second beside the lookups, taken by the mail server`,
        unit: 'requests/s',
        product: median(figures.busy.map(({ perSecond }) => perSecond)),
        baseline: null,
        ratio: null,
        goal: { of: 'product', is: 'at least', bound: 0.9 * mailsPerSecond },
      },
    );
  } finally {
    await lookups.stop();
    await product.stop();
    await sink.stop();
  }
}

/** Asserts that the product has stored what became of each mail: else it would send them again, and each look for due ones would read them all. */
async function assertStored(client: pg.Client): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { rows } = await client.query<{ count: string }>("select count(*) from messages where state <> 'sent'");
    if (rows[0]?.count === '0') return;
    if (tries === 20) throw new Error(`what became of ${rows[0]?.count} mails was not stored`);
    await sleep(100);
  }
}

/**
 * Queues messages to the recipients of these packages as they come due, with their language and their package's present state, and wakes the
 * senders. By ids: to find the packages would read the whole table, beside the lookups. Their times have no microseconds, as those of the
 * product: its outcomes would not find them.
 */
async function queueMails(client: pg.Client, packages: { id: string }[], seconds: number): Promise<void> {
  const startedAt = performance.now();
  for (let batch = 0; batch < (mailsPerSecond / mailBatch) * seconds; batch++) {
    const dueAt = startedAt + (batch * 1000 * mailBatch) / mailsPerSecond;
    if (dueAt > performance.now()) await sleep(dueAt - performance.now());
    await client.query(
      `with told as (
         insert into messages (id, at, channel, event_id, type, kind, audience, parameters, package_id, tracking_id, address, language, state, due_at, ends_at)
         select gen_random_uuid(), date_trunc('milliseconds', now()), 'email', 0, 'package.created', 'package.created', 'recipient', jsonb_build_object('packageName', name),
           id, tracking_id, recipient_email, 'de', 'queued', now(), now() + interval '1 day'
         from packages where id = any($1) returning package_id
       )
       insert into outbox (type, user_id) select 'notification.progressed', owner_id from packages where id = (select package_id from told limit 1)`,
      [Array.from({ length: mailBatch }, (_, index) => packages[(batch * mailBatch + index) % packages.length]?.id)],
    );
    await client.query('notify waybill_live');
  }
}
