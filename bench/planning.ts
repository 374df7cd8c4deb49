import type { WaitingFilter, WaitingSelection } from '@waybill/contract';
import pg from 'pg';
import { recountWaiting, waitingSums } from '../server/src/packages/waiting-counts.ts';
import type { BenchContext } from './bench.ts';
import type { Database } from './databases.ts';
import { startProduct, type Product, type Session } from './product.ts';
import { median, ratioOf } from './quantiles.ts';
import { administrator, rareName } from './seed.ts';
import { smallTable } from './sizes.ts';

/** As many postal codes in both tables: the packages of each grow, not the answer. */
const postalCodes = 150;
const fewWaiting = 1_000;
const openedCode = '20007';

/** A page of a postal code has as many rows as the small table has there. */
const pageLength = Math.floor(fewWaiting / postalCodes);

type Size = 'few' | 'many';

/** What the dispatch screen asks, one filter after the other. All answers have as many rows in both tables, about. */
const filters: Record<string, WaitingFilter | ((size: Size) => WaitingFilter)> = {
  '': {},
  'of a place': { place: '200' },
  'with a window in the morning': { window: 'morning' },
  'without a window': { window: 'none' },
  // A ninth of few and a ninetieth of many, who are in most postal codes each.
  'by reference': (size) => ({ reference: size === 'few' ? 'plan-7' : 'plan-77' }),
  'with a failed attempt': { attempts: '1' },
  // A half of few and a hundredth of many, who are in most postal codes each.
  'by weight': (size) => ({ weightFrom: size === 'few' ? '10.1' : '19.9' }),
  'from a whole kilogram on': { weightFrom: '5' },
  'of a place, from a whole kilogram on': { place: '20', weightFrom: '5' },
  'by the name of an owner': { owner: 'owner 2' },
  'of a place, by the name of an owner': { place: '20', owner: 'owner 2' },
  'that fit a day': { day: '2030-01-01' },
  // Two filters together. A third of what waits does not fit the earlier day.
  'that fit a day, by the name of an owner': { owner: 'owner 2', day: '2030-01-01' },
  'that fit an earlier day, by the name of an owner': { owner: 'owner 2', day: '2029-12-30' },
  'of a place, that fit a day, by the name of an owner': { place: '20', owner: 'owner 2', day: '2030-01-01' },
  'with a window in the morning, by the name of an owner': { owner: 'owner 2', window: 'morning' },
  'without a window, by the name of an owner': { owner: 'owner 2', window: 'none' },
  'that fit a day, from a whole kilogram on': { weightFrom: '5', day: '2030-01-01' },
  'of a place, that fit a day, from a whole kilogram on': { place: '20', weightFrom: '5', day: '2030-01-01' },
  'with a window in the morning, from a whole kilogram on': { weightFrom: '5', window: 'morning' },
  'without a window, from a whole kilogram on': { weightFrom: '5', window: 'none' },
  'by the name of an owner, from a whole kilogram on': { owner: 'owner 2', weightFrom: '5' },
  'of a place, by the name of an owner, from a whole kilogram on': { place: '20', owner: 'owner 2', weightFrom: '5' },
  // No count has three filters together: the packages are read.
  'that fit a day, by the name of an owner and by weight': { owner: 'owner 2', weightFrom: '5', day: '2030-01-01' },
  'with a rare word': { q: rareName.split(' ').at(-1) ?? '' },
};

const count = async ({ api }: Session, filter: WaitingFilter) => {
  const { packages } = await api.dispatch.waiting({ query: filter });
  return packages;
};

const page = async ({ api }: Session, filter: WaitingFilter) => {
  const query = { ...filter, postalCode: openedCode, town: 'Hamburg', limit: pageLength };
  return (await api.dispatch.waitingPackages({ query })).items.length;
};

const select = async ({ api }: Session, body: WaitingSelection) =>
  (await api.dispatch.select({ body })).packageIds.length;

const calls: Record<string, (session: Session, size: Size) => Promise<number>> = {
  ...Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      ['what waits, by postal code and town', name].filter(Boolean).join(', '),
      (session: Session, size: Size) => count(session, typeof filter === 'function' ? filter(size) : filter),
    ]),
  ),
  'what waits in a postal code': (session) => page(session, {}),
  'what waits in a postal code, without a window': (session) => page(session, { window: 'none' }),
  'the first 500 of all that waits, for a route': (session) => select(session, { all: true }),
  'the first 500 of a place, for a route': (session) => select(session, { all: true, filter: { place: '20' } }),
  'the first 500 by the name of an owner, for a route': (session) =>
    select(session, { all: true, filter: { owner: 'owner 2' } }),
  'the first 500 of a place by the name of an owner, for a route': (session) =>
    select(session, { all: true, filter: { place: '20', owner: 'owner 2' } }),
  'a postal code, for a route': (session) =>
    select(session, { groups: [{ postalCode: openedCode, town: 'Hamburg' }], filter: { reference: 'plan-7' } }),
};

