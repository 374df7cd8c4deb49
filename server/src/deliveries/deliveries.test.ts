import {
  createClient,
  maskTrackingId,
  messages,
  type ApiError,
  type Delivery,
  type Package,
  type Permission,
} from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let otherDriver: TestUser;
let admin: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner');
  driver = await product.register('driver');
  otherDriver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const by = (user: TestUser) => ({
  start: (pkg: Package) => user.api.deliveries.start({ params: { id: pkg.id } }),
  next: (pkg: Package) => user.api.deliveries.next({ params: { id: pkg.id } }),
  complete: (pkg: Package, body?: object) =>
    user.api.deliveries.complete({ params: { id: pkg.id }, ...(body && { body }) }),
  fail: (pkg: Package, reason = 'Nobody home') =>
    user.api.deliveries.fail({ params: { id: pkg.id }, body: { reason } }),
  assign: (pkg: Package, to: TestUser) =>
    user.api.deliveries.assign({ params: { id: pkg.id }, body: { driverId: to.id } }),
  issue: (pkg: Package, issue = 'A flat tyre') =>
    user.api.incidents.reportOnDelivery({ params: { id: pkg.id }, body: { issue } }),
});
const read = (pkg: Package) => owner.api.packages.read({ params: { id: pkg.id } });
const pendingOf = async (user: TestUser, pkg: Package) =>
  (await user.api.deliveries.pending({ query: { q: maskTrackingId(pkg.trackingId) } })).items.find(
    ({ id }) => id === pkg.id,
  );

const full = {
  location: 'Depot north',
  address: { street: 'Hauptstr. 5', postalCode: '10115', city: 'Berlin', country: 'Germany' },
  handling: { safePlace: 'Behind the shed', fragile: true },
};

