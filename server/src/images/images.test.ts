import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Package } from '@waybill/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSessions } from '../users/sessions.ts';
import { startTestS3, type TestS3 } from '../testing/s3.ts';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  packageInput,
  untilWaiting,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { processUpload, attachImages, moveWithdrawn, privateImageUrl, removeOrphans } from './service.ts';
import { asFile, photo, uploadImage } from '../testing/images.ts';

let s3: TestS3;
let now = new Date('2026-05-05T10:00:00Z');
beforeAll(async () => {
  s3 = await startTestS3();
});
afterAll(() => s3.close());

const storedIn = async (product: TestProduct, prefix = '') => {
  const paths: string[] = [];
  for await (const { path } of product.ctx.storage.list(prefix)) paths.push(path);
  return paths.toSorted();
};

const get = (product: TestProduct, url: string, method = 'GET') => inject(product.app, url, { method });
const pathOf = (image: string) => image.replace('/media/', '');

describe.each(['local', 's3'] as const)('images on the %s store', (kind) => {
  let product: TestProduct;
  let owner: TestUser;
  beforeAll(async () => {
    product = await openTestProduct({ now: () => now, config: kind === 's3' ? s3.settings : {} });
    owner = await product.register('owner');
  });
  afterAll(() => product.close());

  const add = async (pkg: Package, idempotencyKey?: string) =>
    owner.api.packages.addImage({
      params: { id: pkg.id },
      file: asFile(await photo()),
      ...(idempotencyKey && { idempotencyKey }),
    });
  const imagesOf = async ({ id }: Package) => (await owner.api.packages.read({ params: { id } })).images;

  test('an upload is not served until a package uses it; then the image and its thumbnail are', async () => {
    const image = await uploadImage(product, owner);
    const name = image.replace('/media/packages/', '');
    expect(name).toMatch(/^\d{13}-[a-z0-9]{6}-photo\.jpg$/);
    for (const url of [image, `/media/incoming/${name}`]) expect((await get(product, url)).status).toBe(404);

    const pkg = await createPackage(owner, { images: [image] });
    expect(pkg.images).toEqual([image]);
    const [large, small] = [await get(product, image), await get(product, `${image}?size=thumbnail`)];
    expect(Object.fromEntries(large.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=3600',
    });
    expect(small.headers.get('content-type')).toBe('image/webp');
    const sizes = [large, small].map(async (served) => sharp(Buffer.from(await served.arrayBuffer())).metadata());
    expect(await Promise.all(sizes)).toMatchObject([
      { format: 'jpeg', width: 640, height: 480 },
      { format: 'webp', width: 320, height: 240 },
    ]);
    const head = await get(product, image, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      large.headers.get('content-length'),
      '',
    ]);
    expect(await storedIn(product, 'incoming/')).toEqual([]);
  });

  test('a package keeps the order of its images, and accepts images that it already has', async () => {
    const images = [await uploadImage(product, owner), await uploadImage(product, owner)];
    const pkg = await createPackage(owner, { images: images.toReversed() });
    expect(pkg.images).toEqual(images.toReversed());
    const third = await uploadImage(product, owner);
    const wanted = [images[0] ?? '', third, images[1] ?? ''];
    const changed = await owner.api.packages.update({ params: { id: pkg.id }, body: { images: wanted } });
    expect(changed.images).toEqual(wanted);
    expect(await imagesOf(pkg)).toEqual(wanted);
    const same = await owner.api.packages.update({
      params: { id: pkg.id },
      body: { name: changed.name, images: changed.images },
    });
    expect(same.version).toBe(changed.version);
  });

  test('of four concurrent forms three are accepted and one is refused, in whatever order they arrive', async () => {
    const pkg = await createPackage(owner);
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => add(pkg)));
    const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.image] : []));
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(taken).toHaveLength(3);
    expect(refused).toMatchObject([{ reason: { status: 422, message: 'Maximum 3 images allowed' } }]);
    const images = await imagesOf(pkg);
    expect(images.toSorted()).toEqual(taken.toSorted());
    // The refused form has left no orphan.
    const kept = images.flatMap((image) => [pathOf(image), `${pathOf(image)}.thumbnail.webp`]);
    const stored = await storedIn(product, 'packages/');
    for (const path of kept) expect(stored).toContain(path);
    const [{ total } = { total: '' }] = await product.ctx.db.query<{ total: string }>(
      "select count(*) as total from images where state <> 'attached'",
    );
    expect(total).toBe('0');
  });

  test('a form repeated with its Idempotency-Key adds one image, also when the package is full by then', async () => {
    const pkg = await createPackage(owner);
    const first = await add(pkg, `once-${kind}`);
    expect(first).toEqual({ packageId: pkg.id, image: expect.any(String) as string });
    await add(pkg);
    await add(pkg);
    const stored = await storedIn(product);
    expect(await add(pkg, `once-${kind}`)).toEqual(first);
    expect(await imagesOf(pkg)).toHaveLength(3);
    expect(await storedIn(product)).toEqual(stored);
    const other = { params: { id: pkg.id }, file: asFile(await photo(10, 10)), idempotencyKey: `once-${kind}` };
    await expect(owner.api.packages.addImage(other)).rejects.toMatchObject({ status: 422, code: 'key_reused' });
  });

  test('a creation repeated with its Idempotency-Key uses its images once', async () => {
    const body = packageInput({ images: [await uploadImage(product, owner)] });
    const call = { body, idempotencyKey: `package-${kind}` };
    const answers = await Promise.allSettled([owner.api.packages.create(call), owner.api.packages.create(call)]);
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(made.length).toBeGreaterThan(0);
    expect(await owner.api.packages.create(call)).toEqual(made[0]);
    await expect(owner.api.packages.create({ body })).rejects.toMatchObject({ status: 422 });
  });

  test('of two concurrent requests that use one upload in different folders one succeeds, and the other leaves no copy', async () => {
    const [pkg, image] = [await createPackage(owner), await uploadImage(product, owner)];
    const name = image.replace('/media/packages/', '');
    const answers = await Promise.allSettled([
      owner.api.packages.update({ params: { id: pkg.id }, body: { images: [image] } }),
      owner.api.incidents.reportOnPackage({ params: { id: pkg.id }, body: { issue: 'It is wet', photo: image } }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const folder = answers[0].status === 'fulfilled' ? 'packages' : 'incidents';
    const stored = await storedIn(product);
    expect(stored.filter((path) => path.includes(name))).toEqual([
      `${folder}/${name}`,
      `${folder}/${name}.thumbnail.webp`,
    ]);
  });

  test('an upload whose size differs from the declared one is refused when it is used, and is removed', async () => {
    const image = await uploadImage(product, owner);
    const incoming = `incoming/${image.replace('/media/packages/', '')}`;
    const bytes = Buffer.from('shorter');
    await product.ctx.storage.put(incoming, bytes, { type: 'image/jpeg', size: bytes.length });
    await expect(createPackage(owner, { images: [image] })).rejects.toMatchObject({
      status: 422,
      fields: { 'images.0': 'Failed to upload image: it is not as long as announced' },
    });
    expect(await storedIn(product, incoming)).toEqual([]);
  });

  test('the clean-up removes what has been unattached for a day, and nothing else', async () => {
    const [kept, replaced, unused] = [
      await uploadImage(product, owner),
      await uploadImage(product, owner),
      await uploadImage(product, owner),
    ];
    const pkg = await createPackage(owner, { images: [kept, replaced] });
    const body = { images: [kept] };
    await owner.api.packages.update({ params: { id: pkg.id }, body });
    const actor = await openSessions(product.ctx.db).find(owner.token);
    if (!actor) throw new Error('no session');
    const claimed = await uploadImage(product, owner);
    await processUpload(product.ctx, actor, claimed, 'packages', `package:${randomUUID()}`, 'image');

    const before = await storedIn(product);
    await removeOrphans(product.ctx);
    expect(await storedIn(product)).toEqual(before);
    await product.ctx.db.query("update images set since = since - interval '24 hours'");
    await removeOrphans(product.ctx);
    const after = await storedIn(product);
    for (const path of [replaced, claimed].map(pathOf)) {
      expect(before).toContain(path);
      expect(after).not.toContain(path);
      expect(after).not.toContain(`${path}.thumbnail.webp`);
    }
    expect(before).toContain(`incoming/${pathOf(unused).replace('packages/', '')}`);
    expect(await storedIn(product, 'incoming/')).toEqual([]);
    expect(after).toEqual(expect.arrayContaining([pathOf(kept), `${pathOf(kept)}.thumbnail.webp`]));
    expect((await get(product, kept)).status).toBe(200);
    expect((await get(product, replaced)).status).toBe(404);
    // A removed upload can no longer be used.
    await expect(createPackage(owner, { images: [unused] })).rejects.toMatchObject({ status: 422 });
  });

  test('an upload that is used after the clean-up has listed it as an orphan stays', async () => {
    const [first, claimed] = [await uploadImage(product, owner), await uploadImage(product, owner)];
    const nameOf = (image: string) => image.replace('/media/packages/', '');
    const { db } = product.ctx;
    // The oldest are removed first.
    await db.query(
      `update images set since = now() - case name when $1 then interval '25 hours' else interval '26 hours' end where state <> 'attached'`,
      [nameOf(claimed)],
    );
    const { claiming } = await db.transaction(async (profiles) => {
      const begun = await db.transaction(async (images) => {
        // The clean-up has listed its orphans and waits for the lock on another image; the request, after re-encoding, for the user's.
        await images.query('select from images where name <> $1 for update', [nameOf(claimed)]);
        await profiles.query('select from users where id = $1 for update', [owner.id]);
        const cleaning = removeOrphans(product.ctx);
        await untilWaiting(images, 1);
        const claiming = owner.api.users.updateProfile({ body: { profilePicture: claimed } });
        await untilWaiting(profiles, 1);
        return { cleaning, claiming };
      });
      await begun.cleaning;
      return begun;
    });
    const { profilePicture } = await claiming;
    expect((await get(product, profilePicture ?? '')).status).toBe(200);
    expect(await storedIn(product, `incoming/${nameOf(first)}`)).toEqual([]);
  });

  test('of two packages that claim the same images at once, in different orders, one gets them and the other is refused', async () => {
    const images = [await uploadImage(product, owner), await uploadImage(product, owner)];
    // Re-encoded already: the two requests meet where they attach.
    const { id } = await createPackage(owner, { images });
    await owner.api.packages.update({ params: { id }, body: { images: [] } });
    const { db } = product.ctx;
    const { claims } = await db.transaction(async (tx) => {
      await tx.query('select from images for update');
      const begun = [images, images.toReversed()].map((claimed) => createPackage(owner, { images: claimed }));
      await untilWaiting(tx, 2);
      return { claims: Promise.allSettled(begun) };
    });
    const [one, two] = await claims;
    const taken = [one, two].flatMap((claim) => (claim?.status === 'fulfilled' ? [claim.value.images] : []));
    const refused = [one, two].flatMap((claim) => (claim?.status === 'rejected' ? [claim.reason as unknown] : []));
    expect(taken).toEqual([one?.status === 'fulfilled' ? images : images.toReversed()]);
    expect(refused).toMatchObject([
      { status: 422, message: expect.stringContaining('not in use elsewhere') as string },
    ]);
  });

  test('an image that the clean-up is removing can no longer be used, also after the removal was interrupted', async () => {
    const image = await uploadImage(product, owner);
    const { id } = await createPackage(owner, { images: [image] });
    await owner.api.packages.update({ params: { id }, body: { images: [] } });
    await product.ctx.db.query("update images set since = now() - interval '25 hours' where state <> 'attached'");
    const claim = () => createPackage(owner, { images: [image] });
    let refusedMeanwhile: unknown;
    const storage = {
      ...product.ctx.storage,
      delete: async () => {
        refusedMeanwhile = await claim().catch((error: unknown) => error);
        throw new Error('out of reach');
      },
    };
    await expect(removeOrphans({ ...product.ctx, storage })).rejects.toMatchObject({ status: 503 });
    expect(refusedMeanwhile).toMatchObject({ status: 422 });
    await expect(claim()).rejects.toMatchObject({ status: 422 });
    expect((await storedIn(product)).filter((path) => path.includes(pathOf(image)))).not.toEqual([]);
    await removeOrphans(product.ctx);
    expect((await storedIn(product)).filter((path) => path.includes(pathOf(image)))).toEqual([]);
    await expect(claim()).rejects.toMatchObject({ status: 422 });
  });

  test('a request that waited for a package has the images that were added meanwhile', async () => {
    const pkg = await createPackage(owner);
    const { added, unchanged } = await product.ctx.db.transaction(async (tx) => {
      await tx.query('select from packages where id = $1 for update', [pkg.id]);
      const adding = add(pkg);
      await untilWaiting(tx, 1);
      const updating = owner.api.packages.update({ params: { id: pkg.id }, body: { name: pkg.name } });
      await untilWaiting(tx, 2);
      return { added: adding, unchanged: updating };
    });
    expect((await unchanged).images).toEqual([(await added).image]);
  });

  test('an upload that is retried after a day still has its file', async () => {
    const image = await uploadImage(product, owner);
    // As after a first attempt that failed on our side.
    await removeOrphans({ ...product.ctx, now: () => new Date(Date.now() + 25 * 3_600_000) });
    expect(await imagesOf(await createPackage(owner, { images: [image] }))).toEqual([image]);
  });

  test('a file that arrives after its upload was used is removed too', async () => {
    const bytes = Buffer.from('too late');
    await product.ctx.storage.put('incoming/stray.jpg', bytes, { type: 'image/jpeg', size: bytes.length });
    await removeOrphans({ ...product.ctx, now: () => new Date() });
    expect(await storedIn(product, 'incoming/')).toEqual(['incoming/stray.jpg']);
    await removeOrphans({ ...product.ctx, now: () => new Date(Date.now() + 25 * 3_600_000) });
    expect(await storedIn(product, 'incoming/')).toEqual([]);
  });

  test('an address with too many misses gets 429 for all images, whatever the signature; other addresses are served', async () => {
    const limited = await openTestProduct({
      beside: product,
      runsJobs: false,
      config: { RATE_LIMITS: 'pictureMiss=3/60', ...(kind === 's3' && s3.settings) },
    });
    const image = await uploadImage(product, owner);
    await createPackage(owner, { images: [image] });
    const fetchImage = async (url: string, remoteAddress = '2001:db8::1') => {
      const { statusCode, headers } = await limited.app.inject({ url, remoteAddress });
      return headers['retry-after'] ? `${statusCode}, later` : statusCode;
    };
    expect(await fetchImage(image)).toBe(200);
    const guess = (end: string) => image.replace('-photo', `-photo${end}`);
    for (const url of [guess('1'), guess('2'), `${guess('3')}?signature=x`]) expect(await fetchImage(url)).toBe(404);
    for (const url of [image, guess('4'), `${image}?expires=9&signature=x`])
      expect(await fetchImage(url)).toBe('429, later');
    expect(await fetchImage(image, '2001:db8::2')).toBe('429, later');
    expect(await fetchImage(image, '2001:db8:0:1::1')).toBe(200);
    await limited.close();
  });

  test('private images are served by a signed URL only, for an hour', async () => {
    const actor = await openSessions(product.ctx.db).find(owner.token);
    if (!actor) throw new Error('no session');
    const upload = await uploadImage(product, owner);
    const path = await processUpload(product.ctx, actor, upload, 'incidents', 'incident:1', 'photo');
    await product.ctx.db.transaction((tx) => attachImages(tx, actor, 'incident:1', [path]));
    const url = privateImageUrl(product.ctx, path);
    const [address = '', query = ''] = url.split('?');
    const answer = await get(product, url);
    expect([answer.status, (await get(product, `${url}&size=thumbnail`)).status]).toEqual([200, 200]);
    expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=3[0-6]\d\d$/);
    const another = await processUpload(
      product.ctx,
      actor,
      await uploadImage(product, owner),
      'incidents',
      'incident:2',
      'photo',
    );
    const later = query.replace(/expires=\d+/, (expires) => `expires=${Number(expires.slice(8)) + 3600}`);
    for (const refused of [
      address,
      `${address}?${later}`,
      `/media/${another}?${query}`,
      `${address}?${query.slice(0, -1)}`,
      `/media/packages/${path.replace('incidents/', '')}`,
    ])
      expect([refused, (await get(product, refused)).status]).toEqual([refused, 404]);
    const signedAt = now;
    now = new Date(signedAt.getTime() + 3_600_000);
    expect((await get(product, url)).status).toBe(404);
    now = signedAt;
  });

  test('a profile picture is uploaded, shown to others, replaced, and removed with the account', async () => {
    const admin = await product.register('admin');
    const driver = await product.register('driver');
    const upload = await uploadImage(product, driver);
    const { profilePicture } = await driver.api.users.updateProfile({ body: { profilePicture: upload } });
    expect(profilePicture).toBe(upload.replace('packages', 'profiles'));
    const pkg = await createPackage(owner);
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    const info = await owner.api.deliveries.driverOfPackage({ params: { id: pkg.id } });
    expect(info.profilePicture).toBe(profilePicture);
    expect((await get(product, profilePicture ?? '')).status).toBe(200);
    // A client that sends the whole user back changes nothing. Another user cannot use this picture.
    const again = await driver.api.users.updateProfile({ body: { profilePicture } });
    expect(again.profilePicture).toBe(profilePicture);
    await expect(owner.api.users.updateProfile({ body: { profilePicture } })).rejects.toMatchObject({
      status: 422,
      fields: { profilePicture: expect.any(String) as string },
    });
    expect((await driver.api.users.updateProfile({ body: { profilePicture: null } })).profilePicture).toBeNull();
    const last = (
      await driver.api.users.updateProfile({ body: { profilePicture: await uploadImage(product, driver) } })
    ).profilePicture;
    await admin.api.users.remove({ params: { id: driver.id } });
    await removeOrphans(product.ctx);
    expect((await get(product, last ?? '')).status).toBe(404);
  });

  test('an image can be used only by its uploader, once, and never from another URL', async () => {
    const other = await product.register('owner');
    const theirs = await uploadImage(product, other);
    const mine = await uploadImage(product, owner);
    const used = await uploadImage(product, owner);
    await createPackage(owner, { images: [used] });
    const announced = await owner.api.images.announce({ body: { name: 'a.png', type: 'image/png', size: 5 } });
    for (const [images, fields] of [
      [[theirs], { 'images.0': /uploaded/ }],
      [[used], { images: /in use/ }],
      [[mine, mine], { 'images.1': /uploaded/ }],
      [[mine, 'http://evil.example/x.png'], { 'images.1': /uploaded/ }],
      [['/media/packages/../../secret'], { 'images.0': /uploaded/ }],
      [[announced.image], { 'images.0': /^No file provided$/ }],
      [[mine, mine, mine, mine], { images: /^Maximum 3 images allowed$/ }],
    ] as [string[], Record<string, RegExp>][]) {
      const error: unknown = await createPackage(owner, { images }).catch((thrown: unknown) => thrown);
      const [[field, message] = ['', /never/]] = Object.entries(fields);
      expect(error).toMatchObject({ status: 422, fields: { [field]: expect.stringMatching(message) as string } });
    }
    // After these refusals the image can still be used.
    expect((await createPackage(owner, { images: [mine] })).images).toEqual([mine]);
  });
});

