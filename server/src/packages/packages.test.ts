import {
  lifecycle,
  packageStatuses,
  type LifecycleAction,
  type Package,
  type PackageStatus,
  type Permission,
} from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  packageInput,
  untilWaiting,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const update = (pkg: Package, body: object, headers: Record<string, string> = {}) =>
  owner.api.packages.update({ params: { id: pkg.id }, body, headers });
const read = (pkg: Package) => owner.api.packages.read({ params: { id: pkg.id } });
const eventsOf = async (pkg: Package) => (await owner.api.packages.events({ params: { id: pkg.id } })).items;

/** Creates a package of `owner` and brings it into this status through the API. */
async function packageIn(status: PackageStatus): Promise<Package> {
  const pkg = await createPackage(owner);
  const params = { id: pkg.id };
  if (['in transit', 'out for delivery', 'delivered'].includes(status)) await driver.api.deliveries.start({ params });
  if (status === 'out for delivery') await driver.api.deliveries.next({ params });
  if (status === 'delivered') await driver.api.deliveries.complete({ params });
  if (status === 'cancelled' || status === 'inactive') await update(pkg, { status });
  const now = await read(pkg);
  expect(now.status).toBe(status);
  return now;
}

describe('creating', () => {
  test('returns the whole package in processing at version 1, with both ids and an ETag', async () => {
    const response = await inject(product.app, '/api/packages', {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(
        packageInput({
          dimensions: { width: 10, height: null, length: 0 },
          location: ' Depot ',
          eta: '2026-03-05',
          address: { street: 'Hauptstr. 5', postalCode: '10115', city: 'Berlin', country: '' },
          window: { from: '2026-03-05T08:00:00+01:00', to: '2026-03-05T12:00:00Z' },
          handling: { fragile: true, safePlace: 'Behind the shed' },
        }),
      ),
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('etag')).toBe('"1"');
    const pkg = (await response.json()) as Package;
    expect(pkg).toEqual({
      _id: pkg.id,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      userId: owner.id,
      trackingId: expect.stringMatching(/^PKG-[A-Z0-9]{8}$/),
      reference: null,
      name: 'Desk lamp',
      description: 'A lamp for the desk, in two parts',
      category: 'Furniture',
      weight: 2.5,
      dimensions: { width: 10, height: null, length: 0 },
      recipientName: 'Anna Maria Berg',
      recipientContact: '+49 151 2345678',
      recipientEmail: null,
      recipientPhone: '+491512345678',
      recipientLanguage: null,
      recipientAddress: 'Hauptstr. 5, 10115 Berlin',
      address: { street: 'Hauptstr. 5', postalCode: '10115', city: 'Berlin', country: null },
      window: { from: '2026-03-05T07:00:00.000Z', to: '2026-03-05T12:00:00.000Z' },
      handling: {
        fragile: true,
        keepUpright: false,
        refrigerated: false,
        signatureRequired: false,
        pin: false,
        age: null,
        safePlace: 'Behind the shed',
      },
      pinState: null,
      instructions: null,
      hideRecipient: false,
      showSender: false,
      allowChanges: true,
      place: null,
      recipientChanges: [],
      recipientRating: null,
      status: 'processing',
      location: 'Depot',
      eta: '2026-03-05',
      images: [],
      driverId: null,
      routeId: null,
      depotId: null,
      issue: null,
      startTime: null,
      estimatedDeliveryTime: null,
      arrivalWindow: null,
      stopsAway: null,
      failedAttempt: null,
      returnedAt: null,
      attempts: 0,
      returnDue: false,
      nextStep: null,
      actualDeliveryTime: null,
      completedAt: null,
      receivedBy: null,
      rating: null,
      createdAt: '2026-03-01T10:00:00.000Z',
      lastUpdate: '2026-03-01T10:00:00.000Z',
      version: 1,
    });
    expect(await read(pkg)).toEqual(pkg);
  });

  test.each([
    ['name', { name: 'ab' }, 'Name must be at least 3 characters'],
    ['name', { name: undefined }, 'Name must be at least 3 characters'],
    ['name', { name: 'x'.repeat(121) }, 'Name must be at most 120 characters'],
    ['description', { description: 'too short' }, 'Description must be at least 10 characters'],
    ['description', { description: 'x'.repeat(2001) }, 'Description must be at most 2000 characters'],
    ['category', { category: '' }, 'Please select a category'],
    ['category', { category: undefined }, 'Please select a category'],
    ['category', { category: 'electronics' }, 'Please select a category'],
    ['weight', { weight: 0.05 }, 'Weight must be at least 0.1kg'],
    ['weight', { weight: -3 }, 'Weight must be at least 0.1kg'],
    ['weight', { weight: '3' }, 'Weight must be a number'],
    ['weight', { weight: 50.1 }, 'Weight must be at most 50kg'],
    ['dimensions.width', { dimensions: { width: -1 } }, 'Width must be positive'],
    ['dimensions.height', { dimensions: { height: -1 } }, 'Height must be positive'],
    ['dimensions.length', { dimensions: { length: -1 } }, 'Length must be positive'],
    ['recipientName', { recipientName: 'Al' }, 'Recipient name must be at least 3 characters'],
    ['recipientContact', { recipientContact: '12345' }, 'Contact must be at least 10 characters'],
    ['eta', { eta: '2026-02-30' }, 'Must be a real date'],
    ['eta', { eta: '2026-03-05T25:00:00Z' }, 'Must be a real date'],
    ['eta', { eta: 'tomorrow' }, 'Must be a date like 2026-01-31'],
    [
      'window.to',
      { window: { from: '2026-03-05T12:00:00Z', to: '2026-03-05T12:00:00Z' } },
      'The window must end after it starts',
    ],
    ['trackingId', { trackingId: 'PKG-1234567' }, 'Tracking ID must be PKG- and 8 capital letters or digits'],
    ['colour', { colour: 'red' }, 'This field is not known'],
    ['handling.explosive', { handling: { explosive: true } }, 'This field is not known'],
  ])('refuses a bad %s %j', async (path, fields, message) => {
    const error = await owner.api.packages
      .create({ body: { ...packageInput(), ...fields } as never })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 422, code: 'invalid', fields: { [path]: message } });
    expect(Object.keys((error as { fields: object }).fields)).toHaveLength(1);
  });

  test('takes the date of an instant as written, in whatever zone', async () => {
    for (const eta of ['2026-03-05T23:30:00-11:00', '2026-03-05T00:10:00+14:00', '2026-03-05']) {
      expect(await createPackage(owner, { eta })).toMatchObject({ eta: '2026-03-05' });
    }
    expect(await createPackage(owner, { eta: '' })).toMatchObject({ eta: null });
  });

  test('keeps a tracking ID generated by the form, and answers 409 if it is taken', async () => {
    expect(await createPackage(owner, { trackingId: 'PKG-FORM0001' })).toMatchObject({ trackingId: 'PKG-FORM0001' });
    await expect(createPackage(owner, { trackingId: 'PKG-FORM0001' })).rejects.toMatchObject({
      status: 409,
      code: 'tracking_id_taken',
      fields: { trackingId: 'This tracking ID is already in use' },
    });
    await createPackage(owner, { trackingId: 'PKG-FORM0002' });
  });

  test('ignores fields that only the server sets', async () => {
    const pkg = await createPackage(owner, {
      id: 'x',
      _id: 7,
      userId: admin.id,
      status: 'delivered',
      version: 99,
      createdAt: 'never',
      lastUpdate: null,
      driverId: driver.id,
    });
    expect(pkg).toMatchObject({ userId: owner.id, status: 'processing', version: 1, driverId: null });
  });

  test('stores text of every script unchanged', async () => {
    const name = 'Łampa 灯 💡 <b>"O\'Neill"</b> % _ \\ 👩‍👧 می‌خواهم';
    expect(await createPackage(owner, { name })).toMatchObject({ name });
  });
});

