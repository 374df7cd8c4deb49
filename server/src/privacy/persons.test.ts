import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  password,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { findRecipients } from './persons-queries.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const recipient = {
  recipientName: 'Quentin Quillfeather',
  recipientContact: 'quentin@example.com',
  recipientPhone: '+4915155512345',
  address: { street: 'Secret street 12', postalCode: '12345', city: 'Opentown' },
};
const find = async (q: string, by = admin) => by.api.persons.search({ body: { q } });
const foundIds = async (q: string) => (await find(q)).packages.map(({ id }) => id).toSorted();
async function deliver(id: string): Promise<void> {
  await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.complete({
    params: { id },
    body: { receivedBy: 'Quentin Quillfeather', note: 'At the door' },
  });
}
async function exportOf(body: object): Promise<Record<string, unknown>> {
  const response = await product.api(admin.token).persons.exportAll({ body: body as never });
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return JSON.parse(Buffer.from(files['person.json'] ?? []).toString()) as Record<string, unknown>;
}

test('a recipient is found by name, email and number, exported, and erased once the delivery has ended', async () => {
  const [done, waiting] = [await createPackage(owner, recipient), await createPackage(owner, recipient)];
  await createPackage(owner, {
    ...recipient,
    recipientName: 'Another One',
    recipientContact: 'another@example.com',
    recipientPhone: '+4915100000000',
  });
  await deliver(done.id);
  const both = [done.id, waiting.id].toSorted();
  for (const q of ['quillFEATHER', 'quentin@example', '0151 555 12345'.replace('0', '+49 '), '15155512345'])
    expect([q, await foundIds(q)]).toEqual([q, both]);
  expect(await foundIds('%%%')).toEqual([]);
  expect((await find('Quillfeather')).packages.find(({ id }) => id === done.id)).toMatchObject({
    hasProof: true,
    isOpen: false,
    receivedBy: 'Quentin Quillfeather',
  });

  expect(await exportOf({ packageIds: both })).toMatchObject({
    account: null,
    packages: [
      { trackingId: done.trackingId, recipientEmail: 'quentin@example.com', note: 'At the door' },
      { trackingId: waiting.trackingId, address: { street: 'Secret street 12' } },
    ],
  });

  const erase = (packageIds: string[]) => admin.api.persons.erase({ body: { packageIds, confirm: 'erase' } });
  await expect(erase(both)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining(waiting.trackingId),
  });
  expect(await foundIds('Quillfeather')).toEqual(both);
  const linkOf = async () => {
    const [link] = await product.ctx.db.query<{ hash: string | null; salt: Buffer | null }>(
      "select encode(hash, 'hex') as hash, salt from proof_links where package_id = $1",
      [done.id],
    );
    return link;
  };
  // A proof gets its place in the chain a moment later.
  await eventually('the proof is chained', async () => Boolean((await linkOf())?.hash));
  const before = await linkOf();
  expect(await erase([done.id])).toEqual({ account: false, packages: 1 });
  expect(await foundIds('Quillfeather')).toEqual([waiting.id]);
  expect(JSON.stringify(await admin.api.packages.read({ params: { id: done.id } }))).not.toMatch(
    /Quillfeather|Secret|quentin/,
  );
  expect(await linkOf()).toEqual({ hash: before?.hash, salt: null });
  await owner.api.packages.update({ params: { id: waiting.id }, body: { status: 'cancelled' } });
  await erase([waiting.id]);
  expect(await foundIds('Quillfeather')).toEqual([]);
  const addresses = await product.ctx.db.query("select from addresses where name ilike '%quillfeather%'");
  expect(addresses).toEqual([]);
  // Nothing of the person is in the audit log.
  for (const act of ['person.searched', 'person.exported', 'person.erased'] as const) {
    const { items } = await admin.api.audit.list({ query: { act } });
    expect([act, items.length > 0, /Quill|quentin/.test(JSON.stringify(items))]).toEqual([act, true, false]);
  }
});

test('who is reached beside the contact, and who accepted a package for another, is found as well', async () => {
  const pkg = await createPackage(owner, {
    ...recipient,
    recipientName: 'Somebody Else',
    recipientContact: '+49 170 5556677',
    recipientEmail: 'Zacharias@example.org',
    recipientPhone: '+4930998877665',
  });
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await driver.api.deliveries.complete({ params: { id: pkg.id }, body: { receivedBy: 'Nora Neighbourhood' } });
  for (const q of ['zacharias@EX', 'neighbourHood', '030 99887', '170555', 'Somebody else'])
    expect([q, await foundIds(q)]).toEqual([q, [pkg.id]]);
  // A part of the package's own name or address is no person.
  expect(await foundIds('Secret street')).toEqual([]);
});

