import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from './db.ts';
import { DatabaseClient } from './database-client.ts';
import { migrate, migrateWithin, migrationFolder, migrationLock } from './migrate.ts';
import { eventually } from '../../testing/test-product.ts';
import { cloneDatabase, createDatabase, createUpgradingDatabase } from '../../testing/postgres.ts';
import { runsAll } from '../../testing/suite.ts';

const files = (await readdir(migrationFolder)).toSorted();

async function query<Row extends object>(connection: Connection, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function copyMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(migrationFolder, folder, { recursive: true });
  return folder;
}

test('five processes that start at once on an empty database run each migration once', async () => {
  const connection = await createDatabase();
  const lines: string[] = [];
  // Those that wait for longer than some seconds say so, too.
  const log = (line: string) => line.startsWith('migrated') && lines.push(line);
  await Promise.all(Array.from({ length: 5 }, () => migrate(connection, log)));
  expect(lines.map((line) => line.replace('migrated the database: ', ''))).toEqual(files);
  const applied = await query<{ name: string }>(connection, 'select name from schema_migrations order by name');
  expect(applied.map(({ name }) => name)).toEqual(files);
  await migrate(connection, log);
  expect(lines).toHaveLength(files.length);
});

test('a database that is newer than the program is refused with the names of its newer migrations', async () => {
  const connection = await cloneDatabase();
  await query(connection, "insert into schema_migrations (name) values ('9999_from_the_future.sql')");
  await expect(migrate(connection, () => {})).rejects.toThrow(
    'The database is newer than this program (it has 9999_from_the_future.sql): start the newer version of Waybill.',
  );
});

test('a newer schema is accepted, and logged, by the versions that it still serves, and refused by older ones', async () => {
  const connection = await cloneDatabase();
  await query(
    connection,
    "insert into schema_migrations (name, checksum, serves) values ('9998_future.sql', 'x', '0.9.0'), ('9999_future.sql', 'x', '0.10.0')",
  );
  const lines: string[] = [];
  await migrate(connection, (line) => lines.push(line), { version: '0.10.2' });
  expect(lines).toEqual(['the database is newer (9998_future.sql, 9999_future.sql) and still serves version 0.10.2']);
  await expect(migrate(connection, () => {}, { version: '0.9.5' })).rejects.toThrow('it has 9999_future.sql)');
});

test('where PostgreSQL refuses to change a table whose rows a function takes, the functions stand aside for the file and are back after it', async () => {
  const connection = await cloneDatabase();
  const rowFunctions = `select proname, pg_get_functiondef(oid) as definition from pg_proc
    where oid::regprocedure::text like '%(packages%' order by 1`;
  const before = await query<{ proname: string }>(connection, rowFunctions);
  expect(before.map(({ proname }) => proname)).toEqual(['package_search_text', 'package_search_words']);
  const folder = await copyMigrations();
  // As PostgreSQL 15.20 says it; that of the tests does not.
  await writeFile(
    join(folder, '9999_planted.sql'),
    `-- serves 0.2.0
     do $$ begin
       if exists (select from pg_proc where oid::regprocedure::text like '%(packages%') then
         raise 'cannot alter table "packages" because function package_search_text(packages) uses its row type' using errcode = '0A000';
       end if;
     end $$;
     alter table packages add column planted boolean not null default false;`,
  );
  await migrate(connection, () => {}, { folder });
  expect(await query(connection, rowFunctions)).toEqual(before);
  expect(await query(connection, 'select planted from packages limit 1')).toEqual([]);
});

test('a migration that was edited after it ran is refused by name; one without a checksum gets that of its file', async () => {
  const connection = await cloneDatabase();
  const [first = '', second = ''] = files;
  await query(connection, `update schema_migrations set checksum = null where name = '${first}'`);
  await migrate(connection, () => {});
  const [kept] = await query<{ checksum: string }>(
    connection,
    `select checksum from schema_migrations where name = '${first}'`,
  );
  expect(kept?.checksum).toMatch(/^[0-9a-f]{64}$/);
  const folder = await copyMigrations();
  await writeFile(join(folder, second), `${await readFile(join(folder, second), 'utf8')}\n-- edited`);
  await expect(migrate(connection, () => {}, { folder })).rejects.toThrow(`${second} was edited after it ran`);
});

