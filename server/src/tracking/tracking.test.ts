import { PublicView, packageStatuses } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
/** The clock advances by this much on every read. */
let tickMs = 0;
beforeAll(async () => {
  product = await openTestProduct({ now: () => (time = new Date(time.getTime() + tickMs)) });
  owner = await product.register('owner');
  driver = await product.register('driver');
});
afterAll(() => product.close());

const track = (id: string, by = product) => by.api().tracking.view({ params: { id } });

const secrets = {
  recipientContact: '+49 151 9999999',
  address: { street: 'Secret street 7', postalCode: '99999', city: 'Hiddentown' },
  handling: { safePlace: 'Under the gnome', signatureRequired: true },
};

describe('the public view', () => {
  test('is exactly what the contract declares, in every status', async () => {
    for (const status of packageStatuses) {
      const pkg = await createPackage(owner, { ...secrets, location: 'Depot', eta: '2026-03-04' });
      const params = { id: pkg.id };
      if (['in transit', 'out for delivery', 'delivered'].includes(status))
        await driver.api.deliveries.start({ params });
      if (status === 'out for delivery') await driver.api.deliveries.next({ params });
      if (status === 'delivered')
        await driver.api.deliveries.complete({
          params,
          body: { receivedBy: 'Somebody Private', note: 'A private note' },
        });
      if (status === 'cancelled' || status === 'inactive')
        await owner.api.packages.update({ params, body: { status } });
      const response = await inject(product.app, `/api/track/${pkg.trackingId}`, { method: 'GET' });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const text = await response.text();
      const view: unknown = JSON.parse(text);
      // zod drops undeclared fields, so equality means that there are none.
      expect(PublicView.parse(view)).toEqual(view);
      expect(view).toMatchObject({ status, trackingId: pkg.trackingId });
      for (const secret of [
        '9999999',
        'Secret',
        '99999',
        // After the delivery the town is public, and nothing more of the address.
        ...(status === 'delivered' ? [] : ['Hiddentown']),
        'gnome',
        'private',
        'Private',
        owner.id,
        driver.id,
        pkg.id,
        'number',
      ]) {
        expect(text).not.toContain(secret);
      }
    }
  });

  test('shows location, recipient and events, newest first', async () => {
    time = new Date('2026-03-01T10:00:00.123Z');
    const pkg = await createPackage(owner, { location: 'Depot', eta: '2026-03-04', weight: 0.1 });
    time = new Date('2026-03-01T11:00:00.000Z');
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    expect(await track(pkg.trackingId)).toEqual({
      trackingId: pkg.trackingId,
      name: 'Desk lamp',
      status: 'in transit',
      location: 'With the driver',
      eta: '2026-03-04',
      estimatedDeliveryTime: '2026-03-01T17:00:00.000Z',
      arrivalWindow: null,
      stopsAway: null,
      driverPosition: null,
      completedAt: null,
      nextStep: null,
      lastUpdate: '2026-03-01T11:00:00.000Z',
      recipientName: 'Anna Maria Berg',
      sender: null,
      carrier: { firstName: 'driver' },
      category: 'Furniture',
      weight: 0.1,
      events: [
        { type: 'delivery.started', at: '2026-03-01T11:00:00.000Z', location: 'With the driver' },
        { type: 'package.created', at: '2026-03-01T10:00:00.123Z', location: 'Depot' },
      ],
    });
  });

  test('escapes every text and formats every time correctly', async () => {
    time = new Date('2026-03-01T23:59:59.999Z');
    const odd = 'Say "hi"\\n {"a":1}, \u{1F69A} </script> %s \u2028 $2';
    const pkg = await createPackage(owner, { name: odd, location: odd, recipientName: odd });
    expect(await track(pkg.trackingId)).toMatchObject({
      name: odd,
      location: odd,
      recipientName: odd,
      lastUpdate: '2026-03-01T23:59:59.999Z',
      events: [{ at: '2026-03-01T23:59:59.999Z', location: odd }],
    });
  });

  test('has the time of the last public change: issues, ratings and contacts do not count', async () => {
    time = new Date('2026-03-02T10:00:00.000Z');
    const pkg = await createPackage(owner, { location: 'Depot' });
    const admin = await product.register('admin');
    const lastUpdate = async () => (await track(pkg.trackingId)).lastUpdate;
    const params = { id: pkg.id };
    time = new Date('2026-03-02T11:00:00.000Z');
    await owner.api.incidents.reportOnPackage({ params, body: { issue: 'It leaks' } });
    const [incident] = (await admin.api.incidents.list()).items;
    await admin.api.incidents.move({ params: { id: incident?.id ?? 0 }, body: { status: 'Resolved' } });
    expect(await lastUpdate()).toBe('2026-03-02T10:00:00.000Z');
    await owner.api.packages.update({ params, body: { recipientContact: '+49 151 8888888' } });
    expect((await owner.api.packages.events({ params })).items[0]?.type).toBe('package.updated');
    expect(await lastUpdate()).toBe('2026-03-02T10:00:00.000Z');
    time = new Date('2026-03-02T12:00:00.000Z');
    await owner.api.packages.update({ params, body: { location: 'Depot south' } });
    expect(await lastUpdate()).toBe('2026-03-02T12:00:00.000Z');
    time = new Date('2026-03-02T13:00:00.000Z');
    await driver.api.deliveries.start({ params });
    await driver.api.deliveries.complete({ params });
    time = new Date('2026-03-02T14:00:00.000Z');
    await owner.api.packages.rate({ params, body: { stars: 5 } });
    expect(await lastUpdate()).toBe('2026-03-02T13:00:00.000Z');
  });

  test('has the same last update as the package, however long the change took', async () => {
    tickMs = 5;
    const params = { id: (await createPackage(owner)).id };
    for (const step of ['start', 'next', 'complete'] as const) {
      const { updatedAt, trackingId } = await driver.api.deliveries[step]({ params });
      expect((await track(trackingId)).lastUpdate).toBe(updatedAt);
    }
    tickMs = 0;
  });

  test('does not change with edits that were not public at the time', async () => {
    const start = time.getTime();
    const after = (days: number) => {
      time = new Date(start + days * 86_400_000);
      return time.toISOString();
    };
    const viewOf = async (id: string) => {
      const { lastUpdate, events } = await track(id);
      return [lastUpdate, ...events.map(({ type }) => type)];
    };
    const pkg = await createPackage(owner, { hideRecipient: true });
    const made = time.toISOString();
    const params = { id: pkg.id };
    after(1);
    await owner.api.packages.update({ params, body: { recipientName: 'Berta Berg' } });
    expect(await viewOf(pkg.trackingId)).toEqual([made, 'package.created']);
    const shown = after(2);
    await owner.api.packages.update({ params, body: { hideRecipient: false } });
    expect(await viewOf(pkg.trackingId)).toEqual([shown, 'package.updated', 'package.created']);
    const renamed = after(3);
    await owner.api.packages.update({ params, body: { recipientName: 'Carla Berg' } });
    const hidden = after(4);
    await owner.api.packages.update({ params, body: { hideRecipient: true } });
    expect((await track(pkg.trackingId)).events.map(({ at }) => at)).toEqual([hidden, renamed, shown, made]);

    const gone = after(5);
    await owner.api.packages.update({ params, body: { status: 'cancelled' } });
    after(6);
    await owner.api.packages.update({ params, body: { showSender: true, hideRecipient: false } });
    expect((await track(pkg.trackingId)).lastUpdate).toBe(gone);

    const arrived = await createPackage(owner);
    const delivered = after(7);
    await driver.api.deliveries.start({ params: { id: arrived.id } });
    await driver.api.deliveries.complete({ params: { id: arrived.id } });
    after(38);
    await owner.api.packages.update({ params: { id: arrived.id }, body: { showSender: true, hideRecipient: true } });
    expect((await track(arrived.trackingId)).lastUpdate).toBe(delivered);
    time = new Date(start);
  });

  test('is found in any case, and is the same for every reader', async () => {
    const pkg = await createPackage(owner);
    const view = await track(pkg.trackingId);
    expect(await track(pkg.trackingId.toLowerCase())).toEqual(view);
    expect(await track(` ${pkg.trackingId} `)).toEqual(view);
    expect(await owner.api.tracking.view({ params: { id: pkg.trackingId } })).toEqual(view);
  });

  test('is returned to the right caller when many lookups are batched', async () => {
    const pkgs = await Promise.all(
      Array.from({ length: 30 }, (_, index) => createPackage(owner, { name: `Box ${index}` })),
    );
    const requested = Array.from({ length: 250 }, (_, index) => pkgs[index % 30]);
    const views = await Promise.all(requested.map((pkg) => track(pkg?.trackingId ?? '')));
    expect(views.map(({ name }) => name)).toEqual(requested.map((pkg) => pkg?.name));
  });
});

