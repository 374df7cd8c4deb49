import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await openTestProduct();
});
afterAll(() => product.close());

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');
const packagesOf = async (user: TestUser): Promise<Package[]> =>
  (await user.api.packages.listOfUser({ params: { id: user.id }, query: { limit: 200 } })).items.toReversed();

test('a Shopify order export is detected: each order becomes a package, and importing it again creates nothing', async () => {
  const mine = await product.register('owner');
  const body = fixture('shopify-orders.csv');
  expect(await mine.api.packages.previewImport({ body })).toMatchObject({
    format: 'shopify',
    total: 3,
    created: 3,
    failed: 0,
    skipped: 0,
    missing: [],
    constants: { category: 'Other', weight: '1' },
    ignoredColumns: expect.arrayContaining(['Financial Status', 'Billing Name', 'Vendor']) as string[],
  });
  expect(await packagesOf(mine)).toEqual([]);
  const report = await mine.api.packages.import({ body });
  expect(report).toMatchObject({ created: 3, failed: 0, skipped: 0, errors: [] });
  expect(report.ignoredColumns).toContain('Payment Method');
  expect(report.ignoredColumns).not.toContain('Shipping Zip');
  expect(await packagesOf(mine)).toMatchObject([
    {
      reference: '#1001',
      name: 'Walnut lamp - Large and 2 more',
      description: 'Order #1001: 2 × Walnut lamp - Large, 1 × Linen shade, 4 × Spare bulb, E27',
      category: 'Other',
      weight: 1,
      recipientName: 'Mara Lindqvist',
      recipientContact: '+49 151 2345678',
      recipientEmail: 'mara@example.com',
      recipientPhone: '+491512345678',
      instructions: 'Please ring twice',
      address: { street: 'Hafenstraße 12, 2. OG', postalCode: '20457', city: 'Hamburg', country: 'DE' },
    },
    // Without a phone number, the email address is used.
    {
      reference: '#1002',
      name: 'Brass clock',
      recipientContact: 'jon.okafor@example.com',
      address: { postalCode: '28195' },
    },
    { reference: '#1003', name: 'Order #1003: TV', address: { postalCode: '01067' } },
  ]);
  const again = await mine.api.packages.import({ body });
  expect(again).toMatchObject({ created: 0, failed: 0, skipped: 3 });
  expect(again.skippedRows[0]).toEqual({ line: 2, reason: 'Reference #1001 is there already', unshipped: false });
  expect(await packagesOf(mine)).toHaveLength(3);
});

test('a WooCommerce order export is detected, with an order’s items in rows or in one cell', async () => {
  const mine = await product.register('owner');
  const body = fixture('woocommerce-orders.csv');
  expect(await mine.api.packages.previewImport({ body })).toMatchObject({ format: 'woocommerce', created: 2 });
  expect(await mine.api.packages.import({ body })).toMatchObject({ created: 2, failed: 0 });
  expect(await packagesOf(mine)).toMatchObject([
    {
      reference: '731',
      name: 'Mug, blue and 1 more',
      description: 'Order 731: 2 × Mug, blue, 1 × Tea pot',
      recipientName: 'Anna Berg',
      recipientContact: '030 44556677',
      instructions: 'Bitte beim Nachbarn abgeben',
      address: { street: 'Kastanienallee 4, Hinterhaus', postalCode: '10435', city: 'Berlin', country: 'DE' },
    },
    { reference: '732', recipientName: 'Björn Öztürk', recipientContact: 'bjoern@example.com' },
  ]);
  expect(await mine.api.packages.import({ body })).toMatchObject({ created: 0, skipped: 2 });
  const columns =
    'order_number,billing_email,billing_phone,shipping_first_name,shipping_last_name,shipping_address_1,shipping_address_2,shipping_postcode,shipping_city,shipping_country,line_items';
  const order =
    '733,eva@example.com,0221 998877,Eva,Roth,Dom 1,,50667,Köln,DE,name:Mug|product_id:9|quantity:2|total:38.00;name:Pot|product_id:8|quantity:1|total:20.00';
  expect(await mine.api.packages.import({ body: `${columns}\n${order}` })).toMatchObject({ created: 1 });
  expect((await packagesOf(mine)).at(-1)).toMatchObject({
    name: 'Mug and 1 more',
    description: 'Order 733: 2 × Mug, 1 × Pot',
    recipientName: 'Eva Roth',
  });
});

test('an invalid row of a shop’s file is reported with its line and our field names, and does not block other rows', async () => {
  const mine = await product.register('owner');
  const body = fixture('shopify-orders.csv')
    .replaceAll('Jon Okafor', 'Jo')
    .replaceAll('jon.okafor@example.com', 'j@x.de');
  const seen = await mine.api.packages.previewImport({ body });
  expect(seen).toMatchObject({ created: 2, failed: 1 });
  expect(seen.errors).toMatchObject([
    {
      line: 5,
      fields: {
        recipientName: 'Recipient name must be at least 3 characters',
        recipientContact: 'Contact must be at least 10 characters',
      },
      cells: { reference: '#1002', recipientName: 'Jo', recipientContact: 'j@x.de', category: 'Other' },
    },
  ]);
  expect(await mine.api.packages.import({ body })).toMatchObject({ created: 2, failed: 1 });
});

