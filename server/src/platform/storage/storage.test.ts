import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { openStorage } from './index.ts';
import type { Storage, UploadToSign } from './storage.ts';
import { s3Origins } from './s3.ts';
import { startTestS3, type TestS3 } from '../../testing/s3.ts';

const log = pino({ level: 'silent' });
let s3: TestS3;
let folder: string;
let outside: string;
const open: Storage[] = [];

beforeAll(async () => {
  s3 = await startTestS3();
  outside = await mkdtemp(join(tmpdir(), 'waybill-storage-'));
  folder = join(outside, 'data');
});
afterEach(() => open.splice(0).forEach((storage) => storage.close()));
afterAll(async () => {
  await s3.close();
  await rm(outside, { recursive: true, force: true });
});

const openWith = (settings: Record<string, string>): Storage => {
  const storage = openStorage(readConfig({ DATA_DIR: folder, ...settings }), log);
  open.push(storage);
  return storage;
};
const opened = (kind: Storage['kind']) => openWith(kind === 's3' ? s3.settings : {});

const jpeg = (body: Uint8Array) => ({ type: 'image/jpeg', size: body.length });

async function read(storage: Storage, path: string): Promise<Buffer | null> {
  const file = await storage.get(path);
  if (!file) return null;
  const body = Buffer.concat(await file.stream.toArray());
  expect(body.length).toBe(file.size);
  return body;
}

async function paths(storage: Storage, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of storage.list(prefix)) found.push(path);
  return found.toSorted();
}

describe.each(['local', 's3'] as const)('the %s store', (kind) => {
  test('returns what was put, as bytes or as a stream, and the last of two versions', async () => {
    const storage = opened(kind);
    const [first, second] = [randomBytes(100_000), randomBytes(200_000)];
    await storage.put('packages/a.jpg', first, jpeg(first));
    expect(await read(storage, 'packages/a.jpg')).toEqual(first);
    await storage.put(
      'packages/a.jpg',
      Readable.from([second.subarray(0, 70_000), second.subarray(70_000)]),
      jpeg(second),
    );
    expect(await read(storage, 'packages/a.jpg')).toEqual(second);
  });

  test('returns null for unknown and deleted files, and deletes idempotently', async () => {
    const storage = opened(kind);
    const body = Buffer.from('x');
    expect(await storage.get('packages/never.jpg')).toBeNull();
    await storage.put('packages/gone.jpg', body, jpeg(body));
    await storage.delete('packages/gone.jpg');
    await storage.delete('packages/gone.jpg');
    expect(await storage.get('packages/gone.jpg')).toBeNull();
    // A folder is not a file.
    if (kind === 'local') expect(await storage.get('incoming/unfinished')).toBeNull();
  });

  test('lists a folder, or everything, with sizes and times', async () => {
    const storage = opened(kind);
    const body = Buffer.from('four');
    for (const path of ['listed/b.jpg', 'listed/deep/c.jpg', 'listing/d.jpg'])
      await storage.put(path, body, jpeg(body));
    expect(await paths(storage, 'listed/')).toEqual(['listed/b.jpg', 'listed/deep/c.jpg']);
    expect(await paths(storage, '')).toEqual(expect.arrayContaining(['listed/b.jpg', 'listing/d.jpg']));
    expect(await paths(storage, 'nothing/')).toEqual([]);
    for await (const { size, modifiedAt } of storage.list('listed/')) {
      expect(size).toBe(4);
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(120_000);
    }
  });

  test.each([
    '../secret',
    'packages/../../secret',
    '/etc/passwd',
    'packages//a.jpg',
    'packages/.hidden',
    'packages/a\0.jpg',
    'packages\\a.jpg',
    'packages/a b.jpg',
    `packages/${'x'.repeat(300)}.jpg`,
    'packages/',
    '',
    '.',
    'a/b/c/d/e.jpg',
  ])('refuses the path %j in every call', async (path) => {
    const storage = opened(kind);
    const body = Buffer.from('x');
    await writeFile(join(outside, 'secret'), 'outside');
    for (const call of [
      async () => storage.put(path, body, jpeg(body)),
      async () => storage.get(path),
      async () => storage.delete(path),
    ])
      await expect(call()).rejects.toThrow('not a path of the storage');
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('outside');
  });
});