describe('the recipient', () => {
  test('is hidden if the owner wants it, and can be shown again', async () => {
    const pkg = await createPackage(owner, { hideRecipient: true });
    expect(await track(pkg.trackingId)).toMatchObject({ recipientName: null });
    await owner.api.packages.update({ params: { id: pkg.id }, body: { hideRecipient: false } });
    expect(await track(pkg.trackingId)).toMatchObject({ recipientName: 'Anna Maria Berg' });
  });

  test('is masked or hidden for all packages by a setting', async () => {
    const masked = await openTestProduct({ beside: product, config: { PUBLIC_RECIPIENT: 'masked' }, runsJobs: false });
    const hidden = await openTestProduct({ beside: product, config: { PUBLIC_RECIPIENT: 'hidden' }, runsJobs: false });
    for (const [recipientName, mask] of [
      ['Anna Maria Berg', 'Anna B.'],
      ['Anna Berg', 'Anna B.'],
      ['Madonna', 'M.'],
      ['Müller', 'M.'],
      ['Berg,Anna', 'Anna B.'],
      ['Berg, Anna Maria', 'Anna B.'],
      ['Anna\u00a0Berg', 'Anna B.'],
      ['Anna\u202fBerg', 'Anna B.'],
      ['山田\u3000太郎', '山田 太.'],
      ['王，小明', '小明 王.'],
      ['Ólafur Ärnalds', 'Ólafur Ä.'],
    ]) {
      const { trackingId } = await createPackage(owner, { recipientName: recipientName ?? '' });
      expect(await track(trackingId, masked)).toMatchObject({ recipientName: mask });
      expect(await track(trackingId, hidden)).toMatchObject({ recipientName: null });
      expect(await track(trackingId)).toMatchObject({ recipientName });
    }
    const { trackingId } = await createPackage(owner, { hideRecipient: true });
    expect(await track(trackingId, masked)).toMatchObject({ recipientName: null });
    // An edit with the same masked name is not a public change.
    const { id, trackingId: edited } = await createPackage(owner, { recipientName: 'Anna Berg' });
    const { update } = masked.api(owner.token).packages;
    const before = await track(edited, masked);
    await update({ params: { id }, body: { recipientName: 'Anna Bauer' } });
    expect(await track(edited, masked)).toEqual(before);
    await update({ params: { id }, body: { recipientName: 'Anna Weber' } });
    expect(await track(edited, masked)).toMatchObject({ recipientName: 'Anna W.', events: [{}, {}] });
    await masked.close();
    await hidden.close();
  });

  test('and every place are withheld 30 days after the delivery; the rest stays', async () => {
    time = new Date('2026-04-01T12:00:00.000Z');
    const pkg = await createPackage(owner, { ...secrets, location: 'Depot' });
    const waiting = await createPackage(owner, { location: 'Depot' });
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    await driver.api.deliveries.complete({ params: { id: pkg.id }, body: { receivedBy: 'Anna' } });
    time = new Date('2026-05-01T12:00:00.000Z');
    expect(await track(pkg.trackingId)).toMatchObject({ recipientName: 'Anna Maria Berg', location: 'Hiddentown' });
    time = new Date('2026-05-01T12:00:00.001Z');
    const old = await track(pkg.trackingId);
    expect(old).toMatchObject({
      recipientName: null,
      location: null,
      status: 'delivered',
      name: 'Desk lamp',
      completedAt: '2026-04-01T12:00:00.000Z',
    });
    expect(old.events.map(({ location }) => location)).toEqual([null, null, null]);
    expect(await track(waiting.trackingId)).toMatchObject({ recipientName: 'Anna Maria Berg', location: 'Depot' });
  });
});

