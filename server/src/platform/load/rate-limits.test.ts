import { endpoints, type ApiError, type Endpoint } from '@waybill/contract';
import { afterEach, expect, test } from 'vitest';
import {
  createPackage,
  openTestProduct,
  packageInput,
  password,
  type TestOptions,
  type TestProduct,
} from '../../testing/test-product.ts';
import type { RateLimit } from '../../rate-limits.ts';

const opened: TestProduct[] = [];
afterEach(async () => {
  for (const product of opened.splice(0).toReversed()) await product.close();
});
async function openLimited(options: TestOptions = {}): Promise<TestProduct> {
  const product = await openTestProduct({
    runsJobs: false,
    ...options,
    config: { RATE_LIMITS: 'on', DEMO: 'on', ...options.config },
  });
  opened.push(product);
  return product;
}

/** The statuses of sequential calls. */
async function statusesOf(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  for (let made = 0; made < count; made++) {
    statuses.push(
      await call().then(
        () => 200,
        (error: ApiError) => {
          if (error.status === 429) expect(error.retryAfterSeconds).toBeGreaterThan(0);
          return error.status;
        },
      ),
    );
  }
  return statuses;
}
function* writes(): Generator<[name: string, Endpoint]> {
  for (const [group, members] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(members) as [string, Endpoint][])
      if (endpoint.method !== 'GET') yield [`${group}.${name}`, endpoint];
  }
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

test('20 sign-ins a minute for one account from one address; other accounts are not affected', async () => {
  const product = await openLimited();
  const [one, other] = [await product.register('owner'), await product.register('owner')];
  const login = (email: string) => product.api().auth.login({ body: { email, password } });
  expect(await statusesOf(21, () => login(one.email))).toEqual([...times(20, 200), 429]);
  await expect(login(one.email)).rejects.toMatchObject({ status: 429, code: 'too_many_requests' });
  await login(other.email);
});

test('counters are shared by servers, survive restarts, and store no personal data', async () => {
  const product = await openLimited();
  const { email } = await product.register('owner');
  const login = (at: TestProduct) => () => at.api().auth.login({ body: { email, password } });
  const beside = await openLimited({ beside: product });
  expect(await statusesOf(10, login(product))).toEqual(times(10, 200));
  expect(await statusesOf(11, login(beside))).toEqual([...times(10, 200), 429]);
  const restarted = await openLimited({ beside: product });
  expect(await statusesOf(1, login(restarted))).toEqual([429]);
  const kept = await product.ctx.db.query<{ key: string }>('select key from rate_limits');
  expect(JSON.stringify(kept)).not.toMatch(/@|127\.0\.0\.1/);
});

test('5 registrations an hour from one address, where others can reach the server', async () => {
  const product = await openLimited({ config: { DEMO: 'off' } });
  expect(await statusesOf(6, () => product.register('owner'))).toEqual([...times(5, 200), 429]);
});

test('limits per address count an IPv6 /64 network as one address', async () => {
  const product = await openLimited({ config: { DEMO: 'off' } });
  const send = async (url: string, index: number, payload: object) => {
    const { statusCode } = await product.app.inject({
      method: 'POST',
      url,
      payload,
      remoteAddress: `2001:db8:0:1:${index}::${index}`,
    });
    return statusCode;
  };
  const register = (index: number) =>
    send('/api/auth/register', index, { name: 'Somebody', email: `six${index}@example.com`, password, role: 'owner' });
  const forgot = (index: number) => send('/api/auth/forgot', index, { email: `six${index}@example.com` });
  const reset = (index: number) => send('/api/auth/reset', index, { token: 'guess', password });
  const contact = (index: number) =>
    send('/api/contact', index, { name: 'Vera', email: 'vera@example.com', message: `Where is it? ${index}` });
  for (const [call, most] of [
    [register, 5],
    [forgot, 5],
    [contact, 5],
    [reset, 20],
  ] as const) {
    const statuses = [];
    for (let index = 1; index <= most + 1; index++) statuses.push(await call(index));
    expect(statuses.indexOf(429)).toBe(most);
  }
});

test('60 creations a minute for an owner and 60 steps for a driver', async () => {
  const product = await openLimited();
  const [owner, driver] = [await product.register('owner'), await product.register('driver')];
  const pkg = await createPackage(owner);
  expect(await statusesOf(60, () => createPackage(owner))).toEqual([...times(59, 200), 429]);
  const start = () => driver.api.deliveries.start({ params: { id: pkg.id } });
  expect(await statusesOf(61, start)).toEqual([...times(60, 200), 429]);
});

