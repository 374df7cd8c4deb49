import { afterAll, beforeAll, expect, test } from 'vitest';
import { purge } from './retention.ts';
import { findWrongDerivedData } from '../testing/derived-data.ts';
import {
  createPackage,
  openTestProduct,
  packageInput,
  password,
  untilJobsDone,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ config: { RATE_LIMITS: 'on' } });
  admin = await product.register('admin');
});
afterAll(() => product.close());

/** Names and contact data of the deleted users, as they and others have written them. */
const words = [
  'quillfeather',
  'quill@example.com',
  '761234567',
  '76 1234567',
  'ZQ 4711',
  'stormbringer',
  'storm@example.com',
];

/** The rows of the whole database that contain one of the words, by table. */
async function findTraces(): Promise<Record<string, string[]>> {
  const tables = await product.ctx.db.query<{ name: string }>(
    `select quote_ident(nspname) || '.' || quote_ident(relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind = 'r' and nspname in ('public', 'jobs') order by 1`,
  );
  const traces: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await product.ctx.db.query<{ row: string }>(`select t::text as row from ${name} t`);
    const found = rows
      .map(({ row }) => row.toLowerCase())
      .filter((row) => words.some((word) => row.includes(word.toLowerCase())));
    if (found.length > 0) traces[name.replace(/_\d+$/, '')] = found;
  }
  return traces;
}

/** Creates an account as an administrator, with an Idempotency-Key: the stored reply contains name and email address. */
async function makeAccount(role: 'owner' | 'driver', name: string, email: string): Promise<TestUser> {
  const { id } = await admin.api.users.create({
    body: { name, email, password, role, status: 'active' },
    idempotencyKey: `make ${email}`.replace(' ', '-'),
  });
  const user = await product.api().auth.login({ body: { email, password } });
  return { id, email, password, user, token: user.token, api: product.api(user.token) };
}

const jobsDone = () => untilJobsDone(product);

