import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { Connection } from '../platform/database/db.ts';
import { migrate } from '../platform/database/migrate.ts';
import { startTestS3, type TestS3 } from '../testing/s3.ts';
import { createPackage, eventually, openTestProduct, password } from '../testing/test-product.ts';
import { uploadImage } from '../testing/images.ts';
import { digestOf, filesIn, withClient } from '../testing/backup.ts';
import { runsAll } from '../testing/suite.ts';

// A dozen child processes, one after the other: several times slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let stores: TestS3[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-elsewhere-'));
  stores = [await startTestS3(), await startTestS3()];
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a database as on a managed PostgreSQL: its owner has only `login createdb`. */
async function openHosted(): Promise<Connection> {
  const user = `hosted_${process.pid}`;
  const database = `hosted_${process.pid}_${Date.now()}`;
  const server = inject('postgres');
  await withClient(server, (client) =>
    client.query(`do $$ begin create role ${user} login createdb; exception when duplicate_object then null; end $$`),
  );
  await withClient({ ...server, database: 'postgres', user }, (client) => client.query(`create database ${database}`));
  return { ...server, database, user };
}

const urlOf = ({ host = '', port, user, database }: Connection) =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

const cli = join(import.meta.dirname, '../cli.ts');
const settingsOf = (connection: Connection, settings: Record<string, string>) => ({
  PATH: process.env.PATH,
  DATABASE_URL: urlOf(connection),
  DATA_DIR: join(folder, 'data'),
  ...settings,
});

async function run(connection: Connection, settings: Record<string, string>, args: string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { env: settingsOf(connection, settings) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

test.runIf(runsAll)(
  'a backup of a database and a bucket is restored into another database and bucket without superuser rights',
  async () => {
    const from = await openHosted();
    await migrate(from, () => {});
    const product = await openTestProduct({ connection: from, config: stores[0]?.settings ?? {}, runsJobs: false });
    const owner = await product.register('owner');
    const image = await uploadImage(product, owner);
    const pkg = await createPackage(owner, { images: [image] });
    await owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'It has not come yet' } });
    await uploadImage(product, owner);
    const [rows, files] = [await digestOf(from), await filesIn(product.ctx.storage)];
    expect(Object.keys(files).map((path) => path.split('/')[0])).toEqual(
      expect.arrayContaining(['packages', 'incoming']),
    );
    const file = join(folder, 'hosted.tar.gz');
    expect(await run(from, stores[0]?.settings ?? {}, ['backup', file])).toContain(
      `${Object.keys(files).length} files in ${file}`,
    );
    await product.close();

    const to = await openHosted();
    await run(to, stores[1]?.settings ?? {}, ['restore', file]);
    expect(await digestOf(to)).toEqual(rows);
    const restored = await openTestProduct({ connection: to, config: stores[1]?.settings ?? {}, runsJobs: false });
    expect(await filesIn(restored.ctx.storage)).toEqual(files);
    expect((await restored.app.inject(image)).statusCode).toBe(200);
    // Sequences continue, and triggers and foreign keys are restored.
    const { token } = await restored.api().auth.login({ body: { email: owner.email, password } });
    const api = restored.api(token);
    await api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'It has still not come' } });
    expect((await api.incidents.list()).items.map(({ id }) => id)).toEqual([12346, 12345]);
    const { items } = await api.packages.listOfUser({ params: { id: owner.id }, query: { q: 'lamp' } });
    expect(items).toHaveLength(1);
    await withClient(to, async (client) => {
      await expect(client.query('delete from audit')).rejects.toThrow('only ever added to');
      await expect(client.query('delete from users')).rejects.toThrow('foreign key');
    });
    await restored.close();
  },
);

/** `script` of util-linux runs a program in a terminal. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

test.skipIf(!runsAll || !hasTerminal)(
  'on a terminal, restore --force asks for confirmation and proceeds only after "replace"',
  async () => {
    const target = await openHosted();
    await migrate(target, () => {});
    const used = await openTestProduct({ connection: target, runsJobs: false });
    await used.register('owner');
    const file = join(folder, 'asked.tar.gz');
    await run(target, {}, ['backup', file]);
    await used.register('owner');
    await used.close();
    const before = await digestOf(target);

    /** @param typed the input after the question */
    async function answer(typed: string): Promise<{ code: number; output: string }> {
      const terminal = spawn(
        'script',
        ['-qec', `'${process.execPath}' '${cli}' restore '${file}' --force`, '/dev/null'],
        {
          env: { ...settingsOf(target, {}), SHELL: '/bin/sh' },
        },
      );
      const closed = once(terminal, 'close') as Promise<[number]>;
      let output = '';
      terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await eventually(
        'the question',
        () => output.includes("Type 'replace' to go on: ") || terminal.exitCode !== null,
      );
      terminal.stdin.write(typed);
      const [code] = await closed;
      terminal.stdin.destroy();
      return { code, output };
    }
    const endOfInput = '\u0004';
    for (const no of ['yes\r', endOfInput]) {
      const { code, output } = await answer(no);
      expect(`${code} ${output}`).toMatch(/^1 .*Nothing was changed\./s);
      expect(await digestOf(target)).toEqual(before);
    }
    const { code, output } = await answer('replace\r');
    expect(`${code} ${output}`).toMatch(/^0 .*Restored what was saved/s);
    expect(await digestOf(target)).not.toEqual(before);
  },
);
