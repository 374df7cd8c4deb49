import { mapPartBytes } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { osmBlocks, osmHeader, townExtract } from '../testing/osm-extract.ts';
import { eventually, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { claimUpload } from './map-upload-queries.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ config: { MAP_EXTRACT_MAX_MB: '20' } });
  admin = await product.register('admin');
});
afterAll(() => product.close());

const small = (name: string) =>
  Buffer.concat([
    osmHeader(),
    osmBlocks(
      [
        { id: 1, at: [10, 53], tags: { 'addr:street': name, 'addr:housenumber': '1', 'addr:city': 'Hamburg' } },
        { id: 2, at: [10.01, 53] },
      ],
      [{ refs: [1, 2], tags: { highway: 'residential', name } }],
    ),
  ]);
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const begin = (name: string, size: number) => admin.api.map.begin({ body: { name, size } });
const sendPart = (id: string, part: number, bytes: Uint8Array<ArrayBuffer>) =>
  admin.api.map.part({ params: { id, part: String(part) }, file: new File([bytes], 'part') });
async function upload(bytes: Buffer, name: string): Promise<string> {
  const { id } = await begin(name, bytes.length);
  for (let part = 0; part * mapPartBytes < bytes.length; part++)
    await sendPart(id, part, new Uint8Array(bytes.subarray(part * mapPartBytes, (part + 1) * mapPartBytes)));
  await admin.api.map.finish({ params: { id } });
  return id;
}
const stateOf = async () => (await admin.api.map.read()).upload?.state;
const count = async (table: string) =>
  (await product.ctx.db.query<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count;
const styleOf = async () => (await product.app.inject({ url: '/map/style.json' })).body;

test('an uploaded extract becomes the map at once, and its removal brings back the one before; both are audited', async () => {
  expect(await admin.api.map.read()).toMatchObject({ shown: 'world', extract: null, upload: null });
  expect(await styleOf()).not.toContain('OpenStreetMap contributors');
  const bytes = townExtract();
  await upload(bytes, 'riverton.osm.pbf');
  await eventually('the map', async () => (await stateOf()) === 'done');
  const { shown, extract } = await admin.api.map.read();
  expect(shown).toBe('extract');
  expect(extract).toMatchObject({ name: 'riverton.osm.pbf' });
  expect(extract?.addresses).toBeGreaterThan(10_000);
  expect(await count('map_upload_parts')).toBe(0);
  await eventually('its streets', async () => (await styleOf()).includes('OpenStreetMap contributors'));
  await admin.api.map.remove();
  expect(await admin.api.map.read()).toMatchObject({ shown: 'world', extract: null });
  expect(await count('map_tiles')).toBe(0);
  await eventually('no streets', async () => !(await styleOf()).includes('OpenStreetMap contributors'));
  expect(await codeOf(admin.api.map.remove())).toBe('not_found');
  const { items } = await admin.api.audit.list();
  const acts = items.filter(({ act }) => act.startsWith('map.'));
  expect(acts.map(({ act, actorId }) => [act, actorId])).toEqual([
    ['map.removed', admin.id],
    ['map.imported', admin.id],
    ['map.uploading', admin.id],
  ]);
});

test('a second upload is refused while one runs; what is cancelled or refused leaves the map as it is, with the reason', async () => {
  const bytes = small('Am Kai');
  const { id } = await begin('kai.osm.pbf', bytes.length);
  expect(await codeOf(begin('other.osm.pbf', 100))).toBe('still_running');
  expect(await codeOf(admin.api.map.finish({ params: { id } }))).toBe('illegal_step');
  expect(await codeOf(sendPart(id, 0, new Uint8Array(bytes.length)))).toBe('invalid');
  expect(await codeOf(sendPart(id, 1, new Uint8Array(bytes)))).toBe('invalid');
  expect(await codeOf(sendPart(id, 0, new Uint8Array(bytes.subarray(1))))).toBe('invalid');
  expect(await sendPart(id, 0, new Uint8Array(bytes))).toMatchObject({ received: bytes.length, state: 'uploading' });
  await admin.api.map.cancel({ params: { id } });
  expect(await codeOf(sendPart(id, 0, new Uint8Array(bytes)))).toBe('illegal_step');
  expect(await count('map_upload_parts')).toBe(0);

  expect(await codeOf(begin('town.zip', 100))).toBe('invalid');
  await expect(begin('planet.osm.pbf', 21 * 1024 * 1024)).rejects.toThrow(/The most is 20 MB/);

  await upload(Buffer.concat([osmHeader(), Buffer.from('and then nonsense')]), 'broken.osm.pbf');
  await eventually('the refusal', async () => (await stateOf()) === 'failed');
  const { upload: failed, extract } = await admin.api.map.read();
  expect(failed?.failure).toMatch(/damaged|cut off/);
  expect(extract).toBeNull();
});

test('an upload that nothing arrives of gives way to the next; an import is taken over when its server dies, and given up the third time', async () => {
  const { id } = await begin('slow.osm.pbf', 100);
  await product.ctx.db.query("update map_uploads set received_at = now() - interval '2 minutes' where id = $1", [id]);
  expect((await admin.api.map.read()).upload?.isStalled).toBe(true);
  await upload(small('Am Markt'), 'market.osm.pbf');
  await eventually('the map', async () => (await stateOf()) === 'done');
  expect((await admin.api.map.read()).extract?.name).toBe('market.osm.pbf');

  // A server without jobs, so that only this test claims.
  const idle = await openTestProduct({ runsJobs: false });
  const other = await idle.register('admin');
  const bytes = small('Am Kai');
  const begun = await other.api.map.begin({ body: { name: 'kai.osm.pbf', size: bytes.length } });
  await other.api.map.part({ params: { id: begun.id, part: '0' }, file: new File([bytes], 'part') });
  await other.api.map.finish({ params: { id: begun.id } });
  const { db } = idle.ctx;
  expect((await claimUpload(db, 20))?.attempts).toBe(1);
  expect(await claimUpload(db, 20)).toBeNull();
  expect(await codeOf(other.api.map.begin({ body: { name: 'b.osm.pbf', size: 100 } }))).toBe('still_running');
  const die = () => db.query("update map_uploads set lease_until = now() - interval '1 second'");
  await die();
  const next = await openTestProduct({ beside: idle });
  const stateOfBegun = async () => (await other.api.map.read()).upload;
  await eventually('the map', async () => (await stateOfBegun())?.state === 'done');
  await next.close();

  await db.query("update map_uploads set state = 'importing', attempts = 2");
  await die();
  const last = await openTestProduct({ beside: idle });
  await eventually('the end', async () => (await stateOfBegun())?.state === 'failed');
  expect((await stateOfBegun())?.failure).toMatch(/more memory/);
  await last.close();
  await idle.close();
});
