import { permissions, type Permission } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  password,
  untilWaiting,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin');
});
afterAll(() => product.close());

const change = (user: Pick<TestUser, 'id'>, body: object, by = admin) =>
  by.api.users.update({ params: { id: user.id }, body });
const signInAgain = async (user: TestUser): Promise<TestUser> => {
  const { token } = await product.api().auth.login({ body: { email: user.email, password } });
  return { ...user, token, api: product.api(token) };
};
/** An account with exactly these permissions, signed in with all of them. */
async function holderOf(...list: Permission[]): Promise<TestUser> {
  const user = await product.register('admin');
  await change(user, { permissions: list });
  return user;
}
const newRights = { status: 403, message: 'You have been given new rights. Sign in again to use them.' };
const makeRole = (list: Permission[]) =>
  admin.api.roles.create({ body: { name: `Role ${crypto.randomUUID()}`, permissions: list } });

describe('a session', () => {
  test.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['a new permission list', (user) => change(user, { permissions: ['packages.read', 'admin.view_analytics'] })],
    [
      'a custom role',
      async (user) => change(user, { roleId: (await makeRole(['packages.read', 'admin.view_analytics'])).id }),
    ],
    [
      'an edit of its custom role',
      async (user) => {
        const role = await makeRole(['packages.read']);
        await change(user, { roleId: role.id });
        const body = { permissions: ['packages.read', 'admin.view_analytics'] as Permission[] };
        await admin.api.roles.update({ params: { id: role.id }, body });
      },
    ],
    ['another role', (user) => change(user, { role: 'admin' })],
  ])(
    'does not get rights that its account gains by %s, reports gainedRights, and goes on; the next session has them',
    async (_by, gain) => {
      const user = await product.register('owner');
      expect(await user.api.users.me()).not.toHaveProperty('gainedRights');
      await gain(user);
      await expect(user.api.stats.read({})).rejects.toMatchObject(newRights);
      const me = await user.api.users.me();
      expect(me.gainedRights).toBe(true);
      expect(me.permissionsInForce).not.toContain('admin.view_analytics');
      await user.api.packages.listOfUser({ params: { id: user.id } }).catch((error: { status: number }) => {
        // The owner's list needs the role of owner; 403 and not 401, so the session is still valid.
        expect(error.status).toBe(403);
      });
      const again = await signInAgain(user);
      await again.api.stats.read({});
      expect(await again.api.users.me()).not.toHaveProperty('gainedRights');
    },
  );

  test('loses at once the rights that its account loses, however old it is', async () => {
    const first = await product.register('owner');
    const second = await signInAgain(first);
    await change(first, { permissions: ['packages.read'] });
    for (const session of [first, second]) await expect(createPackage(session)).rejects.toMatchObject({ status: 403 });
  });

  test('of an owner who becomes a driver keeps the rights of both roles, and cannot claim before the next sign-in', async () => {
    const user = await product.register('owner');
    await change(user, { role: 'driver' });
    await expect(createPackage(user)).rejects.toMatchObject({ status: 403 });
    await expect(user.api.deliveries.pending()).rejects.toMatchObject(newRights);
    await user.api.deliveries.mine({});
    await (await signInAgain(user)).api.deliveries.pending();
  });

  test('opened before the approval or reactivation of its account has its rights afterwards', async () => {
    const user = await product.register('driver');
    await change(user, { status: 'suspended' });
    const suspended = await signInAgain(user);
    await change(user, { status: 'active' });
    for (const session of [user, suspended]) {
      await session.api.deliveries.pending();
      expect(await session.api.users.me()).not.toHaveProperty('gainedRights');
    }
  });

  test('cannot grant rights that its account gained after it was opened', async () => {
    const user = await holderOf('users.update', 'users.manage_roles');
    const older = await signInAgain(user);
    await change(user, { permissions: null });
    const other = await product.register('owner');
    await expect(change(other, { role: 'admin' }, older)).rejects.toMatchObject({ status: 403 });
    await expect(older.api.users.resetLink({ params: { id: admin.id } })).rejects.toMatchObject({ status: 403 });
    await change(other, { role: 'admin' }, await signInAgain(user));
  });

  test('opened by an older server keeps the rights of its account, and gains none', async () => {
    const user = await product.register('owner');
    await product.ctx.db.query('update sessions set permissions = null where user_id = $1', [user.id]);
    product.ctx.sessions.clearCache();
    await createPackage(user);
    await change(user, { role: 'admin' });
    await expect(user.api.stats.read({})).rejects.toMatchObject(newRights);
  });

  test('is one of at most 50 of its account: a new one ends the longest idle one, and the user is notified', async () => {
    const user = await product.register('owner');
    const used = await signInAgain(user);
    await product.ctx.db.query(
      `insert into sessions (id, user_id, token_hash, last_used_at)
       select gen_random_uuid(), $1, decode(md5(n::text), 'hex'), now() - n * interval '1 minute' from generate_series(1, 48) n`,
      [user.id],
    );
    await product.ctx.db.query(
      "update sessions set last_used_at = now() - interval '2 hours' where user_id = $1 and id = (select id from sessions where user_id = $1 order by created_at limit 1)",
      [user.id],
    );
    await signInAgain(user);
    await expect(user.api.users.me()).rejects.toMatchObject({ status: 401 });
    expect(await used.api.users.sessions()).toHaveLength(50);
    await eventually('its user is told', async () =>
      (await used.api.notifications.list()).items.some(({ type }) => type === 'sessions.displaced'),
    );
  });
});

