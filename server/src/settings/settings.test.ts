import { isDeepStrictEqual } from 'node:util';
import type { Role, SettingsInput } from '@waybill/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { countExpired } from '../privacy/retention.ts';
import {
  createPackage,
  eventually,
  inject,
  openTestProduct,
  password,
  uploadImage,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

const oneRow =
  'name,description,category,weight,recipientName,recipientContact\nLamp,A lamp for the desk,Other,1,Anna Berg,0151 2345678';

let product: TestProduct;
/** Another server on the same database. */
let other: TestProduct;
let admin: TestUser;
let owner: TestUser;
let driver: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  other = await openTestProduct({ beside: product, runsJobs: false });
  admin = await product.register('admin');
  owner = await product.register('owner');
  driver = await product.register('driver');
});
afterEach(() => change({ organisationName: null, logo: null, ...unset }));
afterAll(async () => {
  await other.close();
  await product.close();
});

const unset = {
  adminSignUp: null,
  driverSignUp: null,
  publicRecipient: null,
  notificationDays: null,
  messageDays: null,
  recipientDays: null,
  importReportDays: null,
  costPerKilometre: null,
  costPerHour: null,
  currency: null,
};
const change = (body: SettingsInput, by = admin) => by.api.settings.update({ body });
/** Changes settings here, and waits until they are effective on the other server. */
async function changeEverywhere(body: SettingsInput): Promise<void> {
  const { version } = await change(body);
  const { version: there } = await other.api(admin.token).settings.read();
  expect(there).toBe(version);
  const here = await product.ctx.settings.find();
  await eventually('the new settings are effective on the other server', async () =>
    isDeepStrictEqual(await other.ctx.settings.find(), here),
  );
}
let accounts = 0;
const signUp = (role: Role, at = product) =>
  at.api().auth.register({ body: { name: 'Somebody', email: `somebody${++accounts}@example.com`, password, role } });

describe('the effective value', () => {
  test('is the default when nothing is set', async () => {
    const { version, updatedAt, ...settings } = await admin.api.settings.read();
    expect(version).toBeGreaterThanOrEqual(0);
    expect(updatedAt).toMatch(/Z$/);
    const byDefault = (value: unknown) => ({ value, source: 'default', locked: false });
    expect(settings).toEqual({
      organisationName: byDefault('Waybill'),
      logo: byDefault(null),
      adminSignUp: byDefault('open'),
      driverSignUp: byDefault('open'),
      adminTotp: byDefault('optional'),
      timeZone: byDefault('UTC'),
      publicRecipient: byDefault('full'),
      notificationDays: byDefault(180),
      messageDays: byDefault(180),
      recipientDays: byDefault(null),
      replyAddress: byDefault(null),
      importReportDays: byDefault(90),
      costPerKilometre: byDefault(null),
      costPerHour: byDefault(null),
      currency: byDefault('EUR'),
    });
  });

  test('is the environment’s over the stored one: shown as locked, and a change is refused with the name of the variable', async () => {
    await change({ driverSignUp: 'approval', notificationDays: 30, recipientDays: 40 });
    const config = {
      PUBLIC_URL: 'https://parcels.example',
      ADMIN_SIGNUP: 'closed',
      DRIVER_SIGNUP: 'closed',
      PUBLIC_RECIPIENT: 'masked',
      TIME_ZONE: 'Europe/Berlin',
      RETENTION_NOTIFICATIONS_DAYS: '7',
      RETENTION_MESSAGES_DAYS: '8',
      RETENTION_RECIPIENT_DAYS: '9',
    };
    const strict = await openTestProduct({ beside: product, config, runsJobs: false });
    const api = strict.api(admin.token);
    const locked = (value: unknown) => ({ value, source: 'environment', locked: true });
    expect(await api.settings.read()).toMatchObject({
      adminSignUp: locked('closed'),
      driverSignUp: locked('closed'),
      publicRecipient: locked('masked'),
      timeZone: locked('Europe/Berlin'),
      notificationDays: locked(7),
      messageDays: locked(8),
      recipientDays: locked(9),
      importReportDays: { source: 'default', locked: false },
    });
    await expect(signUp('driver', strict)).rejects.toMatchObject({ status: 403, code: 'sign_up_closed' });
    await expect(
      api.settings.update({ body: { driverSignUp: 'open', organisationName: 'Acme' } }),
    ).rejects.toMatchObject({
      status: 422,
      fields: { driverSignUp: 'This is set by DRIVER_SIGNUP in the environment of the server' },
    });
    expect((await api.settings.update({ body: { importReportDays: 5 } })).importReportDays.value).toBe(5);
    await strict.close();
  });

  test('of a sign-up policy is approval by default where others can reach the server, until an administrator opens it', async () => {
    const reachable = await openTestProduct({ beside: product, config: { HOST: '0.0.0.0' }, runsJobs: false });
    expect((await signUp('driver', reachable)).status).toBe('inactive');
    await reachable.api(admin.token).settings.update({ body: { driverSignUp: 'open' } });
    expect((await signUp('driver', reachable)).status).toBe('active');
    await reachable.close();
  });
});

