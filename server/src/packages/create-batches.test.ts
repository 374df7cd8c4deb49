import type { Package } from '@waybill/contract';
import fc from 'fast-check';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, openTestProduct, packageInput, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false });
  owner = await product.register('owner');
});
afterAll(() => product.close());

let number = 0;
/** A value that no other test uses. */
const unique = () => String(++number).padStart(6, '0');
const uniqueTrackingId = () => `PKG-ZZ${unique()}`;

interface Reply {
  status: number;
  body: Package & { code?: string; fields?: object };
}

async function create(by: TestUser, fields: object = {}, key: string | null = null): Promise<Reply> {
  const reply = await product.app.inject({
    method: 'POST',
    url: '/api/packages',
    headers: { authorization: `Bearer ${by.token}`, ...(key !== null && { 'idempotency-key': key }) },
    payload: packageInput(fields),
  });
  return { status: reply.statusCode, body: reply.json<Reply['body']>() };
}

const statuses = (replies: Reply[]) => replies.map(({ status }) => status);

/** The transactions that wrote these packages: xmin is the id of the transaction that inserted a row. */
async function transactionsOf(replies: Reply[]): Promise<string[]> {
  const rows = await product.ctx.db.query<{ xmin: string }>(
    'select distinct xmin::text as xmin from packages where id = any($1)',
    [replies.map(({ body }) => body.id)],
  );
  return rows.map(({ xmin }) => xmin);
}

const countOf = async (table: string, by: TestUser) => {
  const [row] = await product.ctx.db.query<{ count: number }>(
    `select count(*)::int as count from ${table} where owner_id = $1`,
    [by.id],
  );
  return row?.count ?? 0;
};

test('concurrent creates share transactions, with and without Idempotency-Keys', async () => {
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => create(owner, {}, index % 2 ? `shared-${unique()}` : null)),
  );
  expect(new Set(statuses(replies))).toEqual(new Set([201]));
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(40);
  expect((await transactionsOf(replies)).length).toBeLessThan(30);
});

test('each package of a batch has its content, its event, its outbox row and its part of the figures', async () => {
  const by = await product.register('owner');
  const fields = (index: number) => ({
    name: `Lamp ${index}`,
    reference: `R ${index}`,
    weight: 0.1 + index,
    dimensions: { width: 1.5, height: null, length: index + 1 },
    eta: '2090-01-31',
    window: { from: '2090-01-30T08:00:00+01:00', to: '2090-01-30T10:00:00+01:00' },
    address: { street: 'Long "Street" 5\\', postalCode: null, city: 'Ängelholm' },
    handling: { fragile: true, keepUpright: false, refrigerated: false, signatureRequired: true, safePlace: 'Shed 🏠' },
    hideRecipient: index % 2 === 0,
    showSender: true,
    instructions: 'Ring twice',
    location: 'Depot',
  });
  const [created] = await product.ctx.db.query<{ count: number }>(
    'select coalesce(sum(created), 0)::int as count from figure_changes',
  );
  const alone = await create(by, { ...fields(0), reference: 'R alone' });
  const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => create(by, fields(index))));
  expect(new Set(statuses(replies))).toEqual(new Set([201]));
  const variable = new Set(['_id', 'id', 'trackingId', 'reference', 'name', 'weight', 'dimensions', 'hideRecipient']);
  for (const name of ['createdAt', 'lastUpdate']) variable.add(name);
  const constant = ({ body }: Reply) => Object.entries(body).filter(([name]) => !variable.has(name));
  for (const [index, reply] of replies.entries()) {
    expect(constant(reply)).toEqual(constant(alone));
    expect(reply.body).toMatchObject({ name: `Lamp ${index}`, reference: `R ${index}`, weight: 0.1 + index });
    expect(await by.api.packages.read({ params: { id: reply.body.id } })).toEqual(reply.body);
    const events = await by.api.packages.events({ params: { id: reply.body.id } });
    expect(events.items).toMatchObject([{ type: 'package.created', at: reply.body.createdAt, location: 'Depot' }]);
  }
  expect(await countOf('package_events', by)).toBe(13);
  const [now] = await product.ctx.db.query<{ count: number }>(
    'select coalesce(sum(created), 0)::int as count from figure_changes',
  );
  expect((now?.count ?? 0) - (created?.count ?? 0)).toBe(13);
});

