import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { waitingQuery, waitingRowsQuery } from './queries.ts';

const group = { postalCode: '20259', town: 'Hamburg', packages: 1, kilograms: 1 };

test('while somebody types, what waits stays until the last filter is answered, older questions are dropped, and rows are asked for once', async () => {
  const asked: { filter: string | null; signal: AbortSignal; answer: (packages: number) => void }[] = [];
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (url: string, { signal }: { signal: AbortSignal }) => {
    const reply = Promise.withResolvers<Response>();
    const answer = (packages: number) =>
      reply.resolve(Response.json({ groups: [{ ...group, packages }], items: [], next: null, packages, kilograms: 1 }));
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const what = pathname.endsWith('/waiting') ? 'groups' : 'rows';
    asked.push({ filter: `${what} ${searchParams.get('place')}`, signal, answer });
    signal.addEventListener('abort', () => reply.reject(signal.reason));
    return reply.promise;
  });
  const client = new QueryClient();
  const groups = new InfiniteQueryObserver(client, waitingQuery({ place: '1' }));
  const rows = new InfiniteQueryObserver(client, waitingRowsQuery({ place: '1' }, group));
  const ends = [groups.subscribe(() => {}), rows.subscribe(() => {})];
  try {
    await expect.poll(() => asked.map(({ filter }) => filter)).toEqual(['groups 1', 'rows 1']);
    for (const { answer } of asked.splice(0)) answer(7);
    const shown = () => groups.getCurrentResult();
    await expect.poll(() => [shown().data?.pages[0]?.packages, rows.getCurrentResult().isSuccess]).toEqual([7, true]);

    for (const place of ['12', '123']) {
      groups.setOptions(waitingQuery({ place }));
      rows.setOptions(waitingRowsQuery({ place }, group, !shown().isPlaceholderData));
      await expect.poll(() => asked.map(({ filter }) => filter)).toContain(`groups ${place}`);
      expect([shown().data?.pages[0]?.packages, shown().isPlaceholderData]).toEqual([7, true]);
      expect(rows.getCurrentResult().data?.pages).toHaveLength(1);
    }
    expect(asked.map(({ filter, signal }) => [filter, signal.aborted])).toEqual([
      ['groups 12', true],
      ['groups 123', false],
    ]);
    asked[1]?.answer(3);
    await expect.poll(() => [shown().data?.pages[0]?.packages, shown().isPlaceholderData]).toEqual([3, false]);
    rows.setOptions(waitingRowsQuery({ place: '123' }, group, !shown().isPlaceholderData));
    await expect.poll(() => asked.map(({ filter }) => filter)).toEqual(['groups 12', 'groups 123', 'rows 123']);
  } finally {
    for (const end of ends) end();
    client.clear();
    vi.unstubAllGlobals();
  }
});
