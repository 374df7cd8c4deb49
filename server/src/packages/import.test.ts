import { eventRules, type ApiError, type Import, type Package } from '@waybill/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  untilWaiting,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { runsAll } from '../testing/suite.ts';

let product: TestProduct;
let owner: TestUser;
let database: pg.Client;
beforeAll(async () => {
  product = await openTestProduct();
  await product.listen();
  owner = await product.register('owner');
  database = new pg.Client(product.connection);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await product.close();
});

const header = 'name,description,category,weight,recipientName,recipientContact';
const validRow = (name: string) => `${name},A lamp for the desk in two parts,Furniture,2.5,Anna Berg,+49 151 2345678`;
const file = (...rows: string[]) => [header, ...rows].join('\n');
const validFile = (rows: number, name = 'Lamp') =>
  file(...Array.from({ length: rows }, (_, index) => validRow(`${name} ${index + 1}`)));

const upload = (user: TestUser, body: string | Blob, idempotencyKey?: string): Promise<Import> =>
  user.api.packages.import({ body, ...(idempotencyKey && { idempotencyKey }) });
const uploadError = (user: TestUser, body: string | Blob) => upload(user, body).catch((error: unknown) => error);

async function packagesOf(user: TestUser, query: Record<string, string> = {}, reader = user): Promise<Package[]> {
  const items: Package[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await reader.api.packages.listOfUser({
      params: { id: user.id },
      query: { limit: 200, cursor, ...query },
    });
    items.push(...page.items);
    if (!page.next) return items;
    cursor = page.next;
  }
}

