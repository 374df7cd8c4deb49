import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchArrivals } from './arrivals.ts';
import type { Bench } from './bench.ts';
import { killRemaining } from './child-process.ts';
import { benchDashboards } from './dashboards.ts';
import { openDatabases } from './databases.ts';
import { benchImport } from './import.ts';
import { benchInstallation } from './installation.ts';
import { benchInvalidations } from './invalidations.ts';
import { benchLabels } from './labels.ts';
import { benchLists } from './lists.ts';
import { benchLive } from './live.ts';
import { benchLookup } from './lookup.ts';
import { benchMessages } from './messages.ts';
import { benchOptimizer, benchPublicInstances } from './optimizer.ts';
import { benchOutbox } from './outbox.ts';
import { benchPages } from './pages.ts';
import { asText, isMet, writeResults, type Finding, type Part } from './report.ts';
import { openRounds } from './rounds.ts';
import { benchPositions } from './positions.ts';
import { benchRoutes } from './routes.ts';
import { fullSize, quickSize } from './sizes.ts';
import { benchScreens } from './screens.ts';
import { benchStats } from './stats.ts';
import { benchUpload } from './upload.ts';
import { benchWrites } from './writes.ts';

const benches: Record<string, Bench> = {
  lookup: benchLookup,
  writes: benchWrites,
  lists: benchLists,
  stats: benchStats,
  routes: benchRoutes,
  import: benchImport,
  live: benchLive,
  hints: benchInvalidations,
  screens: benchScreens,
  outbox: benchOutbox,
  upload: benchUpload,
  messages: benchMessages,
  labels: benchLabels,
  optimizer: benchOptimizer,
  'optimizer-instances': benchPublicInstances,
  positions: benchPositions,
  arrivals: benchArrivals,
  pages: benchPages,
  dashboards: benchDashboards,
  installation: benchInstallation,
};

const usage = `Usage: npm run bench [-- [--quick] [${Object.keys(benches).join('] [')}]]
--quick  a small size that shows that the benches run; its ratios prove nothing
All of them at full size write bench/RESULTS.md. The exit code is 1 if a part failed; missed goals do not change it.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
if (positionals.some((name) => !(name in benches))) {
  console.error(usage);
  process.exit(1);
}

/** A part that hangs is given up after this time. */
const partTimeoutMs = 8 * 60_000;

const size = values.quick ? quickSize : fullSize;
const names = positionals.length > 0 ? positionals : Object.keys(benches);
const writesResults = !values.quick && positionals.length === 0;
const commit = commitOf();
const rounds = openRounds(size);
const databases = await openDatabases((line) => console.log(line));

/** What fails outside of a part, such as a lost connection that nobody waits for. It must not end the run. */
const strayFailures: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    console.error(error);
    strayFailures.push(messageOf(error));
  });

/** Whoever interrupts a run wants the machine back: the children are of no use without it. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    void killRemaining()
      .then(() => databases.stop())
      .finally(() => process.exit(1));
  });

async function run(name: string, bench: Bench): Promise<Part> {
  const findings: Finding[] = [];
  const notes: string[] = [];
  const abort = new AbortController();
  const seeding = databases.seedSeconds() ?? 0;
  const startedAt = performance.now();
  const failure = await Promise.race([
    bench({
      databases,
      size,
      rounds,
      note: (...more) => notes.push(...more),
      report: (...more) => findings.push(...more),
    }),
    sleep(partTimeoutMs, null, { signal: abort.signal }).then(() => {
      throw new Error(`it was not done within ${partTimeoutMs / 60_000} minutes`);
    }),
  ]).then(
    () => null,
    (error: unknown) => {
      console.error(error);
      return messageOf(error);
    },
  );
  abort.abort();
  await killRemaining();
  const strays = strayFailures.splice(0).join('; ');
  return {
    name,
    findings,
    notes,
    failure: failure ?? (strays || null),
    seconds: (performance.now() - startedAt) / 1000 - ((databases.seedSeconds() ?? 0) - seeding),
    disturbances: rounds.takeDisturbances(),
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');

function commitOf(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

const parts: Part[] = [];
try {
  // Apart from the parts' time limits. A failure fails the parts that need the database.
  if (positionals.length === 0) await databases.shared(size.packages).catch((error: unknown) => console.error(error));
  for (const [name, bench] of Object.entries(benches)) {
    if (!names.includes(name)) continue;
    const part = await run(name, bench);
    parts.push(part);
    console.log(`\n${asText(part)}`);
    const missing = names.filter((other) => !parts.some((done) => done.name === other));
    const conditions = { size, postgres: databases.version, commit, seedSeconds: databases.seedSeconds(), missing };
    if (writesResults) await writeResults(parts, conditions);
  }
} finally {
  await databases.stop();
}
const failed = parts.filter(({ failure }) => failure !== null).map(({ name }) => name);
const missed = parts.flatMap(({ findings }) => findings).filter((finding) => isMet(finding) === false);
console.log(
  `\n${missed.length} goals missed; ${failed.length > 0 ? `FAILED: ${failed.join(', ')}` : 'no part failed'}`,
);
process.exit(failed.length > 0 ? 1 : 0);