describe('before the start', () => {
  test('what waits is listed by when it is due on request, page by page', async () => {
    const hours = (from: string, to: string) => ({
      from: `2026-03-${from}:00:00.000Z`,
      to: `2026-03-${to}:00:00.000Z`,
    });
    const made = [
      await createPackage(owner, { name: 'Sorted a', eta: '2026-03-09' }),
      await createPackage(owner, { name: 'Sorted b', eta: null }),
      await createPackage(owner, { name: 'Sorted c', eta: '2026-03-09', window: hours('08T08', '08T12') }),
      await createPackage(owner, { name: 'Sorted d', eta: '2026-03-02' }),
      await createPackage(owner, { name: 'Sorted e', eta: '2026-03-10' }),
    ];
    time = new Date('2026-03-05T10:00:00.000Z');
    const names: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await driver.api.deliveries.pending({ query: { order: 'due', q: 'Sorted', limit: 1, cursor } });
      names.push(...page.items.map(({ packageName }) => packageName));
      if (!page.next) break;
      cursor = page.next;
    }
    expect(names).toEqual(['Sorted d', 'Sorted c', 'Sorted a', 'Sorted e', 'Sorted b']);
    const [first] = (await driver.api.deliveries.pending({ query: { order: 'due' } })).items;
    expect(first?.packageName).toBe('Sorted d');
    await expect(admin.api.deliveries.pending({ query: { order: 'due', status: 'pending' } })).rejects.toMatchObject({
      status: 422,
    });
    time = new Date('2026-03-01T10:00:00.000Z');
    for (const { id } of made) await owner.api.packages.update({ params: { id }, body: { status: 'cancelled' } });
  });

  test('drivers share the reads of the list, and nobody sees there what they have just taken', async () => {
    const packages = await Promise.all([1, 2, 3].map(() => createPackage(owner, full)));
    const list = async (user: TestUser) => user.api.deliveries.pending({ query: { limit: 200, count: true } });
    const others = [];
    for (const pkg of packages) {
      others.push(list(otherDriver), list(otherDriver));
      await by(driver).start(pkg);
      others.push(list(otherDriver));
      const [mine, { pending }] = await Promise.all([list(driver), driver.api.deliveries.summary()]);
      expect(mine.items.map(({ id }) => id)).not.toContain(pkg.id);
      expect([mine.total, pending]).toEqual([mine.items.length, mine.items.length]);
    }
    for (const { items } of await Promise.all(others))
      expect(items.every(({ status }) => status === 'pending')).toBe(true);
    // Another page size is another list.
    expect((await driver.api.deliveries.pending({ query: { limit: 1 } })).items.length).toBeLessThanOrEqual(1);
    for (const pkg of packages) await by(driver).complete(pkg);
  });

  test('what another driver takes while the list is read is in it as it was, without the contact that its driver has now', async () => {
    const pkg = await createPackage(owner, full);
    const { db } = product.ctx;
    let statements = 0;
    product.ctx.db = {
      ...db,
      snapshot: (read) =>
        db.snapshot((snapshot) =>
          read({
            async query(sql, params) {
              if (++statements === 2) await by(driver).start(pkg);
              return snapshot.query(sql, params);
            },
          }),
        ),
    };
    try {
      const seen = await pendingOf(otherDriver, pkg);
      expect(statements).toBe(2);
      expect(seen).toMatchObject({ status: 'pending', recipientName: null, recipientPhone: null });
    } finally {
      product.ctx.db = db;
    }
    expect(await pendingOf(otherDriver, pkg)).toBeUndefined();
    await by(driver).complete(pkg);
  });

  test('every driver sees the town and the package’s properties, and nothing of the recipient', async () => {
    const pkg = await createPackage(owner, full);
    for (const viewer of [driver, otherDriver, admin]) {
      const seen = await pendingOf(viewer, pkg);
      expect(seen).toMatchObject({
        status: 'pending',
        location: 'Berlin',
        recipientName: null,
        recipientPhone: null,
        recipientAddress: null,
        trackingId: maskTrackingId(pkg.trackingId),
        driverId: null,
        packageName: 'Desk lamp',
        handling: { fragile: true, safePlace: null },
      });
      for (const secret of ['Anna', 'Berg', '151 2345678', 'Hauptstr', '10115', 'shed'])
        expect(JSON.stringify(seen)).not.toContain(secret);
    }
    expect(await pendingOf(driver, await createPackage(owner, { location: 'Depot north' }))).toMatchObject({
      location: 'Depot north',
    });
  });

  test('available packages are masked in the same way', async () => {
    const pkg = await createPackage(owner, full);
    const q = maskTrackingId(pkg.trackingId);
    const { items } = await driver.api.deliveries.available({ query: { q } });
    const { name, weight, dimensions, createdAt, lastUpdate, version } = pkg;
    expect(items).toEqual([
      expect.objectContaining({
        _id: pkg.id,
        id: pkg.id,
        trackingId: q,
        name,
        weight,
        dimensions,
        createdAt,
        lastUpdate,
        version,
        status: 'processing',
        location: 'Berlin',
        recipientName: null,
        recipientContact: null,
        recipientAddress: null,
        handling: expect.objectContaining({ fragile: true, safePlace: null }) as unknown,
      }),
    ]);
    for (const secret of ['Anna', 'Berg', '151 2345678', 'Hauptstr', '10115', 'shed', owner.id])
      expect(JSON.stringify(items)).not.toContain(secret);
  });

  test('masked recipients cannot be found by searching', async () => {
    const pkg = await createPackage(owner, { recipientName: 'Xaver Quindel', name: 'Unremarkable box' });
    for (const q of ['Xaver', 'quindel']) {
      expect((await driver.api.deliveries.pending({ query: { q } })).items).toEqual([]);
      expect((await driver.api.deliveries.available({ query: { q } })).items).toEqual([]);
    }
    expect(await pendingOf(driver, pkg)).toBeDefined();
  });
});

