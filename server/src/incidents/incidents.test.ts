import {
  incidentActionTo,
  incidentLifecycle,
  incidentStatuses,
  maskTrackingId,
  type Incident,
  type IncidentStatus,
  type LiveInvalidation,
  type Package,
} from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  uploadImage,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let otherOwner: TestUser;
let driver: TestUser;
let otherDriver: TestUser;
let admin: TestUser;
let otherAdmin: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner', 'Olga Owner');
  otherOwner = await product.register('owner');
  driver = await product.register('driver', 'Dora Driver');
  otherDriver = await product.register('driver');
  admin = await product.register('admin');
  otherAdmin = await product.register('admin');
});
afterAll(() => product.close());

const started = async (fields: Parameters<typeof createPackage>[1] = {}): Promise<Package> => {
  const pkg = await createPackage(owner, fields);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  return pkg;
};
const newestOf = async (pkg: Package): Promise<Incident> => {
  const [incident] = (await admin.api.incidents.list({ query: { q: pkg.trackingId } })).items;
  if (!incident) throw new Error('there is no incident');
  return incident;
};
const report = async (pkg: Package, issue = 'A flat tyre', by = driver): Promise<Incident> => {
  await by.api.incidents.reportOnDelivery({ params: { id: pkg.id }, body: { issue } });
  return newestOf(pkg);
};
const complain = async (pkg: Package, issue = 'It is late'): Promise<Incident> => {
  await owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue } });
  return newestOf(pkg);
};
const move = (incident: Incident, status: IncidentStatus, note?: string, by = admin) =>
  by.api.incidents.move({ params: { id: incident.id }, body: { status, ...(note && { note }) } });
const idsOf = async (user: TestUser, query: Record<string, string | number | boolean> = {}) =>
  (await user.api.incidents.list({ query })).items.map(({ id }) => id);
const issueOn = async (pkg: Package) => (await owner.api.packages.read({ params: { id: pkg.id } })).issue;

describe('a report', () => {
  test('opens an incident with the next number, from 12345 on, and all its fields', async () => {
    const pkg = await started({ name: 'Blue box', location: 'Depot' });
    time = new Date('2026-03-01T11:00:00.000Z');
    await driver.api.incidents.reportOnDelivery({
      params: { id: pkg.id },
      body: { issue: 'The box is\nwet', type: 'Damage' },
    });
    const incident = await newestOf(pkg);
    expect(incident).toEqual({
      id: expect.any(Number) as number,
      type: 'Damage',
      status: 'Open',
      package: pkg.trackingId,
      packageId: pkg.id,
      packageName: 'Blue box',
      packageStatus: 'in transit',
      driver: { id: driver.id, name: 'Dora Driver' },
      location: 'With the driver',
      time: '2026-03-01T11:00:00.000Z',
      updatedAt: '2026-03-01T11:00:00.000Z',
      description: 'The box is\nwet',
      photo: null,
      note: null,
      reporter: { name: 'Dora Driver', role: 'driver' },
      version: 1,
    });
    expect(incident.id).toBeGreaterThanOrEqual(12345);
    expect((await complain(pkg)).id).toBe(incident.id + 1);
    expect(await admin.api.incidents.read({ params: { id: incident.id } })).toEqual(incident);
  });

  test('without a type gets the default type of the reporter’s role', async () => {
    const pkg = await started();
    expect(await report(pkg)).toMatchObject({ type: 'Delivery issue' });
    expect(await complain(pkg)).toMatchObject({
      type: 'Package issue',
      reporter: { name: 'Olga Owner', role: 'owner' },
    });
    await expect(
      owner.api.incidents.reportOnPackage({
        params: { id: pkg.id },
        body: { issue: 'It is late', type: 'Weather' as never },
      }),
    ).rejects.toMatchObject({ status: 422, fields: { type: expect.stringContaining('Must be one of') as string } });
  });

  test('is on the owner’s timeline, and not on the public page', async () => {
    const pkg = await started();
    const before = await product.api().tracking.view({ params: { id: pkg.trackingId } });
    const incident = await report(pkg, 'Thrown over the fence');
    await move(incident, 'Investigating', 'We ask the driver');
    await move(incident, 'Resolved');
    const { items } = await owner.api.packages.events({ params: { id: pkg.id } });
    expect(items.slice(0, 3).map(({ type, note, status }) => ({ type, note, status }))).toEqual([
      { type: 'incident.resolved', note: null, status: 'in transit' },
      { type: 'incident.investigating', note: 'We ask the driver', status: 'in transit' },
      { type: 'issue.reported', note: 'Thrown over the fence', status: 'in transit' },
    ]);
    const after = await product.api().tracking.view({ params: { id: pkg.trackingId } });
    expect(after.events).toEqual(before.events);
    expect(JSON.stringify(after)).not.toMatch(/issue|incident|fence|ask/i);
  });
});

