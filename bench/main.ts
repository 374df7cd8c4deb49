import { parseArgs } from 'node:util';
import { openDatabases, type Databases } from './databases.ts';
import { benchInvalidations } from './invalidations.ts';
import { benchImport } from './import.ts';
import { benchLabels } from './labels.ts';
import { benchLists } from './lists.ts';
import { benchLive } from './live.ts';
import { benchLookup } from './lookup.ts';
import { benchOutbox } from './outbox.ts';
import { benchPages } from './pages.ts';
import { asTable, writeResults, type Bench, type Finding } from './report.ts';
import { fullSize, quickSize, type Size } from './sizes.ts';
import { benchStats } from './stats.ts';
import { benchUpload } from './upload.ts';
import { benchWrites } from './writes.ts';

const benches: Record<string, (databases: Databases, size: Size) => Promise<Finding[]>> = {
  lookup: benchLookup,
  writes: benchWrites,
  lists: benchLists,
  stats: benchStats,
  import: benchImport,
  live: benchLive,
  hints: benchInvalidations,
  outbox: benchOutbox,
  upload: benchUpload,
  labels: benchLabels,
  pages: benchPages,
};

const usage = `Usage: npm run bench [-- [--quick] [${Object.keys(benches).join('] [')}]]
--quick  a small size that shows that the benches run; its ratios prove nothing
All of them at full size write bench/RESULTS.md.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
if (positionals.some((name) => !(name in benches))) {
  console.error(usage);
  process.exit(1);
}

const size = values.quick ? quickSize : fullSize;
const databases = await openDatabases((line) => console.log(line));
try {
  const done: Bench[] = [];
  for (const [name, bench] of Object.entries(benches)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const findings = await bench(databases, size);
    console.log(`\n${name}\n${asTable(findings)}`);
    done.push({ name, findings });
  }
  if (!values.quick && positionals.length === 0) await writeResults(done, size, databases.version);
} finally {
  await databases.stop();
}