describe('a change', () => {
  test('of the sign-up policy applies to the next registration, on every server', async () => {
    await changeEverywhere({ driverSignUp: 'closed', adminSignUp: 'approval' });
    for (const at of [product, other]) {
      await expect(signUp('driver', at)).rejects.toMatchObject({
        status: 403,
        message: 'Registration as driver is closed.',
      });
      expect((await signUp('admin', at)).status).toBe('inactive');
      expect((await signUp('owner', at)).status).toBe('active');
      expect(await at.api().auth.signUpPolicy()).toEqual({ owner: 'open', driver: 'closed', admin: 'approval' });
    }
  });

  test('of the public recipient changes the tracker’s answers and open streams, on every server', async () => {
    const { trackingId } = await createPackage(owner, { recipientName: 'Anna Maria Berg' });
    const streams = [
      await watch(product, `/track/${trackingId}/live`),
      await watch(other, `/track/${trackingId}/live`),
    ];
    for (const [publicRecipient, recipientName] of [
      ['masked', 'Anna B.'],
      ['hidden', null],
      ['full', 'Anna Maria Berg'],
    ] as const) {
      await changeEverywhere({ publicRecipient });
      for (const at of [product, other])
        expect(await at.api().tracking.view({ params: { id: trackingId } })).toMatchObject({ recipientName });
      for (const { events } of streams)
        await eventually(
          `streams show ${recipientName}`,
          () => (events.at(-1)?.data as { recipientName: string | null } | undefined)?.recipientName === recipientName,
        );
    }
    for (const stream of streams) stream.stop();
  });

  test('of a retention period applies from the next purge on, on every server', async () => {
    const sql = (text: string, params?: unknown[]) => product.ctx.db.query(text, params);
    const pkg = await createPackage(owner);
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    await driver.api.deliveries.complete({ params: { id: pkg.id } });
    await owner.api.packages.import({ body: oneRow });
    await eventually('a notification', async () => (await owner.api.notifications.list()).items.length > 0);
    await owner.api.notifications.readAll();
    const visitor = { name: 'Vera Visitor', email: 'vera@example.com', message: 'A question' };
    await product.api().contact.send({ body: visitor });
    await sql("update contact_messages set status = 'Resolved', resolved_at = now() - interval '20 days'");
    await sql("update packages set completed_at = now() - interval '20 days' where id = $1", [pkg.id]);
    await sql("update notifications set read_at = now() - interval '20 days'");
    await sql("update package_imports set created_at = now() - interval '20 days'");
    const due = async (at: TestProduct) => {
      const counts = await countExpired(at.ctx);
      return [
        counts['read notifications'],
        counts['resolved messages'],
        counts['import reports'],
        counts.recipients,
      ].map((count) => count !== 0);
    };
    await changeEverywhere({ notificationDays: 21, messageDays: 21, importReportDays: 21, recipientDays: 21 });
    for (const at of [product, other]) expect(await due(at)).toEqual([false, false, false, false]);
    await changeEverywhere({ notificationDays: 19, messageDays: 19, importReportDays: 19, recipientDays: 19 });
    for (const at of [product, other]) expect(await due(at)).toEqual([true, true, true, true]);
    await changeEverywhere(unset);
    for (const at of [product, other]) expect(await due(at)).toEqual([false, false, false, false]);
  });

  test('reaches a server that receives no events within 5 s', async () => {
    const deaf = await openTestProduct({
      beside: product,
      runsJobs: false,
      live: { wakeUps: false, pollMs: 3_600_000 },
    });
    const nameThere = async () => (await deaf.api().settings.organisation()).name;
    await nameThere();
    await change({ organisationName: 'Acme Parcels' });
    const clock = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 5000);
    expect(await nameThere()).toBe('Acme Parcels');
    later.mockRestore();
    await deaf.close();
  });

  test('of an older version is refused by the optimistic lock; one without differences creates no new version', async () => {
    const { version } = await change({ organisationName: 'First Name' });
    await change({ organisationName: 'Second Name' });
    await expect(change({ version, notificationDays: 3 })).rejects.toMatchObject({ status: 409, code: 'stale' });
    const header = async (ifMatch: string) =>
      inject(product.app, '/api/settings', {
        method: 'PUT',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', 'if-match': ifMatch },
        body: JSON.stringify({ notificationDays: 3 }),
      });
    expect((await header(`"${version}"`)).status).toBe(412);
    const present = await admin.api.settings.read();
    expect(present).toMatchObject({ version: version + 1, organisationName: { value: 'Second Name' } });
    expect(present.notificationDays.value).toBe(180);
    expect(await change({ organisationName: 'Second Name', logo: null })).toEqual(present);
    expect((await header(`"${version + 1}"`)).status).toBe(200);
  });

  test('succeeds once among concurrent ones of the same version', async () => {
    const { version } = await change({ importReportDays: 1 });
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => change({ version, importReportDays: index + 2 })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is audited with the old and new values, and invalidates the settings of every signed-in user', async () => {
    const stream = await watch(product, '/live', driver.token);
    await change({ driverSignUp: 'closed' });
    const { items } = await admin.api.audit.list({ query: { act: 'settings.changed', limit: 1 } });
    expect(items[0]).toMatchObject({
      actorId: admin.id,
      subjectId: null,
      details: { driverSignUp: [null, 'closed'] },
    });
    await eventually('the hint', () =>
      stream.events.some(({ data }) => (data as { type?: string }).type === 'settings'),
    );
    stream.stop();
  });

  test('that opens the sign-up of administrators needs every permission, since it grants them', async () => {
    const deputy = await product.register('admin');
    const { id } = await admin.api.roles.create({
      body: { name: 'Configurer', permissions: ['admin.access', 'admin.system_config'] },
    });
    await admin.api.users.update({ params: { id: deputy.id }, body: { roleId: id } });
    await expect(change({ adminSignUp: 'open' }, deputy)).resolves.toMatchObject({ adminSignUp: { value: 'open' } });
    await change({ adminSignUp: 'closed' }, deputy);
    await expect(change({ adminSignUp: 'open' }, deputy)).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    await expect(change({ adminSignUp: null }, deputy)).rejects.toMatchObject({ status: 403 });
    await expect(change({ adminSignUp: 'approval', driverSignUp: 'open' }, deputy)).resolves.toBeDefined();
  });

  test('to an invalid value is refused in its field', async () => {
    await expect(
      change({
        organisationName: 'A',
        notificationDays: 0,
        recipientDays: 1.5,
        importReportDays: 40_000,
        costPerHour: -1,
        currency: 'EURO',
      }),
    ).rejects.toMatchObject({
      status: 422,
      fields: {
        organisationName: 'Organisation name must be at least 2 characters',
        notificationDays: 'Must be at least 1 day',
        recipientDays: 'Must be a whole number of days',
        importReportDays: 'Must be at most 36500 days',
        costPerHour: 'Must be at least 0',
        currency: 'Must be a code of three letters, such as EUR',
      },
    });
  });
});

