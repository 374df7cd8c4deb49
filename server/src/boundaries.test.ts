import {
  endpoints,
  periodFigures,
  presentFigures,
  type Endpoint,
  type Package,
  type Permission,
  withTheDriver,
} from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from './testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

/** An administrator with only these permissions. */
async function holderOf(...permissions: Permission[]): Promise<TestUser> {
  const user = await product.register('admin');
  await admin.api.users.update({ params: { id: user.id }, body: { permissions } });
  return user;
}

// With letters that no hexadecimal ID has: five digits of a postal code stood in a random UUID now and then. And no row of nines, with which a
// figure such as 1.2999999999999998 may end.
const secrets = ['Confidential', 'Quillfeather', '7382915', 'Secret street', 'gnome', 'QX7 3YZ'];
const hidden = {
  recipientName: 'Confidential Quillfeather',
  recipientContact: '+49 151 7382915',
  location: 'Ramp 7, Secret street 12',
  address: { street: 'Secret street 12', postalCode: 'QX7 3YZ', city: 'Opentown' },
  handling: { safePlace: 'Under the gnome' },
};
const maskedIdOf = ({ trackingId }: Pick<Package, 'trackingId'>) => `PKG-…${trackingId.slice(-3)}`;

const get = (path: string, token: string | null) =>
  inject(product.app, path, { method: 'GET', headers: token ? { authorization: `Bearer ${token}` } : {} });
const read = async (path: string, token: string | null) => (await get(path, token)).text();

/** All strings in a JSON reply, at any depth, except instants and kinds of notifications: those give access to nothing. */
function textsIn(json: unknown): string[] {
  if (typeof json === 'string') return /^\d{4}-\d\d-\d\dT|^[a-z]+\.[a-z-]+$/.test(json) ? [] : [json];
  return json !== null && typeof json === 'object' ? Object.values(json).flatMap(textsIn) : [];
}

const reads = Object.values(endpoints as Record<string, Record<string, Endpoint>>)
  .flatMap((group) => Object.values(group))
  .filter(({ method, reply }) => method === 'GET' && reply !== 'stream');
const lists = reads.filter(({ path }) => !path.includes(':')).map(({ path }) => `/api${path}`);
/** The URLs to try with a string: every GET endpoint with a parameter, every search, and the tracker's page. */
const urlsWith = (seen: string) => [
  ...reads.filter(({ path }) => path.includes(':')).map(({ path }) => `/api${path.replace(/:\w+/, seen)}`),
  ...reads.filter(({ list, path }) => list && !path.includes(':')).map(({ path }) => `/api${path}?q=${seen}`),
  `/track/${seen}`,
];

describe('before the start', () => {
  test('nothing that a driver sees gives access to the recipient or the exact location, through any GET endpoint', async () => {
    const waiting = await createPackage(owner, hidden);
    const returned = await createPackage(owner, hidden);
    const params = { id: returned.id };
    await driver.api.deliveries.start({ params });
    await driver.api.incidents.reportOnDelivery({ params, body: { issue: 'A flat tyre' } });
    await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });

    const secretsIn = (text: string) =>
      [...secrets, waiting.trackingId, returned.trackingId].filter((secret) => text.includes(secret));
    const shown = new Set<string>();
    for (const path of lists) {
      const response = await get(path, driver.token);
      const text = await response.text();
      expect([path, secretsIn(text)]).toEqual([path, []]);
      if (response.ok && /^[[{]/.test(text)) for (const value of textsIn(JSON.parse(text))) shown.add(value);
    }
    expect([...shown]).toEqual(expect.arrayContaining([waiting.id, maskedIdOf(waiting), maskedIdOf(returned)]));
    const urls = [...shown].flatMap((value) => urlsWith(encodeURIComponent(value)));
    const request = async (url: string, token: string | null) => [url, secretsIn(await read(url, token))];
    for (let next = 0; next < urls.length; next += 20) {
      const batch = urls.slice(next, next + 20);
      const answers = await Promise.all(batch.flatMap((url) => [request(url, driver.token), request(url, null)]));
      expect(answers).toEqual(batch.flatMap((url) => [url, url].map((one) => [one, []])));
    }
  });

  test('no search confirms or denies a masked tracking ID or a hidden recipient', async () => {
    const pkg = await createPackage(owner, { ...hidden, name: 'Box of bolts' });
    const report = await createPackage(owner, { ...hidden, name: 'Box of nuts' });
    const params = { id: report.id };
    await driver.api.deliveries.start({ params });
    await driver.api.incidents.reportOnDelivery({ params, body: { issue: 'A flat tyre' } });
    await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
    const overseer = await holderOf('deliveries.view_all');
    const found = async ({ api }: TestUser, q: string) => [
      ...(await api.deliveries.pending({ query: { q } })).items,
      ...(await api.deliveries.available({ query: { q } })).items,
      ...(await api.deliveries.pending({ query: { q, status: 'pending,cancelled,inactive' } })).items,
    ];
    const hints = ['Quillfeather', 'Secret street', 'QX7 3YZ', '+49 151 99', '0151 999', '15199999'];
    for (const user of [driver, overseer]) {
      for (const { trackingId } of [pkg, report])
        for (const q of [trackingId, trackingId.slice(4, 8), trackingId.slice(0, -3), ...hints])
          expect([q, await found(user, q)]).toEqual([q, []]);
      for (const q of [maskedIdOf(pkg), 'box of bolts'])
        expect((await found(user, q)).map(({ id }) => id)).toContain(pkg.id);
    }
    for (const q of [report.trackingId, report.trackingId.slice(4, 8)])
      expect((await driver.api.incidents.list({ query: { q } })).items).toEqual([]);
    expect((await driver.api.incidents.list({ query: { q: maskedIdOf(report) } })).items).toHaveLength(1);
  });

  test('a user with deliveries.view_all sees cancelled and deleted deliveries masked, like pending ones', async () => {
    const overseer = await holderOf('deliveries.view_all');
    for (const status of ['cancelled', 'inactive'] as const) {
      const pkg = await createPackage(owner, { ...hidden, name: `Once ${status}` });
      await owner.api.packages.update({ params: { id: pkg.id }, body: { status } });
      const { items } = await overseer.api.deliveries.pending({ query: { status, q: `once ${status}` } });
      expect(items).toMatchObject([
        { trackingId: maskedIdOf(pkg), recipientName: null, recipientPhone: null, recipientAddress: null },
      ]);
      expect(secrets.filter((secret) => JSON.stringify(items).includes(secret))).toEqual([]);
    }
  });
});

