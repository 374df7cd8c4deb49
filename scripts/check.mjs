// Runs all static checks: format, lint, types, import order, dead code, paths in documents. Continues after a failed step.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => join(root, 'node_modules/.bin', name);

const steps = {
  format: [bin('oxfmt'), '--check', '.'],
  lint: [bin('oxlint'), '--type-aware', '--deny-warnings'],
  'types of the contract': [bin('tsc'), '-p', 'contract'],
  'types of the server': [bin('tsc'), '-p', 'server'],
  'types of the web': [bin('tsc'), '-p', 'web'],
  'types of tests and benches': [bin('tsc'), '-p', '.'],
  'import order': [bin('node'), 'scripts/import-order.mjs'],
  'dead code': [bin('knip'), '--no-progress'],
  'paths in documents': [bin('node'), 'scripts/documents.mjs'],
};

const failed = Object.entries(steps).filter(([name, [command, ...args]]) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    // The tools must run with the Node of node_modules.
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  const ok = status === 0;
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}`);
  if (!ok) console.log([error?.message, stdout, stderr].filter(Boolean).join('\n'));
  return !ok;
});

console.log(failed.length === 0 ? 'all checks passed' : `failed: ${failed.map(([name]) => name).join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
