import type { Address, Handling } from '@waybill/contract';
import fc from 'fast-check';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { listMigrations, migrate, migrateWithin } from '../platform/database/migrate.ts';
import { createDatabase, createUpgradingDatabase } from '../testing/postgres.ts';
import { createPackage, openTestProduct } from '../testing/test-product.ts';
import { runsAll } from '../testing/suite.ts';

/** What version 0.2.0 knows of it. */
type OldHandling = Omit<Handling, 'pin' | 'age'>;

const noHandling: OldHandling = {
  fragile: false,
  keepUpright: false,
  refrigerated: false,
  signatureRequired: false,
  safePlace: null,
};

const knownOf = ({ fragile, keepUpright, refrigerated, signatureRequired, safePlace }: OldHandling): OldHandling => ({
  fragile,
  keepUpright,
  refrigerated,
  signatureRequired,
  safePlace,
});

interface Parts {
  weight: number;
  address: Address | null;
  handling: OldHandling;
}

/** The parts of a package in the columns that servers of version 0.2.0 read, and in those that this one reads. */
const bothForms = `
  weight_kg as old_weight, address as old_address, handling as old_handling,
  weight::float8 as weight,
  case when address_street is not null then json_build_object('street', address_street, 'postalCode', address_postal_code,
    'city', address_city, 'country', address_country) end as address,
  json_build_object('fragile', handling_fragile, 'keepUpright', handling_keep_upright, 'refrigerated', handling_refrigerated,
    'signatureRequired', handling_signature_required, 'safePlace', handling_safe_place) as handling`;

interface BothForms extends Parts {
  old_weight: number;
  old_address: Address | null;
  old_handling: OldHandling;
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'waybill requests' });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const text = fc.constantFrom('Mill Lane 7', 'O\'Hara "Hall" \\ 3', 'Straße\t9', '{"street": null}');
const optional = fc.option(text, { nil: null });
const parts: fc.Arbitrary<Parts> = fc.record({
  weight: fc.integer({ min: 100, max: 50_000 }).map((grams) => grams / 1000),
  address: fc.option(fc.record({ street: text, postalCode: optional, city: text, country: optional }), { nil: null }),
  handling: fc.record({
    fragile: fc.boolean(),
    keepUpright: fc.boolean(),
    refrigerated: fc.boolean(),
    signatureRequired: fc.boolean(),
    safePlace: optional,
  }),
});

const user = '00000000-0000-7000-8000-000000000001';
/** How version 0.2.0 inserts a package. */
const insertAsOlder = (client: pg.Client, n: number, { weight, address, handling }: Parts) =>
  client.query(
    `insert into packages (id, owner_id, tracking_id, name, description, category, weight_kg, recipient_name, recipient_contact, address,
       handling, status, created_at, updated_at)
     values (gen_random_uuid(), (select id from users where role = 'owner'), $1, 'Lamp', 'A lamp', 'Other', $2, 'Anna', '+49 170 1', $3, $4,
       'processing', now(), now())`,
    [`PKG-${String(n).padStart(8, '0')}`, weight, address, handling],
  );

