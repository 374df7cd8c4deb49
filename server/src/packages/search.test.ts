import { packageStatuses, type Package } from '@waybill/contract';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../testing/postgres.ts';
import { spellings } from './search.ts';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;

const addresses = {
  Anvil: { street: 'Schönhauser Allee 9', postalCode: '01067', city: 'Dresden', country: 'Germany' },
  Bellows: { street: 'Bergstraße 3', city: 'Faro' },
  Crowbar: { street: 'Mill Lane 77', postalCode: 'LS1 4DY', city: 'Leeds' },
  Drill: { street: 'Neue Bergstr. 31', postalCode: '91 781', city: 'Weißenburg' },
};
const contacts = {
  Anvil: '+49 170 1234567',
  Bellows: '0170/123 99 99',
  Crowbar: '+44 (0)20 7946 0018',
  Drill: 'Reception of the mill, extension 55',
};

const made: Partial<Record<string, Package>> = {};
beforeAll(async () => {
  const connection = await cloneDatabase();
  const client = new pg.Client(connection);
  await client.connect();
  // Otherwise the planner would scan such small tables instead of using the indexes.
  for (const setting of ['enable_seqscan', 'enable_indexscan']) {
    await client.query(`alter database "${connection.database}" set ${setting} = off`);
  }
  await client.end();
  product = await openTestProduct({ runsJobs: false, connection });
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
  ['Bergstraße 3, Faro', ['Bellows']],
  ['91781', ['Drill']],
  ['ls1 4', ['Crowbar']],
  ['LS14DY', ['Crowbar']],
  ['mill lane 77, LS14DY Leeds', ['Crowbar']],
  ['01 067', ['Anvil']],
  ['010-67 dresden', ['Anvil']],
  ['Bergstraße', ['Drill', 'Bellows']],
  ['bergstrasse 3', ['Drill', 'Bellows']],
  ['Bergstr. 3', ['Drill', 'Bellows']],
  ['Bergstr.3', ['Drill', 'Bellows']],
  ['bergstr', ['Drill', 'Bellows']],
  ['bergstras', ['Drill', 'Bellows']],
  ['str. 31', ['Drill']],
  ['weissenburg', ['Drill']],
  ['Weißenburg', ['Drill']],
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
  ['0 12345', ['Anvil']],
  ['23 99 9', ['Bellows']],
  ['207946001', ['Crowbar']],
  ['946', ['Crowbar']],
  ['7012', ['Bellows', 'Anvil']],
  ['46', []],
  ['020 7946', ['Crowbar']],
  ['+44 20 7946 0018', ['Crowbar']],
  ['extension 55', ['Drill']],
  ['#20-7', ['Crowbar', 'Bellows']],
])('search for %j finds it by address or phone, for owner, driver and administrator alike', async (q, expected) => {
  const names = async (list: Promise<{ items: { name?: string; packageName?: string }[] }>) =>
    (await list).items.map(({ name, packageName }) => name ?? packageName);
  expect(await names(owner.api.packages.listOfUser({ params: { id: owner.id }, query: { q } }))).toEqual(expected);
  expect(await names(admin.api.packages.listAll({ query: { q } }))).toEqual(expected);
  const carried = expected.filter((name) => name !== 'Drill');
  expect(await names(driver.api.deliveries.mine({ query: { q } }))).toEqual(carried);
});

