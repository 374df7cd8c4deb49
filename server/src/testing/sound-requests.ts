import type { Package } from '@waybill/contract';
import { countSolving } from '../plans/queries.ts';
import { createAccount } from '../users/service.ts';
import { formOf } from './malformed.ts';
import { townExtract } from './osm-extract.ts';
import { createPackage, eventually, password, type TestProduct, type TestUser } from './test-product.ts';

/** A request that succeeds. */
export interface SoundRequest {
  /** Null: nobody is signed in. */
  token: string | null;
  /** In the path. */
  params?: Record<string, string>;
  /** With its question mark. */
  query?: string;
  /** As text: JSON, or a multipart form. */
  body?: string;
}

const day = '2036-05-05';
const at = (time: string) => `${day}T${time}:00.000Z`;
const json = JSON.stringify;
const extractStart = '\0\0\0\r\n\tOSMHeader';

/**
 * Requests that succeed, by operation, for the operations that random input hardly gets past their first checks: they need rows that fit
 * together, such as a plan of packages that wait. Each call makes its own rows, with accounts of their own.
 */
export async function openSoundRequests(product: TestProduct): Promise<Record<string, () => Promise<SoundRequest>>> {
  let count = 0;
  const admin = await openAdministrator(product);
  const owner = await product.register('owner');
  const depotId = await makeDepot();

  async function makeDepot(): Promise<string> {
    const body = { name: `Sound depot ${++count}`, timeZone: 'UTC', place: { lon: 9.99, lat: 53.55 } };
    return (await admin.api.depots.create({ body })).id;
  }
  /** A package at a known place. */
  async function makePackage(fields: Parameters<typeof createPackage>[1] = {}): Promise<Package> {
    const number = ++count;
    const pkg = await createPackage(owner, { address: { street: `Am Kai ${number}`, city: 'Hamburg' }, ...fields });
    const body = { lon: 9.99 + (number % 50) / 1000, lat: 53.55 };
    await owner.api.packages.setPlace({ params: { id: pkg.id }, body });
    return pkg;
  }
  async function makeDriver(): Promise<TestUser> {
    const driver = await product.register('driver');
    await admin.api.shifts.create({ body: { driverId: driver.id, startsAt: at('07:00'), endsAt: at('17:00') } });
    return driver;
  }
  /** A package on the road with its driver. */
  async function makeDelivery(fields: Parameters<typeof createPackage>[1] = {}) {
    const [pkg, driver] = [await makePackage(fields), await product.register('driver')];
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    return { driver, pkg, params: { id: pkg.id } };
  }
  /** A route of two stops. */
  async function makeRoute(isStarted = false) {
    const driver = await makeDriver();
    const packageIds = [(await makePackage()).id, (await makePackage()).id];
    const { id } = await admin.api.routes.create({ body: { day, depotId, driverId: driver.id } });
    await admin.api.routes.addStops({ params: { id }, body: { packageIds } });
    if (isStarted) await admin.api.routes.start({ params: { id } });
    const { version } = await admin.api.routes.read({ params: { id } });
    return { driver, packageIds, version, params: { id } };
  }
  /** What a plan is made of. Only so many may be in the making, and fuzzed requests before this one have made some. */
  async function planInput() {
    await eventually('the plans before', async () => (await countSolving(product.ctx.db)) === 0);
    const [driver, pkg] = [await makeDriver(), await makePackage()];
    return { day, depotId, limitSeconds: 1, driverIds: [driver.id], packageIds: [pkg.id] };
  }
  async function makePlan() {
    const { id } = await admin.api.plans.create({ body: await planInput() });
    const read = () => admin.api.plans.read({ params: { id } });
    await eventually('the plan', async () => (await read()).state === 'ready');
    return { ...(await read()), params: { id } };
  }
  /** An offer of a driver on the road to another one. */
  async function makeOffer() {
    const [from, to] = [await makeRoute(true), await makeRoute(true)];
    const body = { packageIds: from.packageIds.slice(0, 1), driverId: to.driver.id };
    const { id } = await from.driver.api.offers.create({ params: from.params, body });
    return { from: from.driver.token, to: to.driver.token, params: { id } };
  }
  /** There is one upload at a time. */
  async function makeUpload(size = extractStart.length) {
    await product.ctx.db.query(
      "update map_uploads set state = 'cancelled' where state in ('uploading', 'waiting', 'importing')",
    );
    const { id } = await admin.api.map.begin({ body: { name: 'hamburg.osm.pbf', size } });
    return { id, params: { id } };
  }
  async function makeRecipient({ id, trackingId }: Package) {
    const { url } = await owner.api.recipients.link({ params: { id } });
    const key = new URL(url).hash.slice(1);
    const params = { id: trackingId };
    const { token } = await product.api().recipients.access({ params, body: { key } });
    return { key, token, params, api: product.api(token) };
  }
  async function makeAbsence() {
    const { id, token } = await product.register('driver');
    const body = { driverId: id, kind: 'sick', from: day, to: day } as const;
    return { token, params: { id: (await admin.api.absences.create({ body })).id } };
  }
  async function makeAddress() {
    const body = { street: `Am Speicher ${++count}`, city: 'Bremen' };
    return { body: json(body), token: owner.token, params: { id: (await owner.api.addresses.create({ body })).id } };
  }

  const byAdmin = { token: admin.token };
  return {
    'users.removeOwn': async () => ({ token: (await product.register('owner')).token, body: json({ password }) }),
    'users.invite': async () => {
      const body = { name: 'Inga Invited', email: `invited${++count}@example.com` };
      return { ...byAdmin, params: { id: (await admin.api.users.create({ body })).id } };
    },
    'packages.chooseNextStep': async () => {
      const { driver, params } = await makeDelivery();
      await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home' } });
      return { token: owner.token, params, body: json({ kind: 'again' }) };
    },
    'packages.setPlace': async () => {
      const { id } = await makePackage();
      return { token: owner.token, params: { id }, body: json({ lon: 9.98, lat: 53.56 }) };
    },
    'deliveries.releasePin': async () => {
      const { params } = await makeDelivery({ handling: { pin: true } });
      return { ...byAdmin, params, body: json({ waive: true }) };
    },
    'depots.remove': async () => ({ ...byAdmin, params: { id: await makeDepot() } }),
    'addresses.update': makeAddress,
    'addresses.remove': async () => ({ ...(await makeAddress()), body: undefined }),

    'map.begin': async () => {
      const { params } = await makeUpload();
      await admin.api.map.cancel({ params });
      return { ...byAdmin, body: json({ name: 'bremen.osm.pbf', size: 1000 }) };
    },
    'map.part': async () => {
      const { id } = await makeUpload();
      const body = formOf({ name: 'part', fileName: 'part', type: 'application/octet-stream', bytes: extractStart });
      return { ...byAdmin, params: { id, part: '0' }, body };
    },
    'map.finish': async () => {
      const { id, params } = await makeUpload();
      await admin.api.map.part({ params: { id, part: '0' }, file: new File([extractStart], 'part') });
      return { ...byAdmin, params };
    },
    'map.cancel': async () => ({ ...byAdmin, params: (await makeUpload()).params }),
    'map.remove': async () => {
      const bytes = new Uint8Array(townExtract());
      const { id, params } = await makeUpload(bytes.length);
      await admin.api.map.part({ params: { id, part: '0' }, file: new File([bytes], 'part') });
      await admin.api.map.finish({ params });
      // It is shown a moment before its import is over.
      await eventually('the map', async () => {
        const { shown, upload } = await admin.api.map.read();
        return shown === 'extract' && upload?.state === 'done';
      });
      return byAdmin;
    },

    'routes.create': async () => {
      const driver = await makeDriver();
      return { ...byAdmin, body: json({ day, depotId, driverId: driver.id }) };
    },
    'routes.addStops': async () => {
      const { params } = await makeRoute();
      return { ...byAdmin, params, body: json({ packageIds: [(await makePackage()).id] }) };
    },
    'routes.move': async () => {
      const [{ params, packageIds }, other] = [await makeRoute(), await makeRoute()];
      return { ...byAdmin, params, body: json({ packageIds: packageIds.slice(0, 1), to: other.params.id }) };
    },
    'routes.proposeOrder': async () => ({ ...byAdmin, params: (await makeRoute()).params }),
    'routes.insert': async () => {
      const { params, version } = await makeRoute();
      return { ...byAdmin, params, body: json({ packageId: (await makePackage()).id, before: null, version }) };
    },
    'routes.optimize': async () => ({
      ...byAdmin,
      params: (await makeRoute()).params,
      body: json({ limitSeconds: 1 }),
    }),
    'routes.start': async () => ({ ...byAdmin, params: (await makeRoute()).params, body: json({ missing: [] }) }),
    'routes.finish': async () => ({ ...byAdmin, params: (await makeRoute(true)).params, body: json({ returned: [] }) }),

    'plans.create': async () => ({ ...byAdmin, body: json(await planInput()) }),
    'plans.read': async () => ({ ...byAdmin, params: (await makePlan()).params }),
    'plans.change': async () => {
      const { params, version, driverIds, routes } = await makePlan();
      const packageIds = routes.flatMap(({ stops }) => stops.map(({ packageId }) => packageId));
      return { ...byAdmin, params, body: json({ version, routes: [{ driverId: driverIds[0], packageIds }] }) };
    },
    'plans.apply': async () => ({ ...byAdmin, params: (await makePlan()).params }),
    'plans.remove': async () => ({ ...byAdmin, params: (await makePlan()).params }),

    'offers.create': async () => {
      const [{ driver, params, packageIds }, to] = [await makeRoute(true), await makeRoute(true)];
      const body = json({ packageIds: packageIds.slice(0, 1), driverId: to.driver.id });
      return { token: driver.token, params, body };
    },
    'offers.accept': async () => {
      const { to: token, params } = await makeOffer();
      return { token, params };
    },
    'offers.decline': async () => {
      const { to: token, params } = await makeOffer();
      return { token, params };
    },
    'offers.remove': async () => {
      const { from: token, params } = await makeOffer();
      return { token, params };
    },
    'positions.report': async () => {
      const { driver } = await makeDelivery();
      await driver.api.positions.agree({ body: { agreed: true } });
      const position = { at: new Date().toISOString(), lon: 9.99, lat: 53.55 };
      return { token: driver.token, body: json({ positions: [position] }) };
    },

    'dispatch.map': async () => ({ ...byAdmin, query: '?bbox=9,53,10,54' }),
    'dispatch.insertions': async () => {
      await makeRoute();
      return { ...byAdmin, query: `?packageId=${(await makePackage()).id}&day=${day}&depotId=${depotId}` };
    },
    'dispatch.split': async () => {
      const selection = { packageIds: [(await makePackage()).id] };
      const driverIds = [(await makeDriver()).id];
      return { ...byAdmin, body: json({ day, depotId, driverIds, selection }) };
    },
    'dispatch.reassign': async () => {
      const [from, to] = [await makeRoute(), await makeRoute()];
      return { ...byAdmin, body: json({ driverId: from.driver.id, day, to: [to.params.id] }) };
    },
    'shifts.update': async () => {
      const driver = await product.register('driver');
      const body = { driverId: driver.id, startsAt: at('07:00'), endsAt: at('12:00') };
      const { id } = await admin.api.shifts.create({ body });
      return { ...byAdmin, params: { id }, body: json({ ...body, endsAt: at('13:00') }) };
    },
    'absences.create': async () => {
      const { id: driverId } = await product.register('driver');
      return { ...byAdmin, body: json({ driverId, kind: 'sick', from: day, to: day }) };
    },
    'absences.report': async () => {
      const { token } = await product.register('driver');
      return { token, body: json({ kind: 'holiday', from: day, to: day }) };
    },
    'absences.update': async () => ({ ...(await makeAbsence()), body: json({ kind: 'holiday', from: day, to: day }) }),

    'recipients.access': async () => {
      const { params, key } = await makeRecipient(await makePackage());
      return { token: null, params, body: json({ key }) };
    },
    'recipients.view': async () => {
      const { token, params } = await makeRecipient(await makePackage());
      return { token, params };
    },
    'recipients.change': async () => {
      const { token, params } = await makeRecipient(await makePackage());
      return { token, params, body: json({ kind: 'instructions', text: 'Ring twice' }) };
    },
    'recipients.withdraw': async () => {
      const { token, params, api } = await makeRecipient(await makePackage());
      const body = { kind: 'instructions', text: 'Ring twice' } as const;
      const { changes } = await api.recipients.change({ params, body });
      return { token, params: { ...params, changeId: changes[0]?.id ?? '' } };
    },
    'recipients.rate': async () => {
      const { driver, pkg } = await makeDelivery();
      const { token, params } = await makeRecipient(pkg);
      await driver.api.deliveries.complete({ params: { id: pkg.id } });
      return { token, params, body: json({ stars: 5, comment: 'Quick and friendly' }) };
    },

    'notifications.subscribe': async () => {
      const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
      const keys = { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
      return { token: owner.token, body: json({ endpoint: 'https://push.example.com/sound', keys }) };
    },
    'templates.test': async () => ({
      ...byAdmin,
      body: json({ subject: 'Da', paragraphs: ['{packageName} ist da.'] }),
    }),
    'persons.erase': async () => {
      const { driver, params } = await makeDelivery();
      await driver.api.deliveries.complete({ params });
      return { ...byAdmin, body: json({ packageIds: [params.id], confirm: 'erase' }) };
    },
  };
}

/** Signing up may need an approval, so the account is created directly. */
async function openAdministrator(product: TestProduct): Promise<Pick<TestUser, 'token' | 'api'>> {
  const email = 'sound@example.com';
  await createAccount(product.ctx.db, { name: 'Sound administrator', email, password, role: 'admin' });
  const { token } = await product.api().auth.login({ body: { email, password } });
  return { token, api: product.api(token) };
}