describe('an upload to this server', () => {
  let product: TestProduct;
  let owner: TestUser;
  beforeAll(async () => {
    product = await openTestProduct({ now: () => now });
    owner = await product.register('owner');
  });
  afterAll(() => product.close());

  const announce = async (more: { checksum?: string } = {}) => {
    const { bytes, type } = await photo();
    const body = { name: 'photo.jpg', type: 'image/jpeg' as const, size: bytes.length, ...more };
    return { bytes, type, ...(await owner.api.images.announce({ body })) };
  };
  const put = async (url: string, body: Buffer, headers: Record<string, string>) =>
    fetch(new URL(url, await product.listen()), { method: 'PUT', body: new Uint8Array(body), headers });

  test('needs no token, accepts a repeat, and has a URL below PUBLIC_URL if that is set', async () => {
    const { url, headers, bytes } = await announce();
    expect(url).toMatch(/^\/media\/incoming\//);
    expect([(await put(url, bytes, headers)).status, (await put(url, bytes, headers)).status]).toEqual([200, 200]);
    const outside = await openTestProduct({ beside: product, config: { PUBLIC_URL: 'https://waybill.example.com/' } });
    const api = outside.api(owner.token);
    const upload = await api.images.announce({ body: { name: 'a.jpg', type: 'image/jpeg', size: 5 } });
    expect(upload.url).toMatch(/^https:\/\/waybill\.example\.com\/media\/incoming\//);
    await outside.close();
  });

  test('accepts only the declared type, size and checksum, at the signed URL, until it expires', async () => {
    const { url, headers, bytes } = await announce();
    const other = await announce({ checksum: createHash('sha256').update('other bytes').digest('base64') });
    const longer = Buffer.concat([bytes, Buffer.alloc(1)]);
    const statuses = async (...calls: Promise<Response>[]) => (await Promise.all(calls)).map(({ status }) => status);
    expect(
      await statuses(
        put(url, longer, headers),
        put(url, bytes.subarray(1), headers),
        put(url.replace(/size=\d+/, `size=${longer.length}`), longer, headers),
        put(url, bytes, { 'content-type': 'text/html' }),
        put(url.replace('image%2Fjpeg', 'text%2Fhtml'), bytes, { 'content-type': 'text/html' }),
        put(url.replace('-photo', '-other'), bytes, headers),
        put(url.replace(/expires=\d+/, 'expires=9999999999'), bytes, headers),
        put(url.split('?')[0] ?? '', bytes, headers),
        put(other.url, other.bytes, other.headers),
      ),
    ).toEqual([422, 422, 403, 415, 403, 403, 403, 403, 422]);
    const signedAt = now;
    now = new Date(signedAt.getTime() + 3_601_000);
    expect((await put(url, bytes, headers)).status).toBe(403);
    now = signedAt;
    expect(await storedIn(product, 'incoming/')).toHaveLength(1);
  });

  test('is cut off when it exceeds the declared size, and leaves nothing when it is aborted', async () => {
    const before = await storedIn(product, 'incoming/');
    const { url, headers, bytes } = await announce();
    const base = await product.listen();
    const endless = request(new URL(url, base), {
      method: 'PUT',
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    });
    endless.on('error', () => {});
    const answered = once(endless, 'response');
    for (let sent = 0; sent <= bytes.length; sent += 1000) endless.write(Buffer.alloc(1000));
    const [answer] = (await answered) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(422);
    if (!endless.closed) await once(endless, 'close');

    const broken = request(new URL(url, base), {
      method: 'PUT',
      headers: { ...headers, 'content-length': bytes.length },
    });
    broken.on('error', () => {});
    broken.write(bytes.subarray(0, 100));
    await eventually('the draft', async () => (await storedIn(product, 'incoming/')).length > before.length);
    broken.destroy();
    await eventually('nothing left', async () => (await storedIn(product, 'incoming/')).length === before.length);
  });

  test('is limited to 20 a minute, and to 60 unused uploads for each account', async () => {
    const limited = await openTestProduct({ beside: product, config: { RATE_LIMITS: 'on' } });
    const api = limited.api(owner.token);
    const body = { name: 'a.jpg', type: 'image/jpeg' as const, size: 5 };
    const answers = await Promise.allSettled(Array.from({ length: 21 }, () => api.images.announce({ body })));
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { status: 429, retryAfterSeconds: expect.any(Number) as number } }]);
    const heavyUploader = await product.register('owner');
    await product.ctx.db.query(
      `insert into images (name, owner_id, type, size, state)
       select 'unused-' || n, $1, 'image/png', 1, 'uploading' from generate_series(1, 60) n`,
      [heavyUploader.id],
    );
    const overQuota = limited.api(heavyUploader.token);
    const params = { id: (await createPackage(heavyUploader)).id };
    const file = asFile(await photo());
    for (const call of [() => overQuota.images.announce({ body }), () => overQuota.packages.addImage({ params, file })])
      await expect(call()).rejects.toMatchObject({ status: 429, message: /not in use/ });
    await limited.close();
  });
});

