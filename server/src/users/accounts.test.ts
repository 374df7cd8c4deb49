import { builtInRoles, type Client, type CreateUserInput, type Permission } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  password,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { ensureFirstAdmin } from './service.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin');
});
afterAll(() => product.close());

let created = 0;
const newEmail = () => `made${++created}@example.com`;
const make = (fields: Partial<CreateUserInput> = {}, by: Client = admin.api) =>
  by.users.create({ body: { name: 'Made Up', email: newEmail(), ...fields } });
const login = (email: string, secret: string) => product.api().auth.login({ body: { email, password: secret } });
const update = (id: string, body: object, by: Client = admin.api) => by.users.update({ params: { id }, body });

/** An administrator with these permissions only. */
async function makeHelper(...permissions: string[]): Promise<Client> {
  const helper = await product.register('admin');
  await update(helper.id, { permissions });
  return helper.api;
}

describe('an account made by an administrator', () => {
  test('is an active owner by default, and signs in with the given password', async () => {
    const account = await make({ password: 'given secret' });
    expect(account).toMatchObject({
      role: 'owner',
      status: 'active',
      temporaryPassword: null,
      mustChangePassword: false,
      lastLogin: null,
    });
    const { token } = await login(account.email, 'given secret');
    await product.api(token).packages.listOfUser({ params: { id: account.id } });
    const driver = await make({ role: 'driver', status: 'suspended', password: 'given secret' });
    expect(driver).toMatchObject({ role: 'driver', status: 'suspended' });
  });

  test('cannot have an email address that is taken, in any case', async () => {
    const { email } = await make();
    await expect(make({ email: email.toUpperCase() })).rejects.toMatchObject({ status: 409, code: 'email_taken' });
  });

  test.each(['', undefined, null])('with %j as the password gets a random one-time password', async (blank) => {
    const account = await make({ password: blank });
    const other = await make({ password: blank });
    expect(account.temporaryPassword).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect(account.temporaryPassword).not.toBe(other.temporaryPassword);
    expect(await admin.api.users.get({ params: { id: account.id } })).not.toHaveProperty('temporaryPassword');
  });

  test('with a one-time password can only read itself, sign out and set its own password, on every server', async () => {
    const beside = await openTestProduct({ beside: product, runsJobs: false });
    const account = await make();
    const oneTimePassword = account.temporaryPassword ?? '';
    const { token, mustChangePassword } = await login(account.email, oneTimePassword);
    expect(mustChangePassword).toBe(true);
    for (const server of [product, beside]) {
      const own = server.api(token);
      expect(await own.users.me()).toMatchObject({ mustChangePassword: true });
      for (const attempt of [
        () => own.packages.listOfUser({ params: { id: account.id } }),
        () => createPackage({ api: own } as TestUser),
        () => own.users.updateProfile({ body: { name: 'Me' } }),
        () => own.users.sessions(),
        () => own.notifications.list(),
      ]) {
        await expect(attempt()).rejects.toMatchObject({
          status: 403,
          code: 'password_change_required',
          message: 'Please set a new password first. Yours was made for one sign-in.',
        });
      }
      await expect(watch(server, '/live', token)).rejects.toThrow('403');
    }
    await product.api((await login(account.email, oneTimePassword)).token).auth.logout();
    await expect(
      beside
        .api(token)
        .users.changePassword({ body: { currentPassword: oneTimePassword, newPassword: oneTimePassword } }),
    ).rejects.toMatchObject({ status: 422, fields: { newPassword: 'Please choose another password' } });
    await beside
      .api(token)
      .users.changePassword({ body: { currentPassword: oneTimePassword, newPassword: 'my own secret' } });
    for (const server of [product, beside]) await server.api(token).packages.listOfUser({ params: { id: account.id } });
    await expect(login(account.email, oneTimePassword)).rejects.toMatchObject({ status: 401 });
    expect(await login(account.email, 'my own secret')).toMatchObject({ mustChangePassword: false });
    await beside.close();
  });

  test('a one-time password expires after 7 days, and a reset link replaces it', async () => {
    const account = await make();
    const oneTimePassword = account.temporaryPassword ?? '';
    const age = (left: string) =>
      product.ctx.db.query(
        `update users set one_time_until = one_time_until - interval '7 days' + interval '${left}' where id = $1`,
        [account.id],
      );
    await age('1 minute');
    await login(account.email, oneTimePassword);
    await age('-1 minute');
    await expect(login(account.email, oneTimePassword)).rejects.toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    });
    const { url } = await admin.api.users.resetLink({ params: { id: account.id } });
    await product.api().auth.reset({ body: { token: url.split('token=')[1] ?? '', password: 'my own secret' } });
    await login(account.email, 'my own secret');
  });

  test('a repeated request creates no second account, and the one-time password is stored nowhere', async () => {
    const body = { name: 'Made Up', email: newEmail() };
    const send = async () => {
      const answer = await product.app.inject({
        method: 'POST',
        url: '/api/users',
        headers: { authorization: `Bearer ${admin.token}`, 'idempotency-key': 'the-same' },
        payload: body,
      });
      return answer.json<{ id: string; temporaryPassword: string | null }>();
    };
    const [first, repeat] = [await send(), await send()];
    expect(first.temporaryPassword).toMatch(/-/);
    expect(repeat).toEqual({ ...first, temporaryPassword: null });
    const storedReplies = await product.ctx.db.query('select reply from idempotency_keys where reply like $1', [
      `%${first.temporaryPassword}%`,
    ]);
    expect(storedReplies).toEqual([]);
  });
});

