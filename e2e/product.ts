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
}

/** Starts the product as `npm start` does, in a process and a data folder of its own; `stop` removes both. */
export async function startProduct(settings: Record<string, string> = {}): Promise<RunningProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-e2e-'));
  chmodSync(dataDir, 0o755);
  const child = spawn('node', [join(import.meta.dirname, '../server/src/main.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'info', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
    async stop() {
      if (child.exitCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
