import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { releaseUnusedMemory } from './unused-memory.ts';

/** Garbage and memory are real, and so is the time of the CPU; only the clock is not. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Counts the collections that were asked for: the engine's own come whenever it likes. */
const forced = constants.NODE_PERFORMANCE_GC_FLAGS_FORCED;
let collections = 0;
const count = (entries: PerformanceEntry[]) => {
  for (const entry of entries)
    if ('detail' in entry && ((entry.detail as { flags: number }).flags & forced) !== 0) collections++;
};
const observer = new PerformanceObserver((list) => count(list.getEntries()));
beforeEach(() => {
  collections = 0;
  observer.observe({ entryTypes: ['gc'] });
});
afterEach(() => observer.disconnect());

async function collectionsAfter(ms: number): Promise<number> {
  vi.advanceTimersByTime(ms);
  await nextTurn();
  count(observer.takeRecords());
  return collections;
}

const allocate = (bytes: number) => Array.from<number>({ length: bytes / 8 }).fill(0.5);
/** What is allocated must be there when the process looks at its memory, whatever the engine collects by itself. */
const isKept = (memory: number[]) => memory.length > 0;

function burnCpu(ms: number): void {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system > ms * 1000) return;
    for (let spin = 0; spin < 1_000_000; spin++);
  }
}

const much = 16_000_000;
const little = 80_000;

test('garbage is collected before the process serves', async () => {
  const garbage = new WeakRef(allocate(much));
  await nextTurn();
  releaseUnusedMemory();
  expect(garbage.deref()).toBeUndefined();
});

test('it is collected whenever the process was idle for 30 s', async () => {
  releaseUnusedMemory();
  const memory = allocate(much);
  expect(await collectionsAfter(29_900)).toBe(0);
  expect(await collectionsAfter(200)).toBe(1);
  expect(isKept(memory)).toBe(true);
});

test('a busy process is not held up: its garbage is collected once it is idle', async () => {
  releaseUnusedMemory();
  const memory = allocate(much);
  burnCpu(1000);
  expect(await collectionsAfter(30_000)).toBe(0);
  expect(await collectionsAfter(30_000)).toBe(1);
  expect(isKept(memory)).toBe(true);
});

test('a process that stays idle is left alone until there is garbage worth it', async () => {
  releaseUnusedMemory();
  const memory = allocate(much);
  expect(await collectionsAfter(30_000)).toBe(1);
  const more = allocate(little);
  expect(await collectionsAfter(60_000)).toBe(1);
  expect(isKept(memory) && isKept(more)).toBe(true);
});
