import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createPackage, openTestProduct, watch, type TestProduct } from '../testing/test-product.ts';

const opened: TestProduct[] = [];
afterEach(async () => {
  for (const product of opened.splice(0)) await product.close();
});
async function open(config: Record<string, string>): Promise<TestProduct> {
  const product = await openTestProduct({ runsJobs: false, config });
  opened.push(product);
  return product;
}

test('metrics are off by default and served only with the token', async () => {
  const withoutMetrics = await open({});
  expect((await withoutMetrics.app.inject('/metrics')).body).not.toContain('waybill_');
  const METRICS_TOKEN = 'a-token-of-some-length';
  const { app } = await open({ METRICS_TOKEN });
  for (const authorization of ['', 'Bearer a-token-of-some-lengtH', METRICS_TOKEN])
    expect((await app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(401);
  const answer = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('nodejs_eventloop_lag_seconds');
});

test('METRICS_PORT requires the token if one is set, and is otherwise reachable from this machine only', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const METRICS_PORT = String((free.address() as AddressInfo).port);
  free.close();
  await once(free, 'close');
  const statusAt = async (host: string, authorization = '') =>
    fetch(`http://${host}:${METRICS_PORT}/metrics`, { headers: { authorization } }).then(
      ({ status }) => status,
      () => 'refused',
    );
  const METRICS_TOKEN = 'a-token-of-some-length';
  const guarded = await open({ METRICS_PORT, METRICS_TOKEN });
  await expect.poll(() => statusAt('127.0.0.1')).toBe(401);
  expect(await statusAt('127.0.0.1', `Bearer ${METRICS_TOKEN}`)).toBe(200);
  opened.splice(opened.indexOf(guarded), 1);
  await guarded.close();
  // 127.0.0.2 is this machine too: without a token the server listens on 127.0.0.1 alone, even if HOST is every address.
  await open({ METRICS_PORT, HOST: '0.0.0.0' });
  await expect.poll(() => statusAt('127.0.0.1')).toBe(200);
  expect(await statusAt('127.0.0.2')).toBe('refused');
});

test('METRICS_PORT serves requests by route, load classes, pools, streams and jobs, without personal data', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const METRICS_PORT = String((free.address() as AddressInfo).port);
  free.close();
  await once(free, 'close');
  const product = await open({ METRICS_PORT });
  const [owner, driver] = [await product.register('owner'), await product.register('driver')];
  const { id, trackingId } = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id } });
  await product.app.inject('/api/track/PKG-NOTTHERE');
  const stream = await watch(product, `/track/${trackingId}/live`);
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  stream.stop();
  const value = (line: RegExp) => Number(new RegExp(`^${line.source} (.*)$`, 'm').exec(text)?.[1]);
  expect(
    value(
      /waybill_http_request_duration_seconds_count\{worker="0",route="\/api\/packages",method="POST",status="2xx"\}/,
    ),
  ).toBe(1);
  expect(
    value(
      /waybill_http_request_duration_seconds_count\{worker="0",route="\/api\/track\/:id",method="GET",status="4xx"\}/,
    ),
  ).toBe(1);
  expect(value(/waybill_http_requests_in_flight\{class="lookups",worker="0"\}/)).toBe(0);
  expect(value(/waybill_http_requests_shed_total\{class="rest",worker="0"\}/)).toBe(0);
  expect(value(/waybill_db_connections\{pool="requests",state="open",worker="0"\}/)).toBeGreaterThan(0);
  expect(value(/waybill_open_streams\{worker="0"\}/)).toBe(1);
  expect(value(/waybill_jobs\{queue="notify-owner",state="created",worker="0"\}/)).toBe(1);
  for (const secret of [id, trackingId, owner.email, owner.token]) expect(text).not.toContain(secret);
});

test('business metrics count deliveries that wait, are on the road or overdue, and those completed or failed today', async () => {
  const METRICS_TOKEN = 'a-token-of-some-length';
  // Packages that are overdue at the later time were registered in time.
  let now = new Date('2026-03-08T12:00:00Z');
  const product = await openTestProduct({ runsJobs: false, config: { METRICS_TOKEN }, now: () => now });
  opened.push(product);
  const [owner, driver] = [await product.register('owner'), await product.register('driver')];
  const window = { from: '2026-03-10T09:00:00.000Z', to: '2026-03-10T11:00:00.000Z' };
  const late = [{ eta: '2026-03-09' }, { eta: '2026-03-20', window }];
  const inTime = [
    { eta: '2026-03-10' },
    { eta: '2026-03-09', window: { ...window, to: '2026-03-10T13:00:00.000Z' } },
    {},
  ];
  const [first, second, third] = await Promise.all([...late, ...inTime].map((fields) => createPackage(owner, fields)));
  now = new Date('2026-03-10T12:00:00Z');
  for (const pkg of [first, second, third]) await driver.api.deliveries.start({ params: { id: pkg?.id ?? '' } });
  await driver.api.deliveries.fail({ params: { id: second?.id ?? '' }, body: { reason: 'Nobody was there' } });
  await driver.api.deliveries.complete({ params: { id: third?.id ?? '' }, body: {} });
  const answer = await product.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const lines = answer.body.split('\n').filter((line) => line.startsWith('waybill_deliveries'));
  expect(lines).toEqual([
    'waybill_deliveries{state="waiting",worker="0"} 3',
    'waybill_deliveries{state="on the road",worker="0"} 1',
    'waybill_deliveries{state="overdue",worker="0"} 2',
    'waybill_deliveries_today{outcome="completed",worker="0"} 1',
    'waybill_deliveries_today{outcome="failed",worker="0"} 1',
  ]);
});