describe('starting', () => {
  test('assigns the delivery to the driver, unmasked, with a forecast of six hours', async () => {
    const pkg = await createPackage(owner, full);
    time = new Date('2026-03-01T11:00:00.000Z');
    const started = await by(driver).start(pkg);
    expect(started).toMatchObject({
      id: pkg.id,
      status: 'in transit',
      next: false,
      driverId: driver.id,
      startTime: '2026-03-01T11:00:00.000Z',
      estimatedDeliveryTime: '2026-03-01T17:00:00.000Z',
      recipientName: 'Anna Maria Berg',
      recipientPhone: '+49 151 2345678',
      recipientAddress: 'Hauptstr. 5, 10115 Berlin, Germany',
      location: 'With the driver',
      handling: { safePlace: 'Behind the shed' },
    });
    expect(await read(pkg)).toMatchObject({
      status: 'in transit',
      driverId: driver.id,
      startTime: '2026-03-01T11:00:00.000Z',
      version: 2,
    });
    expect(await pendingOf(driver, pkg)).toBeUndefined();
    expect((await driver.api.deliveries.mine({ query: { q: pkg.trackingId } })).items).toEqual([started]);
    expect((await otherDriver.api.deliveries.mine({ query: { q: pkg.trackingId } })).items).toEqual([]);
  });

  test('twice by the same driver is idempotent', async () => {
    const pkg = await createPackage(owner);
    const first = await by(driver).start(pkg);
    time = new Date('2026-03-01T12:00:00.000Z');
    expect(await by(driver).start(pkg)).toEqual(first);
    const next = await by(driver).next(pkg);
    expect(await by(driver).start(pkg)).toEqual(next);
  });

  test('another driver’s delivery is 409 with the message, before and after its completion', async () => {
    const pkg = await createPackage(owner);
    await by(driver).start(pkg);
    const refused = {
      status: 409,
      code: 'already_started',
      message: 'This delivery has already been started by another driver',
    };
    await expect(by(otherDriver).start(pkg)).rejects.toMatchObject(refused);
    await by(driver).complete(pkg);
    await expect(by(otherDriver).start(pkg)).rejects.toMatchObject(refused);
  });

  test.each(['cancelled', 'inactive'] as const)('a package that is %s is 409 with the message', async (status) => {
    const pkg = await createPackage(owner);
    await owner.api.packages.update({ params: { id: pkg.id }, body: { status } });
    await expect(by(driver).start(pkg)).rejects.toMatchObject({
      status: 409,
      code: 'no_longer_available',
      message: 'This delivery is no longer available',
    });
  });
});

