import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventually,
  openTestProduct,
  password,
  untilWaiting,
  watch,
  type TestOptions,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { runsAll } from '../testing/suite.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin');
});
afterAll(() => product.close());

const login = (email: string, secret: string) => product.api().auth.login({ body: { email, password: secret } });
const forgot = (email: string) => product.api().auth.forgot({ body: { email } });
const linkFor = (user: TestUser) => admin.api.users.resetLink({ params: { id: user.id } });
const tokenOf = (url: string) => new URL(url).hash.replace('#token=', '');
const reset = (token: string, secret = 'a new secret') =>
  product.api().auth.reset({ body: { token, password: secret } });
const expired = {
  status: 422,
  fields: { token: 'This link has expired or has been used already. Please ask for a new one.' },
};

async function withProduct(options: TestOptions, work: (other: TestProduct, by: TestUser) => Promise<void>) {
  const other = await openTestProduct(options);
  await work(other, await other.register('admin'));
  await other.close();
}

describe('a forgotten password', () => {
  test('gets the same answer for a known and an unknown email address, from the same statements', async () => {
    const { email } = await product.register('owner');
    expect(await forgot(email)).toEqual(await forgot('nobody@example.com'));
    const jobs = await product.ctx.db.query<{ user: string | null }>(
      "select data->>'userId' as user from jobs.job where name = 'request-password-reset' and data::text not like '%@%'",
    );
    expect(jobs).toHaveLength(2);
    expect(jobs.filter(({ user }) => user === null)).toHaveLength(1);
  });

  test.runIf(runsAll)(
    'is shown to administrators until it is replaced, who are notified once an hour, without the name',
    async () => {
      const user = await product.register('driver', 'Dora Forgetful');
      const requestedAt = async () => (await admin.api.users.get({ params: { id: user.id } })).passwordResetRequestedAt;
      const countNotifications = async () => {
        const rows = await product.ctx.db.query(
          `select n.id from notifications n join account_events e on e.id = n.event_id
         where n.user_id = $1 and e.user_id = $2 and n.type = 'password.reset-requested'`,
          [admin.id, user.id],
        );
        return rows.length;
      };
      expect(await requestedAt()).toBeNull();
      await forgot(user.email);
      await eventually('the request is there', async () => (await requestedAt()) !== null);
      await eventually('the administrator is told', async () => (await countNotifications()) === 1);
      const first = await requestedAt();
      await forgot(user.email);
      const done = async () => {
        const rows = await product.ctx.db.query(
          "select 1 from jobs.job where name = 'request-password-reset' and state = 'completed' and data->>'userId' = $1",
          [user.id],
        );
        return rows.length === 2;
      };
      await eventually('the second request is worked on', done);
      expect([await requestedAt(), await countNotifications()]).toEqual([first, 1]);
      const { items } = await admin.api.notifications.list();
      expect(JSON.stringify(items)).not.toContain('Forgetful');
      await reset(tokenOf((await linkFor(user)).url));
      expect(await requestedAt()).toBeNull();
    },
  );

  test('is rate-limited per address', () =>
    withProduct({ config: { RATE_LIMITS: 'on' }, runsJobs: false }, async (other) => {
      const request = () => other.api().auth.forgot({ body: { email: 'somebody@example.com' } });
      for (let sent = 0; sent < 5; sent++) await request();
      await expect(request()).rejects.toMatchObject({ status: 429, code: 'too_many_requests' });
    }));
});