describe('an account with more permissions than the caller', () => {
  test.each<[string, (by: TestUser, id: string) => Promise<unknown>]>([
    ['renamed', (by, id) => change({ id }, { name: 'Another name' }, by)],
    ['suspended', (by, id) => change({ id }, { status: 'suspended' }, by)],
    ['given another role', (by, id) => change({ id }, { role: 'owner' }, by)],
    ['stripped of permissions', (by, id) => change({ id }, { permissions: [] }, by)],
    ['deleted', (by, id) => by.api.users.remove({ params: { id } })],
    ['given a link', (by, id) => by.api.users.resetLink({ params: { id } })],
    ['signed out', (by, id) => by.api.users.endSessionsOf({ params: { id } })],
  ])('cannot be %s, even while it is inactive; an account with equal permissions can', async (_act, act) => {
    const held: Permission[] = ['users.read', 'users.update', 'users.delete', 'users.manage_roles'];
    const lesser = await holderOf(...held);
    const greater = await holderOf(...held, 'packages.view_all');
    await expect(act(lesser, greater.id)).rejects.toMatchObject({ status: 403 });
    await change(greater, { status: 'inactive' });
    await expect(act(lesser, greater.id)).rejects.toMatchObject({ status: 403 });
    await act(lesser, (await holderOf(...held)).id);
    await act(lesser, (await product.register('driver')).id);
  });

  test('prevents the caller from editing its custom role', async () => {
    const held: Permission[] = ['roles.update', 'packages.read'];
    const lesser = await holderOf(...held);
    const role = await makeRole(['packages.view_all']);
    const edit = () => lesser.api.roles.update({ params: { id: role.id }, body: { permissions: [] } });
    await change(await product.register('owner'), { roleId: role.id });
    await expect(edit()).rejects.toMatchObject({ status: 403 });
  });

  test('is not an owner whose permission list is a subset of the owner role', async () => {
    const lesser = await holderOf('users.update');
    const owner = await product.register('owner');
    await change(owner, { permissions: ['packages.read'] });
    await change(owner, { name: 'Another name' }, lesser);
  });
});

describe('the most privileged administrator', () => {
  const last = { status: 409, message: expect.stringMatching(/^The last active administrator/) as string };

  test('stays also when an upgrade added a permission that is in none of the administrators’ lists', async () => {
    const alone = await openTestProduct({ runsJobs: false });
    const only = await alone.register('admin');
    const second = await alone.register('admin');
    // After such an upgrade: lists of all permissions but the new one.
    await alone.ctx.db.query('update users set permissions = $1', [permissions.slice(0, -1)]);
    alone.ctx.sessions.clearCache();
    const update = (user: TestUser, body: object) => only.api.users.update({ params: { id: user.id }, body });
    await update(second, { permissions: ['users.read'] });
    for (const body of [{ status: 'suspended' }, { role: 'owner' }, { permissions: ['users.update'] }])
      await expect(update(only, body)).rejects.toMatchObject(last);
    await expect(only.api.users.remove({ params: { id: only.id } })).rejects.toMatchObject(last);
    await alone.close();
  });

  test('is checked under an advisory lock: a change of rights waits for another, though no row lock blocks it', async () => {
    const alone = await openTestProduct({ runsJobs: false });
    const both = [await alone.register('admin'), await alone.register('admin')] as const;
    const { demotion } = await alone.ctx.db.transaction(async (tx) => {
      // Like another change of rights, without its events and audit entries, which take locks too.
      await tx.query("select pg_advisory_xact_lock(hashtextextended('waybill rights', 0))");
      const demotion = both[0].api.users.update({ params: { id: both[0].id }, body: { role: 'owner' } });
      demotion.catch(() => {});
      await untilWaiting(tx, 1);
      await tx.query("update users set role = 'owner' where id = $1", [both[1].id]);
      return { demotion };
    });
    await expect(demotion).rejects.toMatchObject(last);
    await alone.close();
  });
});