test.runIf(runsAll)(
  'packages from before have the same address, handling, weight, search text and content hash in the new columns',
  async () => {
    const connection = await createDatabase();
    const names = await listMigrations();
    const first = names.findIndex((name) => name.endsWith('_package_columns.sql'));
    const older = await connect(connection);
    await older.query('begin');
    await migrateWithin(older, names.slice(0, first));
    await older.query('commit');
    await older.query(`insert into users (id, name, email, password_hash, role, status)
    values ('${user}', 'Olga', 'olga@example.com', 'x', 'owner', 'active')`);
    const given = fc.sample(parts, 300);
    for (const [n, one] of given.entries()) await insertAsOlder(older, n, one);
    // More than one batch of the migration.
    await older.query(`insert into packages (id, owner_id, tracking_id, name, description, category, weight_kg, recipient_name, handling, status,
      created_at, updated_at)
    select gen_random_uuid(), '${user}', 'PKG-A' || lpad(n::text, 7, '0'), 'Lamp', 'A lamp', 'Other', 1, 'Anna', '${JSON.stringify(noHandling)}',
      'processing', now(), now() from generate_series(1, 4500) n`);
    const derived = (hash: string) =>
      older.query(
        `select tracking_id, ${hash} as hash, package_search_text(packages) as text from packages order by 1`,
      );
    const before =
      await derived(`package_content(reference, name, description, category, weight_kg, dimensions_cm, recipient_name,
    recipient_contact, location, eta, address, window_from, window_to, handling, hide_recipient, instructions, show_sender)`);
    const hash = `content_hash(reference, name, description, category, weight, dimensions_cm, recipient_name, recipient_contact, location, eta,
    address_street, address_postal_code, address_city, address_country, window_from, window_to, handling_fragile, handling_keep_upright,
    handling_refrigerated, handling_signature_required, handling_safe_place, hide_recipient, instructions, show_sender)`;

    const pending = await migrate(connection, () => {});
    expect(pending.filter((name) => name.includes('package_columns'))).toHaveLength(1);
    expect((await derived(hash)).rows).toEqual(before.rows);
    const read = () =>
      older.query<Parts>(
        `select ${bothForms.slice(bothForms.indexOf('weight::'))} from packages where tracking_id < 'PKG-A' order by tracking_id`,
      );
    expect((await read()).rows).toEqual(given);
    const { rows } = await older.query<BothForms>(`select ${bothForms} from packages order by tracking_id limit 300`);
    expect(rows.map((row) => [row.old_weight, row.old_address, row.old_handling])).toEqual(
      given.map(({ weight, address, handling }) => [weight, address, handling]),
    );

    await migrate(connection, () => {}, { postDeployment: true });
    expect((await derived(hash)).rows).toEqual(before.rows);
    expect((await read()).rows).toEqual(given);
    await expect(older.query('select weight_kg from packages')).rejects.toThrow('does not exist');
  },
);

test('during a rolling upgrade a server of version 0.2.0 and this one read the address, handling and weight that the other wrote', async () => {
  const product = await openTestProduct({ connection: await createUpgradingDatabase(), runsJobs: false });
  onTestFinished(() => product.close());
  const older = await connect(product.connection);
  const owner = await product.register('owner');
  let { id } = await createPackage(owner);
  let inserted = 0;
  const update = (body: object) => owner.api.packages.update({ params: { id }, body });
  const writes: Record<string, (it: Parts) => Promise<Partial<Parts>>> = {
    'new create': async (it) => {
      ({ id } = await createPackage(owner, it));
      return it;
    },
    'new edit': async (it) => {
      await update(it);
      return it;
    },
    'new edit of another field': async () => {
      await update({ name: 'Floor lamp' });
      return {};
    },
    'old create': async (it) => {
      await insertAsOlder(older, inserted++, it);
      const { rows } = await older.query<{ id: string }>('select id from packages where tracking_id = $1', [
        `PKG-${String(inserted - 1).padStart(8, '0')}`,
      ]);
      id = rows[0]?.id ?? '';
      return it;
    },
    'old edit': async (it) => {
      await older.query('update packages set weight_kg = $2, address = $3, handling = $4, name = name where id = $1', [
        id,
        it.weight,
        it.address,
        it.handling,
      ]);
      return it;
    },
    'old removal of the recipient': async () => {
      await older.query(
        `update packages set address = null, handling = handling || '{"safePlace": null}' where id = $1`,
        [id],
      );
      const { handling } = await owner.api.packages.read({ params: { id } });
      return { address: null, handling: { ...handling, safePlace: null } };
    },
  };
  const step = fc.tuple(fc.constantFrom(...Object.keys(writes)), parts);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const expected: Parts = await owner.api.packages.read({ params: { id } });
      for (const [name, it] of steps) {
        // The form trims texts, and takes no tabs.
        const clean = JSON.parse(JSON.stringify(it).replaceAll(String.raw`\t`, ' ')) as Parts;
        Object.assign(expected, await writes[name]?.(clean));
        const { weight, address } = expected;
        const handling = knownOf(expected.handling);
        const [row] = (await older.query<BothForms>(`select ${bothForms} from packages where id = $1`, [id])).rows;
        expect(row, name).toEqual({
          weight,
          address,
          handling,
          old_weight: weight,
          old_address: address,
          old_handling: handling,
        });
        expect(await owner.api.packages.read({ params: { id } })).toMatchObject({ weight, address, handling });
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
