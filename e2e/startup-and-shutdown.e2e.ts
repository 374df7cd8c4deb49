import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeDataDir, startProduct, type RunningProduct } from './product.ts';
import { runsAll } from '../server/src/testing/suite.ts';

const root = join(import.meta.dirname, '..');

/** Runs a program of the product until it exits. */
async function run(
  file: string,
  args: string[],
  settings: Record<string, string>,
  input = '',
): Promise<{ code: number; output: string }> {
  const child = spawn('node', [join(root, file), ...args], { env: { ...process.env, ...settings } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' });
});
afterAll(async () => {
  await product.stop();
  rmSync(product.dataDir, { recursive: true, force: true });
});

const allTests = 'runs with npm run test:all';

test('a running product reports liveness and readiness', async () => {
  expect((await fetch(`${product.url}/livez`)).status).toBe(200);
  const health = await fetch(`${product.url}/healthz`);
  expect(health.status).toBe(200);
  expect(await health.json()).toEqual({ status: 'ok' });
});

test('every page has the strict Content-Security-Policy, an API response allows nothing, and none names the server', async () => {
  for (const path of ['/', '/track', '/owner/dashboard', '/healthz', '/api/auth/sign-up']) {
    const answer = await fetch(product.url + path);
    expect(answer.status, path).toBe(200);
    const policy = path.startsWith('/api/') ? "default-src 'none'" : "script-src 'self'";
    expect(answer.headers.get('content-security-policy'), path).toContain(policy);
    expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(answer.headers.get('server'), path).toBeNull();
  }
});

test('a second start on the same data folder is refused in one sentence that names the first', async () => {
  const second = await run('server/src/main.ts', [], { DATA_DIR: product.dataDir, PORT: '0' });
  expect(second.code).toBe(1);
  expect(second.output).toContain(String(product.pid));
  expect(second.output).toContain(product.url);
  expect(second.output.trim().split('\n')).toHaveLength(1);
});

/** The first Node.js on the PATH that is too old, such as the operating system's. */
const oldNode = (process.env.PATH ?? '')
  .split(':')
  .map((folder) => join(folder, 'node'))
  .find((node) => Number(/^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]) < 22);

test.skipIf(!oldNode)('a start with a Node.js that is too old fails with one sentence (needs one on the PATH)', () => {
  const { status, stdout, stderr } = spawnSync(oldNode ?? '', [join(root, 'server/src/main.ts')], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('Start it with npm start');
});

test('a port in use is reported in one sentence', async () => {
  const { port } = new URL(product.url);
  const second = await startProduct({ PORT: port }).catch((error: unknown) => error);
  expect(String(second)).toContain(`Port ${port} on 127.0.0.1 is taken`);
});

test('each configuration error is one line, before anything starts', async () => {
  const { code, output } = await run('server/src/main.ts', [], {
    PORT: 'many',
    WORKERS: '0',
    ADMIN_SIGNUP: 'maybe',
    DATA_DIR: '/nowhere',
  });
  expect(code).toBe(1);
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const name of ['PORT', 'WORKERS', 'ADMIN_SIGNUP'])
    expect(lines.filter((line) => line.startsWith(name))).toHaveLength(1);
});

test.runIf(runsAll)('the command line creates an administrator while the product runs', async () => {
  const created = await run(
    'server/src/cli.ts',
    ['create-admin', '--email', 'Root@Example.com'],
    { DATA_DIR: product.dataDir },
    'a long password\n',
  );
  expect(created.output).toContain('root@example.com can sign in as an administrator now');
  const admin = await product.api().auth.login({ body: { email: 'root@example.com', password: 'a long password' } });
  expect(admin.role).toBe('admin');
  const again = await run(
    'server/src/cli.ts',
    ['create-admin', '--email', 'root@example.com', '--password', 'a long password'],
    { DATA_DIR: product.dataDir },
  );
  expect(again.code).toBe(1);
  expect(again.output).toContain('already registered');
});

