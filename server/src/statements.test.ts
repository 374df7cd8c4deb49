import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { API } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from './platform/database/db.ts';
// Registers the driver's type parsers.
import './platform/database/db.ts';
import { cloneDatabase } from './testing/postgres.ts';
import { isOfTests } from './testing/sql-texts.ts';
import { openComparison } from './testing/row-types.ts';
import { findStatements, openDescriber, type Statement } from './testing/statements.ts';

const server = fileURLToPath(new URL('..', import.meta.url));

/** Source texts of statements that are not prepared here, and why. Any other statement without a static text fails the test. */
const dynamicStatements: Record<string, string> = {
  sql: 'a wrapper: what it is given is prepared where that is written',
  text: 'pg-boss makes its own statements',
  statement: 'a part of a migration: they make the database of this test',
  '`drop index concurrently ${index}`': 'an index that the catalogue names',
  "`drop function ${functions.map(({ name }) => name).join(', ')}`": 'functions that the catalogue names',
  'one.definition': 'the same',
  '`select setval($1::regclass, highest.value) as value from (select max(${column}) as value from ${table}) highest, ${sequence} as sequence where highest.value > sequence.last_value`':
    'a table that the catalogue names',
  '`select last_value::text as value, is_called as called from ${quoted}`': 'a sequence that the catalogue names',
  'key.drop': 'a foreign key that the catalogue names',
  'key.add': 'the same',
  '`alter table ${table} disable trigger user`': 'a table that the catalogue names',
  '`alter table ${table} enable trigger user`': 'the same',
  '`truncate ${table}`': 'the same',
  "`lock table ${names.join(', ')} in access share mode`": 'the same',
  '`lock table ${table} in access exclusive mode`': 'a partitioned table',
  '`select from outbox_readers where pg_snapshot_xmin(seen) <= (select max(xid) from ${partition}) limit 1`':
    'a partition that the catalogue names',
  '`select count(*) as total from ${partition} where ${due}`': 'the same',
  '`select count(*) as total from ${partition} where ${unreadIsDue}`': 'the same',
  '`select from ${partition} where read_at >= now() - make_interval(days => $1) limit 1`': 'the same',
  '`with removed as ( delete from ${partition} where ctid = any(array(select ctid from ${partition} where ${unreadIsDue} limit ${batchSize})) and ${unreadIsDue} returning id ), deliveries as ( delete from notification_deliveries where notification_id in (select id from removed) ) select from removed`':
    'the same',
  '`delete from ${partition} where ctid = any(array(select ctid from ${partition} where ${due} limit ${batchSize})) returning 1`':
    'the same',
  '`select from ${pg.escapeIdentifier(name)} limit 1`': 'a table that a backup names',
  '`select count(*) as total from ${pg.escapeIdentifier(name)}`': 'the same',
  '`set application_name = ${pg.escapeLiteral(label())}`': 'PostgreSQL takes no parameter there',
};