describe('of a cancelled or deleted package', () => {
  let product: TestProduct;
  let owner: TestUser;
  beforeAll(async () => {
    product = await openTestProduct();
    owner = await product.register('owner');
  });
  afterAll(() => product.close());

  test.each(['cancelled', 'inactive'] as const)(
    '(%s) the public URL of an image answers 404 at once; users who may see the package get a signed URL',
    async (status) => {
      const { id, images } = await createPackage(owner, { images: [await uploadImage(product, owner)] });
      const params = { id };
      const [image = ''] = images;
      expect((await get(product, image)).status).toBe(200);
      await owner.api.packages.update({ params, body: { status } });
      for (const url of [image, `${image}?size=thumbnail`, image.replace('packages', 'withdrawn')])
        expect([url, (await get(product, url)).status]).toEqual([url, 404]);
      const own = (await owner.api.packages.read({ params })).images[0] ?? '';
      expect(own).toMatch(/^\/media\/packages\/.*\?expires=\d+&signature=/);
      const name = pathOf(image).replace('packages/', '');
      await eventually('its files are moved', async () => {
        const left = (await storedIn(product, 'packages/')).filter((path) => path.includes(name));
        return left.length === 0;
      });
      expect((await storedIn(product, 'withdrawn/')).filter((path) => path.includes(name))).toHaveLength(2);
      for (const url of [own, `${own}&size=thumbnail`]) {
        const answer = await get(product, url);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^private/)]);
      }
      expect((await get(product, image)).status).toBe(404);
      expect(
        (await owner.api.deliveries.ofOwner({ query: { status } })).items.flatMap((one) => one.packageImages),
      ).toEqual([]);
      // A form that sends the whole package back is accepted, and changes nothing.
      const whole = await owner.api.packages.read({ params });
      expect(await owner.api.packages.update({ params, body: { images: whole.images, status } })).toMatchObject({
        version: whole.version,
      });
    },
  );
});