describe('on the road', () => {
  test('marking the next stop sets out for delivery and is idempotent', async () => {
    const pkg = await createPackage(owner);
    await by(driver).start(pkg);
    const next = await by(driver).next(pkg);
    expect(next).toMatchObject({ status: 'in transit', next: true, version: 3 });
    expect(await by(driver).next(pkg)).toEqual(next);
    expect(await read(pkg)).toMatchObject({ status: 'out for delivery' });
  });

  test('a delivery is completed with an empty body, or with a name and a note', async () => {
    const [one, two] = [await createPackage(owner), await createPackage(owner)];
    for (const pkg of [one, two]) await by(driver).start(pkg);
    time = new Date('2026-03-01T13:00:00.000Z');
    const completed = await by(driver).complete(one);
    expect(completed).toMatchObject({
      status: 'delivered',
      completedAt: '2026-03-01T13:00:00.000Z',
      actualDeliveryTime: '2026-03-01T13:00:00.000Z',
      receivedBy: null,
    });
    time = new Date('2026-03-01T14:00:00.000Z');
    expect(await by(driver).complete(one)).toEqual(completed);
    expect(
      await by(driver).complete(two, { receivedBy: 'Mr Neighbour', note: 'Third floor', photo: null, signature: null }),
    ).toMatchObject({
      receivedBy: 'Mr Neighbour',
    });
    const { items } = await owner.api.packages.events({ params: { id: two.id } });
    expect(items[0]).toMatchObject({ type: 'delivery.completed', note: 'Third floor' });
    const done = (await driver.api.deliveries.completed({ query: {} })).items.map(({ id }) => id);
    expect(done).toEqual(expect.arrayContaining([one.id, two.id]));
  });

  test('completed deliveries are listed by when they were done, page by page', async () => {
    const by3 = await product.register('driver');
    const packages = [await createPackage(owner), await createPackage(owner), await createPackage(owner)];
    const [first, second, third] = packages.map(({ id }) => id);
    for (const pkg of packages) await by(by3).start(pkg);
    for (const [at, pkg] of [
      ['2026-03-01T15:00:00.000Z', packages[2]],
      ['2026-03-01T16:00:00.000Z', packages[0]],
      ['2026-03-01T17:00:00.000Z', packages[1]],
    ] as const) {
      time = new Date(at);
      if (pkg) await by(by3).complete(pkg);
    }
    time = new Date('2026-03-01T18:00:00.000Z');
    await owner.api.packages.rate({ params: { id: third ?? '' }, body: { stars: 5 } });
    const list = async (query: Record<string, string | number> = {}) => {
      const { items, next } = await by3.api.deliveries.completed({ query });
      return { ids: items.map(({ id }) => id), next };
    };
    expect((await list()).ids).toEqual([second, first, third]);
    const page = await list({ limit: 1 });
    const rest = await list({ cursor: page.next ?? '' });
    expect([...page.ids, ...rest.ids]).toEqual([second, first, third]);
    // What came later, such as a rating, does not count.
    expect((await list({ from: '2026-03-01T16:00:00.000Z' })).ids).toEqual([second, first]);
  });

  test('a package that requires a signature is not completed without a name', async () => {
    const pkg = await createPackage(owner, { handling: { signatureRequired: true } });
    await by(driver).start(pkg);
    for (const body of [undefined, {}, { receivedBy: ' ' }, { receivedBy: null, note: null, signature: null }]) {
      await expect(by(driver).complete(pkg, body)).rejects.toMatchObject({
        status: 422,
        fields: { receivedBy: expect.any(String) as string },
      });
    }
    expect(await read(pkg)).toMatchObject({ status: 'in transit' });
    expect(await by(driver).complete(pkg, { receivedBy: 'Anna Berg' })).toMatchObject({ status: 'delivered' });
  });

  test('a delivery on the road is found with `deliveries.view_all`, even if its driver is suspended, and by no other driver', async () => {
    const lost = await product.register('driver');
    const pkg = await createPackage(owner, full);
    await by(lost).start(pkg);
    const dispatcher = await product.register('driver');
    const permissions: Permission[] = ['deliveries.view_all', 'deliveries.assign'];
    await admin.api.users.update({ params: { id: dispatcher.id }, body: { permissions } });
    // Gained permissions apply to sessions opened afterwards.
    const { token } = await product
      .api()
      .auth.login({ body: { email: dispatcher.email, password: dispatcher.password } });
    dispatcher.api = product.api(token);
    await admin.api.users.update({ params: { id: lost.id }, body: { status: 'suspended' } });
    const find = async (user: TestUser, q: string, status?: string) =>
      (await user.api.deliveries.pending({ query: { q, ...(status && { status }) } })).items.map(({ id }) => id);
    expect(await find(dispatcher, pkg.trackingId, 'in transit')).toEqual([pkg.id]);
    expect(await find(dispatcher, pkg.trackingId, 'pending,in transit')).toEqual([pkg.id]);
    expect(await find(dispatcher, pkg.trackingId)).toEqual([]);
    expect(await find(driver, pkg.trackingId, 'in transit')).toEqual([]);
    const seen = await admin.api.audit.contactViews({ query: { person: dispatcher.id } });
    expect(new Set(seen.items.map(({ packageId }) => packageId))).toEqual(new Set([pkg.id]));
    expect(seen.items.reduce((sum, { times }) => sum + times, 0)).toBe(2);
    expect(await by(dispatcher).assign(pkg, driver)).toMatchObject({ driverId: driver.id });
    const waiting = await createPackage(owner, { recipientName: 'Quentin Unseen' });
    expect(await find(dispatcher, 'quentin', 'pending,in transit')).not.toContain(waiting.id);
  });

  test('failing makes the package claimable again, for the next driver to start', async () => {
    const pkg = await createPackage(owner, full);
    await by(driver).start(pkg);
    await by(driver).next(pkg);
    expect(await by(driver).fail(pkg)).toMatchObject({
      status: 'pending',
      driverId: null,
      startTime: null,
      estimatedDeliveryTime: null,
      recipientName: null,
    });
    expect(await pendingOf(otherDriver, pkg)).toBeDefined();
    for (const act of [by(driver).next, by(driver).complete, by(driver).fail]) {
      await expect(act(pkg)).rejects.toMatchObject({
        status: 409,
        code: 'illegal_step',
        message: expect.stringContaining('This package is processing: it cannot'),
      });
    }
    expect(await by(otherDriver).start(pkg)).toMatchObject({ driverId: otherDriver.id });
    await expect(by(driver).fail(pkg)).rejects.toMatchObject({ status: 404 });
    expect(await by(admin).fail(pkg)).toMatchObject({ status: 'pending' });
    await expect(by(driver).fail(pkg, 'no')).rejects.toMatchObject({
      status: 422,
      fields: { reason: 'Reason must be at least 3 characters' },
    });
  });

  test('another driver’s delivery is 404', async () => {
    const pkg = await createPackage(owner);
    await by(driver).start(pkg);
    for (const act of [by(otherDriver).next, by(otherDriver).complete, by(otherDriver).fail, by(otherDriver).issue]) {
      await expect(act(pkg)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('a reported issue is copied to the package, opens an incident with the next number, and leaves the status unchanged', async () => {
    const pkg = await createPackage(owner, { location: 'Depot' });
    await by(driver).start(pkg);
    expect(await by(driver).issue(pkg, 'The box is\nwet')).toMatchObject({
      issue: 'The box is\nwet',
      status: 'in transit',
      version: 3,
    });
    const incidents = await product.ctx.db.query(
      'select type, description, status, location, number >= 12345 as numbered, reporter_id from incidents where package_id = $1',
      [pkg.id],
    );
    expect(incidents).toEqual([
      {
        type: 'Delivery issue',
        description: 'The box is\nwet',
        status: 'Open',
        location: 'With the driver',
        numbered: true,
        reporter_id: driver.id,
      },
    ]);
    await owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'Where is it?' } });
    expect(await read(pkg)).toMatchObject({ issue: 'Where is it?' });
    await by(driver).complete(pkg);
    await expect(by(driver).issue(pkg)).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
  });

  test('an issue on an unclaimed delivery is refused, with its status in the message', async () => {
    const pkg = await createPackage(owner);
    await expect(by(driver).issue(pkg)).rejects.toMatchObject({
      status: 409,
      code: 'illegal_step',
      message: 'This package is processing: nothing can be reported on it yet',
    });
    await owner.api.packages.update({ params: { id: pkg.id }, body: { status: 'cancelled' } });
    await expect(by(driver).issue(pkg)).rejects.toMatchObject({ status: 404 });
  });
});

describe('assigning', () => {
  test('assigns an unclaimed delivery to a driver, or reassigns it from one driver to another', async () => {
    const pkg = await createPackage(owner);
    expect(await by(admin).assign(pkg, driver)).toMatchObject({ status: 'in transit', driverId: driver.id });
    await by(driver).next(pkg);
    expect(await by(admin).assign(pkg, otherDriver)).toMatchObject({
      status: 'in transit',
      next: false,
      driverId: otherDriver.id,
    });
    await expect(by(driver).complete(pkg)).rejects.toMatchObject({ status: 404 });
    await by(otherDriver).complete(pkg);
    await expect(by(admin).assign(pkg, driver)).rejects.toMatchObject({ status: 409, code: 'illegal_step' });
  });

  test('accepts active drivers only', async () => {
    const pkg = await createPackage(owner);
    const suspended = await product.register('driver');
    await admin.api.users.update({ params: { id: suspended.id }, body: { status: 'suspended' } });
    for (const one of [suspended, owner, { ...driver, id: crypto.randomUUID() }]) {
      await expect(by(admin).assign(pkg, one)).rejects.toMatchObject({
        status: 422,
        fields: { driverId: 'This is not an active driver' },
      });
    }
    expect(await read(pkg)).toMatchObject({ status: 'processing', driverId: null });
  });

  test('lets administrators see and reassign the delivery of a driver who is suspended on the road', async () => {
    const unlucky = await product.register('driver');
    const pkg = await createPackage(owner);
    await by(unlucky).start(pkg);
    await admin.api.users.update({ params: { id: unlucky.id }, body: { status: 'suspended' } });
    await expect(by(unlucky).complete(pkg)).rejects.toMatchObject({ status: 403 });
    await expect(by(admin).assign(pkg, unlucky)).rejects.toMatchObject({
      status: 422,
      fields: { driverId: 'This is not an active driver' },
    });
    expect((await admin.api.packages.listAll({ query: { q: pkg.trackingId } })).items).toMatchObject([
      { status: 'in transit', driverId: unlucky.id },
    ]);
    expect(await by(admin).assign(pkg, driver)).toMatchObject({ driverId: driver.id });
  });
});

describe('the driver', () => {
  test('is shown to the owner, as busy while on the road', async () => {
    const pkg = await createPackage(owner);
    const readDriver = () => owner.api.deliveries.driverOfPackage({ params: { id: pkg.id } });
    await expect(readDriver()).rejects.toMatchObject({
      status: 404,
      code: 'no_carrier',
      message: "This package doesn't have an assigned carrier yet.",
    });
    const fresh = await product.register('driver', 'Dora Driver');
    await fresh.api.users.updateProfile({
      body: { phone: '+4915112345678', vehicleInfo: { type: 'Van' }, yearsOfExperience: 3, currentLocation: 'Mitte' },
    });
    time = new Date('2026-03-02T08:00:00.000Z');
    await by(fresh).start(pkg);
    expect(await readDriver()).toEqual({
      id: fresh.id,
      name: 'Dora Driver',
      email: fresh.email,
      phone: '+4915112345678',
      profilePicture: null,
      status: 'busy',
      createdAt: fresh.user.createdAt,
      rating: null,
      totalDeliveries: 0,
      yearsOfExperience: 3,
      vehicleInfo: { type: 'Van', model: null, licensePlate: null },
      currentLocation: 'Mitte',
      estimatedDeliveryTime: '2026-03-02T14:00:00.000Z',
    });
    await by(fresh).complete(pkg);
    expect(await readDriver()).toMatchObject({ status: 'active', totalDeliveries: 1 });
  });

  test('has counts of all their deliveries', async () => {
    const fresh = await product.register('driver');
    const pkgs = [await createPackage(owner), await createPackage(owner), await createPackage(owner)];
    const [one, two] = pkgs;
    for (const pkg of pkgs) await by(fresh).start(pkg);
    if (one) await by(fresh).complete(one);
    if (two) await by(fresh).fail(two);
    expect(await fresh.api.deliveries.summary()).toMatchObject({
      mine: 2,
      completed: 1,
      active: 1,
      pending: expect.any(Number) as number,
    });
  });

  test('has a list in stop order: the next one, open ones by window or forecast, delivered ones latest first, in pages without gaps or duplicates', async () => {
    const fresh = await product.register('driver');
    const began = time;
    const at = (hours: number) => new Date(began.getTime() + hours * 3_600_000);
    const made: Record<string, Package> = {};
    for (const [name, window] of [
      ['done first', null],
      ['done last', null],
      ['by its window', { from: at(1).toISOString(), to: at(3).toISOString() }],
      ['by its forecast', null],
      ['with a late window', { from: at(20).toISOString(), to: at(24).toISOString() }],
      ['next', null],
    ] as const) {
      time = new Date(time.getTime() + 60_000);
      const pkg = await createPackage(owner, { name, window });
      made[name] = pkg;
      await by(fresh).start(pkg);
    }
    await by(fresh).next(made.next as Package);
    await by(fresh).complete(made['done first'] as Package);
    time = new Date(time.getTime() + 60_000);
    await by(fresh).complete(made['done last'] as Package);
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await fresh.api.deliveries.mine({ query: { order: 'stops', limit: 2, cursor } });
      seen.push(...page.items.map(({ packageName }) => packageName));
      if (!page.next) break;
      cursor = page.next;
    }
    expect(seen).toEqual(['next', 'by its window', 'by its forecast', 'with a late window', 'done last', 'done first']);
    const newest = (await fresh.api.deliveries.mine()).items.map(({ packageName }) => packageName);
    expect(newest).toEqual(Object.keys(made).toReversed());
    await expect(fresh.api.deliveries.mine({ query: { order: 'name' as never } })).rejects.toMatchObject({
      status: 422,
    });
  });

  test('owners list the deliveries of their own packages only', async () => {
    const fresh = await product.register('owner');
    const pkg = await createPackage(fresh);
    expect((await fresh.api.deliveries.ofOwner()).items.map(({ id }) => id)).toEqual([pkg.id]);
  });
});