/** Columns that are never null in a statement, although their table allows it. `in` matches the statement's text. */
const neverNull = [
  {
    in: /from users\s+order by/,
    columns: ['name', 'email', 'sort_key'],
    why: 'lists of accounts leave deleted users out',
  },
  { in: /as absent_to from users u\s+order by/, columns: ['name'], why: 'so does the list of drivers' },
  { in: /^with written as \(insert into users/, columns: ['name', 'email'], why: 'a new account has both' },
  { in: /null as tracking_id, counted\.name/, columns: ['name'], why: 'so do figures' },
  { in: /^delete from jobs\.job where name = 'dead-letters'/, columns: ['source_name', 'data'], why: 'dead letters' },
  { in: /data as payload/, columns: ['payload'], why: 'each of our jobs has one' },
  { in: /^select e\.id, e\.type, e\.status/, columns: ['status'], why: 'each event of a package has one' },
];

const whatToDo = `A statement and its row type must say the same. Name each column that the type has, and no other column of a table; declare
as null what can be null, a count as string, or cast it in SQL. What the text cannot say goes into neverNull, a text that only the
running program knows into dynamicStatements, each with its reason.`;

interface Checked {
  prepared: number;
  /** Source texts of statements that have no static text. */
  dynamic: string[];
  faults: string[];
}

let api: API;
let client: pg.Client;
/** The reasons of the exceptions in `neverNull` that were needed. */
const usedExceptions = new Set<string>();
let check: (isMeant: (file: string) => boolean) => Promise<Checked>;

beforeAll(async () => {
  api = new API({ cwd: server });
  const [project] = api.updateSnapshot({ openProjects: [`${server}tsconfig.json`] }).getProjects();
  if (!project) throw new Error('the compiler knows no project');
  client = new pg.Client(await cloneDatabase());
  await client.connect();
  // A restore creates these temporary tables.
  await client.query(
    'create temporary table restored_files (path text); create temporary table waiting_jobs (job jsonb)',
  );
  const describe = await openDescriber(client);
  const compare = openComparison(project);

  const faultsIn = async (row: Statement['row'], text: string): Promise<string[]> => {
    const columns = await describe(text);
    const mismatches = row ? compare(row, columns, text) : [];
    return mismatches.filter((mismatch) => {
      const exception = neverNull.find(
        (one) => one.in.test(text) && one.columns.some((name) => mismatch.startsWith(`${name} can be null`)),
      );
      if (exception) usedExceptions.add(exception.why);
      return !exception;
    });
  };
  /** Uses the first form of the text that the database accepts. */
  const faultsOf = async (row: Statement['row'], [text = '', ...others]: string[]): Promise<string[]> => {
    try {
      return await faultsIn(row, text);
    } catch (error) {
      if (others.length > 0) return faultsOf(row, others);
      if (!String(error).includes('multiple commands')) throw error;
      const faults: string[] = [];
      for (const one of text.split(';')) faults.push(...(await faultsIn(row, one)));
      return faults;
    }
  };

  check = async (isMeant) => {
    const checked: Checked = { prepared: 0, dynamic: [], faults: [] };
    for (const { where, source, texts, row } of findStatements(project, isMeant)) {
      try {
        if (!texts) throw new Error('the code has no static text');
        const faults = new Set<string>();
        for (const forms of texts) for (const fault of await faultsOf(row, forms)) faults.add(`${where}: ${fault}`);
        checked.faults.push(...faults);
        checked.prepared++;
      } catch (error) {
        if (source in dynamicStatements) checked.dynamic.push(source);
        else checked.faults.push(`${where}: ${String(error)}: ${source}`);
      }
    }
    return checked;
  };
}, 240_000);
afterAll(async () => {
  api.close();
  await client.end();
});

test('the database can prepare every statement of the product, and each row type matches the columns of its statement', async () => {
  const { prepared, dynamic, faults } = await check((file) => file.startsWith(`${server}src/`) && !isOfTests(file));
  expect(faults, whatToDo).toEqual([]);
  // No exception is obsolete.
  expect([...new Set(dynamic)].toSorted()).toEqual(Object.keys(dynamicStatements).toSorted());
  expect([...usedExceptions].toSorted()).toEqual(neverNull.map(({ why }) => why).toSorted());
  expect(prepared).toBeGreaterThan(300);
});

test('a mismatch of a row type and its statement is reported, with the correct type', async () => {
  const { faults } = await check((file) => file === fileURLToPath(import.meta.url));
  expect(faults.map((fault) => fault.replace(/^.*?: /, ''))).toEqual([
    'there is no column title',
    'the column name is not in the type',
    'total comes as string, and is declared number',
    'at comes as Date, and is declared string',
    'phone can be null, and is declared string',
    'role can be null, and is declared string',
    'ids comes as string[], and is declared string',
    expect.stringContaining('column "nick" does not exist'),
    expect.stringContaining('syntax error'),
  ]);
});

/** Never run: analysed by the test above. */
export const mismatchedQueries = (db: Queryable, column: string) => [
  db.query<{ title: string }>('select name from users'),
  db.query<{ total: number }>('select count(*) as total from users'),
  db.query<{ at: string }>('select now() as at'),
  db.query<{ phone: string }>('select phone from users'),
  db.query<{ phone: string }>('select phone from users where phone is not null'),
  db.query<{ role: string }>('select u.role from packages p left join users u on u.id = p.driver_id'),
  db.query<{ ids: string }>('select array_agg(id) as ids from users'),
  db.query('select nick from users'),
  db.query(`update users set ${column} = null`),
  db.query(`select 1 ${again(column.length)}`),
];

const again = (times: number): string => (times > 0 ? again(times) : '');
