import type { Client, Role } from '@waybill/contract';
import type { Browser, Locator, Page, Route as PlaywrightRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyPlan, smallDay } from '../server/src/testing/best-plan.ts';
import { runsAll } from '../server/src/testing/suite.ts';
import { anyVersion } from '../server/src/testing/test-product.ts';
import { packageInput } from './fixtures.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { expectAccessible, openBrowser, openWindow } from './window.ts';

let product: RunningProduct;
let browser: Browser;
let owner: Account;
let admin: Account;
let other: Account;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ TIME_ZONE: 'UTC' }), openBrowser()]);
  [owner, admin, other] = [
    await register('owner', 'Olga Owner'),
    await register('admin', 'Ada Admin'),
    await register('admin', 'Otto Other'),
  ];
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

interface Account {
  id: string;
  token: string;
  api: Client;
}

async function register(role: Role, name: string): Promise<Account> {
  const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
  const { id, token } = await product.api().auth.register({ body: { name, email, password: 'pond-heron-7', role } });
  return { id, token, api: product.api(token) };
}

const openAs = ({ token }: Account, options: { width?: number; expectFailures?: RegExp } = {}) =>
  openWindow(browser, { baseURL: product.url, timezoneId: 'Europe/Berlin', token, ...options });

const create = (street: string, postalCode: string, fields: object = {}) =>
  owner.api.packages.create({
    body: { ...packageInput, ...fields, address: { street, postalCode, city: 'Hamburg' } },
  });
/** The day after tomorrow, which is in the future in every zone. */
const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const routesOf = async () => (await admin.api.routes.list({ query: { day, limit: 200 } })).items;
const columnOf = (page: Page, name: string) => page.getByRole('region', { name: `Route of ${name}`, exact: true });
const stopsIn = (column: Locator) => column.getByRole('list').getByRole('button');
/** Groups are unfolded by themselves where little waits. */
const unfold = async (page: Page, name: RegExp) => {
  const head = page.getByRole('button', { name });
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
};
/** The streets of the stops, all read at one moment. */
const streets = (column: Locator) =>
  stopsIn(column).evaluateAll((stops) => stops.map((stop) => (stop as HTMLElement).dataset.street));

