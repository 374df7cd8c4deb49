import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { figureRowCalls, listCalls, pageLength } from './all-lists.ts';
import type { BenchContext } from './bench.ts';
import type { Database } from './databases.ts';
import { startProduct, type Product, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { median, ratioOf } from './quantiles.ts';
import { largeOwner, rareName, smallOwner } from './seed.ts';
import { smallTable } from './sizes.ts';

/** An owner who lists their packages. */
interface Reader {
  session: Session;
  /** The tracking ID of one of their packages. */
  trackingId: string;
  reference: string;
  phone: string;
  /** The national format of the number, with a space after the area code. */
  phoneAtHome: string;
}

/** Queries of a reader, and the goal for their ratio; a search of null lists everything. */
const queries: { name: string; search: (reader: Reader) => string | null; atMost: number }[] = [
  { name: 'first page', search: () => null, atMost: 1.5 },
  { name: 'search, tracking ID', search: (reader) => reader.trackingId, atMost: 1.5 },
  { name: 'search, rare word', search: () => rareName.split(' ').at(-1) ?? '', atMost: 1.5 },
  { name: 'search, common word', search: () => 'delivered', atMost: 1.5 },
  { name: 'search, miss', search: () => 'zeppelin', atMost: 1.5 },
  { name: 'search, reference', search: (reader) => reader.reference, atMost: 1.5 },
  { name: 'search, postcode', search: () => '10115', atMost: 1.5 },
  { name: 'search, phone', search: (reader) => reader.phone, atMost: 1.5 },
  { name: 'search, middle of a phone', search: (reader) => reader.phone.slice(4, -1), atMost: 1.5 },
  { name: 'search, phone as dialled at home', search: (reader) => reader.phoneAtHome, atMost: 1.5 },
  // A weaker goal: it matches one package in 1,000. For the large owner these are too many hits for a fast index scan and too few to stop
  // a sorted scan early.
  { name: 'search, person', search: () => 'anna schmidt', atMost: 3 },
];

/** All lists and searches: how the response time grows with the table and with the number of the owner's packages. */
export async function benchLists({ databases, size, rounds, note, report }: BenchContext): Promise<void> {
  const small = await databases.shared(smallTable);
  const large = await databases.shared(size.packages);
  const products: Product[] = [];
  const start = async (database: Database) => {
    const product = await startProduct(database);
    products.push(product);
    return product;
  };
  try {
    const ofSmall = await start(small);
    const ofLarge = await start(large);
    const baseline = await reader(small, ofSmall, smallOwner);
    const few = await reader(large, ofLarge, smallOwner);
    const many = await reader(large, ofLarge, largeOwner);
    for (const query of queries) {
      const rows = await list(baseline.session, query.search(baseline));
      const run = (as: Reader) => () => timeOf(as.session, query.search(as), Math.max(rows, 1), size.lists);
      const took = await rounds.interleave(size.rounds, { baseline: run(baseline), few: run(few), many: run(many) });
      const finding = (owned: number, times: number[]): Finding => ({
        measure: `${query.name}: owner of ${formatNumber(owned)} in ${formatNumber(size.packages)}`,
        unit: 'ms',
        product: median(times),
        baseline: { name: `owner of 1,000 in ${formatNumber(smallTable)}`, figure: median(took.baseline) },
        ratio: ratioOf(times, took.baseline),
        goal: { of: 'ratio', is: 'at most', bound: query.atMost },
      });
      report(finding(1_000, took.few), finding(size.packages / 10, took.many));
    }
    for (const call of [...listCalls, ...figureRowCalls]) {
      const [small, large] = await Promise.all([ofSmall.signIn(call.as.small), ofLarge.signIn(call.as.large)]);
      const rows = call.isEven ? await call.run(small, pageLength) : null;
      // Else two empty tables would be compared.
      if (rows === 0 && !call.name.endsWith('miss')) throw new Error(`${call.name}: no rows`);
      const limit = rows === null ? pageLength : Math.max(rows, 1);
      const { both } = await rounds.interleave(size.fewRounds, {
        both: () =>
          mediansOfTurns(
            [() => call.run(small, limit), () => call.run(large, limit)],
            size.lists,
            call.isEven ? 0 : settlingMs,
          ),
      });
      const [ofSmallTable = [], ofLargeTable = []] = [0, 1].map((which) => both.map((times) => times[which] ?? NaN));
      report({
        measure: `${call.name}: ${formatNumber(size.packages)} packages`,
        unit: 'ms',
        product: median(ofLargeTable),
        baseline: { name: `${formatNumber(smallTable)} packages`, figure: median(ofSmallTable) },
        ratio: ratioOf(ofLargeTable, ofSmallTable),
        goal: { of: 'ratio', is: 'at most', bound: call.name.endsWith('search, person') ? 3 : 1.5 },
      });
    }
    note(
      `All lists but the searches of owners: pages of ${pageLength} rows, or as many as the small table has, in ${size.fewRounds} rounds of ${size.lists} requests to each table in turn; exports ${settlingMs} ms apart. Searches of owners: pages of 50 rows, or as many as the small table has.`,
    );
  } finally {
    await Promise.all(products.map((product) => product.stop()));
  }
}

const formatNumber = (count: number) => count.toLocaleString('en');

async function reader(database: Database, product: Product, email: string): Promise<Reader> {
  const session = await product.signIn(email);
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string; reference: string; recipient_contact: string }>(
    'select tracking_id, reference, recipient_contact from packages where owner_id = $1 order by id offset 400 limit 1',
    [session.id],
  );
  await client.end();
  const { tracking_id: trackingId = '', reference = '', recipient_contact: phone = '' } = rows[0] ?? {};
  return { session, trackingId, reference, phone, phoneAtHome: phone.replace(/^\+49(\d\d)/, '0$1 ') };
}

/** @returns the number of rows */
const list = async ({ id, api }: Session, q: string | null, limit?: number): Promise<number> =>
  (
    await api.packages.listOfUser({
      params: { id },
      query: { ...(q !== null && { q }), ...(limit !== undefined && { limit }) },
    })
  ).items.length;

const timeOf = (session: Session, q: string | null, limit: number, times: number): Promise<number> =>
  medianTime(() => list(session, q, limit), times);

/** @returns the median response time, in ms */
const medianTime = async (run: () => Promise<unknown>, times: number): Promise<number> =>
  (await mediansOfTurns([run], times))[0] ?? NaN;

/**
 * Until a server has let go of an export that was left at its beginning: it has read ahead, and closes the connection. Where the small table's
 * whole export is that beginning there is nothing to let go, and the large one alone would wait for its former request.
 */
const settlingMs = 40;

/**
 * Calls each in turn: what slows the machine for some milliseconds, such as a vacuum, slows each of them.
 * @param pause before each call, in ms
 * @returns the median of each, in ms
 */
async function mediansOfTurns(runs: (() => Promise<unknown>)[], times: number, pause = 0): Promise<number[]> {
  const took = runs.map((): number[] => []);
  for (let time = 0; time < times; time++)
    for (const [index, run] of runs.entries()) {
      if (pause > 0) await sleep(pause);
      const startedAt = performance.now();
      await run();
      took[index]?.push(performance.now() - startedAt);
    }
  return took.map(median);
}