describe.each([
  ['suspended', (params: { id: string }) => admin.api.users.update({ params, body: { status: 'suspended' } })],
  ['deleted', (params: { id: string }) => admin.api.users.remove({ params })],
] as const)('creating while the owner is being %s', (fate, end) => {
  /** Starts the two in this order, each blocked before it commits, then releases both. */
  async function race(first: () => Promise<unknown>, second: () => Promise<unknown>) {
    // Jobs also write events: a late one would be blocked in place of `first`.
    await eventually('no job is running', async () => {
      const jobs = await product.ctx.db.query(
        "select from jobs.job where state in ('created', 'active', 'retry') and start_after <= now()",
      );
      return jobs.length === 0;
    });
    const started = await product.ctx.db.transaction(async (tx) => {
      // Both block here when they record their event, in the order in which they started.
      await tx.query('lock table package_events in share row exclusive mode');
      const one = first().catch((error: unknown) => error);
      await untilWaiting(tx, 1);
      const other = second().catch((error: unknown) => error);
      await untilWaiting(tx, 2);
      return [one, other];
    });
    return Promise.all(started);
  }
  const listOf = async ({ id }: TestUser) => (await admin.api.packages.listOfUser({ params: { id } })).items;

  test('creates nothing if that came first', async () => {
    const leaving = await product.register('owner');
    const [, created] = await race(
      () => end({ id: leaving.id }),
      () => createPackage(leaving),
    );
    expect(created).toMatchObject({ status: 403, code: 'not_active' });
    expect(await listOf(leaving)).toEqual([]);
  });

  test('creates a package if the creation came first; a deletion then cancels it like every unstarted one', async () => {
    const leaving = await product.register('owner');
    const [created] = await race(
      () => createPackage(leaving),
      () => end({ id: leaving.id }),
    );
    expect(created).toMatchObject({ status: 'processing' });
    const status = fate === 'deleted' ? 'cancelled' : 'processing';
    await eventually(`it is ${status}`, async () => (await listOf(leaving))[0]?.status === status);
  });
});