describe('a photo', () => {
  test('is shown to everyone who can see the incident, at a signed URL that expires', async () => {
    const pkg = await started();
    const body = { issue: 'The box is wet', photo: await uploadImage(product, driver) };
    await driver.api.incidents.reportOnDelivery({ params: { id: pkg.id }, body });
    const { photo } = await newestOf(pkg);
    const get = (url: string | null | undefined) => inject(product.app, url ?? '', { method: 'GET' });
    const served = await get(photo);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await get(photo?.split('?')[0])).status).toBe(404);
    const before = time;
    time = new Date(time.getTime() + 25 * 3_600_000);
    expect((await get(photo)).status).toBe(404);
    expect((await get((await newestOf(pkg)).photo)).status).toBe(200);
    time = before;
  });

  test('must be an upload of the reporter that is not in use yet', async () => {
    const pkg = await started();
    const foreign = await uploadImage(product, otherDriver);
    const own = await uploadImage(product, driver);
    const reportWith = (photo: string) =>
      driver.api.incidents.reportOnDelivery({ params: { id: pkg.id }, body: { issue: 'The box is wet', photo } });
    await reportWith(own);
    for (const photo of [
      foreign,
      own,
      '/media/packages/1767225600000-abcdef-none.jpg',
      'https://example.com/a.jpg',
      '',
    ])
      await expect(reportWith(photo)).rejects.toMatchObject({
        status: 422,
        fields: { photo: expect.any(String) as string },
      });
    expect((await driver.api.incidents.list({ query: { q: pkg.trackingId } })).items).toHaveLength(1);
  });

  test('of a user who may not report is left unprocessed', async () => {
    const pkg = await started();
    const photo = await uploadImage(product, otherDriver);
    const body = { issue: 'The box is wet', photo };
    await expect(otherDriver.api.incidents.reportOnDelivery({ params: { id: pkg.id }, body })).rejects.toMatchObject({
      status: 404,
    });
    // An upload claimed by an incident could not be used elsewhere.
    const profile = await otherDriver.api.users.updateProfile({ body: { profilePicture: photo } });
    expect(profile.profilePicture).toMatch(/^\/media\/profiles\//);
  });
});

describe('access', () => {
  test('is for the owner, the driver and every administrator; others get 404', async () => {
    const pkg = await started();
    const incident = await complain(pkg);
    const params = { id: incident.id };
    for (const user of [owner, driver, admin]) {
      expect(await user.api.incidents.read({ params })).toEqual(incident);
      expect(await idsOf(user)).toContain(incident.id);
    }
    for (const user of [otherOwner, otherDriver]) {
      await expect(user.api.incidents.read({ params })).rejects.toMatchObject({ status: 404, code: 'not_found' });
      expect(await idsOf(user)).not.toContain(incident.id);
      expect((await user.api.incidents.list({ query: { q: pkg.trackingId, count: true } })).total).toBe(0);
    }
    await expect(owner.api.incidents.read({ params: { id: 999_999_999 } })).rejects.toMatchObject({ status: 404 });
    await expect(owner.api.incidents.read({ params: { id: 0 } })).rejects.toMatchObject({ status: 404 });
  });

  test('of a driver who gave the delivery back is limited to their own reports', async () => {
    const pkg = await started();
    const [own, owners] = [await report(pkg), await complain(pkg)];
    expect(await idsOf(driver, { q: pkg.trackingId })).toEqual([owners.id, own.id]);
    await driver.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'Nobody home' } });
    expect(await idsOf(driver, { q: maskTrackingId(pkg.trackingId) })).toEqual([own.id]);
    await otherDriver.api.deliveries.start({ params: { id: pkg.id } });
    expect(await idsOf(otherDriver, { q: pkg.trackingId })).toEqual([owners.id, own.id]);
  });

  test('to the present driver’s name is for the owner, the administrators and that driver', async () => {
    const pkg = await started();
    const params = { id: (await report(pkg)).id };
    await admin.api.deliveries.assign({ params: { id: pkg.id }, body: { driverId: otherDriver.id } });
    const driverSeenBy = async (user: TestUser) => (await user.api.incidents.read({ params })).driver?.id ?? null;
    expect(await Promise.all([owner, admin, otherDriver, driver].map(driverSeenBy))).toEqual([
      ...Array.from({ length: 3 }, () => otherDriver.id),
      null,
    ]);
  });
});