describe('one account', () => {
  test('can be read by its user and by users with admin.manage_users; for others it is 404', async () => {
    const owner = await product.register('owner');
    const other = await product.register('driver');
    const read = (by: TestUser) => by.api.users.get({ params: { id: owner.id } });
    expect(await read(owner)).toEqual(await owner.api.users.me());
    expect((await read(admin)).id).toBe(owner.id);
    await expect(read(other)).rejects.toMatchObject({ status: 404 });
  });

  test('a driver can be read by owners of their packages, by themselves and by administrators', async () => {
    const [driver, owner, stranger] = [
      await product.register('driver'),
      await product.register('owner'),
      await product.register('owner'),
    ];
    const read = (by: TestUser, id = driver.id) => by.api.deliveries.driverInfo({ params: { id } });
    const pkg = await createPackage(owner);
    await expect(read(owner)).rejects.toMatchObject({ status: 404 });
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    for (const by of [owner, driver, admin])
      expect(await read(by)).toMatchObject({ id: driver.id, status: 'busy', totalDeliveries: 0 });
    await expect(read(stranger)).rejects.toMatchObject({ status: 404 });
    await expect(read(admin, owner.id)).rejects.toMatchObject({ status: 404 });
    await driver.api.deliveries.complete({ params: { id: pkg.id } });
    expect(await read(owner)).toMatchObject({ status: 'active', totalDeliveries: 1 });
  });
});