test('a taken tracking ID or reference, in the batch or before, is an error of its caller alone', async () => {
  const by = await product.register('owner');
  const other = await product.register('owner');
  const [before, twice] = [uniqueTrackingId(), uniqueTrackingId()];
  expect((await create(by, { trackingId: before, reference: 'before' })).status).toBe(201);
  const replies = await Promise.all([
    create(by),
    create(by, { trackingId: before }),
    create(by, { reference: 'before' }),
    create(other, { reference: 'before' }),
    create(by, { trackingId: twice }),
    create(other, { trackingId: twice }),
    create(by, { reference: 'twice' }),
    create(by, { reference: 'twice' }),
    create(by),
  ]);
  const outcomes = replies.map(({ status, body }) => body.code ?? status);
  expect(outcomes.slice(0, 4)).toEqual([201, 'tracking_id_taken', 'reference_taken', 201]);
  // Either one of two may be first.
  expect(new Set(outcomes.slice(4, 6))).toEqual(new Set([201, 'tracking_id_taken']));
  expect(new Set(outcomes.slice(6, 8))).toEqual(new Set([201, 'reference_taken']));
  expect(outcomes[8]).toBe(201);
  expect(replies[1]?.body.fields).toEqual({ trackingId: 'This tracking ID is already in use' });
  expect((await countOf('package_events', by)) + (await countOf('package_events', other))).toBe(6);
});

test('an owner who was suspended after signing in fails alone', async () => {
  const suspended = await product.register('owner');
  // The first request puts the session into the cache, so that only the transaction can notice the suspension.
  await create(suspended);
  await product.ctx.db.query("update users set status = 'suspended' where id = $1", [suspended.id]);
  const replies = await Promise.all([create(owner), create(suspended), create(owner), create(suspended, {}, unique())]);
  expect(statuses(replies)).toEqual([201, 403, 201, 403]);
  expect(replies[1]?.body.code).toBe('not_active');
  expect(await countOf('packages', suspended)).toBe(1);
});

test('an owner whose row is locked does not delay the others', async () => {
  const locked = await product.register('owner');
  await product.ctx.db
    .transaction(async (tx) => {
      await tx.query('select from users where id = $1 for update', [locked.id]);
      const waiting = [create(locked), create(locked)];
      const others = await Promise.all([create(owner), create(owner), create(owner)]);
      expect(statuses(others)).toEqual([201, 201, 201]);
      await tx.query("update users set status = 'suspended' where id = $1", [locked.id]);
      return { waiting };
    })
    .then(async ({ waiting }) => expect(statuses(await Promise.all(waiting))).toEqual([403, 403]));
});

test('batches that wait for a lock do not delay the creates after them', async () => {
  const by = await product.register('owner');
  const taken = uniqueTrackingId();
  const renamed = await create(by);
  await product.ctx.db
    .transaction(async (tx) => {
      await tx.query('update packages set tracking_id = $2 where id = $1', [renamed.body.id, taken]);
      const waiting: Promise<Reply>[] = [];
      for (let batches = 0; batches < 3; batches++) {
        waiting.push(create(by, { trackingId: taken }), create(by, { trackingId: taken }));
        await sleep(5);
      }
      const delays: number[] = [];
      for (let count = 0; count < 8; count++) {
        const sentAt = performance.now();
        expect(statuses(await Promise.all([create(owner), create(owner)]))).toEqual([201, 201]);
        delays.push(performance.now() - sentAt);
      }
      // The others wait for 2 s.
      expect(Math.max(...delays)).toBeLessThan(1000);
      return { waiting };
    })
    .then(async ({ waiting }) =>
      expect((await Promise.all(waiting)).map(({ body }) => body.code)).toEqual(waiting.map(() => 'tracking_id_taken')),
    );
});

test('repeated keys in one batch create one package; another body is refused', async () => {
  const by = await product.register('owner');
  const key = unique();
  const repeats = () => Promise.all([create(by, {}, key), create(by, {}, key), create(by), create(by, {}, key)]);
  const replies = await repeats();
  expect(statuses(replies).filter((status) => status === 201).length).toBeGreaterThanOrEqual(2);
  for (const { status, body } of [replies[0], replies[1], replies[3]] as Reply[])
    if (status !== 201) expect(body.code).toBe('still_running');
  const first = [replies[0], replies[1], replies[3]].find((reply) => reply?.status === 201);
  expect(await countOf('packages', by)).toBe(2);
  const stored = await Promise.all([create(by, {}, key), create(by)]);
  expect(statuses(stored)).toEqual([201, 201]);
  expect(stored[0]?.body).toEqual(first?.body);
  const [reused] = await Promise.all([create(by, { name: 'Another' }, key), create(owner)]);
  expect(reused).toMatchObject({ status: 422, body: { code: 'key_reused' } });
  expect(await countOf('packages', by)).toBe(3);
});

