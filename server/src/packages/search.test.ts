import type { Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;

const addresses = {
  Anvil: { street: 'Schönhauser Allee 9', postalCode: '01067', city: 'Dresden', country: 'Germany' },
  Bellows: { street: 'Rua do Mar 3', city: 'Faro' },
  Crowbar: { street: 'Mill Lane 77', postalCode: 'LS1 4DY', city: 'Leeds' },
  Drill: null,
};
const contacts = {
  Anvil: '+49 170 1234567',
  Bellows: '0170/123 99 99',
  Crowbar: '+44 (0)20 7946 0018',
  Drill: 'Reception of the mill, extension 55',
};

const made: Partial<Record<string, Package>> = {};
beforeAll(async () => {
  product = await openTestProduct({ works: false });
  [owner, driver, admin] = [
    await product.register('owner'),
    await product.register('driver'),
    await product.register('admin'),
  ];
  for (const name of ['Anvil', 'Bellows', 'Crowbar', 'Drill'] as const) {
    const pkg = await createPackage(owner, {
      name,
      address: addresses[name],
      recipientContact: contacts[name],
      recipientName: 'Bob',
      reference: `#20-${name.length}-${name}`,
      trackingId: `PKG-XXXXXXX${name.slice(0, 1)}`,
    }).catch((error: { fields?: unknown }) => Promise.reject(new Error(JSON.stringify(error.fields))));
    made[name] = pkg;
    if (name !== 'Drill') await driver.api.deliveries.start({ params: { id: pkg.id } });
  }
});
afterAll(() => product.close());

test.each([
  ['01067', ['Anvil']],
  ['01067 dresden', ['Anvil']],
  ['schönhauser', ['Anvil']],
  ['Schönhauser Allee 9, 01067 Dresden, Germany', ['Anvil']],
  ['Rua do Mar 3, Faro', ['Bellows']],
  ['ls1 4', ['Crowbar']],
  ['0170 123', ['Bellows', 'Anvil']],
  ['0170-1234567', ['Anvil']],
  ['+49 170 123', ['Bellows', 'Anvil']],
  ['0049170123', ['Bellows', 'Anvil']],
  ['+49 (0) 170 123 45', ['Anvil']],
  ['+48 170 1234567', []],
  ['0234567', []],
  ['123 45 67', ['Anvil']],
  ['4567', ['Anvil']],
  ['49170', ['Anvil']],
  ['170 123', ['Bellows', 'Anvil']],
  ['020 7946', ['Crowbar']],
  ['+44 20 7946 0018', ['Crowbar']],
  ['extension 55', ['Drill']],
  ['#20-7', ['Crowbar', 'Bellows']],
])('search for %j finds it by its address or phone, for owner, driver and administrator alike', async (q, expected) => {
  const names = async (list: Promise<{ items: { name?: string; packageName?: string }[] }>) =>
    (await list).items.map(({ name, packageName }) => name ?? packageName);
  expect(await names(owner.api.packages.listOfUser({ params: { id: owner.id }, query: { q } }))).toEqual(expected);
  expect(await names(admin.api.packages.listAll({ query: { q } }))).toEqual(expected);
  const carried = expected.filter((name) => name !== 'Drill');
  expect(await names(driver.api.deliveries.mine({ query: { q } }))).toEqual(carried);
});

test('search follows what is changed: the old address is found no more, the new one is', async () => {
  const found = async (q: string) =>
    (await owner.api.packages.listOfUser({ params: { id: owner.id }, query: { q } })).items.map(({ id }) => id);
  const { id } = made.Drill as Package;
  const move = (address: object, recipientContact: string) =>
    owner.api.packages.update({ params: { id }, body: { address: address as never, recipientContact } });
  await move({ street: 'Quarry Road 1', city: 'Cork' }, '+353 21 555 0100');
  expect([await found('quarry road'), await found('021 555')]).toEqual([[id], [id]]);
  await move({ street: 'Harbour Row 2', city: 'Cork' }, '+353 21 777 0100');
  expect([await found('quarry'), await found('021 555'), await found('harbour row'), await found('021 777')]).toEqual([
    [],
    [],
    [id],
    [id],
  ]);
});
