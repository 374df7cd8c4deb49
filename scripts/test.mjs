// Runs all tests, or those that the arguments select, and prints at the end the skipped and failed tests and the totals.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'waybill-results-'));
const results = join(folder, 'results.json');

const { status } = spawnSync(
  join(root, 'node_modules/.bin/node'),
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);

const files = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')).testResults : [];
rmSync(folder, { recursive: true });

const tests = files.flatMap((file) =>
  file.assertionResults.map((test) => ({ ...test, file: relative(root, file.name) })),
);
const passed = tests.filter((test) => test.status === 'passed');
const failed = tests.filter((test) => test.status === 'failed');
const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');

// A file that cannot be loaded has failed without a failed test.
const broken = files.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
);
const none = passed.length + failed.length === 0;
// An error outside of tests counts as a failure too.
const failures = Math.max(failed.length + broken.length, status === 0 && !none ? 0 : 1);

for (const test of skipped) console.log(`skipped: ${test.file}: ${test.fullName}`);
// Failures are repeated at the end, since often only the end of a log is kept.
for (const test of failed) console.log(`failed: ${test.file}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
for (const file of broken) console.log(`failed: ${relative(root, file.name)}\n${file.message}`);
if (none) console.log('no test ran');
console.log(`${passed.length} passed, ${failures} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exitCode = failures > 0 ? 1 : 0;