test('a key whose stored reply has expired is new again, in a batch as well', async () => {
  const key = unique();
  const first = await create(owner, {}, key);
  await product.ctx.db.query(
    "update idempotency_keys set created_at = now() - interval '7 days 1 second' where key = $1",
    [key],
  );
  const [second] = await Promise.all([create(owner, {}, key), create(owner), create(owner)]);
  expect(second.status).toBe(201);
  expect(second.body.id).not.toBe(first.body.id);
  expect((await create(owner, {}, key)).body).toEqual(second.body);
});

test('a batch whose commit fails is done one by one, and only the cause of the failure is refused', async () => {
  const by = await product.register('owner');
  await product.ctx.db.query(
    `create function refuse_poison() returns trigger language plpgsql as
     $$ begin if new.name = 'Poison' then raise exception 'poison' using errcode = '23514'; end if; return null; end $$`,
  );
  await product.ctx.db.query(
    `create constraint trigger poison after insert on packages deferrable initially deferred
     for each row execute function refuse_poison()`,
  );
  try {
    const key = unique();
    const replies = await Promise.all([
      create(by, { name: 'First' }, key),
      create(by, { name: 'Poison' }, unique()),
      create(by, { name: 'Second' }),
      create(by, { name: 'Poison' }),
    ]);
    expect(statuses(replies)).toEqual([201, 500, 201, 500]);
    expect(await countOf('packages', by)).toBe(2);
    expect(await countOf('package_events', by)).toBe(2);
    expect((await create(by, { name: 'First' }, key)).body).toEqual(replies[0]?.body);
  } finally {
    await product.ctx.db.query('drop trigger poison on packages');
    await product.ctx.db.query('drop function refuse_poison()');
  }
});

test('a value that the database refuses fails alone', async () => {
  const replies = await Promise.all([
    create(owner),
    create(owner, { description: `${'x'.repeat(30)}\ud800` }),
    create(owner),
  ]);
  const alone = await create(owner, { description: `${'x'.repeat(30)}\ud800` });
  expect(statuses(replies)).toEqual([201, alone.status, 201]);
});

test('a client that disconnects changes nothing for the others of its batch', async () => {
  const by = await product.register('owner');
  const url = new URL(await product.listen());
  const send = (name: string) => {
    const call = httpRequest(`${url.origin}/api/packages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    });
    call.end(JSON.stringify(packageInput({ name })));
    return call;
  };
  await product.ctx.db
    .transaction(async (tx) => {
      // Every create waits, so that the client disconnects while its request is in a batch.
      await tx.query('lock table packages in share mode');
      const calls = Array.from({ length: 6 }, (_, index) => send(`Lamp ${index}`));
      const answers = calls.map(
        (call) =>
          new Promise<number>((resolve) => {
            call.on('response', (reply) => resolve(reply.statusCode ?? 0));
            call.on('error', () => resolve(0));
          }),
      );
      await eventually('the creates wait', async () => {
        const waiting = await product.ctx.db.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into packages%' and pid <> pg_backend_pid()`,
        );
        return waiting.length > 0;
      });
      calls[2]?.destroy();
      calls[5]?.destroy();
      return { answers };
    })
    .then(async ({ answers }) => expect(await Promise.all(answers)).toEqual([201, 201, 0, 201, 201, 0]));
  // The two others are created as well if their requests had arrived.
  const without = await product.ctx.db.query(
    'select from packages p where owner_id = $1 and not exists (select from package_events where package_id = p.id)',
    [by.id],
  );
  expect(without).toEqual([]);
  expect(await countOf('packages', by)).toBeGreaterThanOrEqual(4);
});

/** A call of a generated mix. Small ranges, so that duplicates are frequent. */
interface Step {
  by: number;
  trackingId: number | null;
  reference: number | null;
  key: number | null;
  name: number;
  date: 'none' | 'future' | 'past';
}

const few = fc.option(fc.nat(2), { nil: null, freq: 2 });
const step: fc.Arbitrary<Step> = fc.record({
  by: fc.constantFrom(0, 0, 0, 1, 1, 2),
  trackingId: few,
  reference: few,
  key: few,
  name: fc.nat(1),
  date: fc.constantFrom('none', 'none', 'none', 'future', 'past'),
});