describe('changing', () => {
  test('sending the full package back changes nothing, not even the version', async () => {
    const pkg = await createPackage(owner, {
      dimensions: { width: 1 },
      address: { street: 'A 1', city: 'B' },
      handling: { safePlace: 'here' },
    });
    time = new Date('2026-03-01T11:00:00.000Z');
    expect(await update(pkg, pkg)).toEqual(pkg);
    expect(await eventsOf(pkg)).toHaveLength(1);
  });

  test('content increments the version, updates lastUpdate and records one event', async () => {
    const pkg = await createPackage(owner);
    time = new Date('2026-03-01T12:00:00.000Z');
    const changed = await update(pkg, {
      ...pkg,
      name: 'Floor lamp',
      weight: 3.14159,
      eta: '2026-04-01',
      hideRecipient: true,
    });
    expect(changed).toEqual({
      ...pkg,
      name: 'Floor lamp',
      weight: 3.142,
      eta: '2026-04-01',
      hideRecipient: true,
      version: 2,
      lastUpdate: '2026-03-01T12:00:00.000Z',
    });
    expect((await eventsOf(pkg)).map(({ type }) => type)).toEqual(['package.updated', 'package.created']);
  });

  test('a single field is enough, and null clears optional fields', async () => {
    const pkg = await createPackage(owner, {
      location: 'Depot',
      eta: '2026-04-01',
      address: { street: 'A 1', city: 'B' },
    });
    expect(await update(pkg, { location: null, eta: '', address: null })).toMatchObject({
      location: null,
      eta: null,
      address: null,
      recipientAddress: null,
      name: pkg.name,
    });
  });

  test('fields that only the server sets are ignored', async () => {
    const pkg = await createPackage(owner);
    const sent = {
      ...pkg,
      _id: 'other',
      id: 'other',
      userId: admin.id,
      trackingId: 'PKG-00000000',
      createdAt: 'yesterday',
      lastUpdate: 5,
      driverId: driver.id,
      startTime: 'now',
      completedAt: 'now',
      actualDeliveryTime: 'now',
      estimatedDeliveryTime: 'now',
      issue: 'none',
      recipientAddress: 'elsewhere',
    };
    expect(await update(pkg, sent)).toEqual(pkg);
  });

  test('unknown fields and invalid values are 422, and nothing changes', async () => {
    const pkg = await createPackage(owner);
    await expect(update(pkg, { owner: 'me' })).rejects.toMatchObject({
      status: 422,
      fields: { owner: 'This field is not known' },
    });
    await expect(update(pkg, { name: 'x', weight: 0 })).rejects.toMatchObject({
      fields: { name: 'Name must be at least 3 characters', weight: 'Weight must be at least 0.1kg' },
    });
    await expect(update(pkg, { status: 'lost' })).rejects.toMatchObject({ status: 422 });
    expect(await read(pkg)).toEqual(pkg);
  });

  test('a stale copy is 409, a stale If-Match 412, and nothing is lost', async () => {
    const pkg = await createPackage(owner);
    await update(pkg, { name: 'Second name' });
    await expect(update(pkg, { ...pkg, name: 'Third name' })).rejects.toMatchObject({ status: 409, code: 'stale' });
    await expect(update(pkg, { name: 'Third name' }, { 'if-match': '"1"' })).rejects.toMatchObject({
      status: 412,
      code: 'precondition_failed',
    });
    expect(await read(pkg)).toMatchObject({ name: 'Second name', version: 2 });
    expect(await update(pkg, { name: 'Third name' }, { 'if-match': '"2"' })).toMatchObject({ version: 3 });
    expect(await update(pkg, { name: 'Fourth name' }, { 'if-match': '*' })).toMatchObject({ version: 4 });
  });

  test.each(['"1"', '"0", "1"', ', "x,y" ,W/"9",\t"1",', ' * '])(
    'If-Match: %s matches the first version',
    async (tags) => {
      const pkg = await createPackage(owner);
      expect(await update(pkg, { name: 'Second name' }, { 'if-match': tags })).toMatchObject({ version: 2 });
    },
  );

  test.each(['W/"1"', '"0", W/"1"', '1', '"11"', '"0" "1"', 'x"1"', '"1', '', '"2, "1"'])(
    'If-Match: %s does not match the first version',
    async (tags) => {
      const pkg = await createPackage(owner);
      await expect(update(pkg, { name: 'Second name' }, { 'if-match': tags })).rejects.toMatchObject({ status: 412 });
      expect(await read(pkg)).toEqual(pkg);
    },
  );

  test('of ten concurrent changes of one version, one wins and nine get a conflict', async () => {
    const pkg = await createPackage(owner);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => update(pkg, { ...pkg, name: `Name ${index}` })),
    );
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map((result) => (result.reason as { code: string }).code);
    expect(refused).toEqual(Array.from({ length: 9 }, () => 'stale'));
    expect(await read(pkg)).toMatchObject({ version: 2 });
  });

  test('is allowed to administrators, and the timeline names them', async () => {
    const pkg = await createPackage(owner);
    await admin.api.packages.update({ params: { id: pkg.id }, body: { name: 'By the admin' } });
    const [event] = await eventsOf(pkg);
    expect(event).toMatchObject({ type: 'package.updated', status: 'processing', actor: admin.user.name, note: null });
  });

  test('details are locked once a driver has the package, and the message names the status', async () => {
    for (const status of packageStatuses.filter((one) => one !== 'processing')) {
      const pkg = await packageIn(status);
      await expect(update(pkg, { name: 'New name' })).rejects.toMatchObject({
        status: 409,
        code: 'illegal_step',
        message: expect.stringContaining(status) as string,
      });
      expect(await update(pkg, pkg)).toEqual(pkg);
    }
  });
});