test('words of very many packages are searched from the newest on, and the next search goes on where it ended', async () => {
  const made: string[] = [];
  for (const name of ['Willa Wharf', 'Somebody Else', 'Walter Wharf', 'Another One'])
    made.push(
      (await createPackage(owner, { recipientName: name, address: { ...recipient.address, street: 'Wharf 1' } })).id,
    );
  const search = async (before: string | null, most?: { candidates: number; read: number }) => {
    const { rows, older } = await findRecipients(product.ctx, 'wharf', before, AbortSignal.timeout(10_000), most);
    return { names: rows.map((row) => row.recipient_name), before: older?.before ?? null };
  };
  const many = { candidates: 3, read: 3 };
  const first = await search(null, many);
  expect(first).toEqual({ names: ['Walter Wharf'], before: made[1] });
  // One that may match is left, which an index finds.
  expect(await search(first.before, many)).toEqual({ names: ['Willa Wharf'], before: null });
  const few = { candidates: 0, read: 1000 };
  expect(await search(null, few)).toEqual({ names: ['Walter Wharf', 'Willa Wharf'], before: null });
  // All four may match, and are looked at.
  expect(await search(null)).toEqual({ names: ['Walter Wharf', 'Willa Wharf'], before: null });
  // No index has '...', so packages are read.
  expect(await admin.api.persons.search({ body: { q: '...', before: first.before } })).toMatchObject({ older: null });
});

test('an account is exported and erased, but not while packages are on the road', async () => {
  const leaving = await product.register('owner', 'Lena Leaving');
  const pkg = await createPackage(leaving);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  expect((await find('lena leav')).accounts).toMatchObject([{ id: leaving.id, email: leaving.email, underWay: 1 }]);
  const body = { accountId: leaving.id, packageIds: [], confirm: 'erase' as const };
  await expect(admin.api.persons.erase({ body })).rejects.toMatchObject({ status: 409 });
  await driver.api.deliveries.complete({ params: { id: pkg.id } });
  await product.ctx.db.query(
    `update users set return_street = 'Am Kai 3', return_city = 'Hamburg', return_lon = 8.2, return_lat = 53.6, return_accuracy = 'pin',
       return_source = 'pin', return_searched_at = now() where id = $1`,
    [leaving.id],
  );
  const exported = await exportOf({ accountId: leaving.id, packageIds: [] });
  expect(exported).toMatchObject({
    account: {
      profile: [{ name: 'Lena Leaving', returnAddress: { street: 'Am Kai 3', lon: 8.2, lat: 53.6 } }],
      ownedPackages: [{ trackingId: pkg.trackingId }],
    },
  });
  expect(JSON.stringify(exported)).not.toMatch(/password|token|\$argon|scrypt/i);
  expect(await admin.api.persons.erase({ body })).toEqual({ account: true, packages: 0 });
  const [erased] = await product.ctx.db.query<{ kept: string | null }>(
    'select concat(return_street, return_lon, return_lat, return_accuracy, return_source, return_searched_at) as kept from users where id = $1',
    [leaving.id],
  );
  expect(erased?.kept).toBe('');
  expect((await find('lena leav')).accounts).toEqual([]);
});

test('it takes the rights to all accounts and all packages, and to delete accounts, and typed words', async () => {
  const clerk = await product.register('admin');
  await admin.api.users.update({ params: { id: clerk.id }, body: { permissions: ['admin.manage_users'] } });
  await expect(find('Olga', clerk)).rejects.toMatchObject({ status: 403 });
  await admin.api.users.update({
    params: { id: clerk.id },
    body: { permissions: ['admin.manage_users', 'packages.view_all'] },
  });
  const again = product.api((await product.api().auth.login({ body: { email: clerk.email, password } })).token);
  expect((await again.persons.search({ body: { q: 'Olga' } })).accounts).toHaveLength(1);
  const body = { accountId: owner.id, packageIds: [], confirm: 'erase' as const };
  await expect(again.persons.erase({ body })).rejects.toMatchObject({ status: 403 });
  await expect(admin.api.persons.erase({ body: { ...body, confirm: 'yes' as never } })).rejects.toMatchObject({
    status: 422,
  });
  await expect(find('ab')).rejects.toMatchObject({ status: 422 });
});
