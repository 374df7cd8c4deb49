import fc from 'fast-check';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { listMigrations, migrate, migrateWithin } from '../platform/database/migrate.ts';
import { photo, uploadImage } from '../testing/images.ts';
import { createDatabase, createUpgradingDatabase } from '../testing/postgres.ts';
import { createPackage, openTestProduct } from '../testing/test-product.ts';
import { removeOrphans } from './service.ts';
import { runsAll } from '../testing/suite.ts';

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'waybill requests' });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const user = '00000000-0000-7000-8000-000000000001';
const packages = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];

test.runIf(runsAll)('images from before have their state, and packages the same images in the same order', async () => {
  const connection = await createDatabase();
  const names = await listMigrations();
  const older = await connect(connection);
  await older.query('begin');
  await migrateWithin(
    older,
    names.slice(
      0,
      names.findIndex((name) => name.endsWith('_image_states.sql')),
    ),
  );
  await older.query('commit');
  const listed = [['packages/2.png', 'packages/3.png', 'packages/1.png'], []];
  await older.query(`insert into users (id, name, email, password_hash, role, status)
    values ('${user}', 'Olga', 'olga@example.com', 'x', 'owner', 'active')`);
  for (const [n, id] of packages.entries())
    await older.query(
      `insert into packages (id, owner_id, tracking_id, name, description, category, weight, recipient_name, images, status, created_at, updated_at)
       values ($1, '${user}', $2, 'Lamp', 'A lamp', 'Other', 1, 'Anna', $3, 'processing', now(), now())`,
      [id, `PKG-AAAAAAA${n}`, listed[n]],
    );
  await older.query(`insert into images (name, owner_id, type, size, folder, kept_by, since, withdrawn) values
    ('1.png', '${user}', 'image/png', 1, 'packages', 'package:${packages[0]}', now(), false),
    ('2.png', '${user}', 'image/png', 1, 'withdrawn', 'package:${packages[0]}', now(), true),
    ('3.png', '${user}', 'image/png', 1, 'packages', 'package:${packages[0]}', now(), false),
    ('4.png', '${user}', 'image/png', 1, 'profiles', 'user:${user}', now(), false),
    ('5.png', '${user}', 'image/png', 1, null, null, now(), false),
    ('6.png', '${user}', 'image/png', 1, 'proofs', null, now(), false),
    ('7.png', '${user}', 'image/png', 1, 'proofs', null, '-infinity', false),
    ('8.png', null, 'image/png', 1, null, null, '-infinity', false)`);
  // More than one batch of the migration.
  await older.query(`insert into images (name, owner_id, type, size)
    select 'unused-' || n, '${user}', 'image/png', 1 from generate_series(1, 4500) n`);

  await migrate(connection, () => {});
  const states = () =>
    older.query(`select name, concat_ws(' ', state, package_id, position, attached_to, folder, withdrawn) as state from images
      where name < 'a' order by name`);
  const expected = [
    `attached ${packages[0]} 3 packages f`,
    `attached ${packages[0]} 1 withdrawn t`,
    `attached ${packages[0]} 2 packages f`,
    `attached user:${user} profiles f`,
    'uploading f',
    'unused proofs f',
    'removing proofs f',
    'removing f',
  ].map((state, n) => ({ name: `${n + 1}.png`, state }));
  expect((await states()).rows).toEqual(expected);
  expect(
    (await older.query('select images from packages order by id')).rows.map(({ images }) => images as string[]),
  ).toEqual(listed);
  expect((await older.query("select count(*)::int as count from images where state = 'uploading'")).rows).toEqual([
    { count: 4501 },
  ]);
  await migrate(connection, () => {}, { postDeployment: true });
  expect((await states()).rows).toEqual(expected);
  await expect(older.query('select kept_by from images')).rejects.toThrow('does not exist');
});