test('a process that waits for the migration lock logs the holder, and gives up after a time-out', async () => {
  const connection = await cloneDatabase();
  const other = new pg.Client({ ...connection, application_name: 'somebody else' });
  await other.connect();
  onTestFinished(() => other.end());
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid, pg_advisory_lock($1)', [
    migrationLock,
  ]);
  const lines: string[] = [];
  const timeouts = { logAfterMs: 0, giveUpAfterMs: 1000, retryMs: 5 };
  const holder = `PostgreSQL's process ${rows[0]?.pid} 'somebody else'`;
  await expect(migrate(connection, (line) => lines.push(line), { timeouts })).rejects.toThrow(
    `has been migrating the database for too long (${holder}`,
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`waiting for another program that is migrating the database: ${holder}`);
});

test('an index is built concurrently with writers and a second migrator, and again after an interrupted build', async () => {
  const connection = await cloneDatabase();
  const folder = await copyMigrations();
  await writeFile(
    join(folder, '9999_index.sql'),
    `-- serves 0.1.0
-- Semicolons; in comments are no ends.
create unique index concurrently if not exists packages_planted on packages (tracking_id);
create index concurrently if not exists packages_planted_too on packages (name);
`,
  );
  // A build that failed on duplicate rows leaves an invalid index.
  await query(connection, 'create table planted (n int); insert into planted values (1), (1)');
  await expect(query(connection, 'create unique index concurrently packages_planted on planted (n)')).rejects.toThrow();
  // A transaction that the concurrent build must wait for, and that writes meanwhile.
  const writer = new pg.Client(connection);
  await writer.connect();
  onTestFinished(() => writer.end());
  await writer.query('begin');
  await writer.query('lock table packages in row exclusive mode');
  const lines: string[] = [];
  const migrations = [1, 2].map(() => migrate(connection, (line) => lines.push(line), { folder }));
  await eventually('the build waits', async () => {
    const waiting = await query(
      connection,
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'create unique index concurrently%'
       and datname = current_database()`,
    );
    return waiting.length > 0;
  });
  // A waiting plain `create index` would block this update.
  await query(connection, "set lock_timeout = '5s'; update packages set name = name");
  await writer.query("update packages set name = name where tracking_id = 'PKG-AAAAAAAA'");
  await writer.query('commit');
  await Promise.all(migrations);
  expect(lines).toEqual(['migrated the database: 9999_index.sql']);
  const built = await query(
    connection,
    `select from pg_index where indisvalid and indrelid = 'packages'::regclass
     and indexrelid in ('packages_planted'::regclass, 'packages_planted_too'::regclass)`,
  );
  expect(built).toHaveLength(2);
});

test('migrations declare the version they still serve, and build no index that blocks writers', async () => {
  const made = new Map<string, string>();
  const faults: string[] = [];
  for (const name of files) {
    const sql = await readFile(join(migrationFolder, name), 'utf8');
    // Those before 0.2.0 are from before rolling upgrades.
    if (name > '0019' && !/^-- serves \d+\.\d+\.\d+$/m.test(sql)) faults.push(`${name} lacks a line '-- serves 0.2.0'`);
    for (const [, table = ''] of sql.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/gi))
      made.set(table, name);
    for (const [, index, table = ''] of sql.matchAll(/create (?:unique )?index (\w+) on (\w+)/gi)) {
      if (name > '0019' && made.get(table) !== name)
        faults.push(`${name} builds ${index} on a table that may be large: 'create index concurrently if not exists'`);
    }
  }
  expect(faults).toEqual([]);
});

/** A folder with four migrations more: one that adds, and three post-deployment ones that remove, in the three ways to run a file. */
async function plantContraction(): Promise<string> {
  const folder = await copyMigrations();
  const plant = (name: string, ...lines: string[]) => writeFile(join(folder, name), lines.join('\n'));
  await plant(
    '9991_planted.sql',
    '-- serves 0.2.0',
    'create table planted (old int, replaced int);',
    'create index planted_old on planted (old);',
    'insert into planted select n from generate_series(1, 5) n;',
  );
  const marks = ['-- post-deployment', '-- serves 0.3.0'];
  await plant(
    '9992_moved.sql',
    ...marks,
    '-- in steps',
    'update planted set replaced = old where old in (select old from planted where replaced is null limit 2);',
  );
  await plant('9993_index.sql', ...marks, 'drop index concurrently if exists planted_old;');
  await plant('9994_column.sql', ...marks, 'alter table planted drop column old;');
  return folder;
}

const contractions = ['9992_moved.sql', '9993_index.sql', '9994_column.sql'];
const ran = (names: string[]) => names.map((name) => `migrated the database: ${name}`);
const replaced = (connection: Connection) =>
  query<{ replaced: number }>(connection, 'select replaced from planted order by 1').then((rows) =>
    rows.map((row) => row.replaced),
  );

async function connectAs(connection: Connection, role: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({ ...connection, role, server: 'web-2:3000' });
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

test.runIf(runsAll)(
  'post-deployment migrations wait while another server is connected, run at a start without one, and shut older servers out',
  async () => {
    const connection = await cloneDatabase();
    const folder = await plantContraction();
    const other = await connectAs(connection, 'requests');
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const waits = `${contractions.join(', ')} wait until no server of an older version runs any more: then npm run cli -- migrate --post-deployment`;
    expect(await migrate(connection, log, { folder })).toEqual(contractions);
    expect(lines).toEqual([...ran(['9991_planted.sql']), waits]);
    // Both versions run on it: the other one uses what is to be removed, and may start anew.
    expect((await other.query('select old from planted')).rowCount).toBe(5);
    const older = await copyMigrations();
    expect(await migrate(connection, () => {}, { folder: older, version: '0.2.0' })).toEqual([]);
    // Migrations that are added later do not wait with them.
    await writeFile(join(folder, '9995_later.sql'), '-- serves 0.2.0\ncreate table planted_later ();');
    lines.length = 0;
    expect(await migrate(connection, log, { folder })).toEqual(contractions);
    expect(lines).toEqual([...ran(['9995_later.sql']), waits]);
    await other.end();
    // Another server that starts at the same time waits for the lock, and finds the new schema then.
    await connectAs(connection, 'migrations');
    lines.length = 0;
    expect(await migrate(connection, log, { folder })).toEqual([]);
    expect(lines).toEqual(ran(contractions));
    expect(await replaced(connection)).toEqual([1, 2, 3, 4, 5]);
    expect(await query(connection, "select to_regclass('planted_old') as index")).toEqual([{ index: null }]);
    await expect(migrate(connection, () => {}, { folder: older, version: '0.2.0' })).rejects.toThrow(
      `The database is newer than this program (it has ${contractions.join(', ')}): start the newer version of Waybill.`,
    );
  },
);

test('post-deployment migrations run on request, on an empty database, and ahead of one that older servers do not work with', async () => {
  const folder = await plantContraction();
  const requested = await cloneDatabase();
  await connectAs(requested, 'requests');
  expect(await migrate(requested, () => {}, { folder, postDeployment: true })).toEqual([]);
  expect(await replaced(requested)).toEqual([1, 2, 3, 4, 5]);

  const empty = await createDatabase();
  await connectAs(empty, 'requests');
  const lines: string[] = [];
  expect(await migrate(empty, (line) => lines.push(line), { folder })).toEqual([]);
  expect(lines).toEqual(ran([...files, '9991_planted.sql', ...contractions]));

  const skipped = await cloneDatabase();
  await connectAs(skipped, 'requests');
  expect(await migrate(skipped, () => {}, { folder })).toEqual(contractions);
  await writeFile(
    join(folder, '9995_later.sql'),
    '-- serves 0.3.0\nalter table planted rename column replaced to old;',
  );
  expect(await migrate(skipped, () => {}, { folder })).toEqual([]);
});

/** Tables, columns, indexes, constraints, triggers and functions of the schema, as text. */
const schemaOf = async (connection: Connection) =>
  (
    await query<{ line: string }>(
      connection,
      `select * from (
         select format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
           pg_get_expr(d.adbin, d.adrelid)) as line
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
         where c.relkind in ('r', 'p', 'v') and c.relnamespace = 'public'::regnamespace
         union all select indexdef from pg_indexes where schemaname = 'public'
         union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
         where connamespace = 'public'::regnamespace
         union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
         where not tgisinternal and c.relnamespace = 'public'::regnamespace
         union all select pg_get_functiondef(p.oid) from pg_proc p where prokind = 'f' and pronamespace = 'public'::regnamespace
           and not exists (select from pg_depend where objid = p.oid and deptype = 'e')) it
       order by line collate "C"`,
    )
  ).map(({ line }) => line);

test('post-deployment migrations that waited lead to the same schema as in their order', async () => {
  const upgraded = await createUpgradingDatabase();
  await migrate(upgraded, () => {});
  expect(await schemaOf(upgraded)).toEqual(await schemaOf(await cloneDatabase()));
});

test('an older database is migrated, even with an open read transaction', async () => {
  const connection = await cloneDatabase();
  const last = files.at(-1) ?? '';
  // As if no migration had ever run.
  await query(connection, `drop schema public cascade`);
  await query(connection, 'create schema public');
  const reader = new pg.Client(connection);
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from pg_class');
  const lines: string[] = [];
  await migrate(connection, (line) => lines.push(line));
  expect(lines.at(-1)).toContain(last);
  await reader.query('commit');
  await reader.end();
});

test('existing rows are backfilled in steps, also in the single transaction of a restore', async () => {
  const again = files.filter((name) => /_package_search_filled|_search_spellings_filled/.test(name));
  expect(again).toHaveLength(2);
  for (const within of [false, true]) {
    const connection = await cloneDatabase();
    await query(
      connection,
      `insert into users (id, name, email, password_hash, role, status)
         values ('00000000-0000-7000-8000-000000000001', 'Olga', 'olga@example.com', 'x', 'owner', 'active');
       insert into packages (id, owner_id, tracking_id, name, description, category, weight, recipient_name, recipient_contact,
           address_street, address_city, status, created_at, updated_at)
         select gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'PKG-' || lpad(n::text, 8, '0'), 'Lamp', 'A lamp', 'Other', 1,
           'Anna', '+49 170 1', 'Mühlstr. 7', 'Ulm', 'processing', now(), now()
         from generate_series(1, 2500) n;
       insert into package_search (owner_id, package_id, text) select owner_id, id, 'lamp anna' from packages;
       create table package_search_respelled as select '00000000-0000-0000-0000-000000000000'::uuid as up_to;
       delete from schema_migrations where name in ('${again.join("', '")}')`,
    );
    if (within) {
      const client = new pg.Client(connection);
      await client.connect();
      await client.query('begin');
      await migrateWithin(client, again);
      await client.query('commit');
      await client.end();
    } else await migrate(connection, () => {});
    const found = await query(
      connection,
      "select from package_search where text like '%mühlstr. 7%mühlstrasse 7%' and phone = '491701'",
    );
    expect(found).toHaveLength(2500);
  }
});

test('what waits is counted by failed attempts with what is not added to the sums yet', async () => {
  const connection = await cloneDatabase();
  // As before: in Bonn one that had not failed went, and one that had came.
  await query(
    connection,
    `insert into users (id, name, email, password_hash, role, status)
       values ('00000000-0000-7000-8000-000000000001', 'Olga', 'olga@example.com', 'x', 'owner', 'active');
     insert into packages (id, owner_id, tracking_id, name, description, category, weight, recipient_name, recipient_contact,
         address_city, failed_at, status, created_at, updated_at)
       select gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'PKG-' || lpad(weight::text, 8, '0'), 'Lamp', 'A lamp', 'Other', weight,
         'Anna', '+49 170 1', city, case when has_failed then now() end, 'processing', now(), now()
       from (values ('Bonn', 6, true), ('Ulm', 1, false), ('Ulm', 2, false), ('Ulm', 3, true)) each (city, weight, has_failed);
     drop table waiting_by_attempts;
     alter table waiting_changes drop column has_failed;
     insert into waiting_changes (postal_code, city, packages, kilograms, window_from, eta)
       select '', city, packages, kilograms, '-infinity', '-infinity'
       from (values ('Bonn', -1, -5), ('Bonn', 1, 6), ('Ulm', 1, 3)) each (city, packages, kilograms);
     delete from schema_migrations where name ~ '_waiting_by_attempts'`,
  );
  await migrate(connection, () => {});
  expect(
    await query(
      connection,
      `select city, has_failed, sum(packages)::int as packages, sum(kilograms)::int as kilograms from (
         select city, has_failed, packages, kilograms from waiting_by_attempts
         union all select city, has_failed, packages, kilograms from waiting_changes
       ) counted group by 1, 2 having sum(packages) <> 0 or sum(kilograms) <> 0 order by 1, 2`,
    ),
  ).toEqual([
    { city: 'Bonn', has_failed: true, packages: 1, kilograms: 6 },
    { city: 'Ulm', has_failed: false, packages: 2, kilograms: 3 },
    { city: 'Ulm', has_failed: true, packages: 1, kilograms: 3 },
  ]);
});