describe('the logo', () => {
  const fetchImage = (path: string) => inject(product.app, path, { method: 'GET' });

  test('is an uploaded, re-encoded, public image', async () => {
    await change({ organisationName: 'Acme Parcels', logo: await uploadImage(product, admin) });
    const { name, logo } = await other.api().settings.organisation();
    expect(name).toBe('Acme Parcels');
    expect(logo).toMatch(/^\/media\/branding\//);
    const image = await fetchImage(logo ?? '');
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    // A logo that is sent back unchanged stays.
    expect((await change({ logo: logo ?? '', importReportDays: 7 })).logo.value).toBe(logo);
  });

  test('is detached when it is replaced or removed', async () => {
    const attached = async () => product.ctx.db.query("select name from images where attached_to = 'settings:logo'");
    await change({ logo: await uploadImage(product, admin) });
    const first = await attached();
    await change({ logo: await uploadImage(product, admin, 'navy') });
    expect(await attached()).toHaveLength(1);
    expect(await attached()).not.toEqual(first);
    await change({ logo: null });
    expect(await attached()).toEqual([]);
    expect((await product.api().settings.organisation()).logo).toBeNull();
  });

  test('cannot be another user’s image or an external URL', async () => {
    for (const logo of [
      await uploadImage(product, owner),
      '/media/branding/nothing.jpg',
      'https://elsewhere.example/x.png',
    ])
      await expect(change({ logo })).rejects.toMatchObject({ status: 422, fields: { logo: expect.any(String) } });
  });
});