const foreign =
  'Bestellnr,Kunde,Telefon,Straße,PLZ,Ort,Farbe,Inhalt\nA-1,Anna Berg,0351 4455667,Ringweg 7,01067,Dresden,rot,Zwei Lampen\nA-2,Jo,0351 4455667,Ringweg 8,01067,Dresden,blau,Eine Lampe';

test('an unknown header is guessed in the preview, imported with a manual mapping and constants, and refused without one', async () => {
  const mine = await product.register('owner');
  const guessed = await mine.api.packages.previewImport({ body: foreign });
  expect(guessed).toMatchObject({
    format: 'other',
    missing: ['name'],
    total: 0,
    ignoredColumns: ['Bestellnr', 'Farbe'],
  });
  expect(guessed.columns).toMatchObject([
    { name: 'Bestellnr', target: null, samples: ['A-1', 'A-2'] },
    { name: 'Kunde', target: 'recipientName', samples: ['Anna Berg', 'Jo'] },
    { name: 'Telefon', target: 'recipientContact' },
    { name: 'Straße', target: 'street' },
    { name: 'PLZ', target: 'postalCode', samples: ['01067'] },
    { name: 'Ort', target: 'city' },
    { name: 'Farbe', target: null },
    { name: 'Inhalt', target: 'description' },
  ]);
  await expect(mine.api.packages.import({ body: foreign })).rejects.toMatchObject({
    status: 422,
    fields: { weight: 'This column is missing' },
  });
  const columns = {
    Bestellnr: 'reference',
    Kunde: 'recipientName',
    Telefon: 'recipientContact',
    Straße: 'street',
    PLZ: 'postalCode',
    Ort: 'city',
    Inhalt: 'description',
  };
  const mapping = JSON.stringify({ columns, constants: { category: 'Furniture', weight: '2,5', name: 'Lampen' } });
  expect(await mine.api.packages.previewImport({ body: foreign, query: { mapping } })).toMatchObject({
    format: 'mapped',
    missing: [],
    created: 1,
    failed: 1,
    ignoredColumns: ['Farbe'],
  });
  const report = await mine.api.packages.import({ body: foreign, query: { mapping } });
  expect(report).toMatchObject({ created: 1, failed: 1, ignoredColumns: ['Farbe'] });
  expect(await packagesOf(mine)).toMatchObject([
    { reference: 'A-1', name: 'Lampen', description: 'Zwei Lampen', category: 'Furniture', weight: 2.5 },
  ]);
  expect(await mine.api.packages.readImport({ params: { id: report.id } })).toEqual(report);
});

test('an order without items is named by its number', async () => {
  const mine = await product.register('owner');
  const mapping = JSON.stringify({
    columns: { Nr: 'reference', Wer: 'recipientName', Tel: 'recipientContact' },
    constants: { category: 'Other', weight: '1' },
  });
  const body = 'Nr,Wer,Tel\nA-7,Anna Berg,0351 4455667';
  expect(await mine.api.packages.import({ body, query: { mapping } })).toMatchObject({ created: 1, failed: 0 });
  expect(await packagesOf(mine)).toMatchObject([{ name: 'Order A-7', description: 'Package of order A-7' }]);
});

test.each([
  ['no JSON', 'columns'],
  ['an unknown column of ours', JSON.stringify({ columns: { Kunde: 'colour' } })],
  ['a recipient for all', JSON.stringify({ columns: {}, constants: { recipientName: 'Anna' } })],
])('a mapping that is %s is refused', async (_what, mapping) => {
  const mine = await product.register('owner');
  await expect(mine.api.packages.previewImport({ body: foreign, query: { mapping } })).rejects.toMatchObject({
    status: 422,
    fields: { mapping: expect.stringContaining('JSON') as string },
  });
});

test('unknown columns in our own format are ignored and reported', async () => {
  const mine = await product.register('owner');
  const body =
    'name,description,category,weight,recipientName,recipientContact,colour,reason\nLamp,A lamp for the desk,Other,1,Anna Berg,+49 151 2345678,red,too short';
  expect(await mine.api.packages.import({ body })).toMatchObject({ created: 1, failed: 0, ignoredColumns: ['colour'] });
});

test('a WooCommerce order without a shipping address uses the whole billing address; the two are never mixed', async () => {
  const mine = await product.register('owner');
  const [header = '', first = ''] = fixture('woocommerce-orders.csv').split('\n');
  const names = header.split(',');
  const cells = first.replaceAll(/"([^",]*),[^"]*"/g, '$1').split(',');
  const row = (number: string, empty: RegExp) =>
    cells.map((cell, index) => (index === 0 ? number : empty.test(names[index] ?? '') ? '' : cell)).join(',');
  const body = [header, row('801', /Shipping\)$/), row('802', /^(City|Postcode) \(Shipping\)$/)].join('\n');
  const report = await mine.api.packages.import({ body });
  expect(report).toMatchObject({ created: 1, failed: 1 });
  expect(Object.keys(report.errors[0]?.fields ?? {})).toEqual(['city']);
  expect(await packagesOf(mine)).toMatchObject([
    {
      reference: '801',
      recipientName: 'Anna Berg',
      address: { street: 'Kastanienallee 4', postalCode: '10435', city: 'Berlin' },
    },
  ]);
});