describe('the life of a package', () => {
  const acts: Record<LifecycleAction, (pkg: Package) => Promise<unknown>> = {
    start: ({ id }) => driver.api.deliveries.start({ params: { id } }),
    next: ({ id }) => driver.api.deliveries.next({ params: { id } }),
    arrive: ({ id }) => driver.api.deliveries.arrive({ params: { id } }),
    retract: ({ id }) => driver.api.deliveries.retract({ params: { id } }),
    complete: ({ id }) => driver.api.deliveries.complete({ params: { id } }),
    fail: ({ id }) => admin.api.deliveries.fail({ params: { id }, body: { reason: 'Nobody home' } }),
    assign: ({ id }) => admin.api.deliveries.assign({ params: { id }, body: { driverId: driver.id } }),
    // The completion of a package that goes back: see returns.test.ts.
    return: ({ id }) => driver.api.deliveries.complete({ params: { id } }),
    collect: ({ id }) => admin.api.deliveries.collected({ params: { id } }),
    reopen: ({ id }) => admin.api.deliveries.reopen({ params: { id }, body: { reason: 'Wrong door' } }),
    cancel: (pkg) => update(pkg, { status: 'cancelled' }),
    remove: (pkg) => update(pkg, { status: 'inactive' }),
  };
  /** Idempotent repeats: they succeed and change nothing. */
  const repeats: [LifecycleAction, PackageStatus][] = [
    ['start', 'delivered'],
    ['start', 'in transit'],
    ['start', 'out for delivery'],
    ['next', 'out for delivery'],
    // Nobody has arrived.
    ['retract', 'in transit'],
    ['retract', 'out for delivery'],
    ['complete', 'delivered'],
    ['assign', 'in transit'],
    ['cancel', 'cancelled'],
    ['remove', 'inactive'],
  ];
  const events: Record<LifecycleAction, string> = {
    start: 'delivery.started',
    next: 'delivery.next',
    arrive: 'delivery.arrived',
    retract: 'delivery.arrival-retracted',
    complete: 'delivery.completed',
    fail: 'delivery.failed',
    assign: 'delivery.assigned',
    return: 'package.returned',
    collect: 'package.collected',
    reopen: 'delivery.reopened',
    cancel: 'package.cancelled',
    remove: 'package.deleted',
  };

  const cases = packageStatuses.flatMap((status) =>
    (Object.keys(lifecycle) as LifecycleAction[])
      .filter((action) => action !== 'return')
      .map((action) => ({ action, status })),
  );
  test.each(cases)('$action from $status follows the transition table', async ({ action, status }) => {
    const pkg = await packageIn(status);
    const before = (await eventsOf(pkg)).length;
    const { from, to }: { from: readonly PackageStatus[]; to: PackageStatus } = lifecycle[action];
    const outcome = await acts[action](pkg).then(
      () => 'done',
      (error: { status: number }) => error.status,
    );
    const after = await read(pkg);
    const happened = await eventsOf(pkg);
    if (repeats.some(([what, when]) => what === action && when === status)) {
      expect(outcome).toBe('done');
      expect(after).toEqual(pkg);
    } else if (from.includes(status)) {
      expect(outcome).toBe('done');
      expect(after).toMatchObject({ status: to, version: pkg.version + 1 });
      expect(happened).toHaveLength(before + 1);
      expect(happened[0]).toMatchObject({ type: events[action], status: to });
    } else {
      // Deliveries of other drivers answer 404, unclaimed ones 409, since every driver can see those.
      const isForeign =
        ['next', 'arrive', 'retract', 'complete'].includes(action) &&
        after.driverId !== driver.id &&
        after.status !== 'processing';
      expect(outcome).toBe(isForeign ? 404 : 409);
      expect(after).toEqual(pkg);
      expect(happened).toHaveLength(before);
    }
  });

  test.each(['in transit', 'out for delivery', 'delivered', 'processing'] as const)(
    'the status cannot be set to %s directly',
    async (status) => {
      for (const from of packageStatuses.filter((one) => one !== status)) {
        const pkg = await packageIn(from);
        await expect(update(pkg, { status })).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
      }
    },
  );

  test('deleting needs a permission of its own, except for those who may change all packages', async () => {
    const setPermissions = (user: TestUser, permissions: Permission[] | null) =>
      admin.api.users.update({ params: { id: user.id }, body: { permissions } });
    const pkg = await createPackage(owner);
    await setPermissions(owner, ['packages.read', 'packages.create', 'packages.update']);
    await expect(update(pkg, { status: 'inactive', name: 'Another name' })).rejects.toMatchObject({ status: 403 });
    expect(await read(pkg)).toEqual(pkg);
    expect(await update(pkg, { status: 'cancelled' })).toMatchObject({ status: 'cancelled' });
    await setPermissions(owner, null);
    const clerk = await product.register('admin');
    await setPermissions(clerk, ['packages.read', 'packages.update', 'packages.view_all']);
    const change = { params: { id: pkg.id }, body: { status: 'inactive' as const } };
    expect(await clerk.api.packages.update(change)).toMatchObject({ status: 'inactive' });
  });

  test('content and a cancellation can be sent in one request', async () => {
    const pkg = await createPackage(owner);
    expect(await update(pkg, { ...pkg, name: 'Last words', status: 'cancelled' })).toMatchObject({
      name: 'Last words',
      status: 'cancelled',
      version: 3,
    });
    expect((await eventsOf(pkg)).map(({ type }) => type)).toEqual([
      'package.cancelled',
      'package.updated',
      'package.created',
    ]);
  });

  test('an illegal status also rejects the content in the same request', async () => {
    const pkg = await createPackage(owner);
    await expect(update(pkg, { ...pkg, name: 'Never seen', status: 'delivered' })).rejects.toMatchObject({
      status: 409,
    });
    expect(await read(pkg)).toEqual(pkg);
  });
});

