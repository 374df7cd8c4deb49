import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createClient, type PublicView } from '@waybill/contract';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { findPorts, makeDataDir, startProduct, type RunningProduct } from '../e2e/product.ts';
import { cloneDatabase } from '../server/src/testing/postgres.ts';
import { eventually } from '../server/src/testing/test-product.ts';
import { runsLong, size } from './storm-size.ts';

/** The configuration files for operators, tested as they are: only addresses and a test certificate are substituted. */
const deploy = join(import.meta.dirname, '../deploy');
const onPath = (program: string) =>
  ['/usr/sbin', '/usr/local/sbin', '/usr/bin'].map((folder) => join(folder, program)).find(existsSync);
const haproxy = onPath('haproxy');
const nginx = onPath('nginx');
const openssl = onPath('openssl');

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Starts two servers with a shared database and DATA_DIR, as behind a load balancer. */
async function startServers(): Promise<[RunningProduct, RunningProduct]> {
  const { host = '', user = '', port = 5432, database = '' } = await cloneDatabase();
  const DATA_DIR = makeDataDir();
  cleanUps.push(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  const DATABASE_URL = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const start = async () => {
    const product = await startProduct({
      DATA_DIR,
      DATABASE_URL,
      TRUST_PROXY: 'on',
      RATE_LIMITS: 'on',
      DRAIN_SECONDS: '5',
      DRIVER_SIGNUP: 'open',
      METRICS_TOKEN: 'a-token-of-some-length',
    });
    cleanUps.push(() => product.stop());
    return product;
  };
  return [await start(), await start()];
}

function run(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit').then(([code]) => {
    if (code !== 0 && code !== null) console.log(`${program} ended with ${String(code)}:\n${output}`);
  });
  cleanUps.push(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  return child;
}

const untilReady = (url: string) =>
  eventually(`${url} answers`, () =>
    fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    ),
  );

/** Tests what a proxy can break: large bodies in both directions, streams, client addresses, a server that stops under load. */
async function doMainJobThrough(url: string, servers: RunningProduct[]): Promise<void> {
  const client = (token: string | null = null) => createClient({ baseUrl: url, token: () => token });
  const register = (role: 'owner' | 'driver') =>
    client().auth.register({
      body: { name: `The ${role}`, email: `${role}@example.com`, password: 'correct horse', role },
    });
  const [owner, driver] = [await register('owner'), await register('driver')];
  const [asOwner, asDriver] = [client(owner.token), client(driver.token)];

  // An image of several megabytes: noise does not compress.
  const picture = await sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  expect(picture.length).toBeGreaterThan(2_000_000);
  const upload = await asOwner.images.announce({
    body: { name: 'noise.png', type: 'image/png', size: picture.length },
  });
  const put = await fetch(new URL(upload.url, url), {
    method: 'PUT',
    headers: upload.headers,
    body: new Uint8Array(picture),
  });
  expect(put.status).toBe(200);
  const pkg = await asOwner.packages.create({
    body: {
      name: 'Desk lamp',
      description: 'Sent through a proxy',
      category: 'Other',
      weight: 1,
      recipientName: 'Anna Berg',
      recipientContact: '+49 151 2345678',
      images: [upload.image],
    },
  });
  const stored = await fetch(new URL(pkg.images[0] ?? '', url));
  expect(stored.status).toBe(200);
  expect((await stored.arrayBuffer()).byteLength).toBeGreaterThan(100_000);

  const statuses: string[] = [];
  const abort = new AbortController();
  const stream = await client().tracking.live({ params: { id: pkg.trackingId }, signal: abort.signal });
  const reading = (async () => {
    let rest = '';
    for await (const text of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^event: view\ndata: (.*)$/.exec(block)?.[1];
        if (data) statuses.push((JSON.parse(data) as PublicView).status);
      }
    }
  })().catch(() => {});
  await eventually('the stream begins', () => statuses.includes('processing'));
  await asDriver.deliveries.start({ params: { id: pkg.id } });
  await eventually('the stream goes on', () => statuses.includes('in transit'));
  await asDriver.deliveries.complete({ params: { id: pkg.id } });
  await eventually('the stream ends on the truth', () => statuses.includes('delivered'));
  abort.abort();
  await reading;

  // Spoofed X-Forwarded-For headers are ignored: each server counts all guesses for one address and rate-limits it.
  const guesses = await Promise.all(
    Array.from({ length: 80 }, (_, guess) =>
      fetch(`${url}/api/track/PKG-GUESS${String(guess).padStart(3, '0')}`, {
        headers: { 'x-forwarded-for': `203.0.113.${guess}`, forwarded: `for=203.0.113.${guess}` },
      }).then(({ status }) => status),
    ),
  );
  expect(guesses).toContain(429);
  expect((await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer a-token-of-some-length' } })).status).toBe(
    404,
  );

  // Stop one of the two servers under load.
  const seen: number[] = [];
  let isOver = false;
  const working = Promise.all(
    Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const answer = await fetch(`${url}/api/users/me`, { headers: { authorization: `Bearer ${owner.token}` } });
        await answer.arrayBuffer();
        seen.push(answer.status);
        await sleep(20);
      }
    }),
  );
  await servers[0]?.stop();
  const after = seen.length;
  await eventually('work goes on at the other', () => seen.length > after + size(20, 500));
  isOver = true;
  await working;
  expect(new Set(seen)).toEqual(new Set([200]));
}