test.runIf(runsAll)(
  'from the opened screen to six planned routes, with a second dispatcher and a driver who falls ill',
  async () => {
    const names = ['Dana One', 'Emil Two', 'Finn Three', 'Gina Four', 'Hugo Five', 'Ines Six'];
    const drivers: Account[] = [];
    for (const name of names) drivers.push(await register('driver', name));
    for (const { id } of drivers)
      await admin.api.shifts.create({
        body: { driverId: id, startsAt: `${day}T07:00:00Z`, endsAt: `${day}T15:00:00Z` },
      });
    for (let n = 1; n <= 18; n++) await create(`Weg ${n}`, n <= 12 ? '20259' : '22765', { name: `Lamp ${n}` });
    const [{ page, settled }, { page: second }] = [
      await openAs(admin, { expectFailures: /\/api\/routes\// }),
      await openAs(other),
    ];
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks++;
      await target.click();
    };

    await Promise.all([page, second].map((one) => one.goto(`/admin/dispatch?day=${day}`)));
    await page.getByText('18 waiting').waitFor();
    await second.getByText('18 waiting').waitFor();
    await expectAccessible(page, 'dispatch without routes');

    // Groups, rows and a filter in the URL.
    await unfold(page, /20259.*12/);
    await page.getByRole('checkbox', { name: 'Select Weg 1, Lamp 1', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select Weg 3, Lamp 3', exact: true }).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Postcode or town').fill('227');
    await page.getByText('6 matching').waitFor();
    expect(new URL(page.url()).searchParams.get('place')).toBe('227');
    await page.getByRole('button', { name: 'Place 227: remove this filter' }).click();
    await page.getByText('18 waiting').waitFor();
    await expect.poll(() => page.getByLabel('Postcode or town').inputValue()).toBe('');
    await page.getByLabel('From kg').fill('1');
    await page.getByLabel('To kg').fill('49.5');
    await page.getByText('18 matching').waitFor();
    await page.getByRole('button', { name: '1 to 49.5 kg: remove this filter' }).waitFor();
    await page.getByLabel('Owner').fill('nobody of this name');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByText('18 waiting').waitFor();

    // Six routes: everything, split evenly, the drivers with a shift.
    clicks = 0;
    await click(page.getByRole('checkbox', { name: 'Select everything that matches' }));
    await page.getByText('18 selected').waitFor();
    await click(page.getByRole('button', { name: 'Split evenly' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('About 3 stops each').waitFor();
    await click(dialog.getByRole('button', { name: 'Plan 6 routes' }));
    await columnOf(page, 'Ines Six').waitFor();
    expect(clicks).toBeLessThanOrEqual(12);
    // Not all columns are in sight.
    await page.getByRole('navigation', { name: 'All routes' }).waitFor();
    await page.getByText('Nothing waits to be planned').waitFor();
    await columnOf(second, 'Ines Six').waitFor();
    const planned = await routesOf();
    expect(planned.map(({ stops }) => stops.length)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(await streets(columnOf(page, 'Dana One'))).toEqual(['Weg 1', 'Weg 2', 'Weg 3']);
    // The shift starts at 7:00, and a stop takes 10 minutes.
    await columnOf(page, 'Dana One').getByText('07:10').waitFor();
    await expectAccessible(page, 'dispatch with routes');

    // The lanes in another order, in both views.
    const lanes = () =>
      page
        .getByRole('region', { name: /^Route of / })
        .evaluateAll((all) => all.map((lane) => lane.getAttribute('aria-label')?.replace('Route of ', '')));
    await page.getByLabel('Sort the routes').selectOption('driver');
    await expect.poll(lanes).toEqual(names.toSorted());
    await page.getByLabel('Sort the routes').selectOption('made');

    // By keyboard.
    const dana = columnOf(page, 'Dana One');
    await stopsIn(dana).first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => streets(dana)).toEqual(['Weg 2', 'Weg 1', 'Weg 3']);
    await expect.poll(() => streets(columnOf(second, 'Dana One'))).toEqual(['Weg 2', 'Weg 1', 'Weg 3']);
    await page.getByRole('button', { name: 'Actions for the route of Dana One' }).click();
    await page.getByRole('menuitem', { name: 'Sort by postal code and street' }).click();
    await expect.poll(() => streets(columnOf(second, 'Dana One'))).toEqual(['Weg 1', 'Weg 2', 'Weg 3']);

    // What was fetched before a change is never shown after it.
    await settled();
    const old = await holdAnswer(page, /\/api\/routes\?/);
    const [, emils] = planned.toReversed();
    await other.api.routes.update({ params: { id: emils?.id ?? '' }, body: { released: true, version: anyVersion } });
    await old.asked;
    await recordStreets(page, 'Dana One');
    await stopsIn(dana).nth(1).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => streets(columnOf(second, 'Dana One'))).toEqual(['Weg 2', 'Weg 1', 'Weg 3']);
    await old.answer();
    await settled();
    expect(await recordedStreets(page)).toEqual(['Weg 2,Weg 1,Weg 3']);

    // A change of an older version is refused, with the name of whoever was faster, and their order is shown.
    await page.route(
      /\/api\/routes\/[^/]+$/,
      (route) => overtake(route, () => sortByAddress(planned.at(-1)?.id ?? '')),
      {
        times: 1,
      },
    );
    await stopsIn(dana).last().focus();
    await page.keyboard.press('Alt+ArrowUp');
    await dana
      .getByRole('alert')
      .getByText('Otto Other changed this route in the meantime. You see it as it is now.')
      .waitFor();
    await expect.poll(() => streets(dana)).toEqual(['Weg 1', 'Weg 2', 'Weg 3']);

    // Dragged to another route, before its second stop; Undo brings it back to its place.
    const emil = columnOf(page, 'Emil Two');
    await drag(page, stopsIn(dana).nth(1), stopsIn(emil).nth(1));
    await expect.poll(() => streets(emil)).toEqual(['Weg 4', 'Weg 2', 'Weg 5', 'Weg 6']);
    await expect.poll(() => streets(columnOf(second, 'Dana One'))).toEqual(['Weg 1', 'Weg 3']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => streets(dana)).toEqual(['Weg 1', 'Weg 2', 'Weg 3']);

    // A drag that rests at the lower edge scrolls to what is below it; Escape puts the stop back.
    await page.setViewportSize({ width: 1440, height: 340 });
    const columns = page.locator('[data-columns]');
    const [from, edge] = [await stopsIn(dana).first().boundingBox(), await columns.boundingBox()];
    if (!from || !edge) throw new Error('nothing to drag');
    await page.mouse.move(from.x + 60, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, edge.y + edge.height - 4, { steps: 5 });
    await expect
      .poll(() =>
        columns.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop),
      )
      .toBeLessThan(2);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await streets(dana)).toEqual(['Weg 1', 'Weg 2', 'Weg 3']);

    // Taken back to the depot, and assigned to somebody else from the list.
    await stopsIn(dana).first().click();
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Backspace');
    await page.getByText('1 waiting').waitFor();
    await expect.poll(() => streets(columnOf(second, 'Dana One'))).toEqual(['Weg 2', 'Weg 3']);
    await page.getByRole('checkbox', { name: 'Select everything that matches' }).check();
    await page.keyboard.press('a');
    await dialog.getByRole('button', { name: /^Finn Three/ }).click();
    await page.getByText('Nothing waits to be planned').waitFor();
    await expect.poll(() => streets(columnOf(page, 'Finn Three'))).toContain('Weg 1');

    // Released: its driver sees it at once, and starts it meanwhile.
    await page.getByRole('button', { name: 'Release to drivers' }).click();
    await expect.poll(async () => (await routesOf()).every(({ released }) => released)).toBe(true);
    const gina = (await routesOf()).find(({ driverId }) => driverId === drivers[3]?.id);
    await drivers[3]?.api.routes.start({ params: { id: gina?.id ?? '' } });
    await columnOf(page, 'Gina Four').getByText('On the road').waitFor();

    // Ill: three clicks until every stop has another driver, from the timeline as from the list.
    await page.getByRole('button', { name: 'Timeline' }).click();
    clicks = 0;
    await click(page.getByRole('button', { name: 'Actions for the route of Gina Four' }));
    await click(page.getByRole('menuitem', { name: 'Driver is ill...' }));
    await click(dialog.getByRole('button', { name: 'Give 3 stops to 5 drivers' }));
    expect(clicks).toBeLessThanOrEqual(3);
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await columnOf(page, 'Gina Four').getByText('0 stops').waitFor();
    await expect
      .poll(async () =>
        (await routesOf()).filter(({ id }) => id !== gina?.id).reduce((sum, { stops }) => sum + stops.length, 0),
      )
      .toBe(18);
  },
);

test.runIf(runsAll)('the day is planned by one act, and put in the best order; what has no place is said', async () => {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const drivers = [await register('driver', 'Jana Seven'), await register('driver', 'Kurt Eight')];
  for (const { id } of drivers)
    await admin.api.shifts.create({
      body: { driverId: id, startsAt: `${next}T07:00:00Z`, endsAt: `${next}T15:00:00Z` },
    });
  for (let n = 1; n <= 8; n++) {
    const { id } = await create(`Ring ${n}`, '20357', { name: `Plant ${n}` });
    const at = (n * 5 * Math.PI) / 4;
    await owner.api.packages.setPlace({
      params: { id },
      body: { lon: 9.96 + 0.02 * Math.cos(at), lat: 53.56 + 0.012 * Math.sin(at) },
    });
  }
  await create('Nowhere 1', '20357', { name: 'Lost lamp' });
  // She has a shift, and drives from another depot.
  const rita = await register('driver', 'Rita Nine');
  await admin.api.shifts.create({
    body: { driverId: rita.id, startsAt: `${next}T07:00:00Z`, endsAt: `${next}T15:00:00Z` },
  });
  const far = await admin.api.depots.create({ body: { name: 'Zeta depot', timeZone: 'UTC' } });
  await admin.api.routes.create({ body: { day: next, depotId: far.id, driverId: rita.id } });
  await admin.api.settings.update({ body: { costPerKilometre: 0.4, costPerHour: 30 } });
  const { page } = await openAs(admin, { expectFailures: /\/api\/plans/ });
  await page.goto(`/admin/dispatch?day=${next}&place=20357`);
  await page.getByText('9 matching').waitFor();
  await page.getByRole('checkbox', { name: 'Select everything that matches' }).check();
  await page.getByRole('button', { name: 'Plan the day' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('9 packages selected').waitFor();
  await dialog.getByText('Rita Nine (Zeta depot)').waitFor();
  await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
  expect(await dialog.getByRole('checkbox', { name: 'Rita Nine' }).count()).toBe(0);
  await dialog.getByLabel('Search time').selectOption('3 seconds');
  await dialog.getByRole('button', { name: 'Find the best routes' }).click();
  await dialog.getByText('The depot has no place yet. Please give it an address or a pin first.').waitFor();
  const [depot] = await admin.api.depots.list();
  if (!depot) throw new Error('no depot');
  const { name, timeZone } = depot;
  await admin.api.depots.update({
    params: { id: depot.id },
    body: { name, timeZone, place: { lon: 9.96, lat: 53.56 } },
  });
  await dialog.getByRole('button', { name: 'Find the best routes' }).click();
  await dialog.getByText('This is the best that was found.', { exact: false }).waitFor();
  await dialog.getByText('1 package left out').waitFor();
  await dialog.getByText('The place of the address is not known').waitFor();
  await dialog.getByRole('rowheader', { name: 'Cost' }).waitFor();
  await expectAccessible(page, 'the plan of a day');
  await dialog.getByRole('button', { name: 'Plan 2 routes' }).click();
  const jana = columnOf(page, 'Jana Seven');
  await jana.getByText(/^€\d/).waitFor();
  await admin.api.settings.update({ body: { costPerKilometre: null, costPerHour: null } });
  await expect
    .poll(async () => (await stopsIn(jana).count()) + (await stopsIn(columnOf(page, 'Kurt Eight')).count()))
    .toBe(8);

  // Sorted by street, and brought into the best order again.
  const sorted = (await streets(jana)).toSorted((a = '', b = '') => a.localeCompare(b));
  const choose = async (act: string) => {
    await page.getByRole('button', { name: 'Actions for the route of Jana Seven' }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };
  await choose('Sort by postal code and street');
  await expect.poll(() => streets(jana)).toEqual(sorted);
  await choose('Find the best order');
  // How many stops each driver has is open, as several plans cost the same: the order may be the best one already.
  await page
    .getByText(/km instead of .* \(estimated\)|the best order found/)
    .first()
    .waitFor();
});

test.runIf(runsAll)(
  'routes that have not started are planned anew: the best plan beside now, dragged, refused after a change, and applied',
  async () => {
    const next = new Date(Date.parse(day) + 2 * 86_400_000).toISOString().slice(0, 10);
    const { depot: base, home, stops: spots } = smallDay;
    const [depot] = await admin.api.depots.list();
    if (!depot) throw new Error('no depot');
    const { id: depotId, name, timeZone } = depot;
    await admin.api.depots.update({ params: { id: depotId }, body: { name, timeZone, place: base } });
    const [near, far] = [await register('driver', 'Lena Near'), await register('driver', 'Mats Far')];
    for (const { id: driverId } of [near, far])
      await admin.api.shifts.create({
        body: { driverId, startsAt: `${next}T07:00:00Z`, endsAt: `${next}T15:00:00Z` },
      });
    await admin.api.users.update({ params: { id: far.id }, body: { startPlace: home } });
    const ids: string[] = [];
    for (const [index, place] of spots.entries()) {
      const window =
        index === smallDay.withWindow ? { window: { from: `${next}T07:00:00.000Z`, to: `${next}T07:10:00.000Z` } } : {};
      const { id } = await create(`Best ${index + 1}`, '20359', { name: `Best ${index}`, ...window });
      await owner.api.packages.setPlace({ params: { id }, body: place });
      ids.push(id);
    }
    const planned = async (driverId: string, stops: number[]) => {
      const { id } = await admin.api.routes.create({ body: { day: next, depotId, driverId, confirm: true } });
      const packageIds = stops.map((stop) => ids[stop] ?? '');
      await admin.api.routes.addStops({ params: { id }, body: { packageIds } });
      return id;
    };
    const [one, two] = [await planned(near.id, [0, 4]), await planned(far.id, [3, 1])];
    const [best, second] = everyPlan();
    expect(second?.cost).toBeGreaterThan((best?.cost ?? Infinity) + 1);
    const wanted = (of: number[] = []) => of.map((stop) => `Best ${stop + 1}`);

    const { page } = await openAs(admin, { expectFailures: /\/api\/plans/ });
    await page.goto(`/admin/dispatch?day=${next}&place=20359`);
    await page.getByText('2 matching').waitFor();
    await page.getByRole('checkbox', { name: 'Select everything that matches' }).check();
    await page.getByRole('button', { name: 'Plan the day' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Also replan routes that have not started').check();
    await dialog.getByText('2 stops planned now').first().waitFor();
    await dialog.getByLabel('Search time').selectOption('3 seconds');
    await dialog.getByRole('button', { name: 'Find the best routes' }).click();
    await dialog.getByText('This is the best that was found.', { exact: false }).waitFor();
    const listOf = (of: string) => dialog.getByRole('listitem', { name: `Route of ${of}` });
    const shown = (of: string) =>
      listOf(of)
        .locator('[data-stop]')
        .evaluateAll((stops) => stops.map((stop) => /Best \d/.exec(stop.textContent)?.[0]));
    expect([await shown('Lena Near'), await shown('Mats Far')]).toEqual([wanted(best?.near), wanted(best?.far)]);
    // Beside the routes of now: one window was missed, two packages wait.
    const row = (of: string) => dialog.getByRole('row').filter({ hasText: of }).getByRole('cell').allTextContents();
    expect(await row('Stops')).toEqual(['4', '6', '6']);
    expect(await row('After their window')).toEqual(['1', expect.any(String), '0']);
    expect(await row('Not on a route')).toEqual(['2', '0', '0']);
    await dialog.getByRole('img', { name: 'Cost of the best plan so far', exact: false }).waitFor();
    await expectAccessible(page, 'a plan beside the routes of now');

    // Dragged: its window breaks at once, and is kept again after the way back.
    const rowOf = (stop: string) => dialog.locator('[data-open-stop]').filter({ hasText: stop });
    const last = listOf('Mats Far').locator('[data-open-stop]').last();
    await last.scrollIntoViewIfNeeded();
    await drag(page, rowOf('Best 4'), last);
    await dialog.getByText('after its window').waitFor();
    await dialog.getByText('1 limit broken', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Undo change' }).click();
    await dialog.getByText('All windows, shifts and vehicles are kept to.').waitFor();
    expect([await shown('Lena Near'), await shown('Mats Far')]).toEqual([wanted(best?.near), wanted(best?.far)]);
    // By keys, and by the bar of the chosen stop.
    await rowOf('Best 6').getByRole('button').press('Alt+ArrowRight');
    await expect.poll(() => shown('Mats Far')).toContain('Best 6');
    await rowOf('Best 6').getByRole('button').click();
    await dialog.getByLabel('Move to').selectOption('Leave it out');
    await dialog.getByText('Taken out by you').waitFor();
    await dialog.getByLabel('Move to').selectOption('Lena Near');
    await expect.poll(() => shown('Lena Near')).toContain('Best 6');

    // Somebody else changes one of the routes: nothing is planned, and it is said which.
    await other.api.routes.update({
      params: { id: one },
      body: { order: [ids[4] ?? '', ids[0] ?? ''], version: anyVersion },
    });
    await dialog.getByRole('button', { name: 'Plan 2 routes' }).click();
    await dialog.getByText('Route of Lena Near: This route was changed').waitFor();
    await dialog.getByRole('button', { name: 'Plan anew' }).click();
    await dialog.getByText('This is the best that was found.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Plan 2 routes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(async () => [await streets(columnOf(page, 'Lena Near')), await streets(columnOf(page, 'Mats Far'))])
      .toEqual([wanted(best?.near), wanted(best?.far)]);
    const kept = (await admin.api.routes.list({ query: { day: next, limit: 200 } })).items;
    expect(new Set(kept.map(({ id }) => id))).toEqual(new Set([one, two]));

    // The way back.
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect
      .poll(async () => [await streets(columnOf(page, 'Lena Near')), await streets(columnOf(page, 'Mats Far'))])
      .toEqual([
        ['Best 5', 'Best 1'],
        ['Best 4', 'Best 2'],
      ]);

    // A package that comes during the day: by a key on its row, where it costs least.
    const urgent = await create('Urgent 1', '20359', { name: 'Urgent' });
    await owner.api.packages.setPlace({ params: { id: urgent.id }, body: { lon: 10.011, lat: 53.5511 } });
    // What is little is unfolded by itself.
    await page.getByRole('checkbox', { name: 'Select Urgent 1, Urgent' }).press('p');
    await dialog.getByText('costs least', { exact: true }).waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(2);
    await expectAccessible(page, 'where a package costs least');
    await dialog.getByRole('button', { name: 'Place here: route of Lena Near' }).press('Enter');
    await expect.poll(() => streets(columnOf(page, 'Lena Near'))).toContain('Urgent 1');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Place Urgent 1 where it costs least' }).waitFor();
  },
);

const sortByAddress = (id: string) => other.api.routes.proposeOrder({ params: { id } });

/** Lets somebody else change something before a request is sent on. */
async function overtake(route: PlaywrightRoute, change: () => Promise<unknown>): Promise<void> {
  await change();
  await route.continue();
}

/** Holds the answer of the next request until `answer` is called. */
async function holdAnswer(page: Page, url: RegExp) {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sent = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await answer.promise;
      // The page may have given it up.
      await route.fulfill({ response }).catch(() => {});
      sent.resolve();
    },
    { times: 1 },
  );
  return {
    asked: asked.promise,
    answer: () => {
      answer.resolve();
      return sent.promise;
    },
  };
}

/** Records every order of a column's stops that the screen shows from now on, other than the present one. */
const recordStreets = (page: Page, name: string) =>
  columnOf(page, name).evaluate((column) => {
    const read = () =>
      [...column.querySelectorAll<HTMLElement>('[data-street]')].map(({ dataset }) => dataset.street).join();
    let last = read();
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      if (read() !== last) seen.push((last = read()));
    }).observe(column, { childList: true, subtree: true });
  });
const recordedStreets = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);

/** Drags with the mouse to the upper half of the target. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error('nothing to drag');
  await page.mouse.move(start.x + 60, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + 80, start.y + start.height / 2 + 10, { steps: 3 });
  await page.mouse.move(end.x + 60, end.y + end.height / 4, { steps: 5 });
  await page.mouse.up();
}

test.runIf(runsAll)(
  'the board has a lane for each driver, and names who is away with stops, which others get in two clicks',
  async () => {
    const today = new Date().toISOString().slice(0, 10);
    const [depot] = await admin.api.depots.list();
    const routes = [];
    for (const name of ['Lana Lane', 'Mika Away']) {
      const driver = await register('driver', name);
      const body = { day: today, depotId: depot?.id ?? '', driverId: driver.id, startsAt: new Date().toISOString() };
      const route = await admin.api.routes.create({ body });
      const packages = await Promise.all(
        ['Am Markt 1', 'Am Markt 2', 'Am Markt 3'].map((street) => create(street, '20095')),
      );
      await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: packages.map(({ id }) => id) } });
      routes.push({ driver, route, packages });
    }
    const [lana, mika] = routes;
    if (!lana || !mika) throw new Error('no routes');
    await lana.driver.api.routes.start({ params: { id: lana.route.id }, body: {} });
    const { page, context } = await openAs(admin, { width: 1440 });
    await page.goto('/admin/dashboard');
    const lane = page.getByRole('listitem', { name: 'Route of Lana Lane' });
    await lane.getByText(/^0\/3, ends /).waitFor();
    await lana.driver.api.deliveries.complete({ params: { id: lana.packages[0]?.id ?? '' } });
    await lane.getByText(/^1\/3, ends /).waitFor();
    expect(await lane.getByRole('link', { name: /^Stop 1, delivered / }).getAttribute('href')).toBe(
      `/admin/package/${lana.packages[0]?.id}`,
    );
    await page
      .getByRole('listitem', { name: 'Route of Mika Away' })
      .getByText(/^0\/3, starts /)
      .waitFor();
    await expectAccessible(page, 'the board with lanes');

    await mika.driver.api.absences.report({ body: { kind: 'sick', from: today, to: today } });
    await page.getByText('Mika Away is away: 3 stops without a driver').waitFor();
    await page.getByRole('link', { name: 'Give to others: the stops of Mika Away' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Give 3 stops to 1 driver' }).click();
    // Leaving the page earlier would take the request with it.
    await page.getByText('3 stops given to other drivers').first().waitFor();
    await page.goto('/admin/dashboard');
    await lane.getByText(/^1\/6, ends /).waitFor();
    expect(await page.getByText('Mika Away is away').count()).toBe(0);
    await context.close();
  },
);

test.runIf(runsAll)(
  'a rectangle on the map selects what waits and what is planned in it, as the list shows',
  async () => {
    const postalCode = '27777';
    const [near, far, planned] = [
      await create('Karte 1', postalCode),
      await create('Karte 2', postalCode),
      await create('Karte 3', postalCode),
    ];
    for (const [{ id }, body] of [
      [near, { lon: 9.9, lat: 53.55 }],
      [far, { lon: 10.1, lat: 53.55 }],
      [planned, { lon: 9.91, lat: 53.552 }],
    ] as const)
      await owner.api.packages.setPlace({ params: { id }, body });
    const driver = await register('driver', 'Karla Karte');
    const [depot] = await admin.api.depots.list();
    const later = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
    const route = await admin.api.routes.create({
      body: { day: later, depotId: depot?.id ?? '', driverId: driver.id, confirm: true },
    });
    await admin.api.routes.addStops({ params: { id: route.id }, body: { packageIds: [planned.id] } });

    const { page, settled } = await openAs(admin, { width: 1440 });
    await page.goto(`/admin/dispatch?day=${later}&place=${postalCode}`);
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    const map = page.locator('[data-map=drawn][aria-label="Map: the routes of the day"]');
    await map.waitFor();
    await page.getByText('2 waiting packages').waitFor();
    await settled();
    const box = await map.boundingBox();
    if (!box) throw new Error('the map has no size');
    /** Drags over a part of the map, from the top to above its credits. */
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, box.y + box.height - 40, { steps: 4 });
      await page.mouse.up();
    };
    const boxOf = (street: string) => page.getByRole('checkbox', { name: `Select ${street}, ` });
    await page.keyboard.down('Shift');
    await drag(0.02, 0.5);
    await page.keyboard.up('Shift');
    await page.getByText('2 selected').waitFor();
    await unfold(page, /27777.*2/);
    await expect.poll(() => boxOf('Karte 1').isChecked()).toBe(true);
    expect(await boxOf('Karte 2').isChecked()).toBe(false);

    // By the button, for fingers, once.
    const area = page.getByRole('button', { name: 'Select an area' });
    await area.click();
    await expect.poll(() => area.getAttribute('aria-pressed')).toBe('true');
    await drag(0.5, 0.99);
    await page.getByText('3 selected').waitFor();
    expect(await boxOf('Karte 2').isChecked()).toBe(true);
    expect(await area.getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await drag(0.1, 0.4);
    expect(await boxOf('Karte 1').isChecked()).toBe(false);
    await expectAccessible(page, 'dispatch with the map');
  },
);

test.runIf(runsAll)(
  'what failed is planned for its next day by one click, and its owner accepts that day with one, too',
  async () => {
    const driver = await register('driver', 'Nora Next');
    const fail = async (street: string) => {
      const pkg = await create(street, '20999');
      const params = { id: pkg.id };
      await driver.api.deliveries.start({ params });
      await driver.api.deliveries.fail({ params, body: { reason: 'Nobody was at home' } });
      return { ...pkg, proposed: (await owner.api.dispatch.proposedDay({ params })).day ?? '' };
    };
    const planned = await fail('Neuer Weg 1');
    expect(planned.proposed > new Date().toISOString().slice(0, 10)).toBe(true);
    const wished = { from: `${planned.proposed}T12:00:00.000Z`, to: `${planned.proposed}T14:00:00.000Z` };
    await owner.api.packages.update({ params: { id: planned.id }, body: { window: wished } });
    const { page, settled } = await openAs(admin);
    await page.goto('/admin/dispatch');
    await unfold(page, /20999.*1/);
    await page.getByRole('checkbox', { name: /Neuer Weg 1/ }).check();
    await page.getByRole('button', { name: 'Assign to...' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign to' });
    await expect.poll(() => dialog.getByLabel('Day').inputValue()).toBe(planned.proposed);
    await dialog.getByText('The next day on which it can be tried again').waitFor();
    const times = dialog.getByRole('list', { name: 'Wished times' });
    await times.getByText(/^Wished .*, \d+–\d+$/).waitFor();
    await expectAccessible(page, 'a day that is proposed');
    // Another day can be chosen.
    await dialog.getByLabel('Day').fill(new Date().toISOString().slice(0, 10));
    await times.getByText('not on this day').waitFor();
    await expectAccessible(page, 'a day that is not wished');
    await dialog.getByLabel('Day').fill(planned.proposed);
    // Other tests may have left routes on that day: then one of them takes it.
    const newRoute = dialog.getByRole('button', { name: 'Add a route with it' });
    await newRoute.or(dialog.locator('li button:enabled')).first().click();
    await page
      .getByText(/^1 package planned for/)
      .first()
      .waitFor();
    const routes = (await admin.api.routes.list({ query: { day: planned.proposed, limit: 200 } })).items;
    expect(routes.flatMap(({ stops }) => stops.map(({ packageId }) => packageId))).toContain(planned.id);
    const kept = await fail('Neuer Weg 2');

    // What is proposed for a later day is left out of a day, unless it is asked for.
    const fresh = await create('Neuer Weg 3', '20999');
    await page.goto('/admin/dispatch');
    await page.getByRole('button', { name: /20999.*2/ }).waitFor();
    await page.getByText(/^\d+ of them for later$/).waitFor();
    await page.getByRole('checkbox', { name: /20999/ }).check();
    await page.getByRole('button', { name: 'Split evenly' }).click();
    const split = page.getByRole('dialog', { name: 'Split evenly' });
    await split.getByText('1 package by postal code, street and house number').waitFor();
    const later = split.getByRole('checkbox', { name: /^Also take 1 package proposed for a later day/ });
    await later.check();
    await split.getByText('2 packages by postal code, street and house number').waitFor();
    await later.uncheck();
    await expectAccessible(page, 'what is proposed for a later day');
    await split.getByRole('button', { name: /^Plan \d+ route/ }).click();
    const plannedToday = async () => {
      const listed = (await admin.api.routes.list({ query: { limit: 200 } })).items;
      return listed.flatMap(({ stops }) => stops.map(({ packageId }) => packageId));
    };
    await expect.poll(plannedToday).toContain(fresh.id);
    expect(await plannedToday()).not.toContain(kept.id);
    await settled();

    const { page: desk, settled: deskSettled } = await openAs(owner);
    await desk.goto(`/owner/package/${kept.id}`);
    await desk.getByRole('button', { name: /^Try again/ }).click();
    await desk
      .getByText(/^Another attempt/)
      .first()
      .waitFor();
    await expect
      .poll(async () => (await owner.api.packages.read({ params: { id: kept.id } })).nextStep)
      .toEqual({ kind: 'again', day: kept.proposed });
    // What came back without an attempt names its day, too.
    const back = await create('Neuer Weg 4', '20998');
    const depotId = (await admin.api.depots.list())[0]?.id ?? '';
    const today = new Date().toISOString().slice(0, 10);
    const round = await admin.api.routes.create({ body: { day: today, depotId, driverId: driver.id, confirm: true } });
    await admin.api.routes.addStops({ params: { id: round.id }, body: { packageIds: [back.id] } });
    await driver.api.routes.start({ params: { id: round.id } });
    await driver.api.routes.finish({ params: { id: round.id }, body: { returned: [back.id] } });
    await desk.goto(`/owner/package/${back.id}`);
    await desk.getByText('It came back to the depot').first().waitFor();
    await desk.getByText(/^No attempt was made\. The next day on which a driver could take it is/).waitFor();
    await deskSettled();
  },
);
