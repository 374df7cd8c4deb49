import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, inject, openTestProduct, uploadImage, type TestProduct } from '../../testing/test-product.ts';

const assets = join(import.meta.dirname, '../../../../web/dist/app/assets');

let product: TestProduct;
beforeAll(async () => {
  product = await openTestProduct({
    runsJobs: false,
    config: { PUBLIC_URL: 'https://waybill.example.com', ADMIN_SIGNUP: 'open' },
  });
});
afterAll(() => product.close());

const everywhere = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  server: null,
  'x-powered-by': null,
  'access-control-allow-origin': null,
};
const document = {
  ...everywhere,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
};

const headersOf = async (path: string, expected: Record<string, unknown>) => {
  const { headers } = await inject(product.app, path, { method: 'GET' });
  return Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
};
const policyOf = async (path: string) => {
  const { headers } = await inject(product.app, path, { method: 'GET' });
  const directives = (headers.get('content-security-policy') ?? '').split(';').map((one) => one.trim().split(' '));
  return Object.fromEntries(directives.map(([name = '', ...sources]) => [name, sources]));
};

test('a page runs only its own scripts, cannot be framed, and has no unused browser features', async () => {
  expect(await headersOf('/login', document)).toEqual(document);
  const response = await inject(product.app, '/login', { method: 'GET' });
  const inline = Array.from((await response.text()).matchAll(/<script>([^]*?)<\/script>/g), ([, code = '']) => code);
  const hashes = inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  // The one that sets the theme before the first paint.
  expect(hashes.length).toBe(1);
  expect(await policyOf('/login')).toEqual({
    'default-src': ["'self'"],
    'script-src': ["'self'", ...hashes],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'worker-src': ["'self'"],
    'connect-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  });
  const features = response.headers.get('permissions-policy')?.split(', ');
  // Labels are scanned with the one, drivers who agree share the other, on the product's own pages alone.
  for (const feature of ['camera', 'geolocation']) expect(features).toContain(`${feature}=(self)`);
  for (const feature of ['microphone', 'payment', 'usb']) expect(features).toContain(`${feature}=()`);
});

test('the policy of a server-rendered page allows its inline styles and scripts by hash only', async () => {
  const { 'script-src': scripts = [], 'style-src': styles = [], ...others } = await policyOf('/');
  expect(others['frame-ancestors']).toEqual(["'none'"]);
  expect([scripts.length > 1, styles.length > 1]).toEqual([true, true]);
  for (const source of [...scripts, ...styles]) expect(source).toMatch(/^'(self|sha256-[\w+/=]+)'$/);
});

test('WebAssembly runs in the worker that reads labels, and on no page', async () => {
  const worker = readdirSync(assets).find((name) => /^decode-worker-.*\.js$/.test(name));
  expect(await policyOf(`/assets/${worker}`)).toEqual({
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'connect-src': ["'self'"],
  });
  for (const page of ['/', '/track', '/login', '/owner/create-package'])
    expect((await policyOf(page))['script-src']).not.toContain("'wasm-unsafe-eval'");
});

test('an API response is not cached, not indexed, and may load nothing', async () => {
  const answer = {
    ...everywhere,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  };
  for (const path of ['/api/auth/sign-up', '/api/users/me', '/api/nothing', '/api/%E0%A4%A'])
    expect([path, await headersOf(path, answer)]).toEqual([path, answer]);
});

test('an image is served with the sandbox policy', async () => {
  const owner = await product.register('owner');
  const [path = ''] = (await createPackage(owner, { images: [await uploadImage(product, owner)] })).images;
  const picture = { ...everywhere, 'content-type': 'image/jpeg', 'content-security-policy': 'sandbox' };
  expect(await headersOf(path, picture)).toEqual(picture);
});

test('signing out clears the browser’s cache, but not its storage', async () => {
  const { token } = await product.register('owner');
  const { status, headers } = await inject(product.app, '/api/auth/logout', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect([status, headers.get('clear-site-data')]).toEqual([204, '"cache"']);
});

test('without TLS there is no HSTS header', async () => {
  const plain = await openTestProduct({ runsJobs: false });
  const { headers } = await inject(plain.app, '/login', { method: 'GET' });
  expect(headers.get('strict-transport-security')).toBeNull();
  await plain.close();
});
