import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@waybill/contract';

export interface RunningProduct {
  url: string;
  pid: number;
  dataDir: string;
  /** Everything it has printed. */
  output(): string;
  api(token?: string | null): Client;
  stop(): Promise<void>;
  /** Resolves when the process has ended, however. */
  gone(): Promise<void>;
}

/** A data folder that any account can enter: PostgreSQL does not run as root. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-e2e-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** Starts the product as `npm start` does, in a process of its own; `stop` removes its data folder unless it was given. */
export async function startProduct(settings: Record<string, string> = {}): Promise<RunningProduct> {
  const dataDir = settings.DATA_DIR ?? makeDataDir();
  const child = spawn('node', [join(import.meta.dirname, '../server/src/main.ts')], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: 'off',
      RATE_LIMITS: 'off',
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
    async stop() {
      child.kill('SIGTERM');
      await exited;
      if (!settings.DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