test.runIf(runsAll)(
  'during a rolling upgrade a server of version 0.2.0 and this one have the same images for a package, and the same unused ones',
  async () => {
    const product = await openTestProduct({ connection: await createUpgradingDatabase(), runsJobs: false });
    onTestFinished(() => product.close());
    const older = await connect(product.connection);
    const owner = await product.register('owner');
    const { id } = await createPackage(owner);
    const update = (images: string[]) => owner.api.packages.update({ params: { id }, body: { images } });
    const small = await photo(20, 20);
    const pool: string[] = [];
    const pathOf = (image: string) => image.replace('/media/', '');
    const nameOf = (image: string) => image.replace('/media/packages/', '');

    /** How version 0.2.0 changes the images of a package. */
    async function updateAsOlder(images: string[]): Promise<void> {
      await older.query('begin');
      await older.query('select from packages where id = $1 for update', [id]);
      await older.query('update packages set images = $2, version = version + 1 where id = $1', [
        id,
        images.map(pathOf),
      ]);
      const names = images.map(nameOf);
      const { rowCount } = await older.query(
        `update images set kept_by = $3 where name = any($1) and folder is not null
         and (kept_by = $3 or (kept_by is null and owner_id = $2)) returning name`,
        [names, owner.id, `package:${id}`],
      );
      expect(rowCount).toBe(names.length);
      await older.query('update images set kept_by = null, since = now() where kept_by = $1 and name <> all($2)', [
        `package:${id}`,
        names,
      ]);
      await older.query('commit');
    }

    /** How version 0.2.0 announces an upload and re-encodes it. */
    async function uploadAsOlder(): Promise<string> {
      const image = await uploadImage(product, owner, small);
      await older.query('delete from images where name = $1', [nameOf(image)]);
      await older.query("insert into images (name, owner_id, type, size) values ($1, $2, 'image/jpeg', $3)", [
        nameOf(image),
        owner.id,
        small.bytes.length,
      ]);
      await older.query(
        `update images set folder = 'packages' where name = $1 and folder is null and since > '-infinity'`,
        [nameOf(image)],
      );
      return image;
    }
    for (let n = 0; n < 2; n++) pool.push(await uploadAsOlder(), await uploadImage(product, owner, small));

    const choice = fc.record({
      by: fc.constantFrom('older', 'newer'),
      images: fc.shuffledSubarray([0, 1, 2, 3], { maxLength: 3 }),
    });
    // Re-encoded by this one, once for all.
    await update(pool.slice(0, 3));
    await update(pool.slice(3));
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: 1, maxLength: 6 }), async (choices) => {
        for (const { by, images } of choices) {
          const wanted = images.map((n) => pool[n] ?? '');
          await (by === 'older' ? updateAsOlder(wanted) : update(wanted));
          expect((await owner.api.packages.read({ params: { id } })).images).toEqual(wanted);
          expect(
            (await older.query<{ images: string[] }>('select images from packages where id = $1', [id])).rows,
          ).toEqual([{ images: wanted.map(pathOf) }]);
          const { rows } = await older.query(
            `select name from images where kept_by is distinct from 'package:' || package_id or position is distinct from array_position($1, name)
             or (state = 'attached') is distinct from name = any($1)`,
            [wanted.map(nameOf)],
          );
          expect(rows).toEqual([]);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );

    await update(pool.slice(0, 2));
    const unused = pool[2] ?? '';
    const reserved = pool[3] ?? '';
    const claim = (image: string) => createPackage(owner, { images: [image] });
    // The older one reserves an image to delete it, and is interrupted: nobody can use it, and this one's clean-up removes it.
    await older.query(`update images set folder = null, since = '-infinity' where name = $1 and kept_by is null`, [
      nameOf(reserved),
    ]);
    await expect(claim(reserved)).rejects.toMatchObject({ status: 422 });
    // What this one is removing is no longer pending for the older one, and due at its next clean-up.
    await product.ctx.db.query(`update images set state = 'removing' where name = $1`, [nameOf(unused)]);
    const due = await older.query(
      `select name from images where kept_by is null and since < now() - interval '24 hours' order by name`,
    );
    expect(due.rows.map(({ name }) => name as string)).toEqual([unused, reserved].map(nameOf).toSorted());
    expect(await removeOrphans(product.ctx)).toBe(2);
    expect((await owner.api.packages.read({ params: { id } })).images).toEqual(pool.slice(0, 2));
  },
);