test('after the start the driver has the full tracking ID: in the delivery, its search, its incidents and notifications', async () => {
  const pkg = await createPackage(owner, hidden);
  const params = { id: pkg.id };
  const { trackingId } = pkg;
  expect(await driver.api.deliveries.start({ params })).toMatchObject({ trackingId });
  await driver.api.incidents.reportOnDelivery({ params, body: { issue: 'A flat tyre' } });
  const incidents = async () => (await driver.api.incidents.list({ query: { q: trackingId } })).items;
  expect(await incidents()).toMatchObject([{ package: trackingId, location: withTheDriver }]);
  await driver.api.deliveries.complete({ params });
  await owner.api.packages.rate({ params, body: { stars: 5 } });
  expect((await driver.api.deliveries.completed({ query: { q: trackingId } })).items).toMatchObject([{ trackingId }]);
  expect(await incidents()).toMatchObject([{ package: trackingId }]);
  await eventually('the notification of the rating', async () =>
    (await driver.api.notifications.list()).items.some((one) => one.trackingId === trackingId),
  );
});

test('a reassigned delivery leaves its former driver the notification, with a masked tracking ID', async () => {
  const pkg = await createPackage(owner, hidden);
  const [first, second] = [await product.register('driver'), await product.register('driver')];
  const assign = ({ id }: TestUser) => admin.api.deliveries.assign({ params: { id: pkg.id }, body: { driverId: id } });
  const idsOf = async ({ api }: TestUser) => (await api.notifications.list()).items.map((one) => one.trackingId);
  await assign(first);
  await eventually('the first notification', async () => (await idsOf(first)).includes(pkg.trackingId));
  await assign(second);
  await eventually('the second notification', async () => (await idsOf(second)).includes(pkg.trackingId));
  // Both notifications, of the assignment and of its end, have masked tracking IDs.
  await eventually('the notification of the reassignment', async () => (await idsOf(first)).length === 2);
  expect(await idsOf(first)).toEqual([maskedIdOf(pkg), maskedIdOf(pkg)]);
});

describe('a single administrative permission', () => {
  test('for figures does not reveal packages or people', async () => {
    const pkg = await createPackage(owner, hidden);
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    const analyst = await holderOf('admin.view_analytics');
    const names = [pkg.trackingId, pkg.name, pkg.id, owner.user.name, driver.user.name, owner.email, ...secrets];
    expect(await analyst.api.stats.read()).toMatchObject({ totalPackages: expect.any(Number) as number });
    const figures = [...presentFigures, ...periodFigures];
    const refused = { status: 403, code: 'forbidden' };
    for (const figure of figures)
      await expect(analyst.api.stats.rows({ query: { figure, count: true } })).rejects.toMatchObject(refused);
    for (const path of lists) {
      const text = await read(path, analyst.token);
      expect([path, names.filter((name) => text.includes(name))]).toEqual([path, []]);
    }
    const both = await holderOf('admin.view_analytics', 'packages.view_all');
    expect((await both.api.stats.rows({ query: { figure: 'totalPackages' } })).items[0]).toMatchObject({ id: pkg.id });
    await expect(both.api.stats.rows({ query: { figure: 'totalUsers' } })).rejects.toMatchObject(refused);
    const people = await holderOf('admin.view_analytics', 'admin.manage_users');
    expect((await people.api.stats.rows({ query: { figure: 'totalUsers' } })).items).not.toEqual([]);
    await expect(people.api.stats.rows({ query: { figure: 'ratings' } })).rejects.toMatchObject(refused);
  });

  test('for incidents does not give access to the public page of every package', async () => {
    const pkg = await createPackage(owner, hidden);
    await owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'It is late' } });
    const handler = await holderOf('admin.access');
    const one = (await handler.api.incidents.list()).items.find(({ packageId }) => packageId === pkg.id);
    expect(one).toMatchObject({ package: maskedIdOf(pkg), location: hidden.location });
    await eventually('the notification of the owner', async () =>
      (await handler.api.notifications.sent()).items.some(({ trackingId }) => trackingId === maskedIdOf(pkg)),
    );
    for (const path of lists)
      expect([path, (await read(path, handler.token)).includes(pkg.trackingId)]).toEqual([path, false]);
  });
});
