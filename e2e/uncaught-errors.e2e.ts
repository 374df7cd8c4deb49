import { expect, test } from 'vitest';
import { eventually } from '../server/src/testing/test-product.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { runsAll } from '../server/src/testing/suite.ts';

/** Preloaded into every process of the product: SIGUSR2 throws an error that none of its code catches. */
const breakable = `
  if (process.env.WAYBILL_WORKER) console.log('{"worker":' + process.env.WAYBILL_WORKER + ',"pid":' + process.pid + '}');
  process.on('SIGUSR2', () => {
    const error = Object.assign(new Error('broken by the test'), { detail: ['private', 'person'].join('.') });
    if (process.env.WAYBILL_WORKER) Promise.reject(error); else throw error;
  });`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(breakable)}`;

const logLines = (product: RunningProduct) =>
  product
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const uncaught = 'an error that nobody caught ends this process';

test.runIf(runsAll)('an uncaught error is logged, and the process shuts down gracefully with exit code 1', async () => {
  const product = await startProduct({ NODE_OPTIONS });
  process.kill(product.pid, 'SIGUSR2');
  await product.gone();
  expect(product.exitCode()).toBe(1);
  const line = logLines(product).find(({ msg }) => msg === uncaught);
  expect(line).toMatchObject({ level: 60, name: 'Error', reason: 'broken by the test' });
  expect(line?.stack).toMatch(/^\s+at /m);
  expect(product.output()).not.toContain('private.person');
  // Gracefully: the next start finds a cleanly stopped database and an unlocked data folder.
  const again = await startProduct({ DATA_DIR: product.dataDir });
  expect((await fetch(`${again.url}/healthz`)).status).toBe(200);
  await again.stop();
  await product.stop();
});

test.runIf(runsAll)('a worker with an unhandled rejection is replaced, while the others keep serving', async () => {
  const product = await startProduct({ NODE_OPTIONS, WORKERS: '2' });
  const pidsOf = (worker: number) => logLines(product).flatMap((line) => (line.worker === worker ? [line.pid] : []));
  const [pid] = pidsOf(0);
  process.kill(Number(pid), 'SIGUSR2');
  await eventually('another is started in its place', () => pidsOf(0).length === 2);
  expect(logLines(product).find(({ msg }) => msg === uncaught)).toMatchObject({
    level: 60,
    reason: 'broken by the test',
  });
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
  await product.stop();
  expect(product.exitCode()).toBe(0);
});