describe('cancelled and deleted', () => {
  test.each(['cancelled', 'inactive'] as const)(
    'a package that becomes %s immediately withholds recipient and place, in responses and open streams',
    async (status) => {
      const pkg = await createPackage(owner, { ...secrets, location: 'Depot', recipientName: 'Mara Lindqvist' });
      const stream = await watch(product, `/track/${pkg.trackingId}/live`);
      expect(JSON.stringify(stream.events)).toMatch(/Mara.*Depot|Depot.*Mara/);
      await owner.api.packages.update({ params: { id: pkg.id }, body: { status } });
      const view = await track(pkg.trackingId);
      expect(view).toMatchObject({ status, name: 'Desk lamp', recipientName: null, location: null });
      expect(view.events.map(({ location }) => location)).toEqual([null, null]);
      await eventually('the stream sends it', () => stream.events.length > 1);
      expect(stream.events.at(-1)).toEqual({ event: 'view', data: view });
      stream.stop();
      // The owner still sees the recipient.
      expect(await owner.api.packages.read({ params: { id: pkg.id } })).toMatchObject({
        recipientName: 'Mara Lindqvist',
      });
    },
  );
});

test('streams, also open ones, withhold recipient and places 30 days after the delivery', async () => {
  time = new Date('2026-06-01T12:00:00.000Z');
  const pkg = await createPackage(owner, {
    location: 'Depot',
    recipientName: 'Mara Lindqvist',
    address: secrets.address,
  });
  const params = { id: pkg.id };
  await driver.api.deliveries.start({ params });
  await driver.api.deliveries.complete({ params });
  const path = `/track/${pkg.trackingId}/live`;
  const shown = {
    event: 'view',
    data: expect.objectContaining({ recipientName: 'Mara Lindqvist', location: 'Hiddentown' }) as unknown,
  };
  const redacted = {
    event: 'view',
    data: expect.objectContaining({ name: 'Desk lamp', recipientName: null, location: null }) as unknown,
  };

  time = new Date('2026-07-01T12:00:00.000Z');
  const early = await watch(product, path);
  expect(early.events).toEqual([shown]);
  time = new Date('2026-07-01T12:00:00.001Z');
  const late = await watch(product, path);
  expect(late.events).toEqual([redacted]);
  expect(JSON.stringify(late.events)).not.toMatch(/Mara|Depot/);
  // What was sent cannot be taken back, but the next view is redacted.
  await owner.api.packages.rate({ params, body: { stars: 5 } });
  await eventually('the next view', () => early.events.length > 1);
  expect(early.events).toEqual([shown, redacted]);
  early.stop();
  late.stop();
});

