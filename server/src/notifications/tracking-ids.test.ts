import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { listMigrations, migrate, migrateWithin } from '../platform/database/migrate.ts';
import { createDatabase, createUpgradingDatabase } from '../testing/postgres.ts';
import { runsAll } from '../testing/suite.ts';

const user = '00000000-0000-7000-8000-000000000001';
const packageId = '00000000-0000-7000-8000-000000000002';
const fixtures = `
  insert into users (id, name, email, password_hash, role, status)
    values ('${user}', 'Olga', 'olga@example.com', 'x', 'owner', 'active');
  insert into packages (id, owner_id, tracking_id, name, description, category, weight_kg, recipient_name, handling, status, created_at, updated_at)
    values ('${packageId}', '${user}', 'PKG-AAAAAAAA', 'Lamp', 'A lamp', 'Other', 1, 'Anna', '{}', 'processing', now(), now())`;
/** How version 0.2.0 writes notifications. */
const insert = (count: number) => `
  insert into notifications (id, user_id, event_id, package_id, type, title, body, created_at)
    select gen_random_uuid(), '${user}', n, case when n % 5 > 0 then '${packageId}'::uuid end, 'package.created', 'Title', 'Body', now()
    from generate_series(1, ${count}) n`;
const countBy = (table: string) =>
  `select package_id is not null as "isOfPackage", tracking_id, count(*)::int as count from ${table} group by 1, 2 order by 1`;
const filled = (count: number) => [
  { isOfPackage: false, tracking_id: null, count: count / 5 },
  { isOfPackage: true, tracking_id: 'PKG-AAAAAAAA', count: (count / 5) * 4 },
];

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test.runIf(runsAll)('notifications of before get the tracking IDs of their packages', async () => {
  const connection = await createDatabase();
  const client = await connect(connection);
  const names = await listMigrations();
  const first = names.findIndex((name) => name.endsWith('_notification_tracking_ids.sql'));
  await client.query('begin');
  await migrateWithin(client, names.slice(0, first));
  await client.query('commit');
  await client.query(fixtures);
  // More than two steps.
  await client.query(insert(11_000));
  await migrate(connection, () => {}, { postDeployment: true });
  for (const table of ['notifications', 'notification_deliveries'])
    expect((await client.query(countBy(table))).rows).toEqual(filled(11_000));
});

test('during a rolling upgrade those of an older server get them too', async () => {
  const client = await connect(await createUpgradingDatabase());
  await client.query(fixtures);
  await client.query(insert(10));
  for (const table of ['notifications', 'notification_deliveries'])
    expect((await client.query(countBy(table))).rows).toEqual(filled(10));
});