test('the whole database is free of the personal data of a deleted owner and driver, except a recipient of a package under way', async () => {
  const owner = await makeAccount('owner', 'Zacharias  Quillfeather', 'quill@example.com');
  const driver = await makeAccount('driver', 'Sigrid Stormbringer', 'storm@example.com');
  await owner.api.users.updateProfile({
    body: { phone: '+49761234567', profilePicture: await uploadImage(product, owner) },
  });
  await driver.api.users.updateProfile({
    body: {
      currentLocation: 'At the Stormbringers',
      vehicleInfo: { type: 'Van', model: 'Stormbringer X', licensePlate: 'ZQ 4711' },
      startPlace: { lon: 7.8421, lat: 47.9959 },
    },
  });
  await product.api().auth.forgot({ body: { email: owner.email } });
  await product
    .api()
    .auth.login({ body: { email: owner.email, password: 'wrong' } })
    .catch(() => {});
  await uploadImage(product, owner);
  const csv = `name,description,category,weight,recipientName,recipientContact\nZacharias Quillfeather,x,None,x,,\n`;
  await owner.api.packages.import({ body: csv });

  const own = {
    name: 'Lamp of Zacharias Quillfeather',
    description: 'Ask ZACHARIAS QUILLFEATHER, quill@example.com, or call +49 (76) 123-4567',
    location: 'Shop of Zacharias Quillfeather',
    handling: { safePlace: 'Where "Zacharias Quillfeather" says' },
    recipientName: 'Zacharias Quillfeather',
    recipientContact: '0049 76 1234567',
    address: { street: 'c/o Zacharias Quillfeather', city: 'Berlin' },
  };
  const stranger = await product.register('owner');
  const waiting = await createPackage(owner, own);
  const underWay = await createPackage(owner, own);
  const failed = await createPackage(owner, own);
  const delivered = await createPackage(owner, own);
  const at = (pkg: { id: string }) => ({ params: { id: pkg.id } });
  for (const pkg of [underWay, failed, delivered]) await driver.api.deliveries.start(at(pkg));
  await owner.api.incidents.reportOnPackage({
    ...at(delivered),
    body: { issue: 'Late, says Zacharias Quillfeather: +4976 1234567' },
  });
  const [incident] = (await admin.api.incidents.list()).items;
  await admin.api.incidents.move({
    params: { id: incident?.id ?? 0 },
    body: { status: 'Resolved', note: 'Told quill@example.com, and Sigrid Stormbringer with ZQ 4711' },
  });
  await driver.api.incidents.reportOnDelivery({
    ...at(failed),
    body: { issue: 'Sigrid Stormbringer had a flat tyre' },
  });
  await driver.api.deliveries.fail({ ...at(failed), body: { reason: 'Ask Sigrid Stormbringer' } });
  // Only the attempt still links this package to the driver.
  const handedBack = await createPackage(stranger);
  await driver.api.deliveries.start(at(handedBack));
  await driver.api.deliveries.fail({ ...at(handedBack), body: { reason: 'Sigrid Stormbringer is ill' } });
  await driver.api.deliveries.complete({
    ...at(delivered),
    body: { receivedBy: 'Zacharias Quillfeather', note: 'Handed over by Sigrid Stormbringer, storm@example.com' },
  });
  await owner.api.packages.rate({ ...at(delivered), body: { stars: 2, comment: 'Quillfeather would not buy again' } });
  // A package of another owner that happens to contain the name must not be redacted.
  const other = await createPackage(stranger, { description: 'A novel by Sigrid Stormbringer' });
  await jobsDone();
  expect(Object.keys(await findTraces())).toEqual(
    expect.arrayContaining([
      'public.package_events',
      'public.delivery_attempts',
      'public.idempotency_keys',
      'public.incidents',
      'public.messages',
      'public.notifications',
      'public.package_search',
      'public.packages',
      'public.proofs',
      'public.users',
    ]),
  );

  for (const { id } of [owner, driver]) await admin.api.users.remove({ params: { id } });
  await jobsDone();
  const traces = await findTraces();
  // Left: the recipient of the package under way, until it has arrived, and the novel.
  expect(Object.fromEntries(Object.entries(traces).map(([table, rows]) => [table, rows.length]))).toEqual({
    'public.erasures': 1,
    'public.package_search': 1,
    'public.packages': 2,
    'public.public_views': 1,
  });
  expect(traces['public.packages']).toContainEqual(expect.stringContaining(other.id));
  expect(await admin.api.packages.read(at(underWay))).toMatchObject({
    name: 'Lamp of Removed',
    description: 'Ask Removed, Removed, or call Removed',
    recipientName: 'Zacharias Quillfeather',
  });
  expect(await admin.api.packages.read(at(waiting))).toMatchObject({ status: 'cancelled', recipientName: 'Removed' });
  expect(await admin.api.packages.read(at(delivered))).toMatchObject({
    status: 'delivered',
    handling: { safePlace: 'Where "Removed" says' },
    rating: { stars: 2, comment: null },
  });

  const next = await product.register('driver');
  await admin.api.deliveries.assign({ ...at(underWay), body: { driverId: next.id } });
  await next.api.deliveries.complete(at(underWay));
  await jobsDone();
  expect((await purge(product.ctx))?.removed).toMatchObject({ 'deleted users in texts': 1, 'unused images': 2 });
  expect(Object.keys(await findTraces())).toEqual(['public.packages']);
  expect(await stranger.api.packages.read(at(other))).toMatchObject({
    description: 'A novel by Sigrid Stormbringer',
    version: 1,
  });
  expect(await findWrongDerivedData(product.connection)).toEqual({});
});

test('a name of a single word is not redacted in texts, and special characters in a name are escaped in the pattern', async () => {
  const users = [await product.register('owner', 'Lamp'), await product.register('owner', 'A.* (b|c) \\d+')];
  const pkgs = await Promise.all(users.map((user) => createPackage(user, packageInput())));
  for (const { id } of users) await admin.api.users.remove({ params: { id } });
  await jobsDone();
  for (const { id } of pkgs)
    expect(await admin.api.packages.read({ params: { id } })).toMatchObject({
      name: 'Desk lamp',
      description: 'A lamp for the desk, in two parts',
    });
});
