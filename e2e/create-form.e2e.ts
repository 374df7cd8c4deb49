import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../server/src/testing/test-product.ts';
import { packageInput } from './fixtures.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessibleInBothThemes, openBrowser, openWindow } from './window.ts';
import { runsAll } from '../server/src/testing/suite.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

test.runIf(runsAll)(
  'the form of a new package says what it needs, folds what is done, keeps what was typed, and repeats the last one',
  async () => {
    const account = {
      name: 'Frida Form',
      email: 'frida.form@example.com',
      password: 'pond-heron-7',
      role: 'owner',
    } as const;
    const { token, id } = await product.api().auth.register({ body: account });
    const api = product.api(token);
    const { page, settled } = await openWindow(browser, { baseURL: product.url, token });
    // Leaving with unsaved changes asks.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('/owner/create-package');
    const name = page.getByLabel('Package Name');
    const section = (title: string) => page.getByRole('button', { name: new RegExp(`^${title}`), expanded: false });
    const focused = (label: string) =>
      expect.poll(() => page.getByLabel(label).evaluate((field) => field === document.activeElement)).toBe(true);

    await page.getByText('Still needed: Recipient Name, Contact Number, Package Name and 2 more').waitFor();
    await page.getByRole('button', { name: 'Package Name' }).click();
    await focused('Package Name');
    await name.fill('Copper kettle');
    await page.getByLabel('Category').selectOption('Furniture');
    await page.getByLabel('Description').fill('A kettle of beaten copper');
    await page.getByRole('button', { name: '5 kg', exact: true }).click();
    expect(await page.getByLabel('Kilograms').inputValue()).toBe('5');
    await page.getByText('Fragile', { exact: true }).first().click();
    await page.getByLabel('Recipient Name').fill('Mara Lindqvist');
    await section('Package Copper kettle, Furniture, 5 kg, Fragile').waitFor();
    await page.getByText('Still needed: Contact Number').waitFor();
    await page.getByLabel('Contact Number').fill('+49 151 2345678');
    await page.getByText('Everything required is there.').waitFor();
    await section('Delivery').click();
    await page.getByLabel('Estimated Arrival').fill('2020-01-31');
    await section('Recipient Mara Lindqvist').waitFor();
    await expectAccessibleInBothThemes(page, 'the form with folded sections');

    const trackingId = await page.getByLabel('Tracking ID').inputValue();
    await page.reload();
    await section('Pictures').waitFor();
    await expect.poll(() => name.inputValue()).toBe('Copper kettle');
    expect(await page.getByLabel('Tracking ID').inputValue()).toBe(trackingId);
    await settled();

    // The error is in a section that is closed.
    await section('Delivery').waitFor();
    await page.getByLabel('Recipient Name').press('Control+Enter');
    await focused('Estimated Arrival');
    await page.getByLabel('Estimated Arrival').fill('');
    await page.getByRole('button', { name: 'Create and add another' }).click();
    await page.getByText('Successfully created package: Copper kettle').first().waitFor();
    await focused('Recipient Name');
    expect(await name.inputValue()).toBe('');
    expect(await page.getByLabel('Tracking ID').inputValue()).not.toBe(trackingId);

    await name.fill('Something else');
    await page.getByRole('button', { name: 'Like the last one' }).click();
    await expect.poll(() => name.inputValue()).toBe('Copper kettle');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => name.inputValue()).toBe('Something else');
    await page.getByRole('button', { name: 'Like the last one' }).click();
    await expect.poll(() => page.getByLabel('Kilograms').inputValue()).toBe('5');
    await page.getByLabel('Recipient Name').fill('Jonas Petersen');
    await page.getByLabel('Contact Number').fill('+49 151 2345678');
    await page.getByLabel('Print the label').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByLabel('Contact Number').press('Control+Enter'),
    ]);
    expect(download.suggestedFilename()).toMatch(/^label-PKG-[A-Z0-9]{8}\.pdf$/);
    await page.waitForURL('**/owner/dashboard');
    const { items } = await api.packages.listOfUser({ params: { id }, query: { sort: 'createdAt' } });
    expect(items.map((pkg) => [pkg.trackingId === trackingId, pkg.recipientName, pkg.handling.fragile])).toEqual([
      [true, 'Mara Lindqvist', true],
      [false, 'Jonas Petersen', true],
    ]);

    // No geocoder is set up: the owner says where the address is.
    const address = { street: 'Hafenstraße 12', postalCode: '20457', city: 'Hamburg' };
    const { id: packageId } = await api.packages.create({ body: { ...packageInput, address } });
    await page.goto(`/owner/package/${packageId}`);
    await page.getByRole('button', { name: 'Set a Pin' }).click();
    const pin = page.getByRole('dialog', { name: 'Set a Pin' });
    await pin.getByLabel('Latitude and longitude').fill('Hamburg');
    await pin.getByRole('button', { name: 'Set Pin' }).click();
    await pin.getByText('Please enter latitude and longitude.').waitFor();
    await expectAccessibleInBothThemes(page, 'the dialog of a pin');
    await pin.getByLabel('Latitude and longitude').fill('53.5461, 9.9658');
    // The same on the map, which begins at the world here: a click puts the pin there, and it can be dragged.
    const map = pin.getByRole('group', { name: 'Map: the pin of the address' });
    await map.and(page.locator('[data-map=drawn]')).waitFor();
    const box = await map.boundingBox();
    if (!box) throw new Error('the map has no size');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const typed = () => pin.getByLabel('Latitude and longitude').inputValue();
    await page.mouse.click(x, y);
    await eventually('the pin', async () => (await typed()) !== '53.5461, 9.9658');
    const clicked = await typed();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 30, { steps: 4 });
    await page.mouse.up();
    await eventually('the pin', async () => (await typed()) !== clicked);
    const [lat = 0, lon = 0] = (await typed()).split(', ').map(Number);
    await pin.getByRole('button', { name: 'Set Pin' }).click();
    await page.getByText('Set by a pin').waitFor();
    expect((await api.packages.read({ params: { id: packageId } })).place).toMatchObject({ lon, lat, accuracy: 'pin' });

    await page.getByRole('button', { name: 'Move the Pin' }).click();
    await pin.getByLabel('Latitude and longitude').fill('53.5461, 9.9658');
    await pin.getByRole('button', { name: 'Set Pin' }).click();
    await page.getByText('Set by a pin').waitFor();
    const placeOf = async () => (await api.packages.read({ params: { id: packageId } })).place;
    await eventually('the place', async () => (await placeOf())?.lat === 53.5461);
    expect(await placeOf()).toEqual({ lon: 9.9658, lat: 53.5461, accuracy: 'pin', source: 'pin' });
    await page.getByText('53.54610, 9.96580').waitFor();
  },
);