test('every limited call is counted, also when it fails', async () => {
  // Without the demo, which does not limit registrations.
  const product = await openLimited({ config: { DEMO: 'off', RATE_LIMITS: 'register=100/3600' } });
  const [owner, driver, admin] = [
    await product.register('owner'),
    await product.register('driver'),
    await product.register('admin'),
  ];
  const { id, trackingId } = await createPackage(owner);
  const params = { id };
  const nobody = product.api();
  // One that none of the calls cancels.
  const linked = await createPackage(owner);
  const { url } = await owner.api.recipients.link({ params: { id: linked.id } });
  const key = new URL(url).hash.slice(1);
  const access = await nobody.recipients.access({ params: { id: linked.trackingId }, body: { key } });
  const { recipients: recipient } = product.api(access.token);
  const image = { name: 'lamp.jpg', type: 'image/jpeg' as const, size: 1000 };
  const calls: Record<string, [limit: RateLimit, call: () => Promise<unknown>]> = {
    'auth.register': [
      'register',
      () => nobody.auth.register({ body: { name: 'Somebody', email: 'x@example.com', password, role: 'owner' } }),
    ],
    'auth.login': ['login', () => nobody.auth.login({ body: { email: owner.email, password } })],
    'packages.rate': ['create', () => owner.api.packages.rate({ params, body: { stars: 5 } })],
    'packages.import': ['create', () => owner.api.packages.import({ body: 'name' })],
    'packages.previewImport': ['create', () => owner.api.packages.previewImport({ body: 'name' })],
    'incidents.reportOnPackage': [
      'create',
      () => owner.api.incidents.reportOnPackage({ params, body: { issue: 'It is wet' } }),
    ],
    'deliveries.next': ['claim', () => driver.api.deliveries.next({ params })],
    'deliveries.complete': ['claim', () => driver.api.deliveries.complete({ params })],
    'deliveries.fail': ['claim', () => driver.api.deliveries.fail({ params, body: { reason: 'Nobody there' } })],
    'incidents.reportOnDelivery': [
      'claim',
      () => driver.api.incidents.reportOnDelivery({ params, body: { issue: 'A flat tyre' } }),
    ],
    'images.announce': ['upload', () => owner.api.images.announce({ body: image })],
    'packages.addImage': [
      'upload',
      () => owner.api.packages.addImage({ params, file: new File(['x'], image.name, { type: image.type }) }),
    ],
    'map.part': ['write', () => admin.api.map.part({ params: { id, part: '0' }, file: new File(['x'], 'part') })],
    'packages.bulk': ['bulkChanges', () => owner.api.packages.bulk({ body: { action: 'cancel', packageIds: [id] } })],
    'labels.print': ['labels', () => owner.api.labels.print({ body: { packageIds: [id], size: 'label' } })],
    'places.search': ['places', () => owner.api.places.search({ query: { q: 'harbour' } })],
    'places.reverse': ['places', () => owner.api.places.reverse({ query: { lon: '10', lat: '53.5' } })],
    'positions.report': [
      'positions',
      () =>
        driver.api.positions.report({ body: { positions: [{ at: new Date().toISOString(), lon: 10, lat: 53.5 }] } }),
    ],
    'users.invite': ['invitation', () => admin.api.users.invite({ params: { id: driver.id } })],
    'templates.test': [
      'testMail',
      () =>
        admin.api.templates.test({
          params: { kind: 'owner.delivery.started', language: 'en' },
          body: { subject: 'Started', paragraphs: ['It is on its way.'] },
        }),
    ],
    'packages.exportAll': ['exports', () => admin.api.packages.exportAll()],
    'packages.exportOfUser': ['exports', () => owner.api.packages.exportOfUser({ params: { id: owner.id } })],
    'incidents.exportReachable': ['exports', () => admin.api.incidents.exportReachable()],
    'users.exportAll': ['exports', () => admin.api.users.exportAll()],
    'notifications.exportSent': ['exports', () => admin.api.notifications.exportSent()],
    'inventory.exportCounts': ['exports', () => admin.api.inventory.exportCounts()],
    'users.changePassword': [
      'login',
      () => owner.api.users.changePassword({ body: { currentPassword: 'wrong', newPassword: 'a new secret' } }),
    ],
    'users.removeOwn': ['login', () => owner.api.users.removeOwn({ body: { password: 'wrong' } })],
    'auth.forgot': ['forgot', () => nobody.auth.forgot({ body: { email: owner.email } })],
    'auth.reset': ['reset', () => nobody.auth.reset({ body: { token: 'guess', password } })],
    'persons.search': ['persons', () => admin.api.persons.search({ body: { q: 'nobody' } })],
    'persons.exportAll': ['exports', () => admin.api.persons.exportAll({ body: { packageIds: [id] } })],
    'persons.erase': ['persons', () => admin.api.persons.erase({ body: { packageIds: [id], confirm: 'erase' } })],
    'contact.send': [
      'contact',
      () => nobody.contact.send({ body: { name: 'Vera', email: 'vera@example.com', message: 'Where is it?' } }),
    ],
    'recipients.access': [
      'recipientKey',
      () => nobody.recipients.access({ params: { id: trackingId }, body: { key: 'x' } }),
    ],
    'recipients.change': [
      'recipientChange',
      () => recipient.change({ params: { id: linked.trackingId }, body: { kind: 'instructions', text: 'Ring twice' } }),
    ],
    'recipients.withdraw': [
      'recipientChange',
      () => recipient.withdraw({ params: { id: linked.trackingId, changeId: id } }),
    ],
    'recipients.rate': [
      'recipientChange',
      () => recipient.rate({ params: { id: linked.trackingId }, body: { stars: 5 } }),
    ],
    'tracking.message': [
      'packageMessage',
      () =>
        nobody.tracking.message({
          params: { id: trackingId },
          body: { text: 'Please ring twice.', replyTo: 'vera@example.com' },
        }),
    ],
  };
  const counted = async (limit: RateLimit) => {
    const [row] = await product.ctx.db.query<{ points: string | null }>(
      'select sum(points) as points from rate_limits where key like $1',
      [`${limit}:%`],
    );
    return Number(row?.points ?? 0);
  };
  const uncounted: string[] = [];
  for (const [name, [limit, call]] of Object.entries(calls)) {
    const before = await counted(limit);
    await call().catch(() => {});
    if ((await counted(limit)) !== before + 1) uncounted.push(name);
  }
  expect(uncounted).toEqual([]);
  const byThemselves = [...writes()].filter(([, { limit, file }]) => limit === 'own' || file).map(([name]) => name);
  expect(byThemselves.filter((name) => !(name in calls))).toEqual([]);
});