describe('deleting an account', () => {
  const remove = (user: TestUser, by: Client = admin.api) => by.users.remove({ params: { id: user.id } });

  test('removes all personal data, frees the email address, and keeps the history of the packages', async () => {
    const owner = await product.register('owner', 'Olga Unforgettable');
    const driver = await product.register('driver', 'Dora Unforgettable');
    await driver.api.users.updateProfile({
      body: { phone: '+4915100000042', vehicleInfo: { licensePlate: 'B-GONE 1' }, currentLocation: 'Secret Street 42' },
    });
    const pkg = await createPackage(owner);
    const waiting = await createPackage(owner);
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    await driver.api.deliveries.complete({ params: { id: pkg.id } });
    await eventually('the owner is told', async () => (await owner.api.notifications.list()).items.length === 2);
    await Promise.all([remove(owner), remove(driver)]);
    await eventually(
      'they are taken out of all texts',
      async () => (await product.ctx.db.query('select from erasures')).length === 0,
    );

    const tables = await product.ctx.db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    const traces = [owner.email, driver.email, 'Unforgettable', '+4915100000042', 'B-GONE', 'Secret Street'];
    for (const { name } of tables) {
      const found = await product.ctx.db.query(`select t::text from "${name}" t where t::text like any($1)`, [
        traces.map((trace) => `%${trace}%`),
      ]);
      expect([name, found]).toEqual([name, []]);
    }
    for (const token of [owner.token, driver.token])
      await expect(product.api(token).users.me()).rejects.toMatchObject({ status: 401 });
    await expect(login(owner.email, password)).rejects.toMatchObject({ status: 401, code: 'invalid_credentials' });
    await expect(admin.api.users.get({ params: { id: owner.id } })).rejects.toMatchObject({ status: 404 });
    await expect(update(owner.id, { status: 'active' })).rejects.toMatchObject({ status: 404 });
    await expect(remove(owner)).rejects.toMatchObject({ status: 404 });
    const { items } = await admin.api.users.list({ query: { limit: 200 } });
    expect(items.map(({ id }) => id)).not.toContain(owner.id);

    const { items: events } = await admin.api.packages.events({ params: { id: pkg.id } });
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ['delivery.completed', null],
      ['delivery.started', null],
      ['package.created', null],
    ]);
    expect(await admin.api.packages.read({ params: { id: pkg.id } })).toMatchObject({ status: 'delivered' });
    expect(await admin.api.deliveries.receipt({ params: { id: pkg.id } })).toMatchObject({
      sender: null,
      driver: null,
    });
    await expect(admin.api.deliveries.driverOfPackage({ params: { id: pkg.id } })).rejects.toMatchObject({
      code: 'no_carrier',
    });
    await eventually(
      'what was waiting is cancelled',
      async () => (await admin.api.packages.read({ params: { id: waiting.id } })).status === 'cancelled',
    );
    const rows = (sql: string, params: unknown[] = []) => product.ctx.db.query(sql, params);
    await eventually(
      'every job is done',
      async () => (await rows("select 1 from jobs.job where state not in ('completed', 'failed')")).length === 0,
    );
    for (const table of ['sessions', 'notifications', 'idempotency_keys'])
      expect([table, await rows(`select * from ${table} where user_id = any($1)`, [[owner.id, driver.id]])]).toEqual([
        table,
        [],
      ]);
    await product.api().auth.register({ body: { name: 'Somebody else', email: owner.email, password } });
  });

  test('leaves a delivery in transit, which administrators assign to another driver', async () => {
    const [owner, driver, other] = [
      await product.register('owner'),
      await product.register('driver'),
      await product.register('driver'),
    ];
    const pkg = await createPackage(owner);
    await driver.api.deliveries.start({ params: { id: pkg.id } });
    await remove(driver);
    expect(await admin.api.packages.read({ params: { id: pkg.id } })).toMatchObject({ status: 'in transit' });
    await admin.api.deliveries.assign({ params: { id: pkg.id }, body: { driverId: other.id } });
    await other.api.deliveries.complete({ params: { id: pkg.id } });
  });

  test('ends open streams', async () => {
    const user = await product.register('driver');
    const watcher = await watch(product, '/live', user.token);
    await remove(user);
    await eventually('the stream ends', () => watcher.bye() === 'session_ended');
  });
});

