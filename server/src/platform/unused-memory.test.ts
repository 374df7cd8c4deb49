import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { releaseUnusedMemory } from './unused-memory.ts';

/** Garbage and memory are real, and so is the time of the CPU; only the clock is not. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Makes garbage. @returns whether it is still there */
async function litter(bytes: number): Promise<() => Promise<boolean>> {
  const garbage = new WeakRef(Array.from<number>({ length: bytes / 8 }).fill(0.5));
  const isThere = async () => {
    const isAlive = garbage.deref() !== undefined;
    // The engine keeps what a weak reference has shown until the end of the turn.
    await nextTurn();
    return isAlive;
  };
  await nextTurn();
  return isThere;
}

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

test('garbage is collected before the process serves, and whenever it was idle for 30 s', async () => {
  const ofStart = await litter(much);
  releaseUnusedMemory();
  expect(await ofStart()).toBe(false);
  const isThere = await litter(much);
  vi.advanceTimersByTime(29_900);
  expect(await isThere()).toBe(true);
  vi.advanceTimersByTime(200);
  expect(await isThere()).toBe(false);
});

test('a busy process is not held up: its garbage is collected once it is idle', async () => {
  releaseUnusedMemory();
  const isThere = await litter(much);
  burnCpu(1000);
  vi.advanceTimersByTime(30_000);
  expect(await isThere()).toBe(true);
  vi.advanceTimersByTime(30_000);
  expect(await isThere()).toBe(false);
});

test('a process that stays idle is left alone until there is garbage worth it', async () => {
  releaseUnusedMemory();
  const worthwhile = await litter(much);
  vi.advanceTimersByTime(30_000);
  expect(await worthwhile()).toBe(false);
  const isThere = await litter(little);
  vi.advanceTimersByTime(30_000);
  vi.advanceTimersByTime(30_000);
  expect(await isThere()).toBe(true);
});
