import type { UpdatePackageInput } from '@waybill/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPackage,
  inject,
  openTestProduct,
  uploadImage,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let owner: TestUser;
let time = new Date('2026-03-01T10:00:00.000Z');
beforeAll(async () => {
  product = await openTestProduct({ now: () => time });
  owner = await product.register('owner');
});
afterAll(() => product.close());

const open = (path: string) => inject(product.app, path, { method: 'GET' });

test('thirty days after the delivery, recipient and locations disappear from the page and its link preview', async () => {
  const driver = await product.register('driver');
  const pkg = await createPackage(owner, { recipientName: 'Mara Lindqvist', location: 'Riverton depot' });
  await driver.api.deliveries.start({ params: { id: pkg.id } });
  await driver.api.deliveries.complete({ params: { id: pkg.id } });
  time = new Date('2026-03-31T10:00:00.000Z');
  const fresh = await (await open(`/track/${pkg.trackingId}`)).text();
  expect(fresh).toContain('Mara Lindqvist');
  expect(fresh).toContain('Riverton depot');
  expect(fresh).toContain(`<meta name="description" content="${pkg.name}: delivered"`);
  time = new Date('2026-03-31T10:00:00.001Z');
  const old = await (await open(`/track/${pkg.trackingId}`)).text();
  expect(old).not.toContain('Mara');
  expect(old).not.toContain('Riverton');
  expect(old).toContain(pkg.name);
});

test('title and link preview show the ETA with its time zone and the location', async () => {
  const driver = await product.register('driver');
  time = new Date('2026-03-01T10:00:00.000Z');
  const pkg = await createPackage(owner, { location: 'Riverton depot', eta: '2026-03-09' });
  const params = { id: pkg.id };
  const read = async () => (await open(`/track/${pkg.trackingId}`)).text();
  await driver.api.deliveries.start({ params });
  const going = await read();
  expect(going).toMatch(
    new RegExp(
      `<title>(Arriving|Was expected) Sunday 1 March( 2026)?, by 16:00 UTC · ${pkg.trackingId} · Waybill</title>`,
    ),
  );
  expect(going).toContain(`<meta property="og:description" content="${pkg.name}: Out for Delivery · With the driver"`);
  await driver.api.deliveries.fail({ params, body: { reason: 'Nobody home', location: 'Lakeside counter' } });
  const failed = await read();
  expect(failed).toContain(`<title>The last attempt failed · ${pkg.trackingId} · Waybill</title>`);
  expect(failed).toContain(`content="${pkg.name}: Processing · Lakeside counter"`);
  expect(failed).not.toMatch(/Arriving|Nobody home/);
  await owner.api.packages.chooseNextStep({ params, body: { kind: 'collect' } });
  const collected = await read();
  expect(collected).toContain(`<title>You can collect it at the depot · ${pkg.trackingId} · Waybill</title>`);
  expect(collected).toContain('It waits for you at Lakeside counter.');
});

test('without PUBLIC_URL a link preview has its picture on this machine alone, since a Host header can be forged', async () => {
  const { trackingId } = await createPackage(owner);
  const path = `/track/${trackingId}`;
  const readAt = async (host: string) => (await product.app.inject({ url: path, headers: { host } })).body;
  expect(await readAt('127.0.0.1:3000')).toContain(
    `<meta property="og:image" content="http://127.0.0.1:3000${path}/preview.png"`,
  );
  expect(await readAt('packages.example')).not.toContain('og:image');
});

test('a link preview has a picture of the answer, which shows neither recipient nor place, and never of an unknown ID', async () => {
  const named = await openTestProduct({
    runsJobs: false,
    config: { PUBLIC_URL: 'https://packages.example/' },
    beside: product,
  });
  const pkg = await createPackage(owner, { recipientName: 'Mara Lindqvist', location: 'Riverton depot' });
  const pictureOf = async (id: string) => (await named.app.inject(`/track/${id}/preview.png`)).rawPayload;
  const { body } = await named.app.inject(`/track/${pkg.trackingId}`);
  expect(body).toContain(`content="https://packages.example/track/${pkg.trackingId}/preview.png"`);
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image"');
  const picture = await named.app.inject(`/track/${pkg.trackingId}/preview.png`);
  expect([picture.statusCode, picture.headers['content-type'], picture.headers['cache-control']]).toEqual([
    200,
    'image/png',
    'public, max-age=300',
  ]);
  expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  expect(picture.rawPayload.length).toBeLessThan(80_000);
  // Recipient and place change nothing in the picture, the day does.
  const update = (body: UpdatePackageInput) => owner.api.packages.update({ params: { id: pkg.id }, body });
  await update({ recipientName: 'Somebody Else', location: 'Lakeside counter' });
  expect(await pictureOf(pkg.trackingId)).toEqual(picture.rawPayload);
  await update({ eta: '2030-01-05' });
  expect(await pictureOf(pkg.trackingId)).not.toEqual(picture.rawPayload);
  for (const id of ['PKG-ZZZZZZZZ', 'x', '%00'])
    expect((await named.app.inject(`/track/${id}/preview.png`)).statusCode, id).toBe(404);
  await named.close();
});

