import type { Package } from '@waybill/contract';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purge } from '../privacy/retention.ts';
import {
  createPackage,
  openTestProduct,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { verifyProofs } from './proof-chain.ts';
import { checkProof, type ProofBundle } from './proof-check.ts';

let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver', 'Dora Driver');
  admin = await product.register('admin');
});
afterAll(() => product.close());

async function deliver(proof: object): Promise<Package> {
  const pkg = await createPackage(owner);
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await driver.api.deliveries.complete({ params: { id: pkg.id }, body: proof });
  return pkg;
}

async function archiveOf(pkg: Package, user = owner): Promise<Record<string, Uint8Array>> {
  const reply = await user.api.deliveries.proof({ params: { id: pkg.id } });
  expect(reply.headers.get('content-type')).toBe('application/zip');
  expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="proof-${pkg.trackingId}.zip"`);
  return unzipSync(new Uint8Array(await reply.arrayBuffer()));
}

/** What the page of the archive reads. */
function bundleIn(archive: Record<string, Uint8Array>): ProofBundle {
  const page = strFromU8(archive['proof.html'] ?? new Uint8Array());
  return JSON.parse(/<script id="bundle" type="application\/json">([^<]*)/.exec(page)?.[1] ?? '') as ProofBundle;
}

const whole = { photo: true, signature: true, texts: true, chain: true };

test('a bundle has the files of a proof and a page that finds each change of it', async () => {
  const [photo, signature] = [await uploadImage(product, driver), await uploadImage(product, driver, 'black')];
  const pkg = await deliver({
    photo,
    signature,
    receivedBy: 'Anna </script> Berg',
    note: 'Third floor',
    at: time.toISOString(),
  });
  for (let later = 0; later < 3; later++) await deliver({ receivedBy: `Neighbour ${later}` });
  const archive = await archiveOf(pkg);
  expect(Object.keys(archive).toSorted()).toEqual(['photo.jpg', 'proof.html', 'proof.json', 'signature.jpg']);
  const bundle = bundleIn(archive);
  const { link } = await owner.api.deliveries.receipt({ params: { id: pkg.id } }).then((receipt) => receipt.proof);
  expect(bundle.link).toMatchObject(link ?? {});
  expect(JSON.parse(bundle.link?.content ?? '')).toMatchObject({
    package: pkg.id,
    trackingId: pkg.trackingId,
    event: 'delivery.completed',
    actor: driver.id,
    deviceTime: time.toISOString(),
    recordedAt: time.toISOString(),
  });
  expect(bundle.link?.content).not.toMatch(/Anna|floor/);
  expect(bundle.following).toHaveLength(3);
  expect(JSON.parse(strFromU8(archive['proof.json'] ?? new Uint8Array()))).toEqual({
    ...bundle,
    photo: 'photo.jpg',
    signature: 'signature.jpg',
  });
  expect(await checkProof(bundle)).toEqual(whole);

  const { link: own } = bundle;
  if (!own) throw new Error('the proof has no link');
  const otherContent = own.content.replace(driver.id, owner.id);
  // A check of PIN and age that was never made.
  expect(JSON.parse(own.content)).toMatchObject({ pin: null, ageChecked: null });
  const withPin = own.content.replace(/"pin": ?null/, '"pin": "given"');
  const withAge = own.content.replace(/"ageChecked": ?null/, '"ageChecked": 18');
  expect(JSON.parse(withPin)).toMatchObject({ pin: 'given' });
  expect(JSON.parse(withAge)).toMatchObject({ ageChecked: 18 });
  const changes: [Partial<ProofBundle>, object][] = [
    [{ photo: bundle.signature }, { photo: false }],
    [{ signature: null }, { signature: false }],
    [{ receivedBy: 'Anna Burg' }, { texts: false }],
    [{ note: null }, { texts: false }],
    [{ link: { ...own, content: otherContent } }, { chain: false }],
    [{ link: { ...own, content: withPin } }, { chain: false }],
    [{ link: { ...own, content: withAge } }, { chain: false }],
    [{ link: { ...own, previousHash: own.hash } }, { chain: false }],
    [{ following: bundle.following.slice(1) }, { chain: false }],
    [{ following: bundle.following.toReversed() }, { chain: false }],
  ];
  for (const [change, found] of changes)
    expect(await checkProof({ ...bundle, ...change }), Object.keys(change).join()).toEqual({ ...whole, ...found });
});

test('of a reopened delivery the new proof counts, and the chain keeps both', async () => {
  const pkg = await deliver({ receivedBy: 'The wrong door' });
  const before = bundleIn(await archiveOf(pkg)).link?.number ?? 0;
  await admin.api.deliveries.reopen({ params: { id: pkg.id }, body: { reason: 'Wrong house' } });
  await expect(owner.api.deliveries.proof({ params: { id: pkg.id } })).rejects.toMatchObject({ code: 'not_delivered' });
  await driver.api.deliveries.complete({ params: { id: pkg.id }, body: { receivedBy: 'Anna Berg' } });
  const bundle = bundleIn(await archiveOf(pkg));
  expect(bundle).toMatchObject({ receivedBy: 'Anna Berg', link: { number: before + 2 } });
  expect(await checkProof(bundle)).toEqual({ ...whole, photo: null, signature: null });
  const events = await product.ctx.db.query<{ event: string }>(
    "select content::json->>'event' as event from proof_links where package_id = $1 order by number",
    [pkg.id],
  );
  expect(events.map(({ event }) => event)).toEqual(['delivery.completed', 'delivery.reopened', 'delivery.completed']);
});

test('a proof that was changed or taken out in the database breaks the chain', async () => {
  const pkg = await deliver({ receivedBy: 'Anna Berg' });
  const number = bundleIn(await archiveOf(pkg)).link?.number;
  await deliver({});
  await archiveOf(await deliver({}));
  const { db } = product.ctx;
  expect((await verifyProofs(db)).brokenAt).toBe(null);
  const attempts = [
    [
      "update proof_links set content = replace(content, 'delivery.completed', 'package.collected') where number = $1",
      0,
    ],
    ["update proof_links set hash = sha256('x') where number = $1", 0],
    ['delete from proof_links where number = $1', 1],
  ] as const;
  for (const [change, later] of attempts) {
    const undone = db.transaction(async (tx) => {
      await tx.query(change, [number]);
      expect(await verifyProofs(tx), change).toMatchObject({ brokenAt: (number ?? 0) + later });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
  }
});

test('after the retention period a proof shows no texts and images, and is still in its place', async () => {
  const pkg = await deliver({
    receivedBy: 'Anna Berg',
    note: 'Third floor',
    photo: await uploadImage(product, driver),
  });
  expect(await checkProof(bundleIn(await archiveOf(pkg)))).toMatchObject({ texts: true, photo: true });
  await admin.api.settings.update({ body: { recipientDays: 30 } });
  await product.ctx.db.query("update packages set completed_at = now() - interval '400 days' where id = $1", [pkg.id]);
  await purge(product.ctx);
  const archive = await archiveOf(pkg);
  expect(Object.keys(archive)).toEqual(['proof.html', 'proof.json']);
  expect(strFromU8(archive['proof.html'] ?? new Uint8Array())).not.toMatch(/Anna|floor/);
  const bundle = bundleIn(archive);
  expect(bundle.link?.salt).toBe(null);
  expect(await checkProof(bundle)).toEqual({ photo: null, signature: null, texts: null, chain: true });
});