test.skipIf(!haproxy || !runsLong)(
  'the main job goes through HAProxy with the file of deploy/ (only where it is installed)',
  async () => {
    const servers = await startServers();
    const port = await findPorts();
    run(haproxy ?? '', ['-db', '-f', join(deploy, 'haproxy/haproxy.cfg')], {
      WAYBILL_BIND: `127.0.0.1:${port}`,
      WAYBILL_SERVER_1: new URL(servers[0].url).host,
      WAYBILL_SERVER_2: new URL(servers[1].url).host,
    });
    await untilReady(`http://127.0.0.1:${port}`);
    await doMainJobThrough(`http://127.0.0.1:${port}`, servers);
  },
);

test.skipIf(!nginx || !openssl || !runsLong)(
  'the main job goes through nginx with TLS and the file of deploy/ (only where it and openssl are installed)',
  async () => {
    const plain = await findPorts(2);
    const port = plain + 1;
    const url = `https://localhost:${port}`;
    const servers = await startServers();
    const folder = mkdtempSync(join(tmpdir(), 'waybill-nginx-'));
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
    const certificate = join(folder, 'certificate.pem');
    const key = join(folder, 'key.pem');
    const made = spawnSync(
      openssl ?? '',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        certificate,
      ],
      { encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(made.stderr);
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, readFileSync(certificate, 'utf8')]);
    cleanUps.push(() => setDefaultCACertificates(before));

    let site = readFileSync(join(deploy, 'nginx/waybill.conf'), 'utf8');
    const substitutions = {
      'listen 80;': `listen 127.0.0.1:${plain};`,
      'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
      '/etc/letsencrypt/live/waybill.example.com/fullchain.pem': certificate,
      '/etc/letsencrypt/live/waybill.example.com/privkey.pem': key,
      'server 127.0.0.1:3000 max_fails=1 fail_timeout=5s;': servers
        .map((server) => `server ${new URL(server.url).host} max_fails=1 fail_timeout=5s;`)
        .join(' '),
    };
    for (const [original, replacement] of Object.entries(substitutions)) {
      expect(site.split(original), original).toHaveLength(2);
      site = site.replace(original, replacement);
    }
    writeFileSync(join(folder, 'waybill.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log stderr;${process.getuid?.() === 0 ? ' user root;' : ''}
       events {} http { access_log off; ${temporary.join(' ')} include ${folder}/waybill.conf; }`,
    );
    run(nginx ?? '', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]);
    await untilReady(url);
    const redirect = await fetch(`http://127.0.0.1:${plain}/track`, { redirect: 'manual' });
    expect(redirect.status).toBe(308);
    await doMainJobThrough(url, servers);
  },
);