describe('lists', () => {
  let collector: TestUser;
  const made: Package[] = [];
  beforeAll(async () => {
    collector = await product.register('owner');
    for (const [index, name] of [
      '100% wool',
      '100 wool',
      'under_score',
      'underXscore',
      'back\\slash',
      'Ärmel',
    ].entries()) {
      time = new Date(Date.UTC(2026, 4, index + 1, 12));
      made.push(await createPackage(collector, { name, recipientName: index === 5 ? 'Zoë Quince' : 'Bob Brown' }));
    }
  });
  const list = async (query: object = {}) =>
    collector.api.packages.listOfUser({ params: { id: collector.id }, query: { ...query } });
  const names = async (query: object) => (await list(query)).items.map(({ name }) => name);

  test('are sorted newest first, in pages without gaps or duplicates', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await list({ limit: 4, cursor, count: true });
      expect(page.total).toBe(6);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next ?? undefined;
      pages++;
    } while (cursor);
    expect(seen).toEqual(made.map(({ id }) => id).toReversed());
    expect(pages).toBe(2);
  });

  test('link the next page in a Link header that can be requested as it is', async () => {
    const call = (path: string) =>
      inject(product.app, path, { method: 'GET', headers: { authorization: `Bearer ${collector.token}` } });
    const first = await call(`/api/packages/user/${collector.id}?limit=4&status=processing`);
    const link = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(link).toContain('status=processing');
    expect(first.headers.get('x-total-count')).toBeNull();
    const second = await call(link);
    expect(((await second.json()) as Package[]).map(({ id }) => id)).toEqual([made[1]?.id, made[0]?.id]);
    expect(second.headers.get('link')).toBeNull();
  });

  test.each([
    ['100%', ['100% wool']],
    ['%', ['100% wool']],
    ['_', ['under_score']],
    ['r_s', ['under_score']],
    ['\\', ['back\\slash']],
    ['ärMEL', ['Ärmel']],
    ['quince', ['Ärmel']],
    ['processing', ['Ärmel', 'back\\slash', 'underXscore', 'under_score', '100 wool', '100% wool']],
    ['nothing like it', []],
    ["'; drop table packages; --", []],
  ])('search for %j finds what contains it', async (q, expected) => {
    expect(await names({ q })).toEqual(expected);
  });

  test('search finds tracking IDs in any case, and packages in transit by the displayed label', async () => {
    expect(await names({ q: made[2]?.trackingId.toLowerCase() })).toEqual(['under_score']);
    const pkg = await packageIn('in transit');
    const found = await owner.api.packages.listOfUser({ params: { id: owner.id }, query: { q: 'Out for Delivery' } });
    expect(found.items.map(({ id }) => id)).toContain(pkg.id);
  });

  test('search uses the current content, for owners and administrators, and finds any part of the ID', async () => {
    const mine = await product.register('owner');
    const pkg = await createPackage(mine, { name: 'Zither', recipientName: 'Ulla Yttrium' });
    const found = async (q: string) => [
      (await mine.api.packages.listOfUser({ params: { id: mine.id }, query: { q, count: true } })).total,
      (await admin.api.packages.listAll({ query: { q, count: true } })).total,
    ];
    expect(await found('zither')).toEqual([1, 1]);
    await mine.api.packages.update({
      params: { id: pkg.id },
      body: { name: 'Xylophone', recipientName: 'Vera Tungsten' },
    });
    expect([await found('zither'), await found('yttrium')]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect([await found('xylophone'), await found('vera TUNG')]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    for (const part of [pkg.trackingId, pkg.trackingId.slice(4), pkg.trackingId.slice(0, 9)])
      expect((await found(part))[0]).toBe(1);
    for (const beginning of ['p', 'pkg', 'pkg-']) expect((await found(beginning))[0]).toBe(1);
    // A term with the prefix is an ID: it matches neither names nor the middle of IDs.
    for (const other of ['PKG-xylo', `PKG-${pkg.trackingId.slice(6)}`]) expect(await found(other)).toEqual([0, 0]);
  });

  test('are filtered by days and instants of the last update, both inclusive', async () => {
    expect(await names({ from: '2026-05-02', to: '2026-05-03' })).toEqual(['under_score', '100 wool']);
    expect(await names({ from: '2026-05-02T12:00:00Z', to: '2026-05-02T12:00:00Z' })).toEqual(['100 wool']);
    expect(await names({ from: '2026-05-06T12:00:00.001Z' })).toEqual([]);
  });

  test('are filtered by one status, several, or active; an invalid filter is 422', async () => {
    const mine = await product.register('owner');
    const make = async (status?: PackageStatus) => {
      time = new Date(time.getTime() + 1);
      const pkg = await createPackage(mine, { name: status ?? 'processing' });
      if (status === 'in transit' || status === 'delivered')
        await driver.api.deliveries.start({ params: { id: pkg.id } });
      if (status === 'delivered') await driver.api.deliveries.complete({ params: { id: pkg.id } });
      if (status === 'cancelled' || status === 'inactive')
        await mine.api.packages.update({ params: { id: pkg.id }, body: { status } });
    };
    for (const status of [undefined, 'in transit', 'delivered', 'cancelled', 'inactive'] as const) await make(status);
    const by = async (status: string) =>
      (await mine.api.packages.listOfUser({ params: { id: mine.id }, query: { status } })).items.map(
        ({ name }) => name,
      );
    expect(await by('delivered')).toEqual(['delivered']);
    expect(await by('in transit,out for delivery')).toEqual(['in transit']);
    expect(await by('active')).toEqual(['cancelled', 'in transit', 'processing']);
    expect(await by('active,inactive')).toEqual(['inactive', 'cancelled', 'in transit', 'processing']);
    for (const sort of ['-createdAt', 'createdAt'] as const) {
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = { status: 'active', sort, limit: 1, count: true, ...(cursor && { cursor }) };
        const { items, next, total } = await mine.api.packages.listOfUser({ params: { id: mine.id }, query });
        expect(total).toBe(3);
        paged.push(...items.map(({ name }) => name));
        cursor = next;
      }
      const newestFirst = ['cancelled', 'in transit', 'processing'];
      expect(paged).toEqual(sort === 'createdAt' ? newestFirst.toReversed() : newestFirst);
    }
    expect(await mine.api.packages.summary({ params: { id: mine.id } })).toMatchObject({
      active: 3,
      delivered: 1,
      outForDelivery: 1,
      processing: 1,
      cancelled: 1,
    });
    for (const query of [
      { status: 'lost' },
      { limit: 0 },
      { limit: 201 },
      { limit: 'x' },
      { cursor: 'x' },
      { from: 'yesterday' },
      { sort: 'weight' },
      { order: 'name' },
      { count: 'perhaps' },
    ]) {
      await expect(list(query)).rejects.toMatchObject({ status: 422, code: 'invalid' });
    }
    for (const choice of ['failed', 'overdue', 'count']) {
      const fields = { [choice]: `${choice} must be true or false` };
      await expect(list({ [choice]: 'yes' })).rejects.toMatchObject({ status: 422, fields });
    }
  });

  test('by stage: on the road by expected arrival, waiting, done; pages go on where a package has moved on meanwhile', async () => {
    const mine = await product.register('owner');
    const make = async (name: string, { hours, ends }: { hours?: number; ends?: 'delivered' | 'cancelled' } = {}) => {
      time = new Date(time.getTime() + 1000);
      const started = time;
      const pkg = await createPackage(mine, { name });
      const params = { id: pkg.id };
      if (ends === 'cancelled') await mine.api.packages.update({ params, body: { status: ends } });
      if (hours !== undefined || ends === 'delivered') {
        time = new Date(started.getTime() + (hours ?? 0) * 3_600_000);
        await driver.api.deliveries.start({ params });
        if (ends === 'delivered') await driver.api.deliveries.complete({ params });
        time = started;
      }
      return pkg;
    };
    await make('delivered', { ends: 'delivered' });
    await make('waiting 1');
    await make('late on the road', { hours: 5 });
    await make('cancelled', { ends: 'cancelled' });
    const moving = await make('waiting 2');
    await make('soon on the road', { hours: 1 });
    const read = (query: object) =>
      mine.api.packages.listOfUser({ params: { id: mine.id }, query: { byStage: true, ...query } });
    const order = ['soon on the road', 'late on the road', 'waiting 2', 'waiting 1', 'cancelled', 'delivered'];
    expect((await read({})).items.map(({ name }) => name)).toEqual(order);
    expect((await read({ status: 'delivered,processing' })).items.map(({ name }) => name)).toEqual([
      'waiting 2',
      'waiting 1',
      'delivered',
    ]);
    expect((await read({ status: 'in transit,cancelled' })).items.map(({ name }) => name)).toEqual([
      'soon on the road',
      'late on the road',
      'cancelled',
    ]);
    expect((await read({ status: 'out for delivery' })).items).toEqual([]);
    const seen: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
      const { items, next, total } = await read({ limit: 1, cursor, count: true });
      expect(total).toBe(6);
      seen.push(...items.map(({ name }) => name));
      cursor = next ?? undefined;
      if (seen.at(-1) === 'waiting 2') await driver.api.deliveries.start({ params: { id: moving.id } });
    }
    expect(seen).toEqual(order);
    const { items, next } = await mine.api.packages.listOfUser({ params: { id: mine.id }, query: { limit: 1 } });
    expect(items[0]?.name).toBe('soon on the road');
    const invalid = { status: 422, fields: { cursor: 'cursor must be the one that the page before gave' } };
    await expect(read({ cursor: next ?? '' })).rejects.toMatchObject(invalid);
    const staged = (await read({ limit: 1 })).next ?? '';
    await expect(
      mine.api.packages.listOfUser({ params: { id: mine.id }, query: { cursor: staged } }),
    ).rejects.toMatchObject(invalid);
  });

  test('are filtered by failed attempt and by overdue, the same for owners, administrators, inventory and exports', async () => {
    const mine = await product.register('owner');
    const start = time;
    const make = (name: string, more: object = {}) => createPackage(mine, { name, ...more });
    const today = time.toISOString().slice(0, 10);
    const hour = (hours: number) => new Date(start.getTime() + hours * 3_600_000).toISOString();
    const failed = await make('Failed', { eta: '2030-01-01' });
    await make('Late by day', { eta: today });
    await make('Late by window', { eta: '2030-01-01', window: { from: hour(1), to: hour(2) } });
    const arrived = await make('Arrived late', { eta: today });
    const gone = await make('Cancelled late', { eta: today });
    await make('In time', { eta: '2030-01-01' });
    await make('Without a day');
    const params = { id: failed.id };
    await driver.api.deliveries.start({ params });
    await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
    await driver.api.deliveries.start({ params: { id: arrived.id } });
    time = new Date(start.getTime() + 3 * 86_400_000);
    await driver.api.deliveries.complete({ params: { id: arrived.id } });
    await mine.api.packages.update({ params: { id: gone.id }, body: { status: 'cancelled' } });
    const own = async (query: { failed?: boolean; overdue?: boolean; status?: string }) => {
      const listed = await mine.api.packages.listOfUser({ params: { id: mine.id }, query });
      const file = await mine.api.packages.exportOfUser({ params: { id: mine.id }, query });
      const listedNames = listed.items.map(({ name }) => name).toSorted();
      expect((await file.text()).trim().split('\r\n')).toHaveLength(listedNames.length + 1);
      for (const everyones of [
        await admin.api.packages.listAll({ query: { ...query, limit: 200 } }),
        await admin.api.inventory.packages({ query: { ...query, limit: 200 } }),
      ])
        expect(
          everyones.items
            .flatMap(({ id, name }) => (listed.items.some((one) => one.id === id) ? [name] : []))
            .toSorted(),
        ).toEqual(listedNames);
      return listedNames;
    };
    expect(await own({ failed: true })).toEqual(['Failed']);
    expect(await own({ overdue: true })).toEqual(['Late by day', 'Late by window']);
    expect(await own({ overdue: true, failed: true })).toEqual([]);
    expect(await own({ status: 'cancelled' })).toEqual(['Cancelled late']);
    expect(
      (await mine.api.packages.listOfUser({ params: { id: mine.id }, query: { failed: false } })).items,
    ).toHaveLength(7);
  });

  test('of all packages are for administrators', async () => {
    const page = await admin.api.packages.listAll({ query: { limit: 200, q: 'wool' } });
    expect(page.items.map(({ name }) => name)).toEqual(['100 wool', '100% wool']);
  });
});

