import { readFile } from 'node:fs/promises';
import type { Client, Role } from '@waybill/contract';
import { dayIn } from '@waybill/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runsAll } from '../server/src/testing/suite.ts';
import { onePixel } from './fixtures.ts';
import { startProduct, type RunningProduct } from './product.ts';
import { openBrowser, openWindow } from './window.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  // Sixteen screens come from one address, which may be more than its share.
  const settings = { TIME_ZONE: 'UTC', LOAD_SHEDDING: 'off' };
  if (runsAll) [product, browser] = await Promise.all([startProduct(settings), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
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

/** As many packages as six drivers deliver on a day, from six quarters. Those with a name are seen closely. */
const quarters = [33, 33, 34, 33, 33, 34];
const lost = 'Ahornweg 9';

/**
 * The orders of a day. The first quarter, which becomes the first round, begins with a door of one package that needs a signature and a door
 * of three.
 */
function orders(): string {
  const rows = quarters.flatMap((count, quarter) =>
    Array.from({ length: count }, (_, index) => {
      const isFirst = quarter === 0;
      const isDoorOfThree = isFirst && index >= 1 && index <= 3;
      const number = isDoorOfThree ? 2 : isFirst && index > 3 ? index - 1 : index + 1;
      const street = `${['Ahornweg', 'Birkenweg', 'Eichenweg', 'Lindenweg', 'Tannenweg', 'Ulmenweg'][quarter]} ${number}`;
      const recipient = isDoorOfThree ? 'Jonas Weber' : `Recipient ${quarter + 1}-${number}`;
      const signs = isFirst && index === 0;
      return [
        `O-${quarter + 1}-${index + 1}`,
        `Parcel ${quarter + 1}-${index + 1}`,
        'A parcel of the day',
        'Other',
        '1.5',
        recipient,
        'At the front desk',
        street,
        String(20251 + quarter),
        'Hamburg',
        String(signs),
      ].join(',');
    }),
  );
  const header =
    'reference,name,description,category,weight,recipientName,recipientContact,street,postalCode,city,signatureRequired';
  return [header, ...rows].join('\n');
}

/** Counts what somebody clicks or taps until it is read. */
function counter() {
  let count = 0;
  return {
    click: async (target: Locator) => {
      count++;
      await target.click();
    },
    read: () => {
      const read = count;
      count = 0;
      return read;
    },
  };
}

/**
 * Each part of a day has its own, shorter test, which always runs: planning and illness in dispatch.e2e.ts, the round, its doors and offers in
 * driver-phone.e2e.ts. This one lives the whole day with as many packages as a depot has, with everybody watching.
 */
test.runIf(runsAll)(
  'a delivery day: 200 packages, six routes, a round with everything that happens on one, and all who wait see each step without a reload',
  { timeout: 400_000 },
  async () => {
    const now = new Date();
    const day = dayIn('UTC', now);
    const [owner, admin] = [await register('owner', 'Olga Owner'), await register('admin', 'Ada Admin')];
    const names = ['Dana One', 'Emil Two', 'Finn Three', 'Gina Four', 'Hugo Five', 'Ines Six'];
    const drivers: Account[] = [];
    for (const name of names) drivers.push(await register('driver', name));
    const [dana, emil, finn] = drivers;
    if (!dana || !emil || !finn) throw new Error('no drivers');
    // On duty now, by a shift that begins on this day.
    const since = new Date(Math.max(now.getTime() - 3_600_000, Date.parse(`${day}T00:00:00Z`)));
    const shiftEnd = new Date(since.getTime() + 12 * 3_600_000);
    for (const { id } of drivers)
      await admin.api.shifts.create({
        body: {
          driverId: id,
          startsAt: since.toISOString(),
          endsAt: shiftEnd.toISOString(),
        },
      });

    const openFor = (who: Account | null, width: number) =>
      openWindow(browser, {
        baseURL: product.url,
        width,
        timezoneId: 'Europe/Berlin',
        ...(who && { token: who.token }),
        // Asked for in the moment in which the package has none any more.
        expectFailures: /\/api\/users\/package\/[^/]+\/driver$/,
      });
    const { click, read: clicks } = counter();

    // The dispatcher's screen is open before anything waits.
    const desk = (await openFor(admin, 1440)).page;
    await desk.goto(`/admin/dispatch?day=${day}`);
    await desk.getByText('Nothing waits to be planned').waitFor();

    // 200 packages by CSV, and their labels.
    const shop = (await openFor(owner, 1440)).page;
    await shop.goto('/owner/import');
    await shop
      .getByLabel(/Choose a CSV file/)
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(orders()) });
    await shop.getByRole('button', { name: 'Import 200 packages' }).click();
    await shop.getByText('200 packages created').waitFor();
    const [labels] = await Promise.all([
      shop.waitForEvent('download'),
      shop.getByRole('button', { name: 'Print 200 labels' }).click(),
    ]);
    const pdf = (await readFile(await labels.path())).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(200);

    // Six routes, while another screen of the dispatcher watches.
    await desk.getByText('200 waiting').waitFor();
    const columnOf = (name: string) => desk.getByRole('region', { name: `Route of ${name}`, exact: true });
    const dialog = desk.getByRole('dialog');
    clicks();
    await click(desk.getByRole('checkbox', { name: 'Select everything that matches' }));
    await click(desk.getByRole('button', { name: 'Split evenly' }));
    await click(dialog.getByRole('button', { name: 'Plan 6 routes' }));
    await columnOf('Ines Six').waitFor();
    expect(clicks()).toBeLessThanOrEqual(12);
    await desk.getByText('Nothing waits to be planned').waitFor();
    const routes = async () => (await admin.api.routes.list({ query: { day, limit: 200 } })).items;
    const routeOf = async ({ id }: Account) => (await routes()).find(({ driverId }) => driverId === id);
    expect((await routes()).map(({ stops }) => stops.length).toSorted((a, b) => a - b)).toEqual([
      33, 33, 33, 33, 34, 34,
    ]);

    // Whom the day concerns: the door of one, one of the door of three, the one that fails, the one that a colleague takes, and one that is left.
    const planned = (await routeOf(dana))?.stops ?? [];
    expect(planned).toHaveLength(33);
    const packageAt = async (street: string, at = 0) => {
      const stop = planned.filter(({ delivery }) => delivery.recipientAddress?.startsWith(`${street},`))[at];
      if (!stop) throw new Error(`nothing goes to ${street}`);
      return admin.api.packages.read({ params: { id: stop.packageId } });
    };
    const [one, three, fails, given, left, missing] = [
      await packageAt('Ahornweg 1'),
      await packageAt('Ahornweg 2', 2),
      await packageAt('Ahornweg 3'),
      await packageAt('Ahornweg 5'),
      await packageAt('Ahornweg 6'),
      await packageAt(lost),
    ];
    const watch = async ({ id, trackingId }: typeof one) => {
      const [tracker, own] = [(await openFor(null, 390)).page, (await openFor(owner, 1440)).page];
      await Promise.all([tracker.goto(`/track/${trackingId}`), own.goto(`/owner/package/${id}`)]);
      await tracker.getByText('Getting ready').first().waitFor();
      await own.getByText('Processing').first().waitFor();
      return { tracker, own };
    };
    const [ofOne, ofThree, ofFailed, ofGiven, ofLeft] = [
      await watch(one),
      await watch(three),
      await watch(fails),
      await watch(given),
      await watch(left),
    ];
    const board = (await openFor(admin, 1440)).page;
    await board.goto('/admin/dashboard');
    const live = board.getByRole('region', { name: 'Live Operations' });
    await live.getByText('Nothing on the road').first().waitFor();

    // The manifest of the first round says who sends what; the timeline when the shifts end.
    const print = await openFor(admin, 1440);
    await print.page.goto(`/admin/dispatch/routes/${(await routeOf(dana))?.id}/manifest`);
    await print.page.getByText('From Olga Owner').first().waitFor();
    expect(await print.page.getByText('From Olga Owner').count()).toBe(33);
    await print.page.goto(`/admin/dispatch?day=${day}&view=timeline`);
    const ends = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
    await print.page
      .getByRole('listitem', { name: 'Route of Dana One' })
      .getByText(`to ${ends.format(shiftEnd)}`)
      .waitFor();

    await print.context.close();

    // The load check: everything but one is in the van.
    const phone = (await openFor(dana, 390)).page;
    await phone.goto('/driver/dashboard');
    await keepFromLeaving(phone);
    await phone.getByText('Your round: 33 stops').first().waitFor();
    await phone.getByRole('button', { name: 'Tick all' }).tap();
    await phone.getByText('33 of 33 in the van').waitFor();
    await phone.locator('label').filter({ hasText: lost }).first().tap();
    await phone.getByText('32 of 33 in the van').waitFor();
    await phone.getByRole('button', { name: 'Start without 1 package' }).tap();
    await phone.getByRole('alertdialog').getByRole('button', { name: 'Start without 1 package' }).tap();
    const stop = phone.getByRole('region', { name: 'Next stop' });
    await stop.getByText('Ahornweg', { exact: true }).waitFor();
    await phone.getByText('Stop 1 of 32', { exact: true }).waitFor();
    // All see the start. What is missing waits again, with an incident.
    await ofOne.tracker.getByText('Out for Delivery').first().waitFor();
    await ofOne.own.getByText('Out for Delivery').first().waitFor();
    await ofThree.tracker.getByText('In Transit').first().waitFor();
    await columnOf('Dana One').getByText('On the road').waitFor();
    await columnOf('Dana One').getByText('32 stops').waitFor();
    await desk.getByText('1 waiting').waitFor();
    await live
      .getByRole('listitem', { name: 'Route of Dana One' })
      .getByText(/^0\/32, ends/)
      .waitFor();
    await live.getByText('All packages of the drivers above').click();
    await live.getByText('32 packages on the road').waitFor();
    expect(await live.getByText('Was expected').count()).toBe(0);
    await live
      // Tomorrow where the day is lived in the evening.
      .getByText(/^Expected (today|tomorrow), \d\d:\d\d – \d\d:\d\d$/)
      .first()
      .waitFor();
    expect((await admin.api.incidents.list({ query: {} })).items.map(({ packageId }) => packageId)).toEqual([
      missing.id,
    ]);

    /** A door: here, hand over, sign, hold. */
    const handOver = async (street: string) => {
      await columnOf('Dana One')
        .getByRole('button', { name: `${street} 20251 Next stop` })
        .waitFor();
      await click(phone.getByRole('button', { name: "I'm here", exact: true }));
      await columnOf('Dana One')
        .getByRole('button', { name: `${street} 20251 At the door` })
        .waitFor();
      await click(phone.getByRole('button', { name: 'Hand over', exact: true }));
      const sheet = phone.getByRole('dialog');
      await sign(phone, sheet);
      await sheet.getByRole('button', { name: 'Hold to hand over' }).hover();
      await phone.mouse.down();
      await phone.locator('.success-moment').waitFor();
      await phone.mouse.up();
      return clicks() + 1;
    };

    // A door of one.
    clicks();
    expect(await handOver('Ahornweg 1')).toBeLessThanOrEqual(3);
    await ofOne.tracker.getByText('Delivered').first().waitFor();
    await ofOne.own.getByText('Package Delivered').first().waitFor();
    await columnOf('Dana One').getByText('31 left, 1 done').waitFor();
    // A door of three.
    await ofThree.tracker.getByText('Out for Delivery').first().waitFor();
    await stop.getByText('Jonas Weber').first().waitFor();
    clicks();
    expect(await handOver('Ahornweg 2')).toBeLessThanOrEqual(3);
    await ofThree.tracker.getByText('Delivered').first().waitFor();
    await ofThree.own.getByText('Package Delivered').first().waitFor();
    await columnOf('Dana One').getByText('28 left, 4 done').waitFor();

    // A failed attempt with a photo and a note.
    await phone.getByText('Stop 5 of 32', { exact: true }).waitFor();
    await phone.getByRole('button', { name: 'Problem' }).tap();
    await phone.getByRole('menuitem', { name: 'Delivery failed' }).tap();
    const failing = phone.getByRole('dialog', { name: 'Delivery failed' });
    await failing.getByLabel('Nobody was at home').check();
    await failing.getByLabel('Note').fill('The bell does not ring');
    await failing.getByLabel('Add photo').setInputFiles({ name: 'gate.png', mimeType: 'image/png', buffer: onePixel });
    await failing.getByRole('img').waitFor();
    await failing.getByRole('button', { name: 'Delivery failed' }).tap();
    await phone.getByText('Stop 6 of 32', { exact: true }).waitFor();
    await ofFailed.tracker.getByText('The last attempt').first().waitFor();
    await ofFailed.own.getByText('The bell does not ring').first().waitFor();
    await ofFailed.own.getByRole('img', { name: 'What the driver found' }).waitFor();
    await columnOf('Dana One').getByText('27 left, 5 done').waitFor();
    await columnOf('Dana One').getByText('Failed', { exact: true }).waitFor();

    // A colleague takes one.
    const colleague = (await openFor(emil, 390)).page;
    await colleague.goto('/driver/dashboard');
    const second = await routeOf(emil);
    const taken = second?.stops.length ?? 0;
    await colleague.getByText(`Your round: ${taken} stops`).first().waitFor();
    await emil.api.routes.start({ params: { id: second?.id ?? '' } });
    await colleague.getByText(`Stop 1 of ${taken}`, { exact: true }).waitFor();
    await columnOf('Emil Two').getByText('On the road').waitFor();
    await phone.goto('/driver/dashboard?show=mine');
    await phone.getByRole('button', { name: 'Offer to a colleague' }).tap();
    await phone.getByRole('radio', { name: 'Emil Two' }).check();
    await phone.getByRole('checkbox', { name: 'Ahornweg 5' }).check();
    await phone.getByRole('button', { name: 'Offer 1 stop' }).tap();
    await colleague.getByText('Dana One offers you 1 stop').waitFor();
    await desk.getByText('Offered to Emil Two').waitFor();
    await colleague.getByRole('button', { name: 'Accept' }).tap();
    await phone.getByText('1 stop was taken off your round').waitFor();
    await columnOf('Emil Two')
      .getByText(`${taken + 1} stops`)
      .waitFor();
    await columnOf('Dana One').getByText('26 left, 5 done').waitFor();
    await ofGiven.own.getByText('Emil Two').first().waitFor();
    await ofGiven.tracker.getByText('In Transit').first().waitFor();

    // A driver falls ill on the road: each stop has another driver after three clicks.
    const third = await routeOf(finn);
    await finn.api.routes.start({ params: { id: third?.id ?? '' } });
    await columnOf('Finn Three').getByText('On the road').waitFor();
    clicks();
    await click(desk.getByRole('button', { name: 'Actions for the route of Finn Three' }));
    await click(desk.getByRole('menuitem', { name: 'Driver is ill...' }));
    await click(dialog.getByRole('button', { name: `Give ${third?.stops.length ?? 0} stops to 5 drivers` }));
    expect(clicks()).toBeLessThanOrEqual(3);
    await columnOf('Finn Three').getByText('0 stops').waitFor();
    await phone.getByText(/new stops? on your round/).waitFor();
    await expect.poll(async () => (await routeOf(finn))?.stops.length).toBe(0);
    const withOthers = (await routes()).flatMap(({ stops }) => stops.map(({ packageId }) => packageId));
    for (const { packageId } of third?.stops ?? []) expect(withOthers).toContain(packageId);

    // The end, with what is left counted back.
    expect(await ofLeft.tracker.getByText('Getting ready').count()).toBe(0);
    await phone.getByRole('link', { name: 'Finish the round' }).tap();
    await phone.getByRole('button', { name: 'Tick all' }).tap();
    const before = (await routeOf(dana))?.stops ?? [];
    const open = before.filter(({ state }) => state === 'open' || state === 'next').length;
    await phone.getByText(`${open + 1} of ${open + 1} handed back`).waitFor();
    await phone.getByRole('button', { name: 'Finish the round' }).tap();
    await phone.getByRole('alertdialog').getByRole('button', { name: 'Finish the round' }).tap();
    await columnOf('Dana One').getByText('Finished').waitFor();
    // With the missing and the failed one.
    await desk.getByText(`${open + 2} waiting`).waitFor();
    await ofLeft.own.getByText('Processing').first().waitFor();
    await ofLeft.tracker.getByText('Getting ready').first().waitFor();
    await live.getByRole('listitem').filter({ hasText: 'Dana One' }).getByText('Nothing on the road').waitFor();

    // Nothing is lost, and nothing is on two routes.
    const onRoutes = (await routes()).flatMap(({ state, stops }) =>
      state === 'finished' ? [] : stops.map(({ packageId }) => packageId),
    );
    expect(new Set(onRoutes).size).toBe(onRoutes.length);
    const { totalPackages, completedDeliveries, pendingDeliveries, inTransitPackages } = await admin.api.stats.read();
    expect([totalPackages, completedDeliveries]).toEqual([200, 4]);
    expect(completedDeliveries + pendingDeliveries + inTransitPackages).toBe(200);
  },
);

/** The maps app is not part of this product: the link is kept from opening it. */
const keepFromLeaving = (page: Page) =>
  page.evaluate(() =>
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link?.href.includes('destination=')) event.preventDefault();
    }),
  );

/** Draws a signature, if the sheet asks for one. */
async function sign(page: Page, sheet: Locator): Promise<void> {
  const canvas = sheet.getByRole('img', { name: 'Signature: sign here' });
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (!box) throw new Error('there is no place to sign');
  await page.mouse.move(box.x + 30, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 100, box.y + 60, { steps: 8 });
  await page.mouse.up();
  await sheet.getByRole('img', { name: 'Signature: signed' }).waitFor();
}
