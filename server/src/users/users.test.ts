import { builtInRoles, type Role } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestProduct, password, untilWaiting, type TestProduct, type TestUser } from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin');
});
afterAll(() => product.close());

let created = 0;
const newEmail = () => `person${++created}@example.com`;
const register = (fields: object) =>
  product.api().auth.register({ body: { name: 'Anna Berg', email: newEmail(), password, role: 'owner', ...fields } });
const login = (email: string, secret = password) => product.api().auth.login({ body: { email, password: secret } });

describe('registration', () => {
  test('returns the user and a valid token', async () => {
    const email = newEmail();
    const { token, ...user } = await register({ email, role: 'driver' });
    expect(user).toMatchObject({
      name: 'Anna Berg',
      email,
      role: 'driver',
      status: 'active',
      permissions: null,
      roleId: builtInRoles.driver.id,
    });
    expect(user.permissionsInForce).toEqual([
      'packages.read',
      'packages.track',
      'deliveries.read',
      'deliveries.claim',
      'deliveries.update',
      'deliveries.complete',
      'users.read',
    ]);
    expect(user).not.toHaveProperty('password_hash');
    expect(await product.api(token).users.me()).toEqual(user);
  });

  test('creates an owner by default', async () => {
    const user = await product.api().auth.register({ body: { name: 'Anna Berg', email: newEmail(), password } });
    expect(user.role).toBe('owner');
  });

  test.each([
    ['name', { name: 'A' }, 'Name must be at least 2 characters'],
    ['name', { name: ' A ' }, 'Name must be at least 2 characters'],
    ['name', { name: 'x'.repeat(121) }, 'Name must be at most 120 characters'],
    ['name', { name: 'Anna\u0000Berg' }, 'Name contains characters that are not allowed'],
    ['email', { email: 'anna' }, 'Please enter a valid email address'],
    ['email', { email: 7 }, 'Please enter a valid email address'],
    ['password', { password: '12345' }, 'Password must be at least 6 characters'],
    ['password', { password: 'x'.repeat(129) }, 'Password must be at most 128 characters'],
    ['role', { role: 'king' }, /owner/],
    ['status', { status: 'active' }, 'This field is not known'],
    ['permissions', { permissions: ['admin.access'] }, 'This field is not known'],
  ])('refuses an invalid %s %j', async (field, fields, message) => {
    const error = await register(fields).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 422, code: 'invalid' });
    const faults = (error as { fields: Record<string, string> }).fields;
    expect(Object.keys(faults)).toEqual([field]);
    expect(faults[field]).toMatch(message);
  });

  test('reports all invalid fields at once', async () => {
    await expect(register({ name: '', email: '', password: '' })).rejects.toMatchObject({
      fields: {
        name: 'Name must be at least 2 characters',
        email: 'Please enter a valid email address',
        password: 'Password must be at least 6 characters',
      },
    });
  });

  test('accepts an email address once, in any case', async () => {
    const email = newEmail();
    expect((await register({ email: email.toUpperCase() })).email).toBe(email);
    await expect(register({ email })).rejects.toMatchObject({
      status: 409,
      code: 'email_taken',
      fields: { email: 'This email address is already registered' },
    });
  });

  test('of ten concurrent registrations of one email address, one succeeds', async () => {
    const email = newEmail();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => register({ email })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'email_taken' });
  });
});