describe('the list', () => {
  test('is filtered by status, type, words and days, in pages with a count', async () => {
    const alone = await product.register('owner');
    const pkg = await createPackage(alone, { name: 'Crystal vase' });
    const ids: number[] = [];
    for (const [index, type] of (['Delay', 'Damage', 'Delay', 'Lost'] as const).entries()) {
      time = new Date(Date.UTC(2026, 3, 1 + index, 12));
      const body = { issue: `Complaint number ${index} of 100%`, type };
      await alone.api.incidents.reportOnPackage({ params: { id: pkg.id }, body });
      ids.unshift((await newestOf(pkg)).id);
    }
    const [lost = 0, secondDelay = 0, damage = 0, delay = 0] = ids;
    await admin.api.incidents.move({ params: { id: delay }, body: { status: 'Resolved' } });
    await admin.api.incidents.move({ params: { id: damage }, body: { status: 'Investigating' } });
    const find = (query: Record<string, string | number | boolean>) => idsOf(alone, query);
    expect(await find({})).toEqual([lost, secondDelay, damage, delay]);
    expect(await find({ status: 'Open' })).toEqual([lost, secondDelay]);
    expect(await find({ status: 'Investigating,Resolved' })).toEqual([damage, delay]);
    expect(await find({ type: 'Delay' })).toEqual([secondDelay, delay]);
    expect(await find({ type: 'Delay,Lost', status: 'Open' })).toEqual([lost, secondDelay]);
    expect(await find({ q: 'NUMBER 2' })).toEqual([secondDelay]);
    expect(await find({ q: '100%' })).toHaveLength(4);
    expect(await find({ q: '0_of' })).toEqual([]);
    for (const q of ['crystal', pkg.trackingId.toLowerCase()]) expect(await find({ q })).toHaveLength(4);
    expect(await find({ q: String(damage) })).toEqual([damage]);
    expect(await find({ from: '2026-04-02', to: '2026-04-03' })).toEqual([secondDelay, damage]);
    const first = await alone.api.incidents.list({ query: { limit: 3, count: true } });
    expect([first.items.length, first.total]).toEqual([3, 4]);
    expect(await find({ limit: 3, cursor: first.next ?? '' })).toEqual([delay]);
    expect(await idsOf(admin, { q: 'Complaint number', type: 'Damage' })).toEqual([damage]);
  });
});

describe('moving', () => {
  const waysTo: Record<IncidentStatus, IncidentStatus[]> = {
    Open: [],
    Investigating: ['Investigating'],
    Resolved: ['Resolved'],
  };
  test.each(incidentStatuses.flatMap((from) => incidentStatuses.map((to) => ({ from, to }))))(
    'from $from to $to follows the life cycle',
    async ({ from, to }) => {
      let incident = await report(await started());
      for (const status of waysTo[from]) incident = await move(incident, status);
      if (from === to || incidentActionTo(to, from)) {
        const moved = await move(incident, to);
        expect(moved).toMatchObject({ status: to, version: incident.version + Number(from !== to) });
        if (from === to) expect(moved).toEqual(incident);
        return;
      }
      await expect(move(incident, to)).rejects.toMatchObject({
        status: 409,
        code: 'illegal_step',
        message: `This incident is ${from}: it cannot become ${to} here`,
      });
    },
  );

  test('has these transitions and no others', () => {
    expect(incidentLifecycle).toEqual({
      investigate: { from: ['Open'], to: 'Investigating' },
      resolve: { from: ['Open', 'Investigating'], to: 'Resolved' },
      reopen: { from: ['Resolved'], to: 'Investigating' },
    });
  });

  test('clears the package’s issue once nothing is unresolved, and restores it on reopening', async () => {
    const pkg = await started();
    const [tyre, late] = [await report(pkg, 'A flat tyre'), await complain(pkg, 'It is late')];
    expect(await issueOn(pkg)).toBe('It is late');
    await move(late, 'Resolved');
    expect(await issueOn(pkg)).toBe('A flat tyre');
    await move(tyre, 'Resolved');
    expect(await issueOn(pkg)).toBeNull();
    time = new Date('2026-05-01T10:00:00.000Z');
    expect(await move(late, 'Investigating', 'It is still late')).toMatchObject({
      note: 'It is still late',
      updatedAt: '2026-05-01T10:00:00.000Z',
    });
    expect(await issueOn(pkg)).toBe('It is late');
  });

  test('with the whole incident changes only its status and note', async () => {
    const before = await report(await started());
    const moved = await admin.api.incidents.move({
      params: { id: before.id },
      body: { ...before, description: 'Nothing', type: 'Lost', status: 'Resolved', note: 'Mended' },
    });
    expect(moved).toEqual({
      ...before,
      status: 'Resolved',
      note: 'Mended',
      updatedAt: moved.updatedAt,
      version: moved.version,
    });
  });

  test('by twenty concurrent requests happens once', async () => {
    const pkg = await started();
    const incident = await report(pkg);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        move(incident, 'Investigating', undefined, index % 2 ? admin : otherAdmin),
      ),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 'Investigating', version: 2 });
    const { items } = await owner.api.packages.events({ params: { id: pkg.id } });
    expect(items.filter(({ type }) => type === 'incident.investigating')).toHaveLength(1);
  });

  test('during concurrent deliveries records each event with the package’s status at that moment', async () => {
    for (let round = 0; round < 5; round++) {
      const pkg = await started();
      const incident = await report(pkg);
      await Promise.all([
        move(incident, 'Investigating'),
        driver.api.deliveries.complete({ params: { id: pkg.id } }),
        move(incident, 'Resolved', undefined, otherAdmin).catch(() => null),
      ]);
      const { items } = await owner.api.packages.events({ params: { id: pkg.id } });
      expect(items[0]?.status).toBe('delivered');
      const at = items.findIndex(({ type }) => type === 'delivery.completed');
      expect(items.slice(0, at).every(({ status }) => status === 'delivered')).toBe(true);
      expect(items.slice(at + 1, -1).every(({ status }) => status === 'in transit')).toBe(true);
    }
  });
});