describe('with S3', () => {
  test('a publicly readable bucket holds no image of a cancelled package, also after an interrupted move', async () => {
    const publicBucket = await openTestProduct({
      config: { ...s3.settings, S3_PUBLIC_URL: 'https://cdn.example.com' },
    });
    const owner = await publicBucket.register('owner');
    const pkg = await createPackage(owner, { images: [await uploadImage(publicBucket, owner)] });
    const params = { id: pkg.id };
    const [image = ''] = pkg.images;
    expect((await get(publicBucket, image)).status).toBe(302);
    await owner.api.packages.update({ params, body: { status: 'cancelled' } });
    expect((await get(publicBucket, image)).status).toBe(404);
    const filesAt = async (folder: string) =>
      (await storedIn(publicBucket, folder)).filter((path) => path.includes(pathOf(image).replace('packages/', '')))
        .length;
    await eventually('its files are moved', async () => (await filesAt('packages/')) === 0);
    expect(await filesAt('withdrawn/')).toBe(2);
    const [own = ''] = (await owner.api.packages.read({ params })).images;
    expect((await get(publicBucket, own)).status).toBe(200);
    // As after a crash between moving the files and updating the row.
    const rows = () => publicBucket.ctx.db.query("select folder from images where withdrawn and folder = 'packages'");
    await publicBucket.ctx.db.query("update images set folder = 'packages' where withdrawn");
    expect(await moveWithdrawn(publicBucket.ctx)).toBe(1);
    expect([await rows(), (await get(publicBucket, own)).status]).toEqual([[], 200]);
    await publicBucket.close();
  });

  test('the CSP of every page allows the image store, and no other origin', async () => {
    const product = await openTestProduct({
      config: { ...s3.settings, S3_PUBLIC_URL: 'https://cdn.example.com/waybill' },
    });
    const policy = (await get(product, '/livez')).headers.get('content-security-policy') ?? '';
    const origin = s3.settings.S3_ENDPOINT;
    expect(policy.replace(/ *; */g, ';').split(';')).toEqual(
      expect.arrayContaining([
        `connect-src 'self' ${origin} https://cdn.example.com`,
        `img-src 'self' data: blob: ${origin} https://cdn.example.com`,
      ]),
    );
    const owner = await product.register('owner');
    const pkg = await createPackage(owner, { images: [await uploadImage(product, owner)] });
    const [image = ''] = pkg.images;
    const answer = await get(product, `${image}?size=thumbnail`);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      `https://cdn.example.com/waybill/${pathOf(image)}.thumbnail.webp`,
    ]);
    await product.close();
  });

  test('partly configured, uploads answer 503 with the code storage_not_configured, and everything else works', async () => {
    const product = await openTestProduct({ config: { S3_BUCKET: 'half' } });
    const owner = await product.register('owner');
    const pkg = await createPackage(owner, { images: [] });
    const file = asFile(await photo());
    for (const call of [
      () => owner.api.images.announce({ body: { name: 'a.jpg', type: 'image/jpeg', size: 5 } }),
      () => owner.api.packages.addImage({ params: { id: pkg.id }, file }),
    ])
      await expect(call()).rejects.toMatchObject({
        status: 503,
        code: 'storage_not_configured',
        retryAfterSeconds: 60,
      });
    await product.close();
  });

  test('when the store fails, the upload can be retried', async () => {
    const product = await openTestProduct({ config: s3.settings });
    const owner = await product.register('owner');
    const image = await uploadImage(product, owner);
    const { storage } = product.ctx;
    const broken = await openTestProduct({
      beside: product,
      config: { ...s3.settings, S3_SECRET_ACCESS_KEY: 'wrong' },
    });
    await expect(
      broken.api(owner.token).packages.create({ body: packageInput({ images: [image] }) }),
    ).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect(storage.kind).toBe('s3');
    expect((await createPackage(owner, { images: [image] })).images).toEqual([image]);
    await broken.close();
    await product.close();
  });
});
