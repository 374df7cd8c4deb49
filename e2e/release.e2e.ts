import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type RunningProduct } from './product.ts';

const root = join(import.meta.dirname, '..');
let folder: string;
let product: RunningProduct;

beforeAll(async () => {
  // Inside the clone, so that imports resolve to its node_modules; the release's own contract takes precedence.
  mkdirSync(join(root, 'release'), { recursive: true });
  folder = mkdtempSync(join(root, 'release/tested-'));
  execFileSync('node', [join(root, 'scripts/release.mjs'), '--folder', folder]);
  mkdirSync(join(folder, 'node_modules/@waybill'), { recursive: true });
  symlinkSync(join(folder, 'contract'), join(folder, 'node_modules/@waybill/contract'));
  product = await startProduct({}, folder);
});
afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true });
});

test('an unpacked release serves the application, and a licences page that lists the bundled packages', async () => {
  const api = product.api();
  const { token, id } = await api.auth.register({
    body: { name: 'Olga Owner', email: 'olga@example.com', password: 'blue-tandem-42', role: 'owner' },
  });
  expect(await product.api(token).packages.listOfUser({ params: { id } })).toMatchObject({ items: [] });
  expect((await fetch(`${product.url}/login`)).status).toBe(200);
  const licences = await (await fetch(`${product.url}/licenses`)).text();
  expect(licences).toContain('react-dom');
  expect(licences).toContain('fastify');
});

test('a release has no tests, no sources of the web application and no build tools', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /\.test\.tsx?$|\/testing\//.test(file))).toEqual([]);
  expect(files).not.toContain('web/src');
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  expect(packages).toHaveProperty(['node_modules/fastify']);
  for (const name of ['vite', 'react', 'tailwindcss', 'vitest', 'playwright-core', 'typescript'])
    expect(packages).not.toHaveProperty([`node_modules/${name}`]);
});
