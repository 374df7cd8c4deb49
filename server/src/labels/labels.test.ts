import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LabelsInput, Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackage, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { readPages } from '../testing/printed-pages.ts';

let product: TestProduct;
let owner: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  owner = await product.register('owner', 'Lindqvist Kaffé');
  admin = await product.register('admin');
});
afterAll(() => product.close());

const print = async (user: TestUser, packages: Pick<Package, 'id'>[], size: LabelsInput['size'] = 'label') => {
  const reply = await user.api.labels.print({ body: { packageIds: packages.map(({ id }) => id), size } });
  return { reply, pages: await readPages(new Uint8Array(await reply.arrayBuffer())) };
};

const address = { street: 'Chestnut Avenue 22', postalCode: '40112', city: 'Riverton' };
const everyHandling = {
  fragile: true,
  keepUpright: true,
  refrigerated: true,
  signatureRequired: true,
  safePlace: 'Behind the green gate',
};

test('a label is a page of 100 x 150 mm whose two codes are the tracking ID and the link of the public page', async () => {
  const pkg = await createPackage(owner, { address, reference: 'LK-2041', handling: everyHandling });
  const { reply, pages } = await print(owner, [pkg]);
  expect(reply.headers.get('content-type')).toBe('application/pdf');
  expect(reply.headers.get('content-disposition')).toBe(`inline; filename="label-${pkg.trackingId}.pdf"`);
  expect(pages).toHaveLength(1);
  const [page] = pages;
  expect([page?.width, page?.height]).toEqual([100, 150]);
  expect(page?.codes.map(({ format, text }) => [format, text]).toSorted()).toEqual([
    ['Code128', pkg.trackingId],
    ['QRCode', `http://localhost:80/track/${pkg.trackingId}`],
  ]);
  for (const said of ['RIVERTON', 'Chestnut Avenue 22', 'Anna Maria Berg', 'Lindqvist Kaffé', 'LK-2041', 'Keep cold'])
    expect(page?.text).toContain(said);
  expect(page?.text).not.toContain('green gate');
  expect(page?.text).not.toContain('2345678');
});

test('A4 has four labels on each sheet, in the order of the request', async () => {
  const packages: Package[] = [];
  for (let count = 0; count < 5; count++) packages.push(await createPackage(owner, { address }));
  const chosen = packages.toReversed();
  const { reply, pages } = await print(owner, chosen, 'a4');
  expect(reply.headers.get('content-disposition')).toBe('inline; filename="labels.pdf"');
  expect(pages.map(({ width, height }) => [width, height])).toEqual([
    [210, 297],
    [210, 297],
  ]);
  const ids = chosen.map(({ trackingId }) => trackingId);
  const links = ids.map((id) => `http://localhost:80/track/${id}`);
  for (const [index, page] of pages.entries()) {
    const read = (format: string) => page.codes.filter((code) => code.format === format).map(({ text }) => text);
    const of = (all: string[]) => all.slice(index * 4, index * 4 + 4);
    expect(read('Code128').toSorted()).toEqual(of(ids).toSorted());
    expect(read('QRCode').toSorted()).toEqual(of(links).toSorted());
  }
  const [upper = '', , lower = ''] = ids;
  const codes = pages[0]?.codes.filter(({ format }) => format === 'Code128') ?? [];
  const heightOf = (id: string) => codes.find(({ text }) => text === id)?.y ?? 0;
  expect(heightOf(upper)).toBeLessThan(heightOf(lower));
});

test.each([
  ['Lucía Größe', 'Łódź'],
  ['Ольга Іваненко', 'Київ'],
  ['Γιώργος Παπαδόπουλος', 'Αθήνα'],
  ['Nguyễn Thị Ánh', 'Hà Nội'],
])('names and towns of %s are printed as written', async (recipientName, city) => {
  const pkg = await createPackage(owner, { recipientName, address: { ...address, city } });
  const { pages } = await print(owner, [pkg]);
  const text = pages[0]?.text.normalize('NFC');
  expect(text).toContain(recipientName);
  expect(text).toContain(city);
  expect(pages[0]?.codes).toHaveLength(2);
});

