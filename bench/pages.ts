import lighthouse from 'lighthouse';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { findBrowser } from '../scripts/browser.mjs';
import type { Databases } from './databases.ts';
import { freePort, startProduct } from './product.ts';
import type { Finding } from './report.ts';
import { median } from './rounds.ts';
import { smallTable, type Size } from './sizes.ts';

const scores = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const figures = ['largest-contentful-paint', 'cumulative-layout-shift', ...scores] as const;
type Figures = Record<(typeof figures)[number], number>;

const warmUps = 50;

const pages = (trackingId: string) => ({ landing: '/', tracker: '/track', 'a package': `/track/${trackingId}` });

/** The public pages on Lighthouse's phone: a slow 4G line and a processor of a quarter of the speed, simulated. */
export async function benchPages(databases: Databases, size: Size): Promise<Finding[]> {
  const database = await databases.copy('bench_pages', smallTable);
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
    const findings: Finding[] = [];
    for (const [name, path] of Object.entries(pages(rows[0]?.tracking_id ?? ''))) {
      const url = product.url + path;
      const rounds: Figures[] = [];
      // What a server does for the first time is not what visitors wait for.
      for (let visit = 0; visit < warmUps; visit++) await (await fetch(url)).text();
      for (let round = 0; round < size.pageLoads; round++) rounds.push(await examine(url, port));
      findings.push(...findingsOf(name, rounds));
    }
    return findings;
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function examine(url: string, port: number): Promise<Figures> {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    output: 'json',
    onlyCategories: [...scores],
    // Whoever holds the ID of a package sees it; search engines are not to hold it, and are told so.
    skipAudits: url.includes('/track/') ? ['is-crawlable'] : [],
  });
  if (!result || result.lhr.runtimeError) throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message}`);
  const { audits, categories } = result.lhr;
  for (const { auditRefs } of Object.values(categories))
    for (const { id, weight } of auditRefs) {
      const { score, title } = audits[id] ?? {};
      if (weight > 0 && typeof score === 'number' && score < 0.9) console.log(`  ${url}: ${title} (${id}, ${score})`);
    }
  const figure = (id: string) => audits[id]?.numericValue ?? (categories[id]?.score ?? 0) * 100;
  return Object.fromEntries(figures.map((id) => [id, figure(id)])) as Figures;
}

function findingsOf(page: string, rounds: Figures[]): Finding[] {
  const middle = (id: (typeof figures)[number]) => median(rounds.map((round) => round[id]));
  const finding = (id: (typeof figures)[number], promise: string, unit: Finding['unit'], goal: Finding['goal']) => ({
    promise: `${page}: ${promise}`,
    unit,
    product: middle(id),
    baseline: null,
    ratio: null,
    goal,
  });
  return [
    finding('largest-contentful-paint', 'largest contentful paint', 'ms', {
      of: 'product',
      is: 'at most',
      bound: 1500,
    }),
    finding('cumulative-layout-shift', 'layout shift', 'of the screen', { of: 'product', is: 'at most', bound: 0.01 }),
    ...scores.map((id) => finding(id, id.replace('-', ' '), 'of 100', { of: 'product', is: 'at least', bound: 99 })),
  ];
}
