import { afterEach, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct } from '../testing/test-product.ts';

const opened: TestProduct[] = [];
afterEach(async () => {
  for (const product of opened.splice(0)) await product.close();
});

async function open(config: Record<string, string>) {
  const lines: Record<string, unknown>[] = [];
  const product = await openTestProduct({
    runsJobs: false,
    config: { LOG_LEVEL: 'info', ...config },
    logTo: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  opened.push(product);
  /** Sends four requests that are refused for different reasons, and a successful one. @returns the logged lines */
  const send = async () => {
    const owner = await product.register('owner');
    const pkg = await createPackage(owner);
    lines.length = 0;
    const from = { remoteAddress: '203.0.113.7' };
    const headers = { authorization: `Bearer ${owner.token}` };
    await product.app.inject({ url: '/api/packages?q=secret-words', headers, ...from });
    await product.app.inject({ url: `/api/packages/${pkg.id}`, ...from });
    await product.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: owner.email, password: 'not it at all' },
      ...from,
    });
    await product.app.inject({ url: '/api/nowhere/secret-words', ...from });
    await product.app.inject({ url: `/api/packages/${pkg.id}`, headers, ...from });
    const text = JSON.stringify(lines);
    for (const secret of [owner.email, owner.token, pkg.id, 'secret-words', '2345678', owner.id])
      expect(text).not.toContain(secret);
    return lines.map(({ status, method, route, code, address }) => ({ status, method, route, code, address }));
  };
  return { product, send };
}

const address = '203.0.113.7';
const refused = [
  { status: 403, method: 'GET', route: '/api/packages', code: 'forbidden', address },
  { status: 401, method: 'GET', route: '/api/packages/:id', code: 'unauthenticated', address },
  { status: 401, method: 'POST', route: '/api/auth/login', code: 'invalid_credentials', address },
  { status: 404, method: 'GET', route: 'none', code: 'not_found', address },
];

test('with LOG_REQUESTS=refused each 4xx is logged with status, method, route, code and address, without other personal data', async () => {
  const { send } = await open({ LOG_REQUESTS: 'refused' });
  expect(await send()).toEqual(refused);
});

test('with LOG_REQUESTS=all each request is logged, and by default none', async () => {
  expect(await (await open({ LOG_REQUESTS: 'all' })).send()).toEqual([
    ...refused,
    { status: 200, method: 'GET', route: '/api/packages/:id', code: undefined, address },
  ]);
  expect(await (await open({})).send()).toEqual([]);
});

test('metrics count refusals by class of status and code', async () => {
  const METRICS_TOKEN = 'a-token-of-some-length';
  const { product, send } = await open({ METRICS_TOKEN });
  await send();
  const { body } = await product.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  for (const code of ['forbidden', 'unauthenticated', 'invalid_credentials', 'not_found'])
    expect(body).toMatch(new RegExp(`^waybill_http_errors_total\\{status="4xx",code="${code}",worker="0"\\} 1$`, 'm'));
});