/** What is asked again once a tenth of what waits goes back to its owner. */
const callsWithReturns = [
  'what waits, by postal code and town',
  'what waits, by postal code and town, that fit a day',
  'what waits, by postal code and town, by the name of an owner',
  'what waits in a postal code',
  'the first 500 of all that waits, for a route',
];
const withReturns = 'a tenth of it returns';

/** Planning lists: how the response time grows with the packages that wait. */
export async function measurePlanning({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const few = await databases.copy('bench_planning_few', smallTable);
  const many = await databases.copy('bench_planning_many', size.packages, true);
  await letWait(few, fewWaiting);
  await letWait(many, size.waiting);
  const products: Product[] = [];
  try {
    const sessions: Session[] = [];
    for (const database of [few, many]) {
      const product = await startProduct(database);
      products.push(product);
      sessions.push(await product.signIn(administrator));
    }
    const measure = async (name: string, call: (session: Session, size: Size) => Promise<number>) => {
      const { both } = await rounds.interleave(size.fewRounds, {
        both: async () => {
          const took = sessions.map((): number[] => []);
          for (let time = 0; time < size.lists; time++)
            for (const [which, session] of sessions.entries()) {
              const startedAt = performance.now();
              await call(session, which === 0 ? 'few' : 'many');
              took[which]?.push(performance.now() - startedAt);
            }
          return took.map(median);
        },
      });
      const [ofFew = [], ofMany = []] = [0, 1].map((which) => both.map((times) => times[which] ?? NaN));
      report({
        measure: `${name}: ${size.waiting.toLocaleString('en')} packages wait`,
        unit: 'ms',
        product: median(ofMany),
        baseline: { name: `${fewWaiting.toLocaleString('en')} wait`, figure: median(ofFew) },
        ratio: ratioOf(ofMany, ofFew),
        goal: { of: 'ratio', is: 'at most', bound: 1.5 },
      });
    };
    for (const [name, call] of Object.entries(calls)) await measure(name, call);
    for (const database of [few, many]) await letReturn(database);
    for (const name of callsWithReturns) {
      const call = calls[name];
      if (!call) throw new Error(`nobody asks '${name}'`);
      await measure(`${name}, ${withReturns}`, call);
    }
    note(
      `Planning lists: ${size.waiting.toLocaleString('en')} of ${size.packages.toLocaleString('en')} packages wait, and ${fewWaiting.toLocaleString('en')} of ${(smallTable + fewWaiting).toLocaleString('en')}, in ${postalCodes} postal codes both times, pages of ${pageLength}; ${size.fewRounds} rounds of ${size.lists} requests to each in turn. Three filters together, and packages that go back to their owners, are in no count: the packages themselves are read, the longer the more wait.`,
    );
  } finally {
    await Promise.all(products.map((product) => product.stop()));
  }
}

/** Adds packages that wait, until there are this many. Some have windows, and one of a hundred has failed once. */
async function letWait({ connection }: Database, waiting: number): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    const added = `
      insert into packages (id, owner_id, tracking_id, reference, name, description, category, weight, recipient_name, recipient_contact,
        address_street, address_postal_code, address_city, window_from, window_to, failed_at, status, location, eta, created_at, updated_at)
      select uuidv7(), (select id from users where email = 'owner2@example.com'), 'PKG-W' || lpad(i::text, 7, '0'), 'plan-' || i * 7919 % 1000003, 'Crate ' || i,
        'It waits to be planned', 'Other', round((i % 200 / 10.0 + 0.1)::numeric, 1), 'Mara Lindqvist', '+49151' || (1000000 + i), 'Hafenstraße ' || i % 977,
        (20000 + i % $2::int)::text, 'Hamburg', case when i % 10 = 0 then '2029-12-20T08:00Z'::timestamptz + make_interval(hours => i / 10 % 10) end,
        case when i % 10 = 0 then '2029-12-20T10:00Z'::timestamptz + make_interval(hours => i / 10 % 10) end, case when i % 100 = 1 then now() end,
        'processing', 'Depot', case when i % 3 = 0 then '2029-12-31'::date end, now(), now()
      from generate_series(1, greatest(0, $1::int - (select count(*)::int from packages where status = 'processing'))) i`;
    await client.query(added, [waiting, postalCodes]);
    await client.query(`insert into package_search
      select owner_id, id, package_search_text(packages), phone_digits(recipient_contact) from packages where tracking_id like 'PKG-W%' and reference like 'plan-%'`);
    await client.query(`insert into package_references
      select owner_id, reference, id from packages where tracking_id like 'PKG-W%' and reference like 'plan-%'`);
    await recountWaiting(client);
    await client.query(`vacuum analyze packages, package_search, ${waitingSums.join(', ')}`);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Lets a tenth of what waits go back to its owners, who have addresses for that. */
async function letReturn({ connection }: Database): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    await client.query(
      `update users set return_street = 'Lagerstraße ' || right(id::text, 2), return_city = 'Hamburg',
         return_postal_code = (20000 + abs(hashtext(email)) % $1::int)::text where role = 'owner'`,
      [postalCodes],
    );
    await client.query(`update packages set return_due = true where id in (
      select id from (select id, row_number() over (order by id) as number from packages where status = 'processing') waiting where number % 10 = 4)`);
    await client.query('vacuum analyze users, packages');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