describe('the local store', () => {
  const drafts = () => readdir(join(folder, 'storage/incoming/unfinished'));

  test.each([
    ['longer', Buffer.alloc(11), {}],
    ['shorter', Buffer.alloc(9), {}],
    [
      'another one',
      Buffer.alloc(10, 'x'),
      { checksum: createHash('sha256').update(Buffer.alloc(10)).digest('base64') },
    ],
  ])('stores nothing of a file that is %s than announced', async (_fault, body, more) => {
    const storage = opened('local');
    await expect(
      storage.put('packages/odd.jpg', Readable.from([body]), { type: 'image/jpeg', size: 10, ...more }),
    ).rejects.toMatchObject({ code: 'invalid' });
    expect(await storage.get('packages/odd.jpg')).toBeNull();
    expect(await drafts()).toEqual([]);
  });

  test('stores nothing of an interrupted upload, and keeps the previous file', async () => {
    const storage = opened('local');
    const before = Buffer.from('before');
    await storage.put('packages/cut.jpg', before, jpeg(before));
    async function* cutOff() {
      yield Buffer.alloc(5);
      throw new Error('the line broke');
    }
    await expect(
      storage.put('packages/cut.jpg', Readable.from(cutOff()), { type: 'image/jpeg', size: 10 }),
    ).rejects.toThrow('the line broke');
    expect(await read(storage, 'packages/cut.jpg')).toEqual(before);
    expect(await drafts()).toEqual([]);
  });

  test('lists and deletes partial files left by a crash', async () => {
    const storage = opened('local');
    await mkdir(join(folder, 'storage/incoming/unfinished'), { recursive: true });
    await writeFile(join(folder, 'storage/incoming/unfinished/left'), 'half');
    expect(await paths(storage, 'incoming/')).toEqual(['incoming/unfinished/left']);
    await storage.delete('incoming/unfinished/left');
    expect(await paths(storage, 'incoming/')).toEqual([]);
  });
});