describe('an import', () => {
  test('creates a package from each valid row, with every field of the form, an event and a tracking ID', async () => {
    const mine = await product.register('owner');
    const body = [
      'Tracking ID,NAME,description,category,weight,width,height,length,recipient_name,recipientContact,location,eta,street,postal code,city,country,windowFrom,windowTo,fragile,keepUpright,refrigerated,signatureRequired,safePlace,hideRecipient',
      'PKG-CSVROW01,Ärmel 灯 📦,A lamp for the desk,Furniture,"2,5",10,,0,Zoë Quince,\'+49 151 2345678,Depot,2036-03-05,Hauptstr. 5,10115,Berlin,,2036-03-05T08:00:00+01:00,2036-03-05T12:00:00Z,yes,FALSE,,1,Behind the shed,x',
    ].join('\r\n');
    const registered = async () => (await (await product.register('admin')).api.stats.read()).totalPackages;
    const before = await registered();
    const report = await upload(mine, body);
    expect(await registered()).toBe(before + 1);
    expect((await packagesOf(mine, { q: 'zoë quince' })).map(({ name }) => name)).toEqual(['Ärmel 灯 📦']);
    expect(report).toEqual({
      id: report.id,
      status: 'finished',
      total: 1,
      done: 1,
      created: 1,
      failed: 0,
      skipped: 0,
      errors: [],
      skippedRows: [],
      ignoredColumns: [],
      createdAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
    });
    const [pkg] = await packagesOf(mine);
    expect(pkg).toMatchObject({
      userId: mine.id,
      trackingId: 'PKG-CSVROW01',
      name: 'Ärmel 灯 📦',
      description: 'A lamp for the desk',
      category: 'Furniture',
      weight: 2.5,
      dimensions: { width: 10, height: null, length: 0 },
      recipientName: 'Zoë Quince',
      recipientContact: '+49 151 2345678',
      location: 'Depot',
      eta: '2036-03-05',
      address: { street: 'Hauptstr. 5', postalCode: '10115', city: 'Berlin', country: null },
      window: { from: '2036-03-05T07:00:00.000Z', to: '2036-03-05T12:00:00.000Z' },
      handling: {
        fragile: true,
        keepUpright: false,
        refrigerated: false,
        signatureRequired: true,
        safePlace: 'Behind the shed',
      },
      hideRecipient: true,
      status: 'processing',
      version: 1,
    });
    const timeline = await mine.api.packages.events({ params: { id: pkg?.id ?? '' } });
    expect(timeline.items.map(({ type, actor }) => ({ type, actor }))).toEqual([
      { type: 'package.created', actor: mine.user.name },
    ]);
  });

  test('reports every invalid row with its line and all its faults, with the messages of the form', async () => {
    const mine = await product.register('owner');
    const taken = await createPackage(owner);
    const report = await upload(
      mine,
      [
        `\ufeff${header},trackingId,eta,windowFrom,fragile`,
        `${validRow('Good one')},,,,`,
        '',
        '"Good\ttwo, with ""quotes""","Two\r\nlines in the description",Books,1,Anna Berg,+49 151 2345678,,,,',
        `Al,short,furniture,heavy,X,123,PKG-1,tomorrow,2036-03-05T08:00:00Z,maybe`,
        ',,,,,,,,,',
        `${validRow('Taken')},${taken.trackingId},,,`,
        `${validRow('First')},PKG-TWICE001,,,`,
        `${validRow('Second')},PKG-TWICE001,,,`,
        `${validRow('Too many')},,,,,more`,
        `${validRow('Heavy').replace('2.5', '50.1')},,,,`,
        `${validRow('Nul \u0000')},,,,`,
        validRow('Short of cells'),
        `24" screen,A screen for the desk,Electronics,3,Anna Berg,+49 151 2345678`,
      ].join('\n'),
    );
    expect(report.errors.map(({ line, fields }) => ({ line, fields }))).toEqual([
      { line: 4, fields: { name: 'Name contains characters that are not allowed' } },
      {
        line: 6,
        fields: {
          name: 'Name must be at least 3 characters',
          description: 'Description must be at least 10 characters',
          category: 'Please select a category',
          weight: 'Weight must be a number',
          recipientName: 'Recipient name must be at least 3 characters',
          recipientContact: 'Contact must be at least 10 characters',
          trackingId: 'Tracking ID must be PKG- and 8 capital letters or digits',
          eta: 'Must be a date like 2026-01-31',
          windowTo: 'Must be an ISO 8601 date and time with a zone',
          fragile: 'Must be true or false',
        },
      },
      { line: 8, fields: { trackingId: 'This tracking ID is already in use' } },
      { line: 10, fields: { trackingId: 'This tracking ID is already in use' } },
      { line: 11, fields: { row: 'This row has 11 cells, more than the header' } },
      { line: 12, fields: { weight: 'Weight must be at most 50kg' } },
      { line: 13, fields: { name: 'Name contains characters that are not allowed' } },
    ]);
    expect(report.errors.map(({ reason }) => reason)).toContain('Weight must be at most 50kg');
    expect(report).toMatchObject({ status: 'finished', total: 11, done: 11, created: 4, failed: 7 });
    const made = await packagesOf(mine);
    expect(made.map(({ name }) => name)).toEqual(['24" screen', 'Short of cells', 'First', 'Good one']);
    expect(await mine.api.packages.readImport({ params: { id: report.id } })).toEqual(report);
  });

  test.each([
    ['semicolons', ';', '\n'],
    ['tabs', '\t', '\r\n'],
    ['commas and old Mac line breaks', ',', '\r'],
  ])('separates cells by %s', async (_what, separator, lineBreak) => {
    const mine = await product.register('owner');
    const body = validFile(3).replaceAll(',', separator).replaceAll('\n', lineBreak);
    expect(await upload(mine, body)).toMatchObject({ created: 3, failed: 0 });
    expect((await packagesOf(mine)).map(({ name }) => name)).toEqual(['Lamp 3', 'Lamp 2', 'Lamp 1']);
  });

  test('accepts its own template and exported files', async () => {
    const mine = await product.register('owner');
    const template = await (await mine.api.packages.importTemplate()).text();
    expect(await upload(mine, template)).toMatchObject({ created: 1, errors: [] });
    const exported = await (await mine.api.packages.exportOfUser({ params: { id: mine.id } })).text();
    const [pkg] = await packagesOf(mine);
    const again = exported.replace(pkg?.trackingId ?? 'none', 'PKG-AGAIN001').replace('#1001', '#1002');
    expect(await upload(mine, again)).toMatchObject({ created: 1, errors: [] });
    const [copy] = await packagesOf(mine, { q: 'PKG-AGAIN001' });
    const { name, description, weight, dimensions, recipientContact, address, window, handling, eta } = pkg as Package;
    expect(copy).toMatchObject({
      name,
      description,
      weight,
      dimensions,
      recipientContact,
      address,
      window,
      handling,
      eta,
    });
  });

  test.each([
    ['no bytes', '', { body: 'The file is empty' }],
    ['a header only', header, { body: 'The file has no rows' }],
    ['blank lines only', '\n\n \n', { body: 'The file has no rows' }],
    ['a repeated column', `${header},NAME\n${validRow('Lamp')},x`, { name: 'This column is there twice' }],
    ['a missing column', 'name,description\nLamp,A lamp for the desk', { weight: 'This column is missing' }],
    ['JSON', '{"name": "Lamp"}', { body: 'The file has no rows' }],
    [
      'an unclosed quotation mark',
      file(validRow('One'), '"Two,open', validRow('Three')),
      { body: 'Line 3 has a quotation mark that is never closed' },
    ],
    [
      'an unclosed quotation mark before the rest of a large file',
      file(validRow('One'), `"Two,open\n${validFile(2000)}`),
      { body: 'The row at line 3 is longer than 64 KB. Perhaps a quotation mark is not closed.' },
    ],
    ['a line of 100 KB', file(validRow('One'), 'x'.repeat(100_000)), { body: 'Line 3 is longer than 64 KB' }],
    ['a million columns', ','.repeat(1_000_000), { body: 'Line 1 is longer than 64 KB' }],
    ['one row too many', validFile(10_001), { body: 'The file has more than 10,000 rows. Please split it.' }],
  ])('of %s is refused as a whole', async (_what, body, fields) => {
    const mine = await product.register('owner');
    const error = await uploadError(mine, body);
    expect(error).toMatchObject({ status: 422, code: 'invalid', fields });
    expect(await packagesOf(mine)).toEqual([]);
    expect((await mine.api.packages.imports()).items).toEqual([]);
  });

  test.each([
    ['Latin-1', Buffer.from(file(validRow('One'), validRow('Ärmel')), 'latin1')],
    [
      'a truncated character',
      Buffer.concat([Buffer.from(file(validRow('One'), validRow('Two').slice(0, 5))), Buffer.from([0xf0, 0x9f])]),
    ],
    ['a lone surrogate', Buffer.concat([Buffer.from(file(validRow('One')) + '\n'), Buffer.from([0xed, 0xa0, 0x80])])],
  ])('in %s is refused, with the line', async (_what, bytes) => {
    const response = await product.app.inject({
      method: 'POST',
      url: '/api/packages/import',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'text/csv' },
      payload: bytes,
    });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      fields: { body: "Line 3 is not UTF-8. Please save the file as 'CSV UTF-8'." },
    });
  });

  test.each([
    ['JSON', 415, { 'content-type': 'application/json' }, '{}'],
    ['no type', 415, {}, validFile(1)],
    ['compressed', 415, { 'content-type': 'text/csv', 'content-encoding': 'gzip' }, validFile(1)],
    ['10 MB and a byte', 413, { 'content-type': 'text/csv' }, 'x'.repeat(10 * 1024 * 1024 + 1)],
  ])('as %s is answered with %i', async (_what, status, headers, payload) => {
    const response = await product.app.inject({
      method: 'POST',
      url: '/api/packages/import',
      headers: { authorization: `Bearer ${owner.token}`, ...(headers as Record<string, string>) },
      payload,
    });
    expect(response.statusCode).toBe(status);
  });

  test('is refused by an endpoint that expects JSON', async () => {
    const response = await product.app.inject({
      method: 'POST',
      url: '/api/packages',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'text/csv' },
      payload: validFile(1),
    });
    expect(response.statusCode).toBe(415);
  });
});

