import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../platform/database/db.ts';
import { openLocalStorage } from '../platform/storage/local.ts';
import { findWrongDerivedData } from '../testing/derived-data.ts';
import { cloneDatabase } from '../testing/postgres.ts';
import {
  createPackage,
  openTestProduct,
  password,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { readArchive } from './archive.ts';
import { ensureBackupKey, findBackupKey, sign } from './backup-key.ts';
import { backUp } from './backup.ts';
import { noProgress } from './progress-bar.ts';
import { restore } from './restore.ts';
import { digestOf, filesIn, withClient } from '../testing/backup.ts';
import { runsAll } from '../testing/suite.ts';

const key = 'the key of these backups';
const log = pino({ level: 'silent' });
let folder: string;
let file: string;
let product: TestProduct;
let owner: TestUser;
let trackingId: string;
let saved: Record<string, string>;

/** Each test restores into its own database and folder. */
interface Target {
  connection: Connection;
  folder: string;
}

let targets = 0;
const openTarget = async (): Promise<Target> => ({
  connection: await cloneDatabase(),
  folder: join(folder, `target-${targets++}`),
});
type SignedBy = Parameters<typeof restore>[0]['key'];
const restoreInto = (
  target: Target,
  { from = file, force = false, signedBy = { key } }: { from?: string; force?: boolean; signedBy?: SignedBy } = {},
) =>
  restore({
    connection: target.connection,
    storage: openLocalStorage(join(target.folder, 'storage')),
    file: from,
    key: signedBy,
    force,
    log,
    progress: noProgress,
  });
const openOn = ({ connection, folder: dataDir }: Target, runsJobs = false) =>
  openTestProduct({ connection, runsJobs, config: { DATA_DIR: dataDir } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-backup-'));
  file = join(folder, 'backup.tar.gz');
  // No job runner, so that the jobs stay pending.
  product = await openTestProduct({ runsJobs: false });
  owner = await product.register('owner', 'Ömer Back\\slash');
  const admin = await product.register('admin');
  const driver = await product.register('driver');
  const image = await uploadImage(product, owner);
  const made = await createPackage(owner, { images: [image], description: 'two\nlines and \\N' });
  trackingId = made.trackingId;
  await driver.api.deliveries.start({ params: { id: made.id } });
  await admin.api.users.update({ params: { id: driver.id }, body: { status: 'suspended' } });
  await uploadImage(product, owner, 'red');
  await product.ctx.db.query(
    `update users set (return_street, return_city, return_lon, return_lat, return_accuracy, return_source, return_searched_at)
       = ('Am Kai 3', 'Hamburg', 8.2, 53.6, 'rooftop', 'photon', '2026-11-24T01:00:00Z') where id = $1`,
    [owner.id],
  );
  saved = await digestOf(product.connection);
  await backUp({ connection: product.connection, storage: product.ctx.storage, file, key, progress: noProgress });
});
afterAll(async () => {
  await product.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a restored backup', () => {
  test('has every row, sequence, pending job and file, and the owner can sign in and continue', async () => {
    const target = await openTarget();
    await restoreInto(target);
    expect(await digestOf(target.connection)).toEqual(saved);
    expect(Object.values(saved).filter((digest) => !digest.startsWith('0 ')).length).toBeGreaterThan(8);
    expect(saved.jobs).not.toMatch(/^0 /);

    const restored = await openOn(target, true);
    expect(await filesIn(restored.ctx.storage)).toEqual(await filesIn(product.ctx.storage));
    const { token } = await restored.api().auth.login({ body: { email: owner.email, password } });
    const { items } = await restored.api(token).packages.listOfUser({ params: { id: owner.id } });
    expect(items.map((item) => item.trackingId)).toEqual([trackingId]);
    await createPackage({ ...owner, api: restored.api(token) });
    // Triggers and foreign keys are restored.
    await withClient(target.connection, async (client) => {
      const { rows } = await client.query(
        `select concat_ws(' ', return_lon, return_lat, return_accuracy, return_source, return_searched_at at time zone 'UTC') as place
         from users where id = $1`,
        [owner.id],
      );
      expect(rows).toEqual([{ place: '8.2 53.6 rooftop photon 2026-11-24 01:00:00' }]);
      await expect(client.query('delete from audit')).rejects.toThrow('only ever added to');
      await expect(client.query('delete from users')).rejects.toThrow('foreign key');
    });
    expect(await findWrongDerivedData(target.connection)).toEqual({});
    await restored.close();
  });

  test.runIf(runsAll)('has no sessions', async () => {
    const target = await openTarget();
    await restoreInto(target);
    const restored = await openOn(target);
    await expect(restored.api(owner.token).users.me()).rejects.toMatchObject({ status: 401 });
    await restored.close();
  });

  test.runIf(runsAll)(
    'erases accounts again that were deleted after the backup, and deletes the files of the replaced data',
    async () => {
      const target = await openTarget();
      await restoreInto(target);
      const present = await openOn(target);
      const admin = await present.register('admin');
      await present.ctx.storage.put('packages/later.jpg', Buffer.from('later'), { type: 'image/jpeg', size: 5 });
      await admin.api.users.remove({ params: { id: owner.id } });
      await present.close();

      expect((await restoreInto(target, { force: true })).erased).toBe(1);
      const restored = await openOn(target);
      await expect(restored.api().auth.login({ body: { email: owner.email, password } })).rejects.toMatchObject({
        status: 401,
      });
      expect(await filesIn(restored.ctx.storage)).toEqual(await filesIn(product.ctx.storage));
      const [row] = await restored.ctx.db.query('select name, email, status from users where id = $1', [owner.id]);
      expect(row).toEqual({ name: null, email: null, status: 'inactive' });
      const jobs = await restored.ctx.db.query(
        "select from jobs.job where name = 'cancel-packages' and state = 'created'",
      );
      expect(jobs).toHaveLength(1);
      await restored.close();
    },
  );
});

describe('a restore', () => {
  /** A database with one user and no connections. */
  async function openUsed(): Promise<Target & { before: Record<string, string> }> {
    const target = await openTarget();
    const used = await openOn(target);
    await used.register('owner');
    await used.close();
    return { ...target, before: await digestOf(target.connection) };
  }

  test('refuses to replace data without --force', async () => {
    const target = await openUsed();
    await expect(restoreInto(target)).rejects.toThrow('--force');
    expect(await digestOf(target.connection)).toEqual(target.before);
    await restoreInto(target, { force: true });
    expect(await digestOf(target.connection)).toEqual(saved);
  });

  test('fails without changes when the backup file does not exist', async () => {
    const target = await openUsed();
    await expect(restoreInto(target, { from: join(folder, 'none.tar.gz'), force: true })).rejects.toThrow(
      'There is no file',
    );
    expect(await digestOf(target.connection)).toEqual(target.before);
  });

  test.runIf(runsAll)('refuses while a server is running, even with --force', async () => {
    const target = await openTarget();
    const running = await openOn(target);
    await expect(restoreInto(target, { force: true })).rejects.toThrow('stop Waybill');
    await running.close();
  });

  let sharedTarget: ReturnType<typeof openUsed> | undefined;
  const tampered = async (name: string, change: (tar: Buffer) => Buffer): Promise<string> => {
    const path = join(folder, `${name}.tar.gz`);
    await writeFile(path, gzipSync(change(gunzipSync(await readFile(file)))));
    return path;
  };
  const replace = (from: string, to: string) => (tar: Buffer) => {
    const text = tar.toString('latin1');
    if (!text.includes(from)) throw new Error(`there is no ${from} in the backup`);
    return Buffer.from(text.replaceAll(from, to), 'latin1');
  };

  test.each([
    ['a changed byte', replace('Desk lamp', 'Disk lamp'), 'damaged'],
    ['a missing end', (tar: Buffer) => tar.subarray(0, tar.length / 2), 'backup'],
    ['a newer format', replace('"format": 1', '"format": 2'), 'newer version'],
    ['an unknown migration', replace('0001_users', '9999_users'), 'newer than this program'],
    ['foreign content', () => Buffer.from('hello'), 'backup'],
  ])('refuses a file with %s before it changes anything', async (name, change, message) => {
    const target = await (sharedTarget ??= openUsed());
    await expect(
      restoreInto(target, { from: await tampered(name, change), force: true, signedBy: 'unsigned' }),
    ).rejects.toThrow(message);
    expect(await digestOf(target.connection)).toEqual(target.before);
  });

  test.runIf(runsAll)('that fails half-way keeps the old data and files', async () => {
    const target = await openUsed();
    const storage = openLocalStorage(join(target.folder, 'storage'));
    await storage.put('packages/old.jpg', Buffer.from('old'), { type: 'image/jpeg', size: 3 });
    const broken = { ...storage, put: () => Promise.reject(new Error('the disk is full')) };
    const { connection } = target;
    await expect(
      restore({ connection, storage: broken, file, key: { key }, force: true, log, progress: noProgress }),
    ).rejects.toThrow('the disk is full');
    expect(await digestOf(connection)).toEqual(target.before);
    expect(Object.keys(await filesIn(storage))).toEqual(['packages/old.jpg']);
  });
});

describe('a signature', () => {
  const namesIn = async (target: Target) =>
    withClient(target.connection, async (client) => (await client.query('select name from users')).rows);

  const withoutSignature = (manifest: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(manifest).filter(([name]) => name !== 'signature'));

  /** Forges the backup like an attacker who can write the file but lacks the key: an owner becomes an administrator. */
  async function forge(name: string, rewrite: (manifest: Record<string, unknown>) => Record<string, unknown>) {
    const entries: { name: string; body: Buffer }[] = [];
    for await (const entry of readArchive(file, () => {})) {
      const chunks: Buffer[] = [];
      for await (const chunk of entry.body) chunks.push(chunk);
      entries.push({ name: entry.name, body: Buffer.concat(chunks) });
    }
    const last = entries.pop();
    const sum = createHash('sha256');
    const tar = pack();
    for (const entry of entries) {
      const body = entry.name.startsWith('tables/users/')
        ? Buffer.from(entry.body.toString().replace('\towner\t', '\tadmin\t'))
        : entry.body;
      sum.update(`${entry.name}\0${body.length}\n`).update(body);
      tar.entry({ name: entry.name }, body);
    }
    const manifest = { ...(JSON.parse(String(last?.body)) as Record<string, unknown>), sha256: sum.digest('hex') };
    tar.entry({ name: 'manifest.json' }, JSON.stringify(rewrite(manifest), null, 1));
    tar.finalize();
    const path = join(folder, `${name}.tar.gz`);
    await writeFile(path, gzipSync(await buffer(tar)));
    return path;
  }

  test('is required: a changed backup with a correct checksum, unsigned or signed with another key, is refused without changes', async () => {
    const unsigned = await forge('unsigned', withoutSignature);
    const kept = await forge('kept', (manifest) => manifest);
    const foreign = await forge('foreign', (manifest) => {
      const rest = withoutSignature(manifest);
      return { ...rest, signature: sign('the key of somebody else', JSON.stringify(rest)) };
    });
    const short = await forge('short', (manifest) => ({ ...manifest, signature: '00' }));
    const target = await openTarget();
    for (const [from, message] of [
      [unsigned, 'is not signed: anybody may have made or changed it'],
      [kept, 'not signed with the key'],
      [foreign, 'not signed with the key'],
      [short, 'not signed with the key'],
    ] as const)
      await expect(restoreInto(target, { from })).rejects.toThrow(message);
    await expect(restoreInto(target, { signedBy: { key: 'another key than that one' } })).rejects.toThrow('--unsigned');
    await expect(restoreInto(target, { signedBy: { key: null } })).rejects.toThrow('set BACKUP_KEY, or put the copy');
    expect(await namesIn(target)).toEqual([]);
    // Like a backup made before signatures existed.
    await restoreInto(target, { from: unsigned, signedBy: 'unsigned' });
    expect(await namesIn(target)).not.toEqual([]);
  });

  test.runIf(runsAll)('covers the end of the audit log, and the restored log has the same end', async () => {
    const target = await openTarget();
    const { manifest } = await restoreInto(target);
    const { rows } = await withClient(target.connection, (client) =>
      client.query("select id || ':' || encode(hash, 'hex') as end from audit order by id desc limit 1"),
    );
    expect(manifest.auditEnd).toMatch(/^\d+:[0-9a-f]{64}$/);
    expect(rows).toEqual([{ end: manifest.auditEnd }]);
    const cut = await forge('cut', (manifest) => ({
      ...withoutSignature(manifest),
      auditEnd: `99:${'0'.repeat(64)}`,
    }));
    await expect(restoreInto(await openTarget(), { from: cut, signedBy: 'unsigned' })).rejects.toThrow(
      'audit log ends',
    );
  });

  test('uses a key file without BACKUP_KEY, created once with mode 0600', async () => {
    const config = { DATA_DIR: join(folder, 'keys'), BACKUP_KEY: undefined };
    expect(await findBackupKey(config)).toBeNull();
    const made = await Promise.all(
      [ensureBackupKey(config), ensureBackupKey(config)].map((result) => result.then(({ key }) => key)),
    );
    expect(made[0]).toMatch(/^[0-9a-f]{64}$/);
    expect([made[1], await findBackupKey(config)]).toEqual([made[0], made[0]]);
    const file = join(config.DATA_DIR, 'backup.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(config.DATA_DIR)).toEqual(['backup.key']);
    expect(await ensureBackupKey({ ...config, BACKUP_KEY: 'from the environment' })).toMatchObject({
      key: 'from the environment',
    });
    await writeFile(file, '');
    await expect(ensureBackupKey(config)).rejects.toThrow('holds no key');
  });
});

test('a backup never overwrites a file and leaves no partial file behind', async () => {
  await writeFile(join(folder, 'taken'), 'mine');
  const { connection } = product;
  const { storage } = product.ctx;
  await expect(backUp({ connection, storage, file: join(folder, 'taken'), key, progress: noProgress })).rejects.toThrow(
    'is there already',
  );
  expect(await readFile(join(folder, 'taken'), 'utf8')).toBe('mine');
  const failing = { ...storage, get: () => Promise.reject(new Error('the store is silent')) };
  const half = join(folder, 'half', 'backup.tar.gz');
  await expect(backUp({ connection, storage, file: half, key, progress: noProgress })).rejects.toThrow(
    'There is no folder',
  );
  await expect(
    backUp({ connection, storage: failing, file: join(folder, 'half.tar.gz'), key, progress: noProgress }),
  ).rejects.toThrow('the store is silent');
  expect((await readdir(folder)).filter((name) => name.includes('half'))).toEqual([]);
});