describe('the sign-up policy', () => {
  const withPolicy = async (config: Record<string, string>, work: (product: TestProduct) => Promise<void>) => {
    const other = await openTestProduct({ config, runsJobs: false });
    try {
      await work(other);
    } finally {
      await other.close();
    }
  };
  const signUp = (other: TestProduct, role: Role) =>
    other.api().auth.register({ body: { name: 'Anna Berg', email: newEmail(), password, role } });

  test('is open for all roles where only this machine reaches the server', async () => {
    expect(await product.api().auth.signUpPolicy()).toEqual({ owner: 'open', driver: 'open', admin: 'open' });
  });

  test.each<Record<string, string>>([
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://waybill.example.com' },
    { TRUST_PROXY: 'on' },
  ])('requires approval of drivers and administrators when others can reach the server: %j', (config) =>
    withPolicy(config, async (other) => {
      expect(await other.api().auth.signUpPolicy()).toEqual({ owner: 'open', driver: 'approval', admin: 'approval' });
    }),
  );

  test.each<Record<string, string>>([
    { host: 'waybill.example.com' },
    { host: '192.0.2.7:3000' },
    { host: 'localhost.example.com' },
    { 'x-forwarded-for': '203.0.113.5' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=203.0.113.5' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '203.0.113.5' },
    { origin: 'http://evil.example:4131' },
    { origin: 'null' },
  ])('that is open by default requires approval for requests from elsewhere: %j', (headers) =>
    withPolicy({}, async (other) => {
      const registerAs = (role: string, more: object = headers) =>
        other.app.inject({
          method: 'POST',
          url: '/api/auth/register',
          headers: { ...more },
          payload: { name: 'Anna Berg', email: newEmail(), password, role },
        });
      const policy = await other.app.inject({ url: '/api/auth/sign-up', headers });
      expect(policy.json()).toEqual({ owner: 'open', driver: 'approval', admin: 'approval' });
      for (const role of ['admin', 'driver']) {
        const answer = await registerAs(role);
        expect([answer.statusCode, answer.json()]).toMatchObject([201, { status: 'inactive', permissionsInForce: [] }]);
        const { token } = answer.json<{ token: string }>();
        await expect(other.api(token).notifications.list()).rejects.toMatchObject({ status: 403, code: 'not_active' });
      }
      expect((await registerAs('owner')).json()).toMatchObject({ status: 'active' });
      for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', '127.8.0.1:80'])
        expect((await registerAs('admin', { host, origin: `http://${host}` })).json()).toMatchObject({
          status: 'active',
        });
    }),
  );

  test('that is set explicitly applies to all requests, wherever they come from', () =>
    withPolicy({ ADMIN_SIGNUP: 'open', DRIVER_SIGNUP: 'approval' }, async (other) => {
      const answer = await other.app.inject({ url: '/api/auth/sign-up', headers: { host: 'waybill.example.com' } });
      expect(answer.json()).toEqual({ owner: 'open', driver: 'approval', admin: 'open' });
    }));

  test('with approval, the new account has a token and no rights until an administrator activates it', () =>
    withPolicy({ DRIVER_SIGNUP: 'approval' }, async (other) => {
      const first = await other.register('admin');
      const driver = await signUp(other, 'driver');
      expect(driver.status).toBe('inactive');
      expect(driver.permissionsInForce).toEqual([]);
      const own = other.api(driver.token);
      await expect(own.deliveries.pending()).rejects.toMatchObject({ status: 403, code: 'not_active' });
      await first.api.users.update({ params: { id: driver.id }, body: { status: 'active' } });
      await expect(own.deliveries.pending()).resolves.toMatchObject({ items: [] });
    }));

  test('closed, it refuses with 403 and creates no account', () =>
    withPolicy({ ADMIN_SIGNUP: 'closed', DRIVER_SIGNUP: 'closed' }, async (other) => {
      for (const role of ['admin', 'driver'] as const) {
        await expect(signUp(other, role)).rejects.toMatchObject({ status: 403, code: 'sign_up_closed' });
      }
      await signUp(other, 'owner');
      const [count] = await other.ctx.db.query<{ count: string }>('select count(*) from users');
      expect(count).toEqual({ count: '1' });
    }));
});

describe('signing in', () => {
  test('needs only email address and password, in any case of the address', async () => {
    const { email, id } = await product.register('owner');
    const user = await login(email.toUpperCase());
    expect(user.id).toBe(id);
    expect(user.lastLogin).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('gives the same answer for an unknown email address and a wrong password', async () => {
    const { email } = await product.register('owner');
    const wrong = await login(email, 'wrong password').catch((error: unknown) => error);
    const unknown = await login(newEmail(), 'wrong password').catch((error: unknown) => error);
    for (const error of [wrong, unknown]) {
      expect(error).toMatchObject({
        status: 401,
        code: 'invalid_credentials',
        message: 'Invalid email or password. Please try again.',
      });
    }
  });

  test('validates the input before any lookup', async () => {
    await expect(login('nobody', '123')).rejects.toMatchObject({
      status: 422,
      fields: { email: 'Please enter a valid email address', password: 'Password must be at least 6 characters' },
    });
  });

  test('stores tokens and passwords only as hashes', async () => {
    const { token, email } = await product.register('owner');
    const rows = await product.ctx.db.query<{ row: string }>(
      'select u::text || s::text as row from users u join sessions s on s.user_id = u.id where u.email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).toContain('$argon2id$v=19$');
    for (const secret of [token, password, Buffer.from(token).toString('hex')])
      expect(rows[0]?.row).not.toContain(secret);
  });

  test('a full queue for password hashes answers 503, and later requests succeed', async () => {
    const crowded = await openTestProduct({ runsJobs: false });
    const everybody = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 ? crowded.register('owner') : crowded.api().auth.login({ body: { email: newEmail(), password } }),
      ),
    );
    const reasons = everybody.map((result) =>
      result.status === 'rejected' ? (result.reason as { status: number }).status : 201,
    );
    expect(reasons).toContain(503);
    expect(reasons.filter((status) => ![201, 401, 503].includes(status))).toEqual([]);
    await expect(crowded.api().auth.login({ body: { email: newEmail(), password } })).rejects.toMatchObject({
      status: 401,
    });
    await crowded.register('owner');
    await crowded.close();
  });
});

describe('sessions', () => {
  test('are listed with the current one marked, and can be ended one by one', async () => {
    const { api, email } = await product.register('owner');
    const phone = await login(email);
    const sessions = await api.users.sessions();
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const other = sessions.find(({ current }) => !current);
    await api.users.endSession({ params: { id: other?.id ?? '' } });
    await expect(product.api(phone.token).users.me()).rejects.toMatchObject({ status: 401 });
    await expect(api.users.endSession({ params: { id: other?.id ?? '' } })).rejects.toMatchObject({ status: 404 });
    expect(await api.users.sessions()).toHaveLength(1);
  });

  test('end at logout, only the current one', async () => {
    const { api, token, email } = await product.register('owner');
    const other = await login(email);
    await api.auth.logout();
    await expect(product.api(token).users.me()).rejects.toMatchObject({
      status: 401,
      message: 'Authentication required. Please log in again.',
    });
    await product.api(other.token).users.me();
  });

  test.each([
    ['unused for 7 days', "last_used_at = now() - interval '7 days 1 second'", 401],
    ['unused for almost 7 days', "last_used_at = now() - interval '6 days 23 hours'", 200],
    ['open for 30 days', "created_at = now() - interval '30 days 1 second', last_used_at = now()", 401],
  ])('that were %s answer with the expected status', async (_when, change, status) => {
    const { api, id } = await product.register('owner');
    await product.ctx.db.query(`update sessions set ${change} where user_id = $1`, [id]);
    const answer = await api.users.me().then(
      () => 200,
      (error: { status: number }) => error.status,
    );
    expect(answer).toBe(status);
  });

  test('that are used do not time out', async () => {
    const { api, id } = await product.register('owner');
    await product.ctx.db.query("update sessions set last_used_at = now() - interval '6 days' where user_id = $1", [id]);
    await api.users.me();
    const [session] = await product.ctx.db.query<{ fresh: boolean }>(
      "select last_used_at > now() - interval '1 minute' as fresh from sessions where user_id = $1",
      [id],
    );
    expect(session).toEqual({ fresh: true });
  });
});

describe('a new password', () => {
  const change = (user: TestUser, currentPassword: string, newPassword: string) =>
    user.api.users.changePassword({ body: { currentPassword, newPassword } });

  test('ends every other session and works at the next sign-in, where the old one fails', async () => {
    const user = await product.register('driver');
    const other = await login(user.email);
    await change(user, password, 'a new secret');
    await expect(product.api(other.token).users.me()).rejects.toMatchObject({ status: 401 });
    await user.api.users.me();
    await expect(login(user.email)).rejects.toMatchObject({ status: 401 });
    await login(user.email, 'a new secret');
  });

  test('needs the current one', async () => {
    const user = await product.register('driver');
    await expect(change(user, 'wrong', 'a new secret')).rejects.toMatchObject({
      status: 422,
      fields: { currentPassword: 'The current password is not right' },
    });
    await expect(change(user, password, '12345')).rejects.toMatchObject({
      fields: { newPassword: 'Password must be at least 6 characters' },
    });
    await login(user.email);
  });

  test('refuses a concurrent sign-in with the old one', async () => {
    const user = await product.register('driver');
    const { changing, entering } = await product.ctx.db.transaction(async (tx) => {
      await tx.query('select from users where id = $1 for no key update', [user.id]);
      const changing = change(user, password, 'a new secret');
      await untilWaiting(tx, 1);
      const entering = expect(login(user.email)).rejects.toMatchObject({ status: 401, code: 'invalid_credentials' });
      await untilWaiting(tx, 2);
      return { changing, entering };
    });
    await Promise.all([changing, entering]);
    expect(await user.api.users.sessions()).toMatchObject([{ current: true }]);
  });
});

describe('the profile', () => {
  test('updates the given fields, clears those that are null or blank, and keeps the rest', async () => {
    const { api } = await product.register('driver');
    await api.users.updateProfile({
      body: {
        name: 'Dora Driver',
        phone: '+4915112345678',
        yearsOfExperience: 7,
        vehicleInfo: { type: 'Van', model: 'Transit', licensePlate: 'B-WB 1' },
        currentLocation: 'Depot',
      },
    });
    await api.users.updateProfile({ body: { phone: '', profilePicture: '', vehicleInfo: { type: 'Bike' } } });
    expect(await api.users.me()).toMatchObject({
      name: 'Dora Driver',
      phone: null,
      profilePicture: null,
      yearsOfExperience: 7,
      vehicleInfo: { type: 'Bike', model: null, licensePlate: null },
      currentLocation: 'Depot',
    });
    await api.users.updateProfile({ body: { vehicleInfo: null, yearsOfExperience: null } });
    expect(await api.users.me()).toMatchObject({
      vehicleInfo: null,
      yearsOfExperience: null,
      currentLocation: 'Depot',
    });
  });

  test('has what a vehicle can carry and where its routes begin: omitted limits stay, and administrators may set them', async () => {
    const admin = await product.register('admin');
    const { api, id } = await product.register('driver');
    const vehicle = { type: 'Van', capacityKg: 800, maxStops: 60, skills: ['refrigerated' as const], gramsPerKm: 0 };
    await api.users.updateProfile({ body: { vehicleInfo: vehicle, startPlace: { lon: 9.99, lat: 53.55 } } });
    const startPlace = { lon: 9.99, lat: 53.55, accuracy: 'pin', source: 'pin' };
    expect(await api.users.me()).toMatchObject({ vehicleInfo: vehicle, startPlace, endPlace: null });
    await api.users.updateProfile({ body: { vehicleInfo: { type: 'Truck' } } });
    expect(await api.users.me()).toMatchObject({ vehicleInfo: { ...vehicle, type: 'Truck' }, startPlace });
    const changed = await admin.api.users.update({
      params: { id },
      body: { vehicleInfo: { capacityKg: 1200.5, maxStops: null, skills: [] }, startPlace: null, endPlace: startPlace },
    });
    expect(changed).toMatchObject({
      vehicleInfo: { type: null, capacityKg: 1200.5, maxStops: null, skills: [], gramsPerKm: 0 },
      startPlace: null,
      endPlace: startPlace,
    });
    await api.users.updateProfile({ body: { vehicleInfo: null } });
    expect(await api.users.me()).toMatchObject({ vehicleInfo: null, endPlace: startPlace });
  });

  test.each([
    [{ name: 'D' }, 'name'],
    [{ vehicleInfo: { capacityKg: 0 } }, 'vehicleInfo.capacityKg'],
    [{ vehicleInfo: { maxStops: 1.5 } }, 'vehicleInfo.maxStops'],
    [{ vehicleInfo: { skills: ['flying'] } }, 'vehicleInfo.skills.0'],
    [{ startPlace: { lon: 200, lat: 0 } }, 'startPlace.lon'],
    [{ phone: '0151 12345' }, 'phone'],
    [{ yearsOfExperience: -1 }, 'yearsOfExperience'],
    [{ yearsOfExperience: '7' }, 'yearsOfExperience'],
    [{ vehicleInfo: { model: 'x'.repeat(81) } }, 'vehicleInfo.model'],
  ])('refuses %j', async (fields, path) => {
    const { api } = await product.register('driver');
    const error = await api.users.updateProfile({ body: fields as object }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 422, code: 'invalid' });
    expect(Object.keys((error as { fields: object }).fields)).toEqual([path]);
  });

  test('sent back whole changes only the fields that users may change', async () => {
    const { api, token } = await product.register('driver');
    const before = await api.users.me();
    const ignored = {
      token,
      role: 'admin',
      status: 'inactive',
      permissions: ['admin.access'],
      email: 'new@example.com',
      id: 'x',
    };
    const after = await api.users.updateProfile({ body: { ...before, ...ignored, name: 'Another Name' } });
    expect(after).toEqual({ ...before, name: 'Another Name', updatedAt: after.updatedAt });
    expect(await api.users.me()).toEqual(after);
  });
});

describe('the administrators’ list of users', () => {
  test('is filtered by role, status and text, and paginated newest first', async () => {
    const mark = `Zq${created++}`;
    const made = [];
    for (const role of ['owner', 'driver', 'driver', 'driver'] as const)
      made.push(await product.register(role, `${mark} ${role}`));
    await admin.api.users.update({ params: { id: made[3]?.id ?? '' }, body: { status: 'suspended' } });
    const list = (query: object) => admin.api.users.list({ query: { q: mark, ...query } });
    expect((await list({})).items.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
    expect((await list({ role: 'driver' })).items).toHaveLength(3);
    expect((await list({ status: 'suspended' })).items.map(({ id }) => id)).toEqual([made[3]?.id]);
    const first = await list({ limit: 3, count: true });
    expect(first.total).toBe(4);
    const second = await list({ limit: 3, cursor: first.next ?? '' });
    expect(second.items.map(({ id }) => id)).toEqual([made[0]?.id]);
    expect(second.next).toBeNull();
    expect((await list({ q: `${mark}%` })).items).toEqual([]);
    expect((await list({ q: made[0]?.email.toUpperCase() })).items.map(({ id }) => id)).toEqual([made[0]?.id]);
  });
});

describe('an administrator’s change of an account', () => {
  test('ignores email and password that a form sends along', async () => {
    const user = await product.register('owner');
    const changed = await admin.api.users.update({
      params: { id: user.id },
      body: {
        name: 'Renamed',
        email: 'other@example.com',
        password: 'another secret',
        temporaryPassword: 'another secret',
        role: 'owner',
        status: 'active',
      },
    });
    expect(changed).toMatchObject({ name: 'Renamed', email: user.email });
    await login(user.email);
  });

  test('refuses unknown roles, statuses, permissions and fields', async () => {
    const { id } = await product.register('owner');
    for (const [body, field] of [
      [{ role: 'package_owner' }, 'role'],
      [{ status: 'gone' }, 'status'],
      [{ permissions: ['packages.everything'] }, 'permissions.0'],
      [{ passwordHash: 'x' }, 'passwordHash'],
    ] as [object, string][]) {
      const error = await admin.api.users.update({ params: { id }, body }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ status: 422 });
      expect(Object.keys((error as { fields: object }).fields)).toEqual([field]);
    }
    await expect(admin.api.users.update({ params: { id: crypto.randomUUID() }, body: {} })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('revokes rights at once: a suspended user can only read the own account, sign out and sign in', async () => {
    const user = await product.register('owner');
    await admin.api.users.update({ params: { id: user.id }, body: { status: 'suspended' } });
    expect(await user.api.users.me()).toMatchObject({ status: 'suspended', permissionsInForce: [] });
    await expect(user.api.packages.listOfUser({ params: { id: user.id } })).rejects.toMatchObject({
      status: 403,
      message: 'Your account is not active. Please contact support.',
    });
    await expect(user.api.users.updateProfile({ body: { name: 'Me again' } })).rejects.toMatchObject({ status: 403 });
    const again = await login(user.email);
    expect(again.status).toBe('suspended');
    await product.api(again.token).auth.logout();
    await admin.api.users.update({ params: { id: user.id }, body: { status: 'active' } });
    await user.api.packages.listOfUser({ params: { id: user.id } });
  });

  test('grants the permissions of a new role with the next sign-in', async () => {
    const user = await product.register('owner');
    await expect(user.api.deliveries.pending()).rejects.toMatchObject({ status: 403 });
    await admin.api.users.update({ params: { id: user.id }, body: { role: 'driver' } });
    await expect(user.api.deliveries.pending()).rejects.toMatchObject({ status: 403 });
    await product.api((await login(user.email)).token).deliveries.pending();
  });

  test('never removes the last active administrator, even in a race', async () => {
    const alone = await openTestProduct({ runsJobs: false });
    const first = await alone.register('admin');
    const second = await alone.register('admin');
    const suspend = (by: TestUser, target: TestUser) =>
      by.api.users.update({ params: { id: target.id }, body: { status: 'suspended' } });
    for (const body of [{ status: 'suspended' }, { status: 'inactive' }, { role: 'owner' }] as const) {
      const results = await Promise.allSettled([
        first.api.users.update({ params: { id: second.id }, body }),
        second.api.users.update({ params: { id: first.id }, body }),
      ]);
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
      const [left] = await alone.ctx.db.query<{ count: string }>(
        "select count(*) from users where role = 'admin' and status = 'active'",
      );
      expect(Number(left?.count)).toBeGreaterThanOrEqual(1);
      await alone.ctx.db.query("update users set role = 'admin', status = 'active'");
    }
    await suspend(first, second);
    await expect(suspend(first, first)).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      message: 'The last active administrator cannot be deleted, demoted or suspended, nor lose permissions',
    });
    await first.api.users.update({ params: { id: first.id }, body: { name: 'Still here' } });
    await alone.close();
  });
});
