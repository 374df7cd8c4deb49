import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../server/src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../server/src/platform/database/migrate.ts';
import { check, distribute, distributed, local, reference } from './citus.mjs';

let folder: string;
let postgres: EmbeddedPostgres;
let client: pg.Client;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-citus-')));
  chmodSync(folder, 0o755);
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: () => {} });
  await migrate(postgres.connection, () => {});
  client = new pg.Client(postgres.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

test('each table is in one group of the plan', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`,
  );
  const planned = [...Object.keys(distributed), ...reference, ...Object.keys(local)];
  expect(planned.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('each distributed table has its column, not null, in its primary key', async () => {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select t.relname as name, array_agg(a.attname::text) as columns
     from pg_index i join pg_class t on t.oid = indrelid
       join pg_attribute a on a.attrelid = t.oid and a.attnum = any(indkey) and a.attnotnull
     where indisprimary and t.relname = any($1) group by 1`,
    [Object.keys(distributed)],
  );
  const keys = new Map(rows.map(({ name, columns }) => [name, columns]));
  for (const [table, column] of Object.entries(distributed))
    expect([table, keys.get(table)]).toEqual([table, expect.arrayContaining([column])]);
});

// Functions with the names of Citus's, since Citus is not available to this test.
test('goes on after a refusal, and reports each with its message', async () => {
  await client.query(`
    create function create_reference_table(regclass) returns void language sql as '';
    create function create_distributed_table(name regclass, by text, colocate_with text) returns void language plpgsql as $$
    begin
      if name = 'packages'::regclass then
        raise 'cannot distribute relation "packages" because it has triggers' using hint = 'Drop them.';
      end if;
    end $$`);
  expect(await distribute(client)).toEqual([
    { table: 'packages', message: 'cannot distribute relation "packages" because it has triggers Drop them.' },
  ]);
});

test('says that Citus is not installed, and leaves no database behind', async () => {
  await expect(check(() => postgres.connection)).rejects.toThrow('Citus is not installed');
  const { rows } = await client.query("select from pg_database where datname like 'waybill_citus%'");
  expect(rows).toEqual([]);
});

// What Citus refuses by its documentation, read from the catalogue after the keys were left to the directories. docs/scale.md lists the same.
test('the known obstacles are those that docs/scale.md lists', async () => {
  const tables = Object.keys(distributed);
  const columns = Object.values(distributed);
  const { rows } = await client.query<{ obstacle: string }>(
    `with plan as (select * from unnest($1::text[], $2::text[]) as plan (name, by))
     select 'trigger ' || tgname || ' on ' || plan.name as obstacle
     from pg_trigger join pg_class t on t.oid = tgrelid join plan on plan.name = t.relname where not tgisinternal
     union all
     select 'unique index ' || i.relname
     from pg_index join pg_class t on t.oid = indrelid join plan on plan.name = t.relname join pg_class i on i.oid = indexrelid
     where indisunique and not exists (
       select from pg_attribute where attrelid = indrelid and attnum = any(indkey) and attname = plan.by)
     union all
     select 'foreign key from ' || f.relname || ' to ' || t.relname
     from pg_constraint c join pg_class f on f.oid = conrelid join pg_class t on t.oid = confrelid
     where contype = 'f' and c.conparentid = 0 and t.relname = any($1) and f.relname <> all($1)
     union all
     select 'identity column ' || t.relname || '.' || attname
     from pg_attribute join pg_class t on t.oid = attrelid join plan on plan.name = t.relname where attidentity <> ''
     order by 1`,
    [tables, columns],
  );
  const page = readFileSync(join(import.meta.dirname, '../docs/scale.md'), 'utf8');
  const listed = [...page.matchAll(/^- `((?:trigger|unique index|foreign key|identity column) [^`]+)`/gm)].map(
    ([, name]) => name,
  );
  expect(new Set(rows.map(({ obstacle }) => obstacle))).toEqual(new Set(listed));
});
