import { randomBytes } from 'node:crypto';
import type { ApiError, Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  openTestProduct,
  packageInput,
  untilWaiting,
  type TestProduct,
  type TestUser,
} from '../../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  driver = await product.register('driver');
});
afterAll(() => product.close());

const create = (idempotencyKey: string, fields: object = {}, by = owner) =>
  by.api.packages.create({ body: packageInput(fields), idempotencyKey });
const countOf = async (user: TestUser) =>
  (await user.api.packages.listOfUser({ params: { id: user.id }, query: { count: true } })).total;

test('a repeat with the same key and body gets the stored reply, and has no effect', async () => {
  const first = await create('key-1');
  const before = await countOf(owner);
  await owner.api.packages.update({ params: { id: first.id }, body: { name: 'Another name' } });
  expect(await create('key-1')).toEqual(first);
  expect(await countOf(owner)).toBe(before);
});

test('the same key with another body is 422', async () => {
  await create('key-2');
  await expect(create('key-2', { name: 'Something else' })).rejects.toMatchObject({ status: 422, code: 'key_reused' });
});

test('keys are scoped to the user and the path', async () => {
  const other = await product.register('owner');
  const [mine, theirs] = [await create('key-3'), await create('key-3', {}, other)];
  expect(mine.id).not.toBe(theirs.id);
  await driver.api.deliveries.start({ params: { id: mine.id }, idempotencyKey: 'key-3' });
  await driver.api.deliveries.start({ params: { id: theirs.id }, idempotencyKey: 'key-3' });
});

test('ten concurrent requests with one key create one package; those that meet a running one get 409', async () => {
  const before = Number(await countOf(owner));
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => create('key-4').catch((error: ApiError) => error)),
  );
  const made = answers.filter((answer): answer is Package => !(answer instanceof Error));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  for (const answer of answers)
    if (answer instanceof Error) expect(answer).toMatchObject({ status: 409, code: 'still_running' });
  expect(await countOf(owner)).toBe(before + 1);
});

test('a repeat is 409 while the first request runs, and gets the stored reply afterwards', async () => {
  const pkg = await createPackage(owner);
  const hold = await product.ctx.db.transaction(async (tx) => {
    // The first request waits for this row lock when the second arrives.
    await tx.query('select 1 from packages where id = $1 for update', [pkg.id]);
    const start = () => driver.api.deliveries.start({ params: { id: pkg.id }, idempotencyKey: 'key-5' });
    const first = start();
    await untilWaiting(tx, 1);
    await expect(start()).rejects.toMatchObject({ status: 409, code: 'still_running' });
    return { first, start };
  });
  const started = await hold.first;
  expect(await hold.start()).toEqual(started);
});

test('repeats of an answered request get the stored reply, however many come at once', async () => {
  const first = await create('key-answered');
  expect(await Promise.all(Array.from({ length: 6 }, () => create('key-answered')))).toEqual(Array(6).fill(first));
});

test('an error is not stored: the same request may succeed later', async () => {
  const pkg = await createPackage(owner);
  const other = await product.register('driver');
  await other.api.deliveries.start({ params: { id: pkg.id } });
  const start = () => driver.api.deliveries.start({ params: { id: pkg.id }, idempotencyKey: 'key-6' });
  await expect(start()).rejects.toMatchObject({ status: 409, code: 'already_started' });
  await other.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'Flat tyre' } });
  expect(await start()).toMatchObject({ driverId: driver.id });
});

test('a repeat of a request with an empty reply gets an empty reply', async () => {
  await owner.api.notifications.readAll({ idempotencyKey: 'key-7' });
  await expect(owner.api.notifications.readAll({ idempotencyKey: 'key-7' })).resolves.toBeUndefined();
});

test('keys expire after 7 days', async () => {
  const first = await create('key-8');
  await product.ctx.db.query(
    "update idempotency_keys set created_at = now() - interval '7 days 1 second' where key = 'key-8'",
  );
  const second = await create('key-8', { name: 'A new request' });
  expect(second.id).not.toBe(first.id);
  expect(await create('key-8', { name: 'A new request' })).toEqual(second);
});