describe('a custom role', () => {
  const makeRole = (...permissions: Permission[]) =>
    admin.api.roles.create({ body: { name: `Made role ${++created}`, permissions } });

  test('can be given to a new account, and is effective at the first sign-in', async () => {
    const role = await makeRole('deliveries.assign', 'deliveries.view_all');
    const account = await make({ role: 'admin', roleId: role.id, password: 'given secret' });
    expect(account).toMatchObject({ role: 'admin', roleId: role.id, permissionsInForce: role.permissions });
    expect(await login(account.email, 'given secret')).toMatchObject({ permissionsInForce: role.permissions });
    expect(await make({ roleId: builtInRoles.driver.id })).toMatchObject({ role: 'driver' });
  });

  test('can be given only with users.manage_roles and all its permissions, and must exist and be active', async () => {
    const role = await makeRole('packages.view_all');
    const clerk = await makeHelper('users.create', 'packages.view_all');
    await expect(make({ roleId: role.id }, clerk)).rejects.toMatchObject({ status: 403 });
    const poor = await makeHelper('users.create', 'users.manage_roles');
    await expect(make({ roleId: role.id }, poor)).rejects.toMatchObject({
      status: 403,
      message: 'You cannot grant permissions that you do not hold yourself',
    });
    await expect(make({ roleId: crypto.randomUUID() })).rejects.toMatchObject({
      status: 422,
      fields: { roleId: 'This role does not exist' },
    });
    await admin.api.roles.update({ params: { id: role.id }, body: { isActive: false } });
    await expect(make({ roleId: role.id })).rejects.toMatchObject({
      status: 422,
      fields: { roleId: 'This role is not active' },
    });
  });
});