describe('notifications', () => {
  const notificationsOf = async (user: TestUser, incident: Incident) =>
    (await user.api.notifications.list({ query: { limit: 200 } })).items
      .filter(({ incidentId }) => incidentId === incident.id)
      .map(({ title, body, packageId }) => ({ title, body, packageId }));

  test('of every move go to the owner and the other administrators, of the resolution also to the reporter', async () => {
    const pkg = await started({ name: 'Red box' });
    const incident = await report(pkg);
    await move(incident, 'Investigating', 'We ask the driver');
    await move(incident, 'Resolved');
    await move(incident, 'Investigating');
    await eventually('four notifications', async () => (await notificationsOf(owner, incident)).length === 4);
    await eventually('one to the reporter', async () => (await notificationsOf(driver, incident)).length === 1);
    await eventually(
      'four to the other administrator',
      async () => (await notificationsOf(otherAdmin, incident)).length === 4,
    );
    const about = `Incident ${incident.id} on “Red box”`;
    const everything = [
      { title: 'Issue reopened', body: `${about} is being investigated again.` },
      { title: 'Issue resolved', body: `${about} has been resolved.` },
      { title: 'Issue under investigation', body: `${about} is being investigated: We ask the driver.` },
      { title: 'Issue reported', body: `${about} has been opened: Delivery issue.` },
    ].map((one) => ({ ...one, packageId: pkg.id }));
    expect(new Set(await notificationsOf(owner, incident))).toEqual(new Set(everything));
    expect(new Set(await notificationsOf(otherAdmin, incident))).toEqual(new Set(everything));
    expect(await notificationsOf(driver, incident)).toEqual([everything[1]]);
    await eventually(
      'the administrator who moved it',
      async () => (await notificationsOf(admin, incident)).length === 1,
    );
    expect(await notificationsOf(admin, incident)).toEqual([everything[3]]);
    for (const user of [otherOwner, otherDriver]) expect(await notificationsOf(user, incident)).toEqual([]);
  });

  test('on live streams go to the users concerned, also to a reporter who is no longer the driver', async () => {
    const pkg = await started();
    const incident = await report(pkg);
    await driver.api.deliveries.fail({ params: { id: pkg.id }, body: { reason: 'Nobody home' } });
    const concerned = [owner, driver, admin];
    const others = [otherOwner, otherDriver];
    const watchers = await Promise.all([...concerned, ...others].map((user) => watch(product, '/live', user.token)));
    const invalidations = (index: number) =>
      (watchers[index]?.events ?? [])
        .filter(({ event }) => event === 'hint')
        .map(({ data }) => data as LiveInvalidation);
    const isInvalidated = (index: number) =>
      invalidations(index).some(({ type, id }) => type === 'incident' && id === String(incident.id));
    await move(incident, 'Resolved');
    await eventually('three invalidations', () => concerned.every((_, index) => isInvalidated(index)));
    // The list of unclaimed deliveries is unaffected. The invalidation for another package's start shows that nothing else is pending.
    await otherDriver.api.deliveries.start({ params: { id: (await createPackage(owner)).id } });
    for (const index of [3, 4]) {
      const own = index === 4 ? 'delivery' : 'notification';
      if (index === 3) await otherOwner.api.notifications.readAll();
      await eventually('the last invalidation', () => invalidations(index).some(({ type }) => type === own));
      expect(invalidations(index).filter(({ type }) => type === 'incident' || type === 'package')).toEqual([]);
    }
    for (const watcher of watchers) watcher.stop();
  });
});