test('an arrival before today in the organisation’s zone is refused in forms, edits and import rows', async () => {
  const before = time;
  time = new Date('2026-07-02T02:00:00.000Z');
  const pkg = await createPackage(owner);
  const header = 'name,description,category,weight,recipientName,recipientContact,eta';
  const row = (eta: string) => `Lamp,A lamp for the desk,Furniture,1,Anna Maria Berg,+49 151 2345678,${eta}`;
  for (const [timeZone, today, yesterday, message] of [
    ['UTC', '2026-07-02', '2026-07-01', ': it is 2 July 2026 already in UTC'],
    ['America/New_York', '2026-07-01', '2026-06-30', ''],
    ['Asia/Tokyo', '2026-07-02', '2026-07-01', ': it is 2 July 2026 already in Asia/Tokyo'],
  ] as const) {
    await admin.api.settings.update({ body: { timeZone } });
    const fields = { eta: `Estimated arrival must not be in the past${message}` };
    const refused = { status: 422, fields };
    await expect(createPackage(owner, { eta: yesterday })).rejects.toMatchObject(refused);
    await expect(update(pkg, { eta: yesterday })).rejects.toMatchObject(refused);
    expect(await owner.api.packages.import({ body: [header, row(yesterday)].join('\n') })).toMatchObject({
      failed: 1,
      errors: [{ fields }],
    });
    expect(await createPackage(owner, { eta: today })).toMatchObject({ eta: today });
  }
  await admin.api.settings.update({ body: { timeZone: null } });
  time = before;
});