describe('a password reset link', () => {
  test('sets the password once, ends every session and stream, and clears the need to change a one-time password', async () => {
    const made = await admin.api.users.create({ body: { name: 'Made Up', email: 'link@example.com' } });
    const { token } = await login(made.email, made.temporaryPassword ?? '');
    const user = { ...made, token, api: product.api(token) };
    const driver = await product.register('driver');
    const watcher = await watch(product, '/live', driver.token);
    for (const [account, id] of [
      [user, user.id],
      [driver, driver.id],
    ] as const) {
      const { url, expiresAt } = await admin.api.users.resetLink({ params: { id } });
      const left = Date.parse(expiresAt) - Date.now();
      expect(left).toBeGreaterThan(3_500_000);
      expect(left).toBeLessThanOrEqual(3_600_000);
      await reset(tokenOf(url));
      await expect(account.api.users.me()).rejects.toMatchObject({ status: 401 });
      await expect(reset(tokenOf(url), 'another secret')).rejects.toMatchObject(expired);
      expect(await login(account.email, 'a new secret')).toMatchObject({ mustChangePassword: false });
    }
    await eventually('the stream ends', () => watcher.bye() === 'session_ended');
    await expect(login(driver.email, password)).rejects.toMatchObject({ status: 401 });
  });

  test('works for one of two concurrent uses', async () => {
    const user = await product.register('owner');
    const token = tokenOf((await linkFor(user)).url);
    // Both requests wait for the lock on the account before either sets the password.
    const attempts = await product.ctx.db.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for update', [user.id]);
      const both = [reset(token, 'secret one'), reset(token, 'secret two')];
      for (const attempt of both) attempt.catch(() => {});
      await untilWaiting(tx, 2);
      return { both };
    });
    const results = await Promise.allSettled(attempts.both);
    const won = results.findIndex(({ status }) => status === 'fulfilled');
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: expired });
    await login(user.email, ['secret one', 'secret two'][won] ?? '');
  });

  test('wins a race against a change of the password with the old one', async () => {
    const user = await product.register('owner');
    const token = tokenOf((await linkFor(user)).url);
    const { resetting, changing } = await product.ctx.db.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for no key update', [user.id]);
      const resetting = reset(token, 'secret of the user');
      await untilWaiting(tx, 1);
      const changing = expect(
        user.api.users.changePassword({ body: { currentPassword: password, newPassword: 'secret of the thief' } }),
      ).rejects.toMatchObject({ status: 422, fields: { currentPassword: 'The current password is not right' } });
      await untilWaiting(tx, 2);
      return { resetting, changing };
    });
    await Promise.all([resetting, changing]);
    await login(user.email, 'secret of the user');
  });

  test.each([
    ['after an hour', (user: TestUser) => expire(user)],
    ['after a newer one', (user: TestUser) => linkFor(user)],
    [
      'after the password was changed',
      (user: TestUser) =>
        user.api.users.changePassword({ body: { currentPassword: password, newPassword: 'own secret' } }),
    ],
    ['after the account was deleted', (user: TestUser) => admin.api.users.remove({ params: { id: user.id } })],
    ['after a new role', (user: TestUser) => change(user, { role: 'admin' })],
    ['after a new permission list', (user: TestUser) => change(user, { permissions: ['packages.read'] })],
    ['after a new custom role', async (user: TestUser) => change(user, { roleId: (await makeRole()).id })],
    ['after a suspension, even if it has ended', suspendAndReactivate],
    ['after its maker was suspended', (_: TestUser, maker: TestUser) => change(maker, { status: 'suspended' })],
    ['after its maker was suspended and reactivated', (_: TestUser, maker: TestUser) => suspendAndReactivate(maker)],
    [
      'after its maker lost the right to make links',
      (_: TestUser, maker: TestUser) => change(maker, { permissions: ['users.read'] }),
    ],
    ['after its maker was deleted', (_: TestUser, maker: TestUser) => admin.api.users.remove({ params: maker })],
  ])('is invalid %s', async (_when, happens) => {
    const user = await product.register('owner');
    const maker = await product.register('admin');
    const { url } = await maker.api.users.resetLink({ params: { id: user.id } });
    await happens(user, maker);
    await expect(reset(tokenOf(url))).rejects.toMatchObject(expired);
  });

  const change = (user: TestUser, body: object) => admin.api.users.update({ params: { id: user.id }, body });
  async function suspendAndReactivate(user: TestUser) {
    await change(user, { status: 'suspended' });
    await change(user, { status: 'active' });
  }
  const makeRole = () =>
    admin.api.roles.create({ body: { name: `Role ${crypto.randomUUID()}`, permissions: ['packages.read'] } });

  test('is invalid once the permissions of its user’s custom role change, and stays valid when only its description does', async () => {
    const role = await makeRole();
    const user = await product.register('owner');
    await change(user, { roleId: role.id });
    const renamed = tokenOf((await linkFor(user)).url);
    await admin.api.roles.update({ params: { id: role.id }, body: { description: 'Another' } });
    await reset(renamed);
    for (const body of [{ permissions: ['packages.read', 'users.read'] as const }, { isActive: false }]) {
      const token = tokenOf((await linkFor(user)).url);
      await admin.api.roles.update({ params: { id: role.id }, body: body as object });
      await expect(reset(token)).rejects.toMatchObject(expired);
    }
  });

  test('grants no more rights than its maker has: a promotion invalidates it, and sessions opened before do not get the new rights', async () => {
    const helper = await product.register('admin');
    await change(helper, { permissions: ['users.update'] });
    const user = await product.register('owner');
    const { url } = await helper.api.users.resetLink({ params: { id: user.id } });
    await reset(tokenOf(url), 'known to the helper');
    const { token } = await login(user.email, 'known to the helper');
    await change(user, { role: 'admin' });
    await expect(product.api(token).users.list()).rejects.toMatchObject({ status: 403 });
    await expect(product.api(token).users.me()).resolves.toMatchObject({ gainedRights: true });
  });

  test('without a maker, as an older server leaves it, is invalid', async () => {
    const user = await product.register('owner');
    const { url } = await linkFor(user);
    await product.ctx.db.query('update password_resets set made_by = null where user_id = $1', [user.id]);
    await expect(reset(tokenOf(url))).rejects.toMatchObject(expired);
  });

  test('is in the audit log and the events with its maker, and its user is notified', async () => {
    const user = await product.register('owner');
    await linkFor(user);
    const { items } = await admin.api.audit.list({ query: { subject: user.id, act: 'password.link-made' } });
    expect(items).toMatchObject([{ actorId: admin.id, subjectId: user.id }]);
    const events = await product.ctx.db.query(
      "select actor_id from account_events where user_id = $1 and type = 'password.link-made'",
      [user.id],
    );
    expect(events).toEqual([{ actor_id: admin.id }]);
    await eventually('the user is told', async () => {
      const notifications = (await user.api.notifications.list()).items;
      return notifications.some(
        ({ type, title }) => type === 'password.link-made' && title === 'Link for a new password',
      );
    });
  });

  const expire = (user: TestUser) =>
    product.ctx.db.query("update password_resets set expires_at = now() - interval '1 second' where user_id = $1", [
      user.id,
    ]);

  test('is valid for an hour, and its token is stored only as a hash', async () => {
    const user = await product.register('owner');
    const { url } = await linkFor(user);
    const token = tokenOf(url);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const [row] = await product.ctx.db.query<{ row: string }>(
      'select r::text as row from password_resets r where user_id = $1',
      [user.id],
    );
    expect(row?.row).not.toContain(token);
    expect(row?.row).not.toContain(Buffer.from(token).toString('hex'));
    await product.ctx.db.query("update password_resets set expires_at = expires_at - interval '59 minutes'");
    await reset(token);
  });

  test('is not stored as the reply of an Idempotency-Key: a repeated request gets a new link', async () => {
    const user = await product.register('owner');
    const send = () =>
      product.app.inject({
        method: 'POST',
        url: `/api/users/${user.id}/reset-link`,
        headers: { authorization: `Bearer ${admin.token}`, 'idempotency-key': 'the-same' },
      });
    const [first, second] = [(await send()).json<{ url: string }>(), (await send()).json<{ url: string }>()];
    await expect(reset(tokenOf(first.url))).rejects.toMatchObject(expired);
    await reset(tokenOf(second.url));
    const storedReplies = await product.ctx.db.query("select 1 from idempotency_keys where path like '%reset-link%'");
    expect(storedReplies).toEqual([]);
  });

  test('never uses the Host of a request; without PUBLIC_URL it is created only for this machine', async () => {
    const user = await product.register('owner');
    const make = (at: TestProduct, by: TestUser, headers: Record<string, string>) =>
      at.app.inject({
        method: 'POST',
        url: `/api/users/${by.id}/reset-link`,
        headers: { authorization: `Bearer ${by.token}`, ...headers },
      });
    for (const headers of [{ host: 'evil.example' }, { 'x-forwarded-host': 'evil.example' }] as Record<
      string,
      string
    >[]) {
      const refused = await make(product, admin, headers);
      expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'public_url_missing' }]);
    }
    expect((await make(product, admin, { host: '127.0.0.1:4000' })).json()).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4000\/reset#/),
    });
    for (const config of [{ HOST: '0.0.0.0' }, { TRUST_PROXY: 'on' }] as Record<string, string>[]) {
      const outside = await openTestProduct({ beside: product, config, runsJobs: false });
      expect((await make(outside, admin, { host: 'localhost' })).json()).toMatchObject({ code: 'public_url_missing' });
      // Other requests are not refused because of their Host.
      const answer = await outside.app.inject({ url: '/api/auth/sign-up', headers: { host: 'evil.example' } });
      expect(answer.statusCode).toBe(200);
      await outside.close();
    }
    const withPublicUrl = await openTestProduct({
      beside: product,
      config: { PUBLIC_URL: 'https://parcels.example', TRUST_PROXY: 'on' },
      runsJobs: false,
    });
    const link = await withPublicUrl.app.inject({
      method: 'POST',
      url: `/api/users/${user.id}/reset-link`,
      headers: { authorization: `Bearer ${admin.token}`, host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect(link.json()).toMatchObject({ url: expect.stringMatching(/^https:\/\/parcels\.example\/reset#/) });
    await withPublicUrl.close();
  });

  test('has the origin of PUBLIC_URL, else that of the local request; the token is only in the fragment', async () => {
    const user = await product.register('owner');
    expect((await linkFor(user)).url).toMatch(/^http:\/\/[\w.:]+\/reset#token=[\w-]{43}$/);
    await withProduct(
      { config: { PUBLIC_URL: 'https://parcels.example/base/', ADMIN_SIGNUP: 'open' }, runsJobs: false },
      async (other, by) => {
        const { url } = await by.api.users.resetLink({ params: { id: by.id } });
        expect(url).toMatch(/^https:\/\/parcels\.example\/base\/reset#token=[\w-]{43}$/);
      },
    );
  });

  test('a wrong token is refused before any hashing, and guesses are rate-limited', () =>
    withProduct({ config: { RATE_LIMITS: 'on' }, runsJobs: false }, async (other) => {
      const guess = () => other.api().auth.reset({ body: { token: 'x'.repeat(43), password } });
      for (let guesses = 0; guesses < 20; guesses++) await expect(guess()).rejects.toMatchObject(expired);
      await expect(guess()).rejects.toMatchObject({ status: 429 });
    }));
});