test('creating a package has no consequence that the statement of an import would leave out', () => {
  const { notifies, ...rule } = eventRules['package.created'];
  expect(Object.keys(rule).toSorted()).toEqual(['about', 'counts', 'invalidates', 'timeline']);
  // Which the import enqueues itself.
  expect(notifies.to).toEqual(['recipient']);
});

describe('a repeated import', () => {
  test('of the same file creates nothing, and reports each row as a duplicate', async () => {
    const mine = await product.register('owner');
    const body = `${validFile(3)}\nbad`;
    expect(await upload(mine, body)).toMatchObject({ created: 3, skipped: 0, failed: 1 });
    const again = await upload(mine, body);
    const reason = 'A package with this content is there already';
    expect(again).toMatchObject({ total: 4, done: 4, created: 0, skipped: 3, failed: 1 });
    expect(again.skippedRows).toEqual([2, 3, 4].map((line) => ({ line, reason, unshipped: false })));
    expect(await packagesOf(mine)).toHaveLength(3);
    const { items, total } = await mine.api.packages.imports({ query: { count: true } });
    const { errors: _errors, skippedRows: _rows, ignoredColumns: _columns, ...progress } = again;
    expect([items[0], total]).toEqual([progress, 2]);
    expect(await mine.api.packages.readImport({ params: { id: again.id } })).toEqual(again);
  });

  test('with the same Idempotency-Key is answered with the first report; with a new key the file is processed again', async () => {
    const mine = await product.register('owner');
    const first = await upload(mine, validFile(2), 'monday');
    expect(await upload(mine, validFile(2), 'monday')).toEqual(first);
    expect(await upload(mine, validFile(2))).toMatchObject({ created: 0, skipped: 2 });
    await expect(upload(mine, validFile(3), 'monday')).rejects.toMatchObject({ status: 422, code: 'key_reused' });
    const second = await upload(mine, validFile(2), 'next-monday');
    expect(second.id).not.toBe(first.id);
    expect(await packagesOf(mine)).toHaveLength(2);
  });

  test('is per owner: the same file of another owner is a separate import', async () => {
    const [one, other] = [await product.register('owner'), await product.register('owner')];
    const first = await upload(one, validFile(1));
    expect((await upload(other, validFile(1))).id).not.toBe(first.id);
    await expect(other.api.packages.readImport({ params: { id: first.id } })).rejects.toMatchObject({ status: 404 });
    expect((await other.api.packages.imports()).items).toHaveLength(1);
  });

  test('is refused while the first one is still running, and creates nothing', async () => {
    const mine = await product.register('owner');
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => upload(mine, validFile(2000))));
    const done = answers.filter(({ status }) => status === 'fulfilled');
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as { status: number }] : [],
    );
    expect(done.length).toBeGreaterThan(0);
    for (const { status } of refused) expect([409, 503]).toContain(status);
    expect(refused.map(({ status }) => status)).toContain(409);
    expect(await packagesOf(mine)).toHaveLength(2000);
  });

  test('resumes where a crash interrupted it, without duplicates or gaps', async () => {
    const mine = await product.register('owner');
    const body = file(
      ...Array.from({ length: 2000 }, (_, index) => (index % 10 === 9 ? 'bad' : validRow(`Lamp ${index + 1}`))),
    );
    // Simulates a crash in the fifth batch: the first four are committed, the fifth is rolled back.
    await database.query(
      `create function die() returns trigger language plpgsql as
         $$ begin if new.done > 1000 then raise 'gone' using errcode = '57P01'; end if; return new; end $$;
       create trigger die before update on package_imports for each row execute function die()`,
    );
    await expect(upload(mine, body)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    await database.query('drop function die cascade');
    const [interrupted] = (await mine.api.packages.imports()).items;
    expect(interrupted).toMatchObject({
      status: 'interrupted',
      total: 2000,
      done: 1000,
      created: 900,
      failed: 100,
      finishedAt: null,
    });
    expect(await packagesOf(mine)).toHaveLength(900);
    const report = await upload(mine, body, 'a-new-key');
    expect(report).toMatchObject({ id: interrupted?.id, status: 'finished', created: 1800, failed: 200 });
    expect(report.errors.map(({ line }) => line)).toEqual(Array.from({ length: 200 }, (_, index) => index * 10 + 11));
    const names = (await packagesOf(mine)).map(({ name }) => name);
    expect(names).toHaveLength(1800);
    expect(new Set(names).size).toBe(1800);
  });
});