describe('a presigned upload URL of S3', () => {
  const body = Buffer.from('just these bytes');
  const upload: UploadToSign = { ...jpeg(body), expiresInSeconds: 3600 };
  const sign = async (path: string, more: Partial<UploadToSign> = {}) => {
    const signed = await opened('s3').signUpload(path, { ...upload, ...more });
    if (!signed) throw new Error('nothing was signed');
    return signed;
  };
  const put = (url: string, headers: Record<string, string>, content = body) =>
    fetch(url, { method: 'PUT', headers, body: content });

  test('accepts the announced file without other credentials', async () => {
    const { url, headers } = await sign('incoming/right.jpg');
    expect(headers).toEqual({ 'content-type': 'image/jpeg' });
    expect(url).toContain('X-Amz-Expires=3600');
    expect(url).not.toContain(s3.settings.S3_SECRET_ACCESS_KEY + '=');
    expect((await put(url, headers)).status).toBe(200);
    expect(await read(opened('s3'), 'incoming/right.jpg')).toEqual(body);
  });

  test('refuses another length, type, checksum or path, and everything once it has expired', async () => {
    const checksum = createHash('sha256').update(body).digest('base64');
    const { url, headers } = await sign('incoming/strict.jpg', { checksum });
    const another = createHash('sha256').update('other bytes').digest('base64');
    expect(headers).toEqual({ 'content-type': 'image/jpeg', 'x-amz-checksum-sha256': checksum });
    const refused = [
      await put(url, headers, Buffer.concat([body, body])),
      await put(url, { ...headers, 'content-type': 'text/html' }),
      await put(url, { ...headers, 'x-amz-checksum-sha256': another }),
      await put(url.replace('strict.jpg', 'elsewhere.jpg'), headers),
      await put(url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=36000'), headers),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const { url: expired } = await sign('incoming/strict.jpg', { expiresInSeconds: 1 });
    await expect.poll(async () => (await put(expired, headers)).status, { timeout: 10_000, interval: 300 }).toBe(403);
    expect((await put(url, headers)).status).toBe(200);
  });

  test('with the wrong secret is refused', async () => {
    const storage = openWith({ ...s3.settings, S3_SECRET_ACCESS_KEY: 'wrong' });
    const signed = await storage.signUpload('incoming/forged.jpg', upload);
    expect((await put(signed?.url ?? '', signed?.headers ?? {})).status).toBe(403);
    await expect(storage.put('packages/forged.jpg', body, jpeg(body))).rejects.toThrow();
  });
});

describe('S3 errors', () => {
  test('a put is retried twice, with the same bytes', async () => {
    let requests = 0;
    const got: Buffer[] = [];
    const flaky = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        got.push(Buffer.concat(chunks));
        response.writeHead(++requests < 3 ? 503 : 200, { etag: '"x"' }).end();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => flaky.once('listening', resolve));
    const address = flaky.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const storage = openWith({ ...s3.settings, S3_ENDPOINT: `http://127.0.0.1:${port}` });
    const body = Buffer.from('again and again');
    await storage.put('packages/flaky.jpg', body, jpeg(body));
    expect(got).toEqual([body, body, body]);
    flaky.closeAllConnections();
    flaky.close();
  });

  test.each([
    [{ S3_BUCKET: 'pictures' }, 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'],
    [{ S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' }, 'S3_BUCKET'],
    [{ S3_PUBLIC_URL: 'http://127.0.0.1:9' }, 'S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'],
  ])(
    'incomplete settings %j do not stop the start, log what is missing, and give a 503 with the message of the specification',
    async (settings, missing) => {
      const lines: string[] = [];
      const storage = openStorage(
        readConfig({ DATA_DIR: folder, ...settings }),
        pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
      );
      expect(lines.join('')).toContain(`${missing} must be set`);
      for (const call of [
        () => storage.get('packages/a.jpg'),
        () => storage.signUpload('incoming/a.jpg', { ...jpeg(Buffer.from('x')), expiresInSeconds: 1 }),
      ])
        await expect(call()).rejects.toMatchObject({
          status: 503,
          code: 'storage_not_configured',
          message: 'AWS S3 is not properly configured. Please check your environment variables.',
          retryAfterSeconds: 60,
        });
    },
  );
});

test.each([
  [{}, []],
  [{ S3_BUCKET: 'half' }, []],
  [{ S3_BUCKET: 'pictures', S3_REGION: 'eu-west-1' }, ['https://pictures.s3.eu-west-1.amazonaws.com']],
  [{ S3_BUCKET: 'with.dots' }, ['https://s3.us-east-1.amazonaws.com']],
  [{ S3_BUCKET: 'pictures', S3_ENDPOINT: 'https://minio.example.com:9000/' }, ['https://minio.example.com:9000']],
  [
    { S3_BUCKET: 'pictures', S3_ENDPOINT: 'https://minio.example.com', S3_PUBLIC_URL: 'https://cdn.example.com/b' },
    ['https://minio.example.com', 'https://cdn.example.com'],
  ],
])('with %j browsers use the origins %j', async (settings: Record<string, string>, origins) => {
  const whole = settings.S3_BUCKET !== undefined && settings.S3_BUCKET !== 'half';
  const environment = { ...settings, ...(whole && { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' }) };
  expect(s3Origins(readConfig(environment))).toEqual(origins);
  if (origins[0] === undefined) return;
  const signed = await openWith(environment).signUpload('incoming/a.jpg', {
    type: 'image/png',
    size: 1,
    expiresInSeconds: 60,
  });
  expect(new URL(signed?.url ?? '').origin).toBe(origins[0]);
});
