import lighthouse, { type Result } from 'lighthouse';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';
import type { BenchContext } from './bench.ts';
import { freePort, startProduct } from './product.ts';
import type { Finding, Goal } from './report.ts';
import { median } from './quantiles.ts';
import { smallTable } from './sizes.ts';

const scores = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** The figures of one page load. */
type Figures = Record<'lcp' | 'cls' | 'bytes' | 'scriptBytes' | (typeof scores)[number], number>;

const warmUps = 50;

/** Lighthouse's codes for a trace that lacks the start of the load or its paints, as after a jump of the machine's clock. */
const brokenTraces = new Set(['NO_TRACING_STARTED', 'NO_NAVSTART', 'NO_FCP', 'NO_SCREENSHOTS']);

const pages = (trackingId: string) => ({
  landing: '/',
  tracker: '/track',
  'a package': `/track/${trackingId}`,
  contact: '/contact',
  terms: '/terms',
  licenses: '/licenses',
});

/** The public pages on Lighthouse's simulated phone: slow 4G and a CPU slowed down by 4. */
export async function benchPages({ databases, size, rounds, report, note }: BenchContext): Promise<void> {
  const database = await databases.shared(smallTable);
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ tracking_id: string }>(
    `select tracking_id from packages where status = 'in transit' order by id limit 1`,
  );
  await client.end();
  const product = await startProduct(database);
  const port = await freePort();
  const { args, ...found } = await findBrowser();
  const browser = await chromium.launch({ ...found, args: [...args, `--remote-debugging-port=${port}`] });
  try {
    const urls = Object.entries(pages(rows[0]?.tracking_id ?? '')).map(([name, path]) => [name, product.url + path]);
    // Warm up: first requests are slower than what visitors experience.
    for (const [, url = ''] of urls) for (let visit = 0; visit < warmUps; visit++) await (await fetch(url)).text();
    let repeated = 0;
    // One repeat for each load: a second broken trace in a row is a fault of the page or of the browser.
    const measure = async (name: string, url: string) => {
      const load = () => measurePage(name, url, port);
      return load().catch((error: unknown) => {
        if (!(error instanceof BrokenTrace)) throw error;
        repeated++;
        console.log(`  ${name}: again, ${error.message}`);
        return load();
      });
    };
    const loads = urls.map(([name = '', url = '']) => [name, () => measure(name, url)] as const);
    const figures = await rounds.interleave(size.pageLoads, Object.fromEntries(loads));
    for (const [name, loaded] of Object.entries(figures)) report(...findingsOf(name, loaded));
    note(
      `Lighthouse simulates the phone and its network from an unthrottled load; ${size.pageLoads} loads of each page.`,
    );
    if (repeated > 0) note(`${repeated} loads were repeated, because their traces lacked the start of the load.`);
  } finally {
    await browser.close();
    await product.stop();
  }
}

/** A trace that says nothing about the page. */
class BrokenTrace extends Error {}

/** Loads a page once with a cold cache, and prints its figures and failed audits. */
async function measurePage(name: string, url: string, port: number): Promise<Figures> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    output: 'json',
    onlyCategories: [...scores],
    // Tracking pages are `noindex` on purpose: search engines must not list packages.
    skipAudits: url.includes('/track/') ? ['is-crawlable'] : [],
  });
  if (!result) throw new Error('Lighthouse: no result');
  const { audits, categories, runtimeError } = result.lhr;
  if (runtimeError) {
    const Kind = brokenTraces.has(runtimeError.code) ? BrokenTrace : Error;
    throw new Kind(`Lighthouse: ${runtimeError.message}`);
  }
  // A single audit could not read the trace, such as NO_LCP.
  if (typeof categories.performance?.score !== 'number') throw new BrokenTrace('Lighthouse: no points for performance');
  const points = Object.fromEntries(scores.map((id) => [id, (categories[id]?.score ?? 0) * 100]));
  const requests = itemsOf(audits['network-requests']);
  const sum = (list: typeof requests) => list.reduce((total, { transferSize }) => total + Number(transferSize ?? 0), 0);
  const figures = {
    lcp: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    bytes: sum(requests),
    scriptBytes: sum(requests.filter(({ resourceType }) => resourceType === 'Script')),
    ...points,
  } as Figures;
  const points100 = scores.map((id) => figures[id]).join(' ');
  console.log(
    `  ${name}: ${Math.round(figures.lcp)} ms, shift ${figures.cls.toFixed(3)}, ${points100}, ${figures.bytes} bytes`,
  );
  for (const { id, title, score } of faultsOf(result.lhr)) console.log(`    ${title} (${id}, ${score})`);
  for (const { node, score } of itemsOf(audits['layout-shifts']))
    console.log(`    moved by ${Number(score)}: ${(node as { snippet?: string } | undefined)?.snippet}`);
  return figures;
}

const itemsOf = (audit: Result['audits'][string] | undefined): Record<string, unknown>[] =>
  (audit?.details && 'items' in audit.details ? audit.details.items : []) as Record<string, unknown>[];

/** The weighted audits with a score below 0.9. */
const faultsOf = ({ audits, categories }: Result) =>
  Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      return audit && weight > 0 && typeof audit.score === 'number' && audit.score < 0.9 ? [audit] : [];
    }),
  );

function findingsOf(page: string, loads: Figures[]): Finding[] {
  const finding = (id: keyof Figures, measure: string, unit: Finding['unit'], is: Goal['is'], bound: number) => ({
    measure: `${page}: ${measure}`,
    unit,
    product: median(loads.map((load) => load[id])) / (unit === 'KB' ? 1000 : 1),
    baseline: null,
    ratio: null,
    goal: { of: 'product' as const, is, bound },
  });
  return [
    finding('lcp', 'largest contentful paint', 'ms', 'at most', 1500),
    finding('cls', 'layout shift', 'of the screen', 'at most', 0.01),
    ...scores.map((id) => finding(id, id.replace('-', ' '), 'of 100', 'at least', 99)),
    finding('bytes', 'all that is loaded', 'KB', 'at most', 120),
    finding('scriptBytes', 'scripts', 'KB', 'at most', 75),
  ];
}