test('search follows edits: the old address is no longer found, the new one is', async () => {
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

test('a space in the term matches a space only, also between long words', async () => {
  const shop = await product.register('owner');
  for (const recipientName of [
    'Anna Schmidt',
    'Anna-Schmidt',
    'Anna_Schmidt',
    'Annas Schmidt',
    'Anna  Schmidt',
    'Annaéschmidt',
  ])
    await createPackage(shop, { name: 'Vase', recipientName });
  const found = async (q: string, status?: string) => {
    const query = { q, count: true, ...(status === undefined ? {} : { status }) };
    const { items, total } = await shop.api.packages.listOfUser({ params: { id: shop.id }, query });
    expect(total).toBe(items.length);
    return items.map((pkg) => pkg.recipientName).toReversed();
  };
  for (const status of [undefined, 'processing']) {
    expect(await found('anna schmidt', status)).toEqual(['Anna Schmidt']);
    expect(await found('ANNA SCHMIDT', status)).toEqual(['Anna Schmidt']);
    expect(await found('anna_schmidt', status)).toEqual(['Anna_Schmidt']);
    expect(await found('annas schmidt', status)).toEqual(['Annas Schmidt']);
    expect(await found('anna%schmidt', status)).toEqual([]);
    expect(await found('vase', status)).toHaveLength(6);
  }
});

test('a list with other conditions finds the matches among its first thousand rows and those after them', async () => {
  const shop = await product.register('owner');
  await product.ctx.db.query(
    `with numbered as (select n, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, 1300) n),
     added as (
       insert into packages (id, owner_id, tracking_id, name, description, category, weight, recipient_name, status, created_at, updated_at)
       select id, $1, 'PKG-Q' || lpad(n::text, 7, '0'), case when n < 6 or n between 1200 and 1203 then 'Harpsichord ' else 'Box ' end || n,
         'A thing', 'Other', 1, 'Somebody', 'cancelled', now(), now() from numbered
       returning id, name
     ) insert into package_search (owner_id, package_id, text, phone) select $1, id, lower(name), null from added`,
    [shop.id],
  );
  const list = (q: string, limit: number, more: object = {}) =>
    shop.api.packages.listOfUser({ params: { id: shop.id }, query: { q, status: 'cancelled', limit, ...more } });
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list('harpsichord', 3, cursor === undefined ? {} : { cursor });
    found.push(...page.items.map(({ name }) => name.replace(/\D+/, '')));
    cursor = page.next;
  }
  expect(found).toEqual(['1203', '1202', '1201', '1200', '5', '4', '3', '2', '1']);
  expect((await list('harpsichord', 3, { count: true })).total).toBe(9);
  expect((await list('box', 2)).items.map(({ name }) => name)).toEqual(['Box 1300', 'Box 1299']);
  expect((await list('harpsichord', 3, { status: 'processing' })).items).toEqual([]);
  // The index looks for parts of a long word, the answer for the word.
  expect((await list('harrrrsichord', 3)).items).toEqual([]);
});

test('a driver finds their own among few matches and among more than a thousand', async () => {
  const shop = await product.register('owner');
  const driver = await product.register('driver');
  await product.ctx.db.query(
    `with numbered as (select n, ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, 1300) n),
     added as (
       insert into packages (id, owner_id, driver_id, tracking_id, name, description, category, weight, recipient_name, status, created_at, updated_at)
       select id, $1, case when n in (1, 600, 1290) then $2::uuid end, 'PKG-R' || lpad(n::text, 7, '0'),
         case when n < 6 then 'Theremin ' else 'Crate ' end || n, 'A thing', 'Other', 1, 'Somebody', 'cancelled', now(), now() from numbered
       returning id, name
     ) insert into package_search (owner_id, package_id, text, phone) select $1, id, lower(name), null from added`,
    [shop.id, driver.id],
  );
  const find = async (q: string, limit = 10) =>
    (await driver.api.deliveries.mine({ query: { q, limit } })).items.map(({ packageName }) => packageName);
  expect(await find('theremin')).toEqual(['Theremin 1']);
  expect(await find('crate')).toEqual(['Crate 1290', 'Crate 600']);
  expect(await find('crate', 1)).toEqual(['Crate 1290']);
  expect(await find('zeppelin')).toEqual([]);
});

/** A reference implementation of the search, based on what the owner reads. */
function matchesNaively(pkg: Package, term: string): boolean {
  const { address, recipientContact: contact } = pkg;
  const place =
    address &&
    `${address.street},${address.postalCode ? ` ${address.postalCode}` : ''} ${address.city}${address.country ? `, ${address.country}` : ''}`;
  const letters = /\p{L}/u.test(contact ?? '') ? contact : null;
  const parts = [pkg.name, pkg.trackingId.slice(4), pkg.recipientName, pkg.reference, place, letters];
  const text = parts
    .filter((part) => part !== null)
    .join(' ')
    .toLowerCase();
  const texts = [text, text.replace(address?.postalCode?.toLowerCase() ?? '', (code) => code.replaceAll(' ', ''))];
  if (spellings(term.toLowerCase()).some((spelling) => texts.some((each) => each.includes(spelling)))) return true;
  const typed = term.replaceAll(/\D/g, '');
  if (!/^\+?[\d ./()-]+$/.test(term) || typed.replace(/^0+/, '').length < 3) return false;
  const phone = (contact ?? '').replace('(0)', '').replaceAll(/\D/g, '');
  const withoutCode = (digits: string) => digits.replace(/^(0|49|44)/, '');
  if (term.startsWith('+')) {
    const national = withoutCode(typed);
    return phone.startsWith(typed) || (national.length >= 3 && phone.startsWith(`0${national}`));
  }
  return phone.includes(typed) || (typed.startsWith('0') && withoutCode(phone).startsWith(typed.slice(1)));
}

test('any term finds what the reference implementation finds, newest first, through every list', async () => {
  const shop = await product.register('owner');
  const samples = fc.sample(
    fc.record({
      name: fc.constantFrom('Kettle 4711', 'Kettle', 'Lamp 1004', 'Ämter & 50% off_er'),
      recipientName: fc.constantFrom('Anna Schmidt', 'Anna-Schmidt', 'Bob', 'Zoë 1234567'),
      number: fc.integer({ min: 1_000_000, max: 1_099_999 }),
      contact: fc.constantFrom('+4930', '+44 (0)20 ', '0170 ', '030/', 'ext. 71 of +49 30 '),
      postalCode: fc.constantFrom('10115', '01067', 'LS1 4DY', '10100'),
    }),
    { numRuns: 40, seed: 7 },
  );
  const made: Package[] = [];
  for (const [index, { number, contact, postalCode, ...names }] of samples.entries()) {
    const content = {
      ...names,
      reference: `#${number}-${index}`,
      recipientContact: `${contact}${number * 7}`,
      address: { street: `Long Street ${number % 200}`, postalCode, city: 'Leeds' },
    };
    made.push(await createPackage(shop, content));
  }
  // The order of two packages created in the same millisecond is random.
  made.sort((one, other) => (one.id < other.id ? 1 : -1));
  const partOf = (whole: string) =>
    fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 14 })).map(([at, long]) => whole.slice(at, at + long));
  const term = fc.oneof(
    fc
      .constantFrom(...made)
      .chain((pkg) =>
        partOf(
          `${pkg.name} ${pkg.trackingId.slice(4)} ${pkg.recipientName} ${pkg.reference} ${pkg.address?.street}, ${pkg.address?.postalCode} Leeds`,
        ),
      ),
    fc.constantFrom(...made).chain((pkg) => partOf(pkg.recipientContact?.replaceAll(/[^+\d]/g, '') ?? '')),
    fc.constantFrom(...made).chain((pkg) => partOf(pkg.recipientContact?.replaceAll(/\D/g, '').slice(3) ?? '')),
  );
  const terms = term.map((typed) => typed.trim()).filter((typed) => !/^$|^0{2}/.test(typed));
  await fc.assert(
    fc.asyncProperty(terms, fc.integer({ min: 1, max: 50 }), async (q, limit) => {
      const expected = made.filter((pkg) => matchesNaively(pkg, q)).map(({ id }) => id);
      const called = packageStatuses.some((status) => `${status} out for delivery`.includes(q.toLowerCase()));
      fc.pre(!called);
      const first = await shop.api.packages.listOfUser({ params: { id: shop.id }, query: { q, limit, count: true } });
      const found = [...first.items];
      for (let cursor = first.next; cursor !== null;) {
        const page = await shop.api.packages.listOfUser({ params: { id: shop.id }, query: { q, limit, cursor } });
        found.push(...page.items);
        cursor = page.next;
      }
      expect(found.map(({ id }) => id)).toEqual(expected);
      expect(first.total).toBe(expected.length);
      const waiting = { q, status: 'processing', limit: 100 };
      const filtered = await shop.api.packages.listOfUser({ params: { id: shop.id }, query: waiting });
      expect(filtered.items.map(({ id }) => id)).toEqual(expected);
      const all = await admin.api.packages.listAll({ query: waiting });
      expect(all.items.filter(({ userId }) => userId === shop.id).map(({ id }) => id)).toEqual(expected);
    }),
    { numRuns: 60, seed: 11 },
  );
}, 60_000);