test('across midnight, concurrent and later requests with one key have one effect', async () => {
  const { query } = product.ctx.db;
  // Each row is stored as of a transaction that began today or just before midnight, at random.
  await query(`alter table idempotency_keys alter created_at
    set default case when random() < 0.5 then now() else date_trunc('day', now(), 'UTC') - interval '1 second' end`);
  const before = Number(await countOf(owner));
  const keys = Array.from({ length: 12 }, (_, n) => `midnight-${n}`);
  try {
    await Promise.all(
      keys.flatMap((key) => Array.from({ length: 5 }, () => create(key).catch(({ code }: ApiError) => code))),
    );
    const repeats = await Promise.all(keys.map((key) => create(key)));
    expect(await Promise.all(keys.map((key) => create(key)))).toEqual(repeats);
    expect(new Set(repeats.map(({ id }) => id)).size).toBe(keys.length);
    expect(await countOf(owner)).toBe(before + keys.length);
    const stored = await query("select 1 from idempotency_keys where key like 'midnight-%'");
    expect(stored).toHaveLength(keys.length);
  } finally {
    await query('alter table idempotency_keys alter created_at set default now()');
  }
});

test.each(['', ' ', 'with space', 'x'.repeat(201), 'ümlaut'])('the key %j is refused with 422', async (key) => {
  const answer = await owner.api.packages.create({ body: packageInput(), headers: { 'idempotency-key': key } }).then(
    () => 201,
    (error: ApiError) => error.status,
  );
  expect(answer).toBe(422);
});

test('a repeat with another query string or trailing slash creates no second package', async () => {
  const before = Number(await countOf(owner));
  const send = (url: string) =>
    product.app.inject({
      method: 'POST',
      url,
      payload: packageInput(),
      headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': 'key-9' },
    });
  const answers = [];
  for (const url of ['/api/packages?a=1', '/api/packages?a=2', '/api/packages/', '/api/packages'])
    answers.push(await send(url));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
  expect(new Set(answers.map((answer) => answer.json<Package>().id)).size).toBe(1);
  expect(await countOf(owner)).toBe(before + 1);
});

test('neither a long URL nor a deeply nested body is a 5xx', async () => {
  const headers = { authorization: `Bearer ${owner.token}`, 'idempotency-key': 'key-10' };
  // Random, so that compression cannot make it fit the index.
  const random = randomBytes(6750).toString('base64url');
  const long = await product.app.inject({ method: 'POST', url: `/api/notifications/read-all?x=${random}`, headers });
  expect(long.statusCode).toBeLessThan(500);
  const deep = await product.app.inject({
    method: 'POST',
    url: '/api/packages',
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...packageInput(), _id: 0 }).replace(
      '"_id":0',
      `"_id":${'['.repeat(9000)}${']'.repeat(9000)}`,
    ),
  });
  expect(deep.statusCode).toBeLessThan(500);
});

test('a stored reply is replayed only while the caller may still see its content', async () => {
  const pkg = await createPackage(owner);
  const params = { id: pkg.id };
  const other = await product.register('driver');
  const start = () => driver.api.deliveries.start({ params, idempotencyKey: 'key-11' });
  const fail = () => driver.api.deliveries.fail({ params, body: { reason: 'Flat tyre' }, idempotencyKey: 'key-12' });
  const started = await start();
  expect(started.recipientName).toBe('Anna Maria Berg');
  expect(await start()).toEqual(started);
  const failed = await fail();
  // The package waits again, so the driver may no longer see the recipient that the stored reply contains.
  await expect(start()).rejects.toMatchObject({ status: 404 });
  expect(await fail()).toEqual(failed);
  await other.api.deliveries.start({ params });
  await expect(start()).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await expect(fail()).rejects.toMatchObject({ status: 404, code: 'not_found' });
});