test('a stream that may have missed a change ends, so that the client reconnects', async () => {
  const other = await openTestProduct();
  const { trackingId } = await createPackage(await other.register('owner'));
  // The first lookup succeeds, the second fails; other statements that read or write public views do not count.
  await other.ctx.db.query('create sequence lookups');
  await other.ctx.db.query(
    `create function count_lookup() returns boolean language plpgsql as
     $$ begin if current_query() like '%tracking_id = any%' and nextval('lookups') = 2 then raise 'no answer'; end if; return true; end $$`,
  );
  await other.ctx.db.query('alter table public_views rename to public_views_kept');
  await other.ctx.db.query('create view public_views as select * from public_views_kept where count_lookup()');
  const watcher = await watch(other, `/track/${trackingId}/live`);
  await eventually('the stream ends', () => watcher.ended());
  expect([watcher.events[0]?.event, watcher.bye()]).toEqual(['view', 'drain']);
  await other.close();
});

test('unknown and malformed IDs get one and the same 404', async () => {
  const answers = new Set<string>();
  for (const id of [
    'PKG-AAAAAAAA',
    'PKG-AAAA',
    'x',
    '%00',
    '%F0%9F%93%A6',
    '%',
    '%27%3B--',
    'a'.repeat(199),
    'PKG-AAAAAAAA%0A',
    '..%2f..%2fetc',
  ]) {
    const response = await inject(product.app, `/api/track/${id}`, { method: 'GET' });
    const { requestId, ...body } = (await response.json()) as { requestId: string };
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    if (id !== '%') answers.add(JSON.stringify({ status: response.status, body }));
    else expect(response.status).toBe(404);
  }
  expect([...answers]).toEqual([
    JSON.stringify({ status: 404, body: { code: 'not_found', message: 'Package not found' } }),
  ]);
});