describe('the timeline', () => {
  test('has what, when, where, who and why, newest first, in pages', async () => {
    const pkg = await createPackage(owner, { location: 'Depot' });
    const params = { id: pkg.id };
    await driver.api.deliveries.start({ params });
    time = new Date('2026-06-01T08:00:00.000Z');
    await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
    const first = await owner.api.packages.events({ params, query: { limit: 2, count: true } });
    expect(first.total).toBe(3);
    expect(first.items[0]).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      type: 'delivery.failed',
      status: 'processing',
      at: '2026-06-01T08:00:00.000Z',
      recordedAt: null,
      location: 'With the driver',
      actor: driver.user.name,
      note: 'Nobody home',
      replyTo: null,
      changes: null,
    });
    const second = await owner.api.packages.events({ params, query: { limit: 2, cursor: first.next ?? '' } });
    expect(second.items.map(({ type }) => type)).toEqual(['package.created']);
    expect(second.next).toBeNull();
  });
});

test('malformed and unknown ids are both 404', async () => {
  for (const id of ['1', 'x', 'null', crypto.randomUUID(), '%00', '../users', 'x'.repeat(300)]) {
    await expect(owner.api.packages.read({ params: { id } })).rejects.toMatchObject({ status: 404, code: 'not_found' });
  }
});