describe('the sessions of others', () => {
  test('are listed with device and address, and ended singly or all at once; the user is notified, and it is audited', async () => {
    const helper = await holderOf('users.update');
    const user = await product.register('driver');
    const phone = await signInAgain(user);
    const listed = await helper.api.users.sessionsOf({ params: { id: user.id } });
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ current: false, address: '127.0.0.1', userAgent: expect.anything() }),
      ]),
    );
    const params = { id: user.id, sessionId: listed[0]?.id ?? '' };
    await helper.api.users.endSessionOf({ params });
    await expect(phone.api.users.me()).rejects.toMatchObject({ status: 401 });
    await expect(helper.api.users.endSessionOf({ params })).rejects.toMatchObject({ status: 404 });
    await user.api.users.me();
    await helper.api.users.endSessionsOf({ params: { id: user.id } });
    await expect(user.api.users.me()).rejects.toMatchObject({ status: 401 });
    expect(await helper.api.users.sessionsOf({ params: { id: user.id } })).toEqual([]);
    const { items } = await admin.api.audit.list({ query: { subject: user.id, act: 'sessions.ended' } });
    expect(items).toMatchObject([{ actorId: helper.id }, { actorId: helper.id }]);
    const back = await signInAgain(user);
    await eventually('its user is told', async () =>
      (await back.api.notifications.list()).items.some(({ type }) => type === 'sessions.ended'),
    );
  });

  test('are found only under their own account', async () => {
    const [one, other] = [await product.register('owner'), await product.register('owner')];
    const [session] = await admin.api.users.sessionsOf({ params: { id: other.id } });
    const params = { id: one.id, sessionId: session?.id ?? '' };
    await expect(admin.api.users.endSessionOf({ params })).rejects.toMatchObject({ status: 404 });
    await other.api.users.me();
    const nobody = { id: crypto.randomUUID() };
    await expect(admin.api.users.sessionsOf({ params: nobody })).rejects.toMatchObject({ status: 404 });
    await expect(admin.api.users.endSessionsOf({ params: nobody })).rejects.toMatchObject({ status: 404 });
  });
});

describe('a user whose account others change', () => {
  const notificationsOf = async (user: TestUser) =>
    (await user.api.notifications.list()).items
      .filter(({ type }) => type === 'rights.changed')
      .map(({ title, body }) => `${title}: ${body}`);

  test('is notified of what changed, not by whom, and cannot turn that off; own changes do not notify', async () => {
    const user = await product.register('admin', 'Nora Named');
    await expect(
      user.api.notifications.setPreferences({ body: { inApp: [{ kind: 'security', on: false }] } }),
    ).rejects.toMatchObject({ status: 422, message: 'This cannot be turned off' });
    expect((await user.api.notifications.preferences()).inApp).toContainEqual({
      kind: 'security',
      on: true,
      essential: true,
    });
    await change(user, { permissions: [...permissions] }, user);
    await change(user, { name: 'Nora Renamed' });
    await change(user, { role: 'driver', status: 'suspended', permissions: null });
    await change(user, { status: 'active' });
    await eventually('all changes are told', async () => (await notificationsOf(user)).length === 3);
    expect((await notificationsOf(user)).toSorted()).toEqual([
      'Your account was changed: An administrator has changed the name of your account.',
      'Your account was changed: An administrator has changed the role, the status and the rights of your account.',
      'Your account was changed: An administrator has changed the status of your account.',
    ]);
  });

  test('is notified when the permissions of their custom role change', async () => {
    const role = await makeRole(['packages.read']);
    const user = await product.register('owner');
    await change(user, { roleId: role.id });
    await admin.api.roles.update({ params: { id: role.id }, body: { permissions: ['packages.read', 'users.read'] } });
    await eventually('both are told', async () => (await notificationsOf(user)).length === 2);
    expect(new Set(await notificationsOf(user))).toEqual(
      new Set(['Your account was changed: An administrator has changed the rights of your account.']),
    );
  });
});