test('every write is counted, with or without a limit in the contract', async () => {
  const product = await openLimited();
  const callers = {
    owner: await product.register('owner'),
    driver: await product.register('driver'),
    admin: await product.register('admin'),
  };
  const counted = async (limit: string) => {
    const rows = await product.ctx.db.query<{ points: number }>('select points from rate_limits where key like $1', [
      `${limit}:%`,
    ]);
    return rows.reduce((sum, { points }) => sum + points, 0);
  };
  const uncounted: string[] = [];
  let looked = 0;
  for (const [name, endpoint] of writes()) {
    // Counted by their use cases: the test above has these, and those with a file.
    if (endpoint.limit === 'own' || endpoint.file) continue;
    const { access } = endpoint;
    const limit = endpoint.limit ?? (access === 'public' ? 'anonymousWrite' : 'write');
    const before = await counted(limit);
    const role = typeof access === 'object' ? (access.role ?? 'admin') : 'admin';
    const { token } = name === 'auth.logout' ? await product.register('owner') : callers[role];
    await product.app.inject({
      method: endpoint.method,
      url: `/api${endpoint.path.replace(/:\w+/g, '018f3d60-0000-7000-8000-000000000000')}`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': endpoint.body === 'csv' ? 'text/csv' : 'application/json',
      },
      payload: endpoint.body === 'csv' ? 'name' : '{}',
    });
    looked++;
    if ((await counted(limit)) !== before + 1) uncounted.push(name);
  }
  expect(uncounted).toEqual([]);
  expect(looked).toBeGreaterThan(20);
});

test('all writes of an account share a limit, and other accounts are not affected', async () => {
  const product = await openLimited({ config: { RATE_LIMITS: 'write=3/60 keys=2/3600' } });
  const [one, other] = [await product.register('owner'), await product.register('owner')];
  const rename = (by: typeof one) => by.api.users.updateProfile({ body: { name: 'Another name' } });
  expect(await statusesOf(4, () => rename(one))).toEqual([200, 200, 200, 429]);
  await one.api.auth.logout();
  await rename(other);
  let counter = 0;
  const create = () => other.api.packages.create({ body: packageInput(), idempotencyKey: `key-${counter++}` });
  expect(await statusesOf(3, create)).toEqual([200, 200, 429]);
  await expect(create()).rejects.toMatchObject({ message: expect.stringContaining('tomorrow') as string });
  await createPackage(other);
});

