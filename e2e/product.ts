import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type Client } from '@waybill/contract';
import { fastestFolder } from '../server/src/testing/tmpfs.ts';

export interface RunningProduct {
  url: string;
  pid: number;
  dataDir: string;
  /** stdout and stderr so far. */
  output(): string;
  api(token?: string | null): Client;
  stop(): Promise<void>;
  /** Resolves when the process has exited, for any reason. */
  gone(): Promise<void>;
  /** The exit code; null while running or after a signal. */
  exitCode(): number | null;
}

/** A data folder that every system user can enter: PostgreSQL does not run as root. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(fastestFolder(), 'waybill-e2e-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/**
 * The first of `count` consecutive free ports, for a product that needs a fixed port. They are below the ephemeral range, so that no
 * outgoing connection takes one between two starts.
 */
export async function findPorts(count = 1): Promise<number> {
  const first = 12_000 + Math.floor(Math.random() * 16_000);
  for (let port = first; port < first + count; port++) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) return findPorts(count);
    server.close();
    await once(server, 'close');
  }
  return first;
}

/**
 * Starts the product as a child process, as `npm start` does. `stop` removes its data folder unless DATA_DIR was given.
 *
 * @param folder where its code is, if not here
 */
export async function startProduct(
  settings: Record<string, string> = {},
  folder = join(import.meta.dirname, '..'),
): Promise<RunningProduct> {
  const dataDir = settings.DATA_DIR ?? makeDataDir();
  // Copy the shared first start instead of running one per test, see first-start.ts.
  const { STARTED_ONCE } = process.env;
  const isFresh = existsSync(dataDir) && readdirSync(dataDir).length === 0;
  if (STARTED_ONCE && isFresh && !settings.DATABASE_URL) cpSync(STARTED_ONCE, dataDir, { recursive: true });
  const child = spawn('node', [join(folder, 'server/src/main.ts')], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: 'off',
      RATE_LIMITS: 'off',
      // No test depends on the hour at which it runs.
      RECIPIENT_QUIET_HOURS: 'off',
      LOG_LEVEL: 'info',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(() => {});
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /Waybill is ready at (http[^"\s]+)/.exec(output)?.[1];
      if (ready) resolve(ready);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the product did not start (exit ${code}):\n${output}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    output: () => output,
    api: (token = null) => createClient({ baseUrl: url, token: () => token }),
    gone: () => exited,
    exitCode: () => child.exitCode,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      if (!settings.DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