describe('nobody grants permissions that they do not hold', () => {
  const refused = { status: 403, message: 'You cannot grant permissions that you do not hold yourself' };

  test('by creating an account, changing its role or list, or activating it', async () => {
    const helper = await makeHelper('users.create', 'users.update', 'users.manage_roles', 'packages.read');
    await expect(make({ role: 'admin' }, helper)).rejects.toMatchObject(refused);
    const owner = await make({ role: 'owner' }, helper);
    await expect(update(owner.id, { role: 'admin' }, helper)).rejects.toMatchObject(refused);
    await expect(update(owner.id, { permissions: ['packages.read', 'admin.access'] }, helper)).rejects.toMatchObject(
      refused,
    );
    await update(owner.id, { permissions: ['packages.read'] }, helper);
    await update(owner.id, { permissions: null, role: 'driver' }, helper);
    const suspended = await product.register('admin');
    await update(suspended.id, { status: 'suspended' });
    await expect(update(suspended.id, { status: 'active' }, helper)).rejects.toMatchObject({ status: 403 });
    await update(suspended.id, { status: 'active' });
  });

  test('nor by a reset link for an account with more permissions', async () => {
    const helper = await makeHelper('users.update');
    const link = (id: string) => helper.users.resetLink({ params: { id } });
    await expect(link(admin.id)).rejects.toMatchObject({ status: 403 });
    expect((await link((await product.register('owner')).id)).url).toMatch(/#token=/);
  });

  test('nor in a race with the loss of their own rights', async () => {
    const helper = await product.register('admin');
    const results = await Promise.allSettled([
      update(helper.id, { role: 'owner' }),
      ...Array.from({ length: 5 }, () => make({ role: 'admin' }, helper.api)),
    ]);
    expect(results[0]?.status).toBe('fulfilled');
    await expect(make({ role: 'admin' }, helper.api)).rejects.toMatchObject({ status: 403 });
  });
});

describe('the last administrator with all permissions', () => {
  const message = 'The last active administrator cannot be deleted, demoted or suspended, nor lose permissions';

  test('cannot be suspended, demoted, limited or deleted', async () => {
    const alone = await openTestProduct({ runsJobs: false });
    const last = await alone.register('admin');
    // Has the role of administrator, but cannot grant the permissions that would be lost.
    const limited = await alone.register('admin');
    await update(limited.id, { permissions: ['users.update', 'users.delete', 'users.manage_roles'] }, last.api);
    const { id: roleId } = await last.api.roles.create({ body: { name: 'Half', permissions: ['users.read'] } });
    for (const body of [
      { status: 'suspended' },
      { status: 'inactive' },
      { role: 'driver' },
      { permissions: ['users.update', 'users.manage_roles'] },
      { permissions: [] },
      { roleId },
    ]) {
      await expect(update(last.id, body, last.api), JSON.stringify(body)).rejects.toMatchObject({
        status: 409,
        message,
      });
      await expect(update(last.id, body, limited.api)).rejects.toMatchObject({ status: 403 });
    }
    await expect(last.api.users.remove({ params: { id: last.id } })).rejects.toMatchObject({ status: 409, message });
    await expect(limited.api.users.remove({ params: { id: last.id } })).rejects.toMatchObject({ status: 403 });
    await alone.close();
  });

  test('stays when the rights come from a custom role that is edited or deactivated', async () => {
    const alone = await openTestProduct({ runsJobs: false });
    const last = await alone.register('admin');
    const full = last.user.permissionsInForce;
    const { id } = await last.api.roles.create({ body: { name: 'Chief', permissions: full } });
    await update(last.id, { roleId: id }, last.api);
    for (const body of [{ isActive: false }, { permissions: full.slice(1) }])
      await expect(last.api.roles.update({ params: { id }, body })).rejects.toMatchObject({ status: 409, message });
    await last.api.roles.update({ params: { id }, body: { description: 'Everything' } });
    await update(last.id, { roleId: null }, last.api);
    await last.api.roles.update({ params: { id }, body: { isActive: false } });
    await alone.close();
  });

  test('remains when two limit, demote or delete each other, or step down, concurrently', async () => {
    const alone = await openTestProduct({ runsJobs: false });
    const both = [await alone.register('admin'), await alone.register('admin')] as const;
    const isFull = async (user: TestUser) => (await user.api.users.me()).permissionsInForce.includes('roles.delete');
    for (const attempt of [
      (by: TestUser, other: TestUser) => update(other.id, { permissions: ['users.read'] }, by.api),
      (by: TestUser, other: TestUser) => update(other.id, { role: 'owner' }, by.api),
      (by: TestUser) => update(by.id, { role: 'owner' }, by.api),
      (by: TestUser) => update(by.id, { status: 'suspended' }, by.api),
      (by: TestUser, other: TestUser) => by.api.users.remove({ params: { id: other.id } }),
    ]) {
      const results = await Promise.allSettled([attempt(...both), attempt(both[1], both[0])]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const deleted = results.some((result) => result.status === 'fulfilled' && result.value === undefined);
      if (deleted) break;
      const [left, lost] = (await isFull(both[0])) ? both : [both[1], both[0]];
      await update(lost.id, { role: 'admin', status: 'active', permissions: null }, left.api);
    }
    await alone.close();
  });
});

test('the event of a change of an account has the old and new values, without personal data', async () => {
  const user = await product.register('owner', 'Nora Named');
  await update(user.id, { name: 'Nora Renamed', role: 'driver', status: 'suspended', permissions: ['packages.read'] });
  await login(user.email, password);
  const rows = await product.ctx.db.query(
    "select type, actor_id, changes from account_events where user_id = $1 and type like 'user.%' order by id",
    [user.id],
  );
  expect(rows).toEqual([
    { type: 'user.created', actor_id: user.id, changes: { role: [null, 'owner'], status: [null, 'active'] } },
    {
      type: 'user.changed',
      actor_id: admin.id,
      changes: {
        role: ['owner', 'driver'],
        status: ['active', 'suspended'],
        permissions: [null, ['packages.read']],
      },
    },
  ]);
  const [signIns] = await product.ctx.db.query<{ count: string }>(
    "select count(*) from audit where subject_id = $1 and act = 'session.started'",
    [user.id],
  );
  expect(signIns?.count).toBe('2');
});

test('the first administrator, created from ADMIN_EMAIL, has an audit entry without an actor', async () => {
  const empty = await openTestProduct({ runsJobs: false });
  const account = { ADMIN_EMAIL: 'First@example.com', ADMIN_PASSWORD: 'pond-heron-7' };
  expect(await ensureFirstAdmin(empty.ctx.db, { ...empty.ctx.config, ...account })).toBe(true);
  expect(await ensureFirstAdmin(empty.ctx.db, { ...empty.ctx.config, ...account })).toBe(false);
  const { id, token } = await empty
    .api()
    .auth.login({ body: { email: 'first@example.com', password: account.ADMIN_PASSWORD } });
  expect((await empty.api(token).audit.list({ query: { act: 'user.created' } })).items).toMatchObject([
    { actorId: null, subjectId: id, details: { role: [null, 'admin'], status: [null, 'active'] } },
  ]);
  await empty.close();
});