test('an address is suggested while it is typed, chosen by key or finger, and a search that fails is never in the way', async () => {
  const account = { name: 'Ada Book', email: 'ada.book@example.com', password: 'pond-heron-7', role: 'owner' } as const;
  const { token } = await product.api().auth.register({ body: account });
  const door = { street: 'Speicherweg 4', postalCode: '20457', city: 'Hamburg', country: 'Germany' };
  const addresses = product.api(token).addresses;
  await addresses.create({ body: { ...door, name: 'Ida Moreau', place: { lon: 10, lat: 53.5 } } });
  await addresses.create({ body: { ...door, street: 'Speicherweg 5' } });
  const { page } = await openWindow(browser, {
    baseURL: product.url,
    token,
    width: 390,
    expectFailures: /api\/places/,
  });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/owner/create-package');
  const street = page.getByRole('combobox', { name: 'Street' });
  const option = (name: RegExp) => page.getByRole('option', { name });
  const typed = () =>
    Promise.all(['Street', 'Postal code', 'City', 'Country'].map((label) => page.getByLabel(label).inputValue()));

  // On a slow network their code comes after the typing.
  const isTyped = Promise.withResolvers<void>();
  await page.route(/\/assets\/AddressSuggestions/, (route) => isTyped.promise.then(() => route.continue()));
  await street.pressSequentially('speich');
  isTyped.resolve();
  await option(/Speicherweg 4 ?20457 Hamburg, Germany · Ida Moreau/).waitFor();
  await option(/Speicherweg 5.*Needs a pin/).waitFor();
  expect(await street.getAttribute('aria-expanded')).toBe('true');
  await expectAccessibleInBothThemes(page, 'the form with suggestions');
  await street.press('Escape');
  await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
  expect(await street.inputValue()).toBe('speich');
  await street.press('e');
  await option(/Speicherweg 4/).waitFor();
  // The newest first.
  const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
  for (const expected of ['Speicherweg 5', 'Speicherweg 4']) {
    await street.press('ArrowDown');
    await chosen.filter({ hasText: expected }).waitFor();
  }
  const id = await chosen.getAttribute('id');
  await expect.poll(() => street.getAttribute('aria-activedescendant')).toBe(id);
  await street.press('Enter');
  await expect.poll(typed).toEqual(Object.values(door));
  expect(await page.getByLabel('Recipient Name').inputValue()).toBe('Ida Moreau');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await street.fill('speicherweg');
  await option(/Speicherweg 5/).click();
  await expect.poll(typed).toEqual(['Speicherweg 5', ...Object.values(door).slice(1)]);

  const search = page.waitForRequest(/\/api\/places\?/);
  await page.route(/\/api\/places\?/, (route) => route.fulfill({ status: 429, json: { code: 'rate_limited' } }));
  await street.fill('Elsewhere 1');
  await search;
  await page.getByLabel('City').fill('Bremen');
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await typed()).toEqual(['Elsewhere 1', '20457', 'Bremen', 'Germany']);
});

