import type pg from 'pg';
import type { Manifest } from './archive.ts';

export interface Table {
  name: string;
  /** Without generated columns and xid8 columns. */
  columns: string[];
  bytes: number;
}

/**
 * Tables that a backup excludes: the list of migrations (it is in the manifest); sessions and password resets (restoring would
 * revive those that ended after the backup), and subscriptions of sessions; rate limit counters; the outbox of live updates and the log of routes that have changed; the versions of figures and
 * sums, which a restore replaces; stored public views, which are made again; and positions of drivers with their consents, which restoring would revive
 * after they were deleted or taken back.
 */
const excludedTables = [
  'schema_migrations',
  'sessions',
  'push_subscriptions',
  'password_resets',
  'rate_limits',
  'sign_in_failures',
  'outbox',
  'outbox_readers',
  'route_changes',
  'figures_version',
  'attempt_sums_version',
  'public_views',
  'position_consents',
  'driver_positions',
  'positions',
];

/**
 * Lists the product's tables from the catalog; a partitioned table counts once. Leaves out generated columns, and columns of type
 * xid8: a transaction id means nothing in another PostgreSQL, where the default fills in the id of the restoring transaction.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select t.relname as name, array_agg(c.attname::text order by c.attnum) as columns,
       (select sum(pg_table_size(relid)) from pg_partition_tree(t.oid))::float8 as bytes
     from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
     where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
       and t.relname <> all($1) and c.attgenerated = '' and c.atttypid <> 'xid8'::regtype
       and not exists (select from pg_depend where objid = t.oid and deptype = 'e')
     group by t.oid, t.relname order by t.relname`,
    [excludedTables],
  );
  return rows;
}

export async function listSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const names = await client.query<{ name: string; quoted: string }>(
    `select relname as name, quote_ident(relname) as quoted from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  const sequences: Manifest['sequences'] = [];
  for (const { name, quoted } of names.rows) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoted}`,
    );
    if (rows[0]) sequences.push({ name, ...rows[0] });
  }
  return sequences;
}

/** Drops every table, routine, sequence and type of the schema but those of extensions, as before the first migration. */
export async function dropEverything(client: pg.Client): Promise<void> {
  const own = (catalog: string, schema: string) =>
    `${schema} = current_schema()::regnamespace and not exists (
       select from pg_depend where classid = '${catalog}'::regclass and objid = ${catalog}.oid and deptype = 'e')`;
  const statements = [
    `select format('drop table if exists %I cascade', relname) as sql from pg_class
     where relkind in ('r', 'p') and not relispartition and ${own('pg_class', 'relnamespace')}`,
    `select format('drop routine if exists %s cascade', oid::regprocedure) as sql from pg_proc
     where ${own('pg_proc', 'pronamespace')}`,
    `select format('drop sequence if exists %I cascade', relname) as sql from pg_class
     where relkind = 'S' and ${own('pg_class', 'relnamespace')}`,
    `select format('drop type if exists %I cascade', typname) as sql from pg_type
     where typtype in ('e', 'd') and ${own('pg_type', 'typnamespace')}`,
  ];
  for (const statement of statements) {
    const { rows } = await client.query<{ sql: string }>(statement);
    for (const { sql } of rows) await client.query(sql);
  }
}

/**
 * Truncates the tables and runs `work`, which may load them in any order: triggers are disabled, so that none adds rows. Foreign
 * keys are dropped and added again, which validates them; disabling them would need a superuser.
 */
export async function withoutForeignKeys(
  client: pg.Client,
  { tables }: Pick<Manifest, 'tables'>,
  work: () => Promise<void>,
): Promise<void> {
  const quoted = tables.map(({ name }) => client.escapeIdentifier(name));
  const { rows: keys } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
  );
  for (const key of keys) await client.query(key.drop);
  for (const table of quoted) await client.query(`alter table ${table} disable trigger user`);
  for (const table of quoted) await client.query(`truncate ${table}`);
  await work();
  for (const table of quoted) await client.query(`alter table ${table} enable trigger user`);
  for (const key of keys) await client.query(key.add);
}