describe.each(['suspended', 'deleted'] as const)('an import whose owner is %s meanwhile', (fate) => {
  test('stops, and reports its progress', async () => {
    const mine = await product.register('owner');
    const admin = await product.register('admin');
    const params = { id: mine.id };
    // Blocks the fifth batch inside its transaction, so that ending the account has to wait for this batch alone.
    await database.query(
      `create function wait() returns trigger language plpgsql as
         $$ begin if new.done = 1250 then perform pg_advisory_xact_lock(77); end if; return new; end $$;
       create trigger wait before update on package_imports for each row execute function wait();
       select pg_advisory_lock(77)`,
    );
    const importing = uploadError(mine, validFile(2500));
    await untilWaiting(database, 1);
    const end = () =>
      fate === 'deleted'
        ? admin.api.users.remove({ params })
        : admin.api.users.update({ params, body: { status: fate } });
    // On a slow machine the batch outlasts the lock time-out, which answers 503: retry.
    const retryEnd = (error: ApiError): Promise<unknown> => {
      if (error.status !== 503) throw error;
      return end().catch(retryEnd);
    };
    const statuses = async () => (await packagesOf(mine, {}, admin)).map(({ status }) => status);
    const ending = end().catch(retryEnd).then(statuses);
    await untilWaiting(database, 2);
    await database.query('select pg_advisory_unlock(77)');
    expect(await importing).toMatchObject({ status: 403, code: 'not_active' });
    const made = (await ending).length;
    await database.query('drop function wait cascade');

    // Between two batches PostgreSQL decides who gets the row lock first, so some more batches may still be committed.
    expect(made % 250).toBe(0);
    expect(made).toBeGreaterThanOrEqual(1250);
    expect(made).toBeLessThan(2500);
    if (fate === 'deleted') {
      const query = { status: 'processing', limit: 1 } as const;
      await eventually(
        'none is unstarted',
        async () => (await admin.api.packages.listOfUser({ params, query })).items.length === 0,
      );
      expect(await statuses()).toEqual(Array<string>(made).fill('cancelled'));
      return;
    }
    expect(await statuses()).toEqual(Array<string>(made).fill('processing'));
    await admin.api.users.update({ params, body: { status: 'active' } });
    expect((await mine.api.packages.imports()).items).toMatchObject([
      { status: 'interrupted', total: 2500, done: made, created: made, finishedAt: null },
    ]);
    expect(await upload(mine, validFile(2500))).toMatchObject({ status: 'finished', created: 2500 });
    expect(await statuses()).toHaveLength(2500);
  });
});

