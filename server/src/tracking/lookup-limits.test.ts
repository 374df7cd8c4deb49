import { afterEach, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct } from '../testing/test-product.ts';

const opened: TestProduct[] = [];
afterEach(async () => {
  for (const product of opened.splice(0).toReversed()) await product.close();
});
async function openTracker(config: Record<string, string> = {}) {
  const product = await openTestProduct({ runsJobs: false, config: { RATE_LIMITS: 'on', ...config } });
  opened.push(product);
  const owner = await product.register('owner');
  const ids = [(await createPackage(owner)).trackingId, (await createPackage(owner)).trackingId] as const;
  const ask = async (id: string, from: string, more: { path?: string; token?: string } = {}) => {
    const { statusCode, headers } = await product.app.inject({
      url: more.path ?? `/api/track/${id}`,
      remoteAddress: from,
      headers: more.token ? { authorization: `Bearer ${more.token}` } : {},
    });
    if (statusCode === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    return statusCode;
  };
  let guessed = 0;
  const guess = (from: string) => ask(`PKG-GUESS${String(guessed++).padStart(3, '0')}`, from);
  return { product, owner, ids, ask, guess };
}
const countOf = (statuses: number[]) => ({
  found: statuses.filter((status) => status === 200).length,
  missing: statuses.filter((status) => status === 404).length,
  refused: statuses.filter((status) => status === 429).length,
});
const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

test('30 misses a minute for an address; then it sees what it has seen before, and nothing else', async () => {
  const { ids, ask, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1' });
  const [seen, unseen] = ids;
  const office = '192.0.2.1';
  expect(await ask(seen, office)).toBe(200);
  const statuses: number[] = [];
  for (let tries = 0; tries < 32; tries++) statuses.push(await guess(office));
  expect(countOf(statuses)).toEqual({ found: 0, missing: 30, refused: 2 });
  expect(await ask(unseen, office)).toBe(429);
  expect(await ask(unseen, office, { path: `/api/track/${unseen}/live` })).toBe(429);
  expect(await ask(seen, office)).toBe(200);
  // What is no ID at all counts for nothing, neither before nor now.
  expect(await ask('PKG-SHORT', office)).toBe(404);
  expect(await ask(unseen, '192.0.2.2')).toBe(200);
});

test('of many guesses at once from one address no more are answered, and a shared address with typing errors finds its packages', async () => {
  const { ids, ask, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1' });
  expect(countOf(await times(80, () => guess('192.0.2.1')))).toEqual({ found: 0, missing: 30, refused: 50 });
  await times(29, () => guess('192.0.2.2'));
  await times(100, () => ask('not an ID', '192.0.2.2'));
  expect(countOf(await times(80, (index) => ask(ids[index % 2] ?? '', '192.0.2.2')))).toMatchObject({ found: 80 });
});

test('the addresses of one IPv6 network count as one, and an IPv4 address is the same however it is written', async () => {
  const { guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1' });
  const network = await times(40, (index) => guess(`2001:db8:0:1::${index + 1}`));
  expect(countOf(network)).toEqual({ found: 0, missing: 30, refused: 10 });
  expect(await guess('2001:db8:0:2::1')).toBe(404);
  const forms = await times(40, (index) => guess(index % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'));
  expect(countOf(forms)).toEqual({ found: 0, missing: 30, refused: 10 });
});

test('once all addresses together have missed too often, strangers are refused before the lookup, also for the right ID', async () => {
  const { product, owner, ids, ask, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=20/60' });
  const [one, other] = ids;
  expect(await ask(one, '198.51.100.1')).toBe(200);
  const guesses = await times(120, (index) => guess(`2001:db8:0:${index.toString(16)}::1`));
  expect(countOf(guesses)).toEqual({ found: 0, missing: 20, refused: 100 });
  expect(await ask(one, '198.51.100.2')).toBe(429);
  expect(await ask(one, '198.51.100.2', { token: 'A'.repeat(43) })).toBe(429);
  // Whoever has found something before, or is signed in, is no stranger.
  expect(await ask(one, '198.51.100.1')).toBe(200);
  expect(await ask(other, '198.51.100.1')).toBe(200);
  expect(await ask(one, '198.51.100.2', { token: owner.token })).toBe(200);
  expect(await product.ctx.db.query("select 1 from rate_limits where key like 'track%'")).toEqual([]);
});

test('a stranger whose turn comes soon waits for it', async () => {
  const { ids, ask, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=3/1' });
  await times(3, (index) => guess(`192.0.2.${index}`));
  expect(await ask(ids[0], '198.51.100.1')).toBe(200);
});

test('nobody who finds what they look for is refused: from many addresses or from one, all at once', async () => {
  const { ids, ask } = await openTracker();
  expect(countOf(await times(250, (index) => ask(ids[0], `10.0.0.${index}`)))).toMatchObject({ found: 250 });
  expect(countOf(await times(250, (index) => ask(ids[index % 2] ?? '', '10.0.1.1')))).toMatchObject({ found: 250 });
});

test('workers share the misses of an address', async () => {
  const { guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1', WORKERS: '2' });
  expect(countOf(await times(40, () => guess('192.0.2.1')))).toEqual({ found: 0, missing: 15, refused: 25 });
});
