import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '@waybill/contract';
import { remember, stopChild } from './child-process.ts';
import type { Database } from './databases.ts';
import { password } from './seed.ts';

export interface Product {
  url: string;
  /** Signs in to this account over the API. */
  signIn(email: string): Promise<Session>;
  /** The server's memory (RSS, in bytes) after garbage collection. */
  settledMemory(): Promise<number>;
  /** The server's CPU time until now, with its threads, in ms. */
  cpuTime(): Promise<number>;
  stop(): Promise<void>;
}

export interface Session {
  /** Of the product. */
  url: string;
  id: string;
  token: string;
  api: Client;
}

const root = join(import.meta.dirname, '..');
const startTimeoutMs = 60_000;

/**
 * Starts the real server in its own process, with production settings except that rate limits and load shedding are off.
 * @param settings overrides
 */
export async function startProduct(database: Database, settings: Record<string, string> = {}): Promise<Product> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  const collector = join(import.meta.dirname, 'collect-garbage.ts');
  const child = spawn(process.execPath, ['--expose-gc', '--import', collector, 'server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      // As `npm start` sets it.
      MALLOC_ARENA_MAX: '2',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOAD_SHEDDING: 'off',
      LOG_LEVEL: 'warn',
      DEMO: 'off',
      ...settings,
    },
  });
  remember(child);
  const deadline = Date.now() + startTimeoutMs;
  while (
    !(await fetch(`${url}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('The product could not start; its message stands above.');
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The product was not ready within ${startTimeoutMs / 1000} s.`);
    }
    await sleep(50);
  }
  const ask = async (question: 'memory' | 'cpu') => {
    const answer = once(child, 'message');
    child.send(question);
    const [figure] = (await answer) as [number];
    return figure;
  };
  return {
    url,
    async signIn(email) {
      const { id, token } = await createClient({ baseUrl: url }).auth.login({ body: { email, password } });
      return { url, id, token, api: createClient({ baseUrl: url, token: () => token }) };
    },
    settledMemory: () => ask('memory'),
    cpuTime: () => ask('cpu'),
    async stop() {
      await stopChild(child, 'SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