test('the web manifest and its icons are served', async () => {
  const manifest = await open('/site.webmanifest');
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json');
  const { icons } = (await manifest.json()) as { icons: { src: string; sizes: string }[] };
  for (const { src, sizes } of [...icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const icon = Buffer.from(await (await open(src)).arrayBuffer());
    const { width, height } = await sharp(icon).metadata();
    if (src.endsWith('.png')) expect(`${width}x${height}`, src).toBe(sizes);
  }
});

test('input of an owner is escaped in the page', async () => {
  const name = `</script><script>alert(1)</script><b class="x">'"&`;
  const pkg = await createPackage(owner, { name });
  const html = await (await open(`/track/${pkg.trackingId}`)).text();
  expect(html.match(/<script/g)).toHaveLength(3);
  expect(html).not.toContain('alert(1)</script>');
  expect(html).not.toContain('<b class');
  const embedded = /<script id="page" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(embedded)).toMatchObject({ page: { id: pkg.trackingId, found: { view: { name } } } });
});

test('a tracking page is neither cached nor indexed; unknown and malformed IDs get the same response', async () => {
  const pkg = await createPackage(owner);
  const { headers } = await open(`/track/${pkg.trackingId}`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  for (const id of ['PKG-ZZZZZZZZ', 'x', '%00', "'%3B--"]) {
    const response = await open(`/track/${id}`);
    expect(response.status, id).toBe(404);
    expect(await response.text(), id).toContain('Package not found');
  }
});

test('the tracking form redirects to the page of the ID without JavaScript', async () => {
  const response = await open('/track?id=%20pkg-abcd1234%20');
  expect([response.status, response.headers.get('location')]).toEqual([303, '/track/pkg-abcd1234']);
  const elsewhere = await open('/track?id=%2F%2Fevil.example');
  expect(elsewhere.headers.get('location')).toBe('/track/%2F%2Fevil.example');
});

test('routes of the application respond with its shell, unknown paths with 404', async () => {
  for (const path of ['/login', '/owner/dashboard', `/owner/package/${'a'.repeat(36)}`, '/driver/dashboard'])
    expect((await open(path)).status, path).toBe(200);
  for (const path of ['/nothing', '/owner', '/assets', '/assets/', '/assets/none.js', '/manifest.json'])
    expect((await open(path)).status, path).toBe(404);
});

test("the organisation's name and logo are on server-rendered pages, in previews and in the shell, and are escaped", async () => {
  const admin = await product.register('admin');
  const name = `Acme <b>&</script> "Parcels"`;
  await admin.api.settings.update({ body: { organisationName: name, logo: await uploadImage(product, admin) } });
  const { logo } = await product.api().settings.organisation();
  const pkg = await createPackage(owner);
  for (const path of ['/', '/track', `/track/${pkg.trackingId}`, '/terms', '/login', '/admin/settings']) {
    const html = await (await open(path)).text();
    const embedded = /<script id="page" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(embedded), path).toMatchObject({ organisation: { name, logo } });
    expect(/<title>(.*?)<\/title>/.exec(html)?.[1], path).toMatch(
      /Acme &lt;b(>|&gt;)&amp;&lt;\/script(>|&gt;) ("|&quot;)Parcels("|&quot;)$/,
    );
    expect(html, path).not.toContain('<b>&');
  }
  const html = await (await open(`/track/${pkg.trackingId}`)).text();
  expect(html).toContain('property="og:site_name" content="Acme &lt;b');
  expect(html).toContain(`src="${logo}"`);
  await admin.api.settings.update({ body: { organisationName: null, logo: null } });
});

test('the shell contains the origin of shared links, or null where the server has none', async () => {
  const linksOf = async (to: TestProduct, headers: Record<string, string> = {}) => {
    const { body } = await to.app.inject({ url: '/owner/dashboard', headers });
    return JSON.parse(/<script id="page" type="application\/json">(.*?)<\/script>/.exec(body)?.[1] ?? '{}').links;
  };
  expect(await linksOf(product, { host: 'localhost:3000' })).toBe('http://localhost:3000');
  expect(await linksOf(product, { host: 'packages.example' })).toBeNull();
  const named = await openTestProduct({
    runsJobs: false,
    config: { PUBLIC_URL: 'https://packages.example/' },
    beside: product,
  });
  expect(await linksOf(named, { host: 'evil.example' })).toBe('https://packages.example');
  await named.close();
});

test('the public page shows the recipient in full, masked or not at all, depending on the settings', async () => {
  const admin = await product.register('admin');
  const pkg = await createPackage(owner, { recipientName: 'Mara Lindqvist' });
  const html = async () => (await open(`/track/${pkg.trackingId}`)).text();
  expect(await html()).toContain('Mara Lindqvist');
  await admin.api.settings.update({ body: { publicRecipient: 'masked' } });
  expect(await html()).toContain('Mara L.');
  expect(await html()).not.toContain('Lindqvist');
  await admin.api.settings.update({ body: { publicRecipient: 'hidden' } });
  expect(await html()).not.toContain('Mara');
  await admin.api.settings.update({ body: { publicRecipient: null } });
});

test('a page links to the API reference only if the server has one', async () => {
  const closed = await openTestProduct({ runsJobs: false, config: { API_DOCS: 'off' }, beside: product });
  const hasLink = async (to: TestProduct) => (await to.app.inject('/terms')).body.includes('href="/api/docs"');
  expect([await hasLink(product), await hasLink(closed)]).toEqual([true, false]);
  const embedded = async (to: TestProduct) =>
    /"apiDocs":(true|false)/.exec((await to.app.inject('/owner/dashboard')).body)?.[1];
  expect([await embedded(product), await embedded(closed)]).toEqual(['true', 'false']);
  await closed.close();
});
