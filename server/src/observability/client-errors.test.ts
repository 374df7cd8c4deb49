import { afterEach, expect, test } from 'vitest';
import { openTestProduct, type TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let lines: Record<string, unknown>[];
afterEach(() => product.close());

const open = async (config: Record<string, string> = {}) => {
  lines = [];
  product = await openTestProduct({
    runsJobs: false,
    config: { LOG_LEVEL: 'info', ...config },
    // Ignore other lines, which a busy machine may log.
    logTo: {
      write: (line) => void (line.includes('browser') && lines.push(JSON.parse(line) as Record<string, unknown>)),
    },
  });
};
const report = {
  kind: 'error',
  message: "Cannot read properties of undefined (reading 'name')",
  stack: 'TypeError: Cannot read\n    at one (/assets/index-abc123.js:1:2345)',
  page: '/owner/package/$id',
  version: '0.2.0',
};
const send = async (changes: object = {}, remoteAddress = '203.0.113.5', more: object = {}) => {
  const payload = { ...report, ...changes };
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/client-errors',
    headers,
    payload,
    remoteAddress,
    ...more,
  });
  return answer.statusCode;
};

test('a repeated client error is logged once and counted each time', async () => {
  const METRICS_TOKEN = 'a-token-of-some-length';
  await open({ METRICS_TOKEN });
  for (let time = 0; time < 3; time++) expect(await send()).toBe(204);
  expect(lines).toMatchObject([
    {
      msg: 'a page broke in a browser',
      level: 50,
      kind: 'error',
      page: '/owner/package/$id',
      version: '0.2.0',
      browser: 'Firefox',
      reason: report.message,
      stack: report.stack,
    },
  ]);
  expect(await send({ message: 'Another one' })).toBe(204);
  expect(lines).toHaveLength(2);
  const { body } = await product.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(body).toMatch(/^waybill_client_errors_total\{kind="error",browser="Firefox",worker="0"\} [4-9]/m);
});

test('personal data is removed from reports on arrival', async () => {
  await open();
  const secrets = [
    'anna.berg@example.com',
    'PKG-AB12CD34',
    '019ca9b2-e700-7299-a65e-c5f62fdc8545',
    '+49 151 2345678',
    'Anna Berg',
    'secret-search',
    'dGhpcyBpcyBhIHRva2VuIG9mIGEgc2Vzc2lvbiBoZXJl',
  ];
  const [email, trackingId, id, phone, name, query, token] = secrets;
  const message = `${email} ${trackingId} ${id} ${phone} "${name} is late" /api/packages?q=${query} ${token}`;
  expect(await send({ message, stack: `Error: ${message}\n    at /track/${trackingId}:1:2` })).toBe(204);
  expect(lines).toHaveLength(1);
  for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
  expect(lines[0]).not.toHaveProperty('address');
  expect(lines[0]).toMatchObject({
    reason: expect.stringContaining('/api/packages (token)') as string,
  });
});

test('reports with page URLs, unknown fields or long texts are rejected', async () => {
  await open();
  for (const changes of [
    { page: '/owner/package/019ca9b2' },
    { page: '/track?id=PKG' },
    { token: 'x' },
    { message: 'x'.repeat(301) },
    { stack: 'x'.repeat(2001) },
    { kind: 'other' },
    { message: 'over\u001bwritten' },
    { version: '0 2' },
  ])
    expect(await send(changes), JSON.stringify(changes).slice(0, 60)).toBe(422);
  expect(lines).toEqual([]);
});

test('reports are rate-limited per address and in total', async () => {
  await open({ RATE_LIMITS: 'on' });
  const statuses: number[] = [];
  for (let time = 0; time < 12; time++) statuses.push(await send({}, `2001:db8::${time + 1}`));
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  for (let time = 0; time < 60; time++) statuses.push(await send({}, `203.0.113.${time}`));
  expect(statuses.filter((status) => status === 204)).toHaveLength(60);
  expect(lines).toHaveLength(1);
});
