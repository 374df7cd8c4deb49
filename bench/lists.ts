import pg from 'pg';
import type { Database, Databases } from './databases.ts';
import { startProduct, type Product, type Session } from './product.ts';
import type { Finding } from './report.ts';
import { interleave, median, ratioOf } from './rounds.ts';
import { largeOwner, rareName, smallOwner } from './seed.ts';
import { smallTable, type Size } from './sizes.ts';

/** What an owner asks for. A tracking ID is the rare term that people really type; it is each owner's own. */
type Terms = Record<
  | 'first page'
  | 'search, tracking ID'
  | 'search, rare word'
  | 'search, common word'
  | 'search, person'
  | 'search, miss',
  string | null
>;

interface Reader {
  session: Session;
  terms: Terms;
}

/** First page and search: how the time grows with the table and with the owner. */
export async function benchLists(databases: Databases, size: Size): Promise<Finding[]> {
  const small = await databases.copy('bench_small', smallTable);
  const large = await databases.copy('bench_large', size.packages);
  const products: Product[] = [];
  try {
    const ofSmall = await startProduct(small);
    products.push(ofSmall);
    const ofLarge = await startProduct(large);
    products.push(ofLarge);
    const baseline = await reader(small, ofSmall, smallOwner);
    const owners = {
      'owner of 1,000': await reader(large, ofLarge, smallOwner),
      [`owner of ${(size.packages / 10).toLocaleString('en')}`]: await reader(large, ofLarge, largeOwner),
    };
    const findings: Finding[] = [];
    for (const kind of Object.keys(baseline.terms) as (keyof Terms)[]) {
      const runs: Record<string, () => Promise<number>> = {
        baseline: () => timeOf(baseline, kind, size.lists),
        ...Object.fromEntries(Object.entries(owners).map(([name, who]) => [name, () => timeOf(who, kind, size.lists)])),
      };
      const figures = await interleave(size.rounds, runs);
      for (const name of Object.keys(owners)) {
        findings.push({
          promise: `${kind}: ${name} in ${size.packages.toLocaleString('en')}`,
          unit: 'ms',
          product: median(figures[name] ?? []),
          baseline: {
            name: `owner of 1,000 in ${smallTable.toLocaleString('en')}`,
            figure: median(figures.baseline ?? []),
          },
          ratio: ratioOf(figures[name] ?? [], figures.baseline ?? []),
          goal: { of: 'ratio', is: 'at most', bound: 1.5 },
        });
      }
    }
    return findings;
  } finally {
    await Promise.all(products.map((product) => product.stop()));
  }
}

async function reader(database: Database, product: Product, email: string): Promise<Reader> {
  const session = await product.signIn(email);
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string }>(
    'select tracking_id from packages where owner_id = $1 order by id offset 400 limit 1',
    [session.id],
  );
  await client.end();
  return {
    session,
    terms: {
      'first page': null,
      'search, tracking ID': rows[0]?.tracking_id ?? '',
      'search, rare word': rareName.split(' ')[1] ?? '',
      'search, common word': 'delivered',
      'search, person': 'anna schmidt',
      'search, miss': 'zeppelin',
    },
  };
}

/** The median time of a request, in ms. */
async function timeOf({ session, terms }: Reader, kind: keyof Terms, times: number): Promise<number> {
  const q = terms[kind];
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now();
    await session.api.packages.listOfUser({ params: { id: session.id }, query: q === null ? {} : { q } });
    took.push(performance.now() - startedAt);
  }
  return median(took);
}