describe('concurrently, over real HTTP', () => {
  const drivers: TestUser[] = [];
  beforeAll(async () => {
    await product.listen();
    for (let made = 0; made < 50; made++) drivers.push(await product.register('driver'));
  });
  const startAll = (pkg: Package) =>
    Promise.all(
      drivers.map(({ token }) =>
        product
          .http(token)
          .deliveries.start({ params: { id: pkg.id } })
          .catch((error: ApiError) => error),
      ),
    );
  const isWin = (answer: Delivery | ApiError): answer is Delivery => !(answer instanceof Error);

  test.each([1, 2, 3])(
    'of fifty drivers who start one delivery concurrently, one wins and the others get a conflict (round %i)',
    async () => {
      const pkg = await createPackage(owner);
      const answers = await startAll(pkg);
      const winners = answers.filter(isWin);
      const losers = answers.filter((answer): answer is ApiError => !isWin(answer));
      expect(winners).toHaveLength(1);
      expect(losers.map(({ status, message }) => ({ status, message }))).toEqual(
        Array.from({ length: 49 }, () => ({ status: 409, message: messages.alreadyStarted })),
      );
      expect(await read(pkg)).toMatchObject({ status: 'in transit', driverId: winners[0]?.driverId, version: 2 });
    },
  );

  test.each([1, 2, 3])('the owner’s deletion and a driver’s start never both succeed (round %i)', async () => {
    const pkg = await createPackage(owner);
    const deletion = createClient({ baseUrl: await product.listen(), token: () => owner.token })
      .packages.update({ params: { id: pkg.id }, body: { status: 'inactive' } })
      .catch((error: ApiError) => error);
    const answers = await startAll(pkg);
    const deleted = !((await deletion) instanceof Error);
    const winners = answers.filter(isWin);
    expect(winners.length + Number(deleted)).toBe(1);
    const losers = answers.filter((answer): answer is ApiError => !isWin(answer));
    const message = deleted ? messages.noLongerAvailable : messages.alreadyStarted;
    expect(new Set(losers.map((error) => error.message))).toEqual(new Set([message]));
    expect(await read(pkg)).toMatchObject({ status: deleted ? 'inactive' : 'in transit', version: 2 });
  });
});
