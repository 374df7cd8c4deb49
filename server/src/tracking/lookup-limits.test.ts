import { afterEach, expect, test, vi } from 'vitest';
import { createPackage, openTestProduct, type TestProduct } from '../testing/test-product.ts';
import { openLookupLimits } from './lookup-limits.ts';

const opened: TestProduct[] = [];
afterEach(async () => {
  for (const product of opened.splice(0).toReversed()) await product.close();
  vi.restoreAllMocks();
});
async function openTracker(config: Record<string, string> = {}) {
  const product = await openTestProduct({ runsJobs: false, config: { RATE_LIMITS: 'on', ...config } });
  opened.push(product);
  const owner = await product.register('owner');
  const ids = [(await createPackage(owner)).trackingId, (await createPackage(owner)).trackingId] as const;
  const lookUp = async (id: string, from: string, more: { path?: string; token?: string } = {}) => {
    const { statusCode, headers } = await product.app.inject({
      url: more.path ?? `/api/track/${id}`,
      remoteAddress: from,
      headers: more.token ? { authorization: `Bearer ${more.token}` } : {},
    });
    if (statusCode === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    return statusCode;
  };
  let guessed = 0;
  const guess = (from: string) => lookUp(`PKG-GUESS${String(guessed++).padStart(3, '0')}`, from);
  return { product, owner, ids, lookUp, guess };
}
/** Without HTTP: who looks what up, and what there is. */
function openLimits(limits: Parameters<typeof openLookupLimits>[0]) {
  const { lookUp } = openLookupLimits(limits, 1);
  const isSignedIn = async () => false;
  return (address: string, id: string, view: string | null) => lookUp(address, id, isSignedIn, async () => view);
}
const countOf = (statuses: number[]) => ({
  found: statuses.filter((status) => status === 200).length,
  missing: statuses.filter((status) => status === 404).length,
  refused: statuses.filter((status) => status === 429).length,
});
const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

test('after 30 misses a minute an address can only look up what it has found before', async () => {
  const { ids, lookUp, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1' });
  const [seen, unseen] = ids;
  const office = '192.0.2.1';
  expect(await lookUp(seen, office)).toBe(200);
  const statuses: number[] = [];
  for (let tries = 0; tries < 32; tries++) statuses.push(await guess(office));
  expect(countOf(statuses)).toEqual({ found: 0, missing: 30, refused: 2 });
  expect(await lookUp(unseen, office)).toBe(429);
  expect(await lookUp(unseen, office, { path: `/api/track/${unseen}/live` })).toBe(429);
  expect(await lookUp(seen, office)).toBe(200);
  // Malformed IDs never count as misses and are never refused.
  expect(await lookUp('PKG-SHORT', office)).toBe(404);
  expect(await lookUp(unseen, '192.0.2.2')).toBe(200);
});

test('concurrent guesses from one address get no more answers; a shared address with typing errors still finds its packages', async () => {
  const { ids, lookUp, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1' });
  expect(countOf(await times(80, () => guess('192.0.2.1')))).toEqual({ found: 0, missing: 30, refused: 50 });
  await times(29, () => guess('192.0.2.2'));
  await times(100, () => lookUp('not an ID', '192.0.2.2'));
  expect(countOf(await times(80, (index) => lookUp(ids[index % 2] ?? '', '192.0.2.2')))).toMatchObject({ found: 80 });
});

test('addresses of one IPv6 network share a budget, and every notation of an IPv4 address counts as the same', async () => {
  const { guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1' });
  const network = await times(40, (index) => guess(`2001:db8:0:1::${index + 1}`));
  expect(countOf(network)).toEqual({ found: 0, missing: 30, refused: 10 });
  expect(await guess('2001:db8:0:2::1')).toBe(404);
  const forms = await times(40, (index) => guess(index % 2 ? '192.0.2.1' : '::ffff:192.0.2.1'));
  expect(countOf(forms)).toEqual({ found: 0, missing: 30, refused: 10 });
});

test('once the common budget is spent, untrusted addresses are refused before the lookup, even with a valid ID', async () => {
  const { product, owner, ids, lookUp, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=20/60' });
  const [one, other] = ids;
  expect(await lookUp(one, '198.51.100.1')).toBe(200);
  const guesses = await times(120, (index) => guess(`2001:db8:0:${index.toString(16)}::1`));
  expect(countOf(guesses)).toEqual({ found: 0, missing: 20, refused: 100 });
  expect(await lookUp(one, '198.51.100.2')).toBe(429);
  expect(await lookUp(one, '198.51.100.2', { token: 'A'.repeat(43) })).toBe(429);
  // Addresses that have found something before, and signed-in users, are trusted.
  expect(await lookUp(one, '198.51.100.1')).toBe(200);
  expect(await lookUp(other, '198.51.100.1')).toBe(200);
  expect(await lookUp(one, '198.51.100.2', { token: owner.token })).toBe(200);
  expect(await product.ctx.db.query("select 1 from rate_limits where key like 'track%'")).toEqual([]);
});

test('an address is trusted for a day after it has found something', async () => {
  let hours = 1;
  vi.spyOn(performance, 'now').mockImplementation(() => hours * 3_600_000);
  const lookUpFrom = openLimits({
    trackMiss: { points: 5, duration: 60 },
    trackMissInAll: { points: 1, duration: 60 },
  });
  expect(await lookUpFrom('192.0.2.1', 'PKG-00000001', 'found')).toBe('found');
  hours += 23.9;
  expect(await lookUpFrom('192.0.2.2', 'PKG-00000002', null)).toBeNull();
  expect(await lookUpFrom('192.0.2.1', 'PKG-00000003', null)).toBeNull();
  hours += 0.2;
  expect(await lookUpFrom('192.0.2.2', 'PKG-00000002', null)).toBeNull();
  await expect(lookUpFrom('192.0.2.1', 'PKG-00000003', 'found')).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('a package that was found before and is gone is no guess, but the next lookup of it is', async () => {
  const lookUpFrom = openLimits({
    trackMiss: { points: 2, duration: 60 },
    trackMissInAll: { points: 100, duration: 60 },
  });
  expect(await lookUpFrom('192.0.2.1', 'PKG-00000001', 'found')).toBe('found');
  for (let misses = 0; misses < 3; misses++) expect(await lookUpFrom('192.0.2.1', 'PKG-00000001', null)).toBeNull();
  await expect(lookUpFrom('192.0.2.1', 'PKG-00000001', null)).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('an untrusted lookup waits if the next window starts soon', async () => {
  const { ids, lookUp, guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=3/1' });
  await times(3, (index) => guess(`192.0.2.${index}`));
  expect(await lookUp(ids[0], '198.51.100.1')).toBe(200);
});

test('concurrent hits are never refused, from many addresses or from one', async () => {
  const { ids, lookUp } = await openTracker();
  expect(countOf(await times(250, (index) => lookUp(ids[0], `10.0.0.${index}`)))).toMatchObject({ found: 250 });
  expect(countOf(await times(250, (index) => lookUp(ids[index % 2] ?? '', '10.0.1.1')))).toMatchObject({ found: 250 });
});

test('workers divide the budget of an address', async () => {
  const { guess } = await openTracker({ RATE_LIMITS: 'trackMissInAll=1000/1', WORKERS: '2' });
  expect(countOf(await times(40, () => guess('192.0.2.1')))).toEqual({ found: 0, missing: 15, refused: 25 });
});
