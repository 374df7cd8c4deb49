import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db, Tx } from './db.ts';
import { openGroupCommit } from './group-commit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A database whose transactions end when the test says so. */
function fakeDb(connections = 10) {
  const commits: { commit(): void; fail(error: Error): void }[] = [];
  const db: Db = {
    connections,
    query: async () => [],
    snapshot: () => Promise.reject(new Error('a group commit reads no snapshot')),
    async transaction(work) {
      const result = await work({} as Tx);
      await new Promise<void>((resolve, reject) => commits.push({ commit: resolve, fail: reject }));
      return result;
    },
  };
  return { on: { db }, commits };
}

/** Doubles numbers; leaves out negative ones. */
function open({ on, commits } = fakeDb()) {
  const batches: number[][] = [];
  const alone: number[] = [];
  const group = openGroupCommit<number, string>(on, async (_, items) => {
    batches.push(items);
    return items.map((item) => (item < 0 ? null : { result: `together ${item}` }));
  });
  const run = (item: number) =>
    group.run(item, async () => {
      alone.push(item);
      if (item === -2) throw new Error('refused');
      return `alone ${item}`;
    });
  const settle = async (last: 'commit' | Error) => {
    for (const { commit, fail } of commits.splice(0)) {
      if (last === 'commit') commit();
      else fail(last);
    }
    await nextTurn();
  };
  return { batches, alone, commits, group, run, settle };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('a call that is the only one of its turn runs alone', async () => {
  const { run, batches } = open();
  expect(await run(1)).toBe('alone 1');
  expect(batches).toEqual([]);
});

test('calls of one turn share a transaction, and are answered after its commit, each with its own result', async () => {
  const { run, batches, settle } = open();
  let answered = 0;
  const results = [1, 2, 3].map((item) => run(item).finally(() => answered++));
  await nextTurn();
  await nextTurn();
  expect(batches).toEqual([[1, 2, 3]]);
  expect(answered).toBe(0);
  await settle('commit');
  expect(await Promise.all(results)).toEqual(['together 1', 'together 2', 'together 3']);
});

test('at most 20 calls share a transaction, and at most 3 transactions run at once; the others queue up', async () => {
  const { run, batches, settle } = open();
  const results = Promise.all(numbers(75).map(run));
  await nextTurn();
  await nextTurn();
  expect(batches.map(({ length }) => length)).toEqual([20, 20, 20]);
  await settle('commit');
  expect(batches.map(({ length }) => length)).toEqual([20, 20, 20, 15]);
  await settle('commit');
  expect(await results).toEqual(numbers(75).map((item) => `together ${item}`));
});

test('a slow transaction leaves its place to others, up to 8 in all', async () => {
  const { run, batches, settle } = open();
  const results = Promise.all(numbers(200).map(run));
  await nextTurn();
  expect(batches.length).toBe(3);
  for (const count of [6, 8, 8]) {
    vi.advanceTimersByTime(80);
    await nextTurn();
    expect(batches.length).toBe(count);
  }
  await settle('commit');
  expect(batches.length).toBe(10);
  await settle('commit');
  expect(await results).toEqual(numbers(200).map((item) => `together ${item}`));
});

test('slow transactions leave two connections of a small pool to everything else; groups of one database share the rest', async () => {
  const database = fakeDb(5);
  const [first, second] = [open(database), open(database)];
  const results = Promise.all([...numbers(80).map(first.run), ...numbers(80).map(second.run)]);
  await nextTurn();
  vi.advanceTimersByTime(100);
  await nextTurn();
  expect(first.batches.length + second.batches.length).toBe(3);
  while (first.batches.length + second.batches.length < 8) await first.settle('commit');
  await first.settle('commit');
  await first.settle('commit');
  expect((await results).length).toBe(160);
});

test('what a batch leaves out is done alone after the commit, and its error is that of its caller', async () => {
  const { run, alone, settle } = open();
  const results = Promise.allSettled([run(1), run(-1), run(-2)]);
  await nextTurn();
  await nextTurn();
  expect(alone).toEqual([]);
  await settle('commit');
  expect(await results).toMatchObject([
    { value: 'together 1' },
    { value: 'alone -1' },
    { reason: { message: 'refused' } },
  ]);
});

test('the calls of a batch that was rolled back are done one by one', async () => {
  const { run, alone, settle } = open();
  const results = Promise.allSettled([run(1), run(-2), run(3)]);
  await nextTurn();
  await nextTurn();
  await settle(Object.assign(new Error('deferred constraint'), { code: '23514' }));
  expect(await results).toMatchObject([{ value: 'alone 1' }, { reason: { message: 'refused' } }, { value: 'alone 3' }]);
  expect(alone).toEqual([1, -2, 3]);
});

test('calls that a batch left out take turns like batches, before those that came later', async () => {
  const { on, commits } = fakeDb(5);
  const order: number[] = [];
  const open = new Map<number, () => void>();
  const group = openGroupCommit<number, string>(on, async (_, items) =>
    items.map((item) => (item < 20 ? null : { result: `together ${item}` })),
  );
  const run = (item: number) =>
    group.run(item, async () => {
      order.push(item);
      await new Promise<void>((resolve) => open.set(item, resolve));
      open.delete(item);
      return `alone ${item}`;
    });
  const results = Promise.all(numbers(20).map(run));
  await nextTurn();
  for (const { commit } of commits.splice(0)) commit();
  await nextTurn();
  expect(order).toEqual([0, 1, 2]);
  const later = Promise.all([20, 21].map(run));
  // Also when they are slow: five connections, of which two are kept free.
  vi.advanceTimersByTime(100);
  await nextTurn();
  expect(order).toEqual([0, 1, 2]);
  while (order.length < 20) {
    expect(commits).toEqual([]);
    for (const end of open.values()) end();
    await nextTurn();
    expect(open.size).toBeLessThanOrEqual(3);
  }
  for (const end of open.values()) end();
  expect(await results).toEqual(numbers(20).map((item) => `alone ${item}`));
  await nextTurn();
  for (const { commit } of commits.splice(0)) commit();
  expect(await later).toEqual(['together 20', 'together 21']);
});

test.each([
  new Error('Connection terminated unexpectedly'),
  Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
])('a batch that may have been committed is not repeated: %s', async (failure) => {
  const { run, alone, settle } = open();
  const results = Promise.allSettled([run(1), run(2)]);
  await nextTurn();
  await nextTurn();
  await settle(failure);
  expect(await results).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
  ]);
  expect(alone).toEqual([]);
});

test('a batch runs in the async context of no request, what is done alone in that of its own', async () => {
  const { on, commits } = fakeDb();
  const request = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const group = openGroupCommit<number, void>(on, async (_, items) => {
    seen.push(request.getStore());
    return items.map(() => null);
  });
  const run = (name: string) => request.run(name, () => group.run(1, async () => void seen.push(request.getStore())));
  const done = Promise.all([run('a'), run('b')]);
  await nextTurn();
  await nextTurn();
  for (const { commit } of commits) commit();
  await done;
  expect(seen).toEqual([undefined, 'a', 'b']);
});