/** Owners 0 and 1 are active, 2 was suspended after signing in. Tracking ID 0 and reference 0 of owner 0 are taken. */
async function openWorld() {
  const owners = [await product.register('owner'), await product.register('owner'), await product.register('owner')];
  const trackingIds = [uniqueTrackingId(), uniqueTrackingId(), uniqueTrackingId()];
  const send = ({ by, trackingId, reference, key, name, date }: Step) =>
    create(
      owners[by] as TestUser,
      {
        name: `Lamp ${name}`,
        ...(trackingId !== null && { trackingId: trackingIds[trackingId] }),
        ...(reference !== null && { reference: `R${reference}` }),
        ...(date !== 'none' && { eta: date === 'past' ? '2020-01-01' : '2090-01-01' }),
      },
      key === null ? null : `key-${key}`,
    );
  const taken: Step = { by: 0, trackingId: 0, reference: 0, key: null, name: 0, date: 'none' };
  expect((await send(taken)).status).toBe(201);
  await create(owners[2] as TestUser);
  await product.ctx.db.query("update users set status = 'suspended' where id = $1", [owners[2]?.id]);
  return { send, owners };
}

interface Done {
  step: Step;
  reply: Reply;
}

/**
 * Returns an order of the requests, one by one, that explains their replies (linearizability). A refused request comes after the one that
 * causes its error, and before one that would give it another error.
 */
function orderOf(done: Done[]): Done[] {
  const [trackingIds, references, keys] = [new Set([0]), new Set(['0 0']), new Set<string>()];
  const keyOf = ({ by, key }: Step) => (key === null ? '' : `${by} ${key}`);
  const referenceOf = ({ by, reference }: Step) => (reference === null ? '' : `${by} ${reference}`);
  const isRefusedBefore = (success: Step, { step: other, reply: { body } }: Done) =>
    (['tracking_id_taken', 'reference_taken'].includes(body.code ?? '') &&
      success.key !== null &&
      keyOf(success) === keyOf(other)) ||
    (body.code === 'tracking_id_taken' && success.reference !== null && referenceOf(success) === referenceOf(other));
  const order: Done[] = [];
  const pending = new Set(done);
  const isNext = ({ step: each, reply: { status, body } }: Done) => {
    if (status === 201) return keys.has(keyOf(each)) || ![...pending].some((other) => isRefusedBefore(each, other));
    if (body.code === 'tracking_id_taken') return each.trackingId !== null && trackingIds.has(each.trackingId);
    if (body.code === 'reference_taken') return references.has(referenceOf(each));
    return body.code === 'key_reused' ? keys.has(keyOf(each)) : true;
  };
  while (pending.size > 0) {
    const next = [...pending].find(isNext);
    if (!next) throw new Error(`no order explains ${JSON.stringify([...pending])}`);
    pending.delete(next);
    order.push(next);
    if (next.reply.status !== 201) continue;
    if (next.step.trackingId !== null) trackingIds.add(next.step.trackingId);
    if (next.step.reference !== null) references.add(referenceOf(next.step));
    if (next.step.key !== null) keys.add(keyOf(next.step));
  }
  return order;
}

test('a mixed batch has the replies of the same requests one by one, in some order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 25 }), async (steps) => {
      const together = await openWorld();
      const replies = await Promise.all(steps.map((each) => together.send(each)));
      const done = steps.map((each, index) => ({ step: each, reply: replies[index] as Reply }));

      const order = orderOf(done);
      const apart = await openWorld();
      const firstOf = new Map<string, string>();
      for (const { step: each, reply } of order) {
        const name = `${each.by} ${each.key}`;
        if (reply.body.code === 'still_running') {
          expect(each.key).not.toBeNull();
          expect(steps.filter(({ by, key }) => by === each.by && key === each.key).length).toBeGreaterThan(1);
          continue;
        }
        const single = await apart.send(each);
        expect({ status: reply.status, code: reply.body.code, fields: reply.body.fields }).toEqual({
          status: single.status,
          code: single.body.code,
          fields: single.body.fields,
        });
        if (reply.status !== 201 || each.key === null) continue;
        expect(firstOf.get(name) ?? reply.body.id).toBe(reply.body.id);
        firstOf.set(name, reply.body.id);
      }
      for (const [index, by] of together.owners.entries()) {
        const ids = new Set(
          done.flatMap(({ step: each, reply }) => (reply.status === 201 && each.by === index ? reply.body.id : [])),
        );
        // One package of each world exists before: of owner 0 and of the suspended owner.
        expect(await countOf('packages', by)).toBe(ids.size + (index === 1 ? 0 : 1));
        expect(await countOf('package_events', by)).toBe(ids.size + (index === 1 ? 0 : 1));
      }
    }),
    { numRuns: 30 },
  );
});