describe('a large import', () => {
  test.runIf(runsAll)('of 10,000 rows reports its progress live, with the invalidations coalesced', async () => {
    const mine = await product.register('owner');
    const watcher = await watch(product, '/live', mine.token);
    const seen = new Set<number>();
    let status = '';
    const uploading = product.http(mine.token).packages.import({ body: validFile(10_000) });
    const following = eventually('it has finished', async () => {
      const [newest] = (await mine.api.packages.imports()).items;
      if (newest?.status === 'running') seen.add(newest.done);
      status = newest?.status ?? '';
      return status === 'finished';
    });
    const report = await uploading;
    await following;
    expect(report).toMatchObject({ status: 'finished', total: 10_000, done: 10_000, created: 10_000, failed: 0 });
    expect(seen.size).toBeGreaterThan(0);
    const { total } = await mine.api.packages.listOfUser({ params: { id: mine.id }, query: { count: true, limit: 1 } });
    expect(total).toBe(10_000);
    const invalidations = () =>
      watcher.events
        .filter(({ event }) => event === 'hint')
        .map(({ data }) => data as { type: string; id: string | null });
    await eventually(
      'the last invalidation has arrived',
      () => invalidations().filter(({ type }) => type === 'import').length > 2,
    );
    expect(
      invalidations()
        .filter(({ type }) => type === 'import')
        .every(({ id }) => id === report.id),
    ).toBe(true);
    expect(invalidations().filter(({ type }) => type === 'package').length).toBeLessThan(200);
    watcher.stop();
  });
});