test('imported rows per hour are limited, and a repeated file is not counted again', async () => {
  const product = await openLimited({ config: { RATE_LIMITS: 'importRows=3/3600' } });
  const owner = await product.register('owner');
  const send = (name: string) => () =>
    owner.api.packages.import({
      body: `name,description,category,weight,recipientName,recipientContact\n${`${name},A lamp for the desk,Furniture,1,Anna,+49 151 2345678\n`.repeat(2)}`,
    });
  expect(await statusesOf(1, send('Lamp'))).toEqual([200]);
  expect(await statusesOf(2, send('Lamp'))).toEqual([200, 200]);
  expect(await statusesOf(1, send('Chair'))).toEqual([429]);
});

test('messages of all visitors together are limited, from any address', async () => {
  const product = await openLimited({ config: { RATE_LIMITS: 'contactInAll=3/3600' } });
  const statuses: number[] = [];
  for (let sent = 1; sent <= 4; sent++) {
    const payload = { name: 'Vera', email: 'vera@example.com', message: `Where is it? ${sent}` };
    const { statusCode } = await product.app.inject({
      method: 'POST',
      url: '/api/contact',
      payload,
      remoteAddress: `192.0.2.${sent}`,
    });
    statuses.push(statusCode);
  }
  expect(statuses).toEqual([201, 201, 201, 429]);
});

test('X-Forwarded-For is trusted only behind a proxy', async () => {
  const product = await openLimited({ config: { DEMO: 'off' } });
  const proxied = await openLimited({ beside: product, config: { DEMO: 'off', TRUST_PROXY: 'on' } });
  let counter = 0;
  const register = (at: TestProduct) => async () => {
    const email = `forwarded${counter++}@example.com`;
    await at.api().auth.register({
      body: { name: 'Somebody', email, password },
      headers: { 'x-forwarded-for': `192.0.2.${counter}` },
    });
  };
  expect(await statusesOf(6, register(product))).toEqual([...times(5, 200), 429]);
  expect(await statusesOf(6, register(proxied))).toEqual(times(6, 200));
});

test.each([
  ['on', '127.0.0.1', 'spoofed, real'],
  ['127.0.0.1', '127.0.0.1', 'spoofed, real'],
  // Two trusted proxies: the client is the last address that is not a proxy.
  ['loopback 192.0.2.0/24', '127.0.0.1', 'spoofed, real, 192.0.2.1'],
  // The peer is not a trusted proxy: its header is ignored.
  ['192.0.2.0/24', '203.0.113.40', 'spoofed, spoofed'],
])('behind TRUST_PROXY=%s a client cannot write its own address', async (setting, peer, forwarded) => {
  const product = await openLimited({ config: { DEMO: 'off', TRUST_PROXY: setting } });
  let counter = 0;
  const register = async () => {
    const header = forwarded.replaceAll('spoofed', () => `198.51.100.${++counter}`).replace('real', '203.0.113.40');
    const answer = await product.app.inject({
      method: 'POST',
      url: '/api/auth/register',
      remoteAddress: peer,
      headers: { 'x-forwarded-for': header },
      payload: { name: 'Somebody', email: `hop${++counter}@example.com`, password },
    });
    return answer.statusCode;
  };
  const statuses: number[] = [];
  for (let made = 0; made < 6; made++) statuses.push(await register());
  expect(statuses).toEqual([...times(5, 201), 429]);
});

test('RATE_LIMITS overrides the limits that it names, and keeps the others', async () => {
  const product = await openLimited({ config: { DEMO: 'off', RATE_LIMITS: 'register=2/60' } });
  expect(await statusesOf(3, () => product.register('owner'))).toEqual([200, 200, 429]);
  expect(product.ctx.config.RATE_LIMITS).toMatchObject({ create: { points: 60, duration: 60 } });
});

test('nothing is limited when limits are off', async () => {
  const product = await openLimited({ config: { RATE_LIMITS: 'off', DEMO: 'off' } });
  expect(await statusesOf(8, () => product.register('owner'))).toEqual(times(8, 200));
});