test('characters that the fonts lack become boxes, and the label stays readable', async () => {
  const pkg = await createPackage(owner, {
    recipientName: 'Tarō 山田太郎 👩‍👩‍👧 ‎مرحبا',
    address: { ...address, city: '東京都千代田区丸の内一丁目'.repeat(9) },
  });
  const { pages } = await print(owner, [pkg]);
  expect(pages[0]?.text).toContain('Tarō');
  expect(pages[0]?.codes).toHaveLength(2);
});

test('200 labels are one request; of more, none, and twice the same, the sentence says so', async () => {
  const packages = await Promise.all(Array.from({ length: 200 }, () => createPackage(owner, { address })));
  const reply = await owner.api.labels.print({ body: { packageIds: packages.map(({ id }) => id), size: 'a4' } });
  const text = new TextDecoder('latin1').decode(await reply.arrayBuffer());
  expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(50);
  const [first] = packages;
  const refused: [Pick<Package, 'id'>[], string][] = [
    [[...packages, await createPackage(owner)], 'At most 200 packages at a time'],
    [[], 'Please choose at least one package'],
    [first ? [first, first] : [], 'Each package only once'],
  ];
  for (const [chosen, message] of refused)
    await expect(print(owner, chosen)).rejects.toMatchObject({ code: 'invalid', fields: { packageIds: message } });
});

test('one foreign or unknown package among them is 404, and nothing is printed', async () => {
  const [own, foreign] = [await createPackage(owner), await createPackage(await product.register('owner'))];
  for (const other of [foreign, { id: '01990f6e-4c1a-7b52-9d3e-5a7c2f10b8e4' }])
    await expect(print(owner, [own, other])).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('cancelled and deleted packages are refused by their tracking IDs', async () => {
  const [good, cancelled, deleted] = [
    await createPackage(owner),
    await createPackage(owner),
    await createPackage(owner),
  ];
  await owner.api.packages.update({ params: { id: cancelled.id }, body: { status: 'cancelled' } });
  await owner.api.packages.update({ params: { id: deleted.id }, body: { status: 'inactive' } });
  await expect(print(owner, [good, cancelled, deleted])).rejects.toMatchObject({
    code: 'illegal_step',
    message: `Cancelled and deleted packages have no label: ${cancelled.trackingId}, ${deleted.trackingId}`,
  });
});

test('an administrator who prints another’s label has seen the address, which is recorded', async () => {
  const pkg = await createPackage(owner, { address });
  await print(owner, [pkg]);
  const views = async () => (await admin.api.audit.contactViews({ query: { package: pkg.id } })).items;
  expect(await views()).toEqual([]);
  await print(admin, [pkg]);
  expect(await views()).toMatchObject([{ viewerId: admin.id }]);
});

test('without PUBLIC_URL labels are made only for this machine; with it, the code has its address', async () => {
  const pkg = await createPackage(owner, { address });
  const printAt = (at: TestProduct, headers: Record<string, string>) =>
    at.app.inject({
      method: 'POST',
      url: '/api/packages/labels',
      headers: { authorization: `Bearer ${owner.token}`, ...headers },
      payload: { packageIds: [pkg.id], size: 'label' },
    });
  expect((await printAt(product, { host: 'evil.example' })).json()).toMatchObject({ code: 'public_url_missing' });
  const outside = await openTestProduct({
    beside: product,
    config: { PUBLIC_URL: 'https://parcels.example/', TRUST_PROXY: 'on' },
    runsJobs: false,
  });
  const printed = await printAt(outside, { host: 'evil.example' });
  const [page] = await readPages(new Uint8Array(printed.rawPayload));
  expect(page?.codes.map(({ text }) => text)).toContain(`https://parcels.example/track/${pkg.trackingId}`);
  await outside.close();
});

test('the idle thread does not delay the end of a process', async () => {
  const renderer = JSON.stringify(join(import.meta.dirname, 'renderer.ts'));
  const script = `const { renderLabels } = await import(${renderer});
    console.log((await renderLabels({ labels: [], size: 'label', zone: 'UTC' })).length);`;
  // The thread ends by itself after 60 s.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 30_000,
  });
  expect(Number(stdout)).toBeGreaterThan(0);
}, 40_000);