/** Builds a shop's file from the first row of its fixture, one row per set of replaced cells. */
const rowsLike = (name: string, others: Record<string, string>[]): string => {
  const [header = '', first = ''] = fixture(name).split('\n');
  const names = header.split(',');
  const cells = first.replaceAll(/"([^"]*)"/g, (_, cell: string) => cell.replaceAll(',', ' ')).split(',');
  const rowOf = (other: Record<string, string>) =>
    names.map((column, at) => other[column] ?? cells[at] ?? '').join(',');
  return [header, ...others.map(rowOf)].join('\n');
};

const shopifyOrders = rowsLike('shopify-orders.csv', [
  { Name: '#2001' },
  { Name: '#2002', 'Cancelled at': '2026-11-20 11:00:00 +0100', 'Shipping Name': 'Jo' },
  { Name: '#2003', 'Financial Status': 'refunded' },
  { Name: '#2004', 'Fulfillment Status': 'fulfilled' },
  { Name: '#2005', 'Lineitem name': 'Gift card', 'Lineitem requires shipping': 'false' },
  { Name: '#2006', 'Fulfillment Status': 'partial', 'Financial Status': 'partially_refunded' },
  { Name: '#2006', 'Lineitem name': 'Gift card', 'Lineitem requires shipping': 'false', 'Lineitem quantity': '1' },
  { Name: '#2006', 'Lineitem name': 'Shade', 'Lineitem fulfillment status': 'fulfilled' },
]);
const wooOrders = rowsLike('woocommerce-orders.csv', [
  { 'Order Number': '901' },
  { 'Order Number': '902', 'Order Status': 'Cancelled' },
  { 'Order Number': '903', 'Order Status': 'Refunded' },
  { 'Order Number': '904', 'Order Status': 'Completed' },
  { 'Order Number': '905', 'Order Status': 'wc-failed' },
  { 'Order Number': '906', 'Quantity (- Refund)': '0' },
]);

test.each([
  [
    'Shopify',
    shopifyOrders,
    [
      [3, 'Order #2002 was cancelled'],
      [4, 'Order #2003 was refunded'],
      [5, 'Order #2004 is fulfilled already'],
      [6, 'Order #2005 needs no shipping'],
    ],
    ['#2001', '#2006'],
    8 - 2,
  ],
  [
    'WooCommerce',
    wooOrders,
    [
      [3, 'Order 902 was cancelled'],
      [4, 'Order 903 was refunded'],
      [5, 'Order 904 is fulfilled already'],
      [6, 'Order 905 was not paid'],
      [7, 'Order 906 was refunded'],
    ],
    ['901'],
    6,
  ],
] as const)(
  'a %s order with nothing left to ship is skipped with the reason, unless all orders are requested',
  async (_shop, body, reasons, references, all) => {
    const mine = await product.register('owner');
    const skippedRows = reasons.map(([line, reason]) => ({ line, reason, unshipped: true }));
    const expected = { created: references.length, failed: 0, skipped: reasons.length, skippedRows };
    expect(await mine.api.packages.previewImport({ body })).toMatchObject(expected);
    const report = await mine.api.packages.import({ body });
    expect(report).toMatchObject(expected);
    expect(await mine.api.packages.readImport({ params: { id: report.id } })).toEqual(report);
    const made = await packagesOf(mine);
    expect(made.map(({ reference }) => reference)).toEqual(references);
    expect(made.at(-1)?.description).not.toMatch(/Gift card|Shade/);
    // Also with a manual mapping.
    const { columns, constants } = await mine.api.packages.previewImport({ body });
    const chosen = Object.fromEntries(columns.flatMap(({ name, target }) => (target ? [[name, target]] : [])));
    const mapping = JSON.stringify({ columns: chosen, constants });
    const mapped = await mine.api.packages.previewImport({ body, query: { mapping } });
    expect(mapped).toMatchObject({ format: 'mapped', created: 0, skipped: references.length + reasons.length });
    expect(mapped.skippedRows).toEqual(expect.arrayContaining(skippedRows));
    // `everyOrder` imports all of them.
    const query = { everyOrder: 'true' };
    const seen = await mine.api.packages.previewImport({ body, query });
    expect(seen).toMatchObject({ total: all, skipped: references.length });
    expect(seen.created + seen.failed).toBe(reasons.length);
    expect(await mine.api.packages.import({ body, query })).toMatchObject({
      created: seen.created,
      failed: seen.failed,
    });
    expect(await packagesOf(mine)).toHaveLength(references.length + seen.created);
  },
);