test('the demo owner has exactly three unread notifications and packages in every status', async () => {
  const password = /password for all three: ([\w-]+)/.exec(product.output())?.[1] ?? '';
  const owner = await product.api().auth.login({ body: { email: 'owner@demo.example', password } });
  const api = product.api(owner.token);
  expect((await api.packages.summary({ params: { id: owner.id } })).unreadNotifications).toBe(3);
  const { items } = await api.packages.listOfUser({ params: { id: owner.id } });
  expect(new Set(items.map((pkg) => pkg.status))).toEqual(
    new Set(['processing', 'in transit', 'out for delivery', 'delivered', 'cancelled']),
  );
});

test.for(['1', '2'])(
  'SIGTERM sends streams a close event and stops everything, with %s worker(s)',
  async (WORKERS, { skip }) => {
    skip(WORKERS !== '1' && !runsAll, allTests);
    const other = await startProduct({ WORKERS });
    const owner = await other.api().auth.register({
      body: { name: 'Olga Owner', email: 'olga@example.com', password: 'pond-heron-7', role: 'owner' },
    });
    const stream = await other.api(owner.token).live.stream();
    const received = stream.text();
    const started = Date.now();
    await other.stop();
    expect(await received).toContain('event: bye\ndata: {"reason":"drain"}');
    expect(Date.now() - started).toBeLessThan(15_000);
    await expect(fetch(`${other.url}/livez`)).rejects.toThrow();
  },
);

/** Signals a running `npm start`: npm alone, like a service manager, or the whole process group, like Ctrl+C. */
test.for([
  ['SIGTERM', 1],
  ['SIGINT', -1],
] as const)('%s to npm start shuts the server down gracefully', async ([signal, group], { skip }) => {
  skip(signal === 'SIGINT' && !runsAll, allTests);
  const dataDir = makeDataDir();
  if (process.env.STARTED_ONCE) cpSync(process.env.STARTED_ONCE, dataDir, { recursive: true });
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(npm.stdout, 'close');
  await vi.waitFor(() => expect(output).toContain('Waybill is ready'), { timeout: 60_000, interval: 50 });
  process.kill(group * (npm.pid ?? 0), signal);
  await closed;
  expect(output).toContain('stopping');
  // The lock on the data folder is released.
  const again = await startProduct({ DATA_DIR: dataDir });
  await again.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('ADMIN_EMAIL and ADMIN_PASSWORD create the first administrator, and the sign-up settings apply', async () => {
  const other = await startProduct({
    ADMIN_EMAIL: 'boss@example.com',
    ADMIN_PASSWORD: 'pond-heron-7',
    ADMIN_SIGNUP: 'closed',
    DRIVER_SIGNUP: 'approval',
  });
  try {
    const admin = await other.api().auth.login({ body: { email: 'boss@example.com', password: 'pond-heron-7' } });
    expect(admin.role).toBe('admin');
    const refused = await other
      .api()
      .auth.register({ body: { name: 'Eve', email: 'eve@example.com', password: 'pond-heron-7', role: 'admin' } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 403 });
    const driver = await other
      .api()
      .auth.register({ body: { name: 'Dan', email: 'dan@example.com', password: 'pond-heron-7', role: 'driver' } });
    expect(driver.status).toBe('inactive');
  } finally {
    await other.stop();
  }
});

test('a demo prints its accounts at every start, and its password only at the first', async () => {
  const accounts = 'demo accounts: owner@demo.example, driver@demo.example, admin@demo.example';
  expect(product.output()).toContain(accounts);
  const password = /password for all three: ([\w-]+)/.exec(product.output())?.[1];
  await expect(
    product.api().auth.login({ body: { email: 'owner@demo.example', password: password ?? '' } }),
  ).resolves.toMatchObject({ role: 'owner' });
  process.kill(product.pid, 'SIGTERM');
  await product.gone();
  product = await startProduct({ DEMO: 'on', DATA_DIR: product.dataDir });
  expect(product.output()).toContain(accounts);
  expect(product.output()).not.toContain(String(password));
});