test.runIf(runsAll)(
  'packages that need a pin are counted on the dashboard, and the next address follows by itself',
  async () => {
    const account = { name: 'Pia Pin', email: 'pia.pin@example.com', password: 'pond-heron-7', role: 'owner' } as const;
    const { token, id } = await product.api().auth.register({ body: account });
    const api = product.api(token);
    const make = (street: string) =>
      api.packages.create({ body: { ...packageInput, address: { street, postalCode: '20457', city: 'Hamburg' } } });
    await make('Am Kai 1');
    await make('Am Kai 1');
    await make('Am Kai 2');
    const needing = async () =>
      (await api.packages.listOfUser({ params: { id }, query: { needsPin: true, count: true } })).total;
    await eventually('the end of the searches', async () => (await needing()) === 3);
    const { page } = await openWindow(browser, { baseURL: product.url, token, width: 390 });
    await page.goto('/owner/dashboard');
    await page.getByText('3 packages need a pin').waitFor();
    await page.getByRole('button', { name: 'Set Pins' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set a Pin' });
    const place = dialog.getByLabel('Latitude and longitude');
    await dialog.getByText('2 addresses without a pin').waitFor();
    await dialog.getByRole('button', { name: 'Skip' }).click();
    await dialog.getByRole('button', { name: 'Am Kai 1' }).and(page.locator('[aria-current=true]')).waitFor();
    await place.fill('53.54, 9.96');
    await dialog.getByRole('button', { name: 'Set Pin' }).click();
    // Both packages to the first address are done; the second one's field is empty.
    await dialog.getByText('Am Kai 2, 20457 Hamburg').waitFor();
    await expect.poll(() => dialog.getByText('addresses without a pin').count()).toBe(0);
    await expect.poll(() => place.inputValue()).toBe('');
    await expectAccessibleInBothThemes(page, 'the pins one by one');
    await place.fill('53.55, 9.97');
    await dialog.getByRole('button', { name: 'Set Pin' }).click();
    await page.getByText('All pins are set').first().waitFor();
    await eventually('all places', async () => (await needing()) === 0);
    expect(await dialog.count()).toBe(0);
  },
);
