import type { ApiError } from '@waybill/contract';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  eventually,
  inject,
  openTestProduct,
  password,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';
import { removeTotpByEmail } from './second-factor.ts';

let product: TestProduct;
let clock = new Date('2026-11-22T10:00:00Z');
// Each test starts in a new TOTP step, after the failure windows of the previous test.
const pass = (ms = 30_000) => void (clock = new Date(clock.getTime() + ms));
beforeAll(async () => {
  product = await openTestProduct({
    runsJobs: false,
    now: () => clock,
    config: { RATE_LIMITS: 'login=1000/60', DEMO: 'on', PUBLIC_URL: 'http://localhost:3000' },
  });
});
afterAll(() => product.close());
beforeEach(() => pass(7_200_000));

const codeOf = (secret: string, at = clock) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
const login = (email: string, code?: string) =>
  product.api().auth.login({ body: { email, password, ...(code !== undefined && { code }) } });

/** Sets up a second factor, and waits for the next code. */
async function enrol(user: TestUser) {
  const { secret, url } = await user.api.users.startTotp();
  const { recoveryCodes } = await user.api.users.confirmTotp({ body: { code: codeOf(secret) } });
  pass();
  return { secret, url, recoveryCodes };
}

describe('a second factor', () => {
  test('is required once it is confirmed by a code, and asked for only with the right password', async () => {
    const owner = await product.register('owner');
    const { secret, url } = await owner.api.users.startTotp();
    expect(new URL(url).searchParams.get('secret')).toBe(secret);
    await login(owner.email);
    // Also six characters that are more than six bytes.
    for (const code of ['000000', '12345é', '١٢٣٤٥٦']) {
      await expect(owner.api.users.confirmTotp({ body: { code } })).rejects.toMatchObject({
        status: 422,
        fields: { code: 'This code is not right. Please try again.' },
      });
    }
    await owner.api.users.confirmTotp({ body: { code: codeOf(secret) } });
    expect(await owner.api.users.me()).toMatchObject({ secondFactor: true });
    await expect(login(owner.email)).rejects.toMatchObject({ status: 401, code: 'totp_required' });
    await expect(login(owner.email, '000000')).rejects.toMatchObject({ status: 401, code: 'totp_wrong' });
    const wrong = product
      .api()
      .auth.login({ body: { email: owner.email, password: 'wrong password', code: '000000' } });
    await expect(wrong).rejects.toMatchObject({
      status: 401,
      code: 'invalid_credentials',
      message: 'Invalid email or password. Please try again.',
    });
    pass();
    expect(await login(owner.email, codeOf(secret))).toMatchObject({ id: owner.id, secondFactor: true });
  });

  test('being set up can be cancelled, which forgets its secret; a confirmed one stays', async () => {
    const owner = await product.register('owner');
    const { secret } = await owner.api.users.startTotp();
    await owner.api.users.cancelTotp();
    const confirm = owner.api.users.confirmTotp({ body: { code: codeOf(secret) } });
    await expect(confirm).rejects.toMatchObject({ status: 409, message: 'No second factor is being set up' });
    const confirmed = await enrol(owner);
    await owner.api.users.cancelTotp();
    await login(owner.email, codeOf(confirmed.secret));
  });

  test('accepts a code once, 30 s early or late, and none older', async () => {
    const owner = await product.register('owner');
    const { secret } = await enrol(owner);
    const code = codeOf(secret);
    await login(owner.email, code);
    await expect(login(owner.email, code)).rejects.toMatchObject({ code: 'totp_wrong' });
    pass(60_000);
    await expect(login(owner.email, code)).rejects.toMatchObject({ code: 'totp_wrong' });
    await login(owner.email, codeOf(secret, new Date(clock.getTime() + 30_000)));
    await expect(login(owner.email, codeOf(secret))).rejects.toMatchObject({ code: 'totp_wrong' });
  });

  test('throttles wrong codes like wrong passwords', async () => {
    const owner = await product.register('owner');
    const { secret } = await enrol(owner);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      // The right password without a code does not reset the counter.
      await login(owner.email).catch(() => {});
      statuses.push(
        await login(owner.email, '000000').then(
          () => 200,
          (error: ApiError) => error.status,
        ),
      );
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    pass();
    await login(owner.email, codeOf(secret));
  });

  test('can be replaced by each of ten recovery codes once, and new codes invalidate the old ones', async () => {
    const owner = await product.register('owner');
    const { secret, recoveryCodes } = await enrol(owner);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    await login(owner.email, first.toUpperCase().replaceAll('-', ' '));
    await expect(login(owner.email, first)).rejects.toMatchObject({ code: 'totp_wrong' });
    const { recoveryCodes: fresh } = await owner.api.users.makeRecoveryCodes({
      body: { password, code: codeOf(secret) },
    });
    await expect(login(owner.email, second)).rejects.toMatchObject({ code: 'totp_wrong' });
    await login(owner.email, fresh[0]);
  });

  test('is removed by its user with password and code, not with one of them', async () => {
    const owner = await product.register('owner');
    const { secret } = await enrol(owner);
    const remove = (body: { password: string; code: string }) => owner.api.users.removeTotp({ body });
    await expect(remove({ password: 'wrong', code: codeOf(secret) })).rejects.toMatchObject({
      status: 422,
      fields: { password: 'The password is not right' },
    });
    await expect(remove({ password, code: '000000' })).rejects.toMatchObject({
      status: 422,
      fields: { code: expect.any(String) },
    });
    await remove({ password, code: codeOf(secret) });
    expect(await login(owner.email)).toMatchObject({ secondFactor: false });
  });

  test('can be removed by users who may change the account and from the command line, which is audited', async () => {
    const [admin, helper, owner] = [
      await product.register('admin'),
      await product.register('admin'),
      await product.register('owner'),
    ];
    await admin.api.users.update({ params: { id: helper.id }, body: { permissions: ['users.update'] } });
    helper.api = product.api((await login(helper.email)).token);
    await enrol(owner);
    const remove = (by: TestUser, id: string) => by.api.users.removeTotpOf({ params: { id } });
    await expect(remove(owner, admin.id)).rejects.toMatchObject({ status: 403 });
    await enrol(admin);
    await expect(remove(helper, admin.id)).rejects.toMatchObject({ status: 403 });
    await remove(helper, owner.id);
    await login(owner.email);
    const { items } = await admin.api.audit.list({ query: { act: 'second-factor.removed', subject: owner.id } });
    expect(items).toMatchObject([{ actorId: helper.id, subjectId: owner.id }]);
    expect(await removeTotpByEmail(product.ctx.db, admin.email)).toBe(true);
    expect(await removeTotpByEmail(product.ctx.db, admin.email)).toBe(false);
    await login(admin.email);
  });

  test('reveals neither secret nor recovery codes in any answer, export or event', async () => {
    const [admin, owner] = [await product.register('admin'), await product.register('owner')];
    const { secret, recoveryCodes } = await enrol(owner);
    const outputs = [
      await owner.api.users.me(),
      await admin.api.users.list({ query: { limit: 200 } }),
      await (await admin.api.users.exportAll()).text(),
      await product.ctx.db.query('select * from account_events'),
      await product.ctx.db.query('select * from audit'),
      await product.ctx.db.query('select hash::text from recovery_codes'),
    ];
    for (const hidden of [secret, ...recoveryCodes]) expect(JSON.stringify(outputs)).not.toContain(hidden);
    await expect(owner.api.users.startTotp()).rejects.toMatchObject({ status: 409 });
  });
});

test('where it is required, administrators can do nothing else until it is set up; other users are not affected', async () => {
  const strict = await openTestProduct({
    runsJobs: false,
    beside: product,
    now: () => clock,
    config: { ADMIN_TOTP: 'required' },
  });
  const [admin, owner] = [await product.register('admin'), await product.register('owner')];
  const api = strict.api(admin.token);
  expect(await api.users.me()).toMatchObject({ mustSetUpSecondFactor: true });
  await expect(api.users.list()).rejects.toMatchObject({ status: 403, code: 'second_factor_required' });
  await expect(api.notifications.list()).rejects.toMatchObject({ code: 'second_factor_required' });
  await strict.api(owner.token).notifications.list();
  await enrol({ ...admin, api });
  expect(await api.users.me()).not.toHaveProperty('mustSetUpSecondFactor');
  await api.users.list();
  await strict.close();
});

test('administrators can require it in the settings, effective with the next request', async () => {
  const other = await openTestProduct({ runsJobs: false });
  const admin = await other.register('admin');
  await admin.api.settings.update({ body: { adminTotp: 'required' } });
  await eventually('it is asked for', async () =>
    admin.api.users.list().then(
      () => false,
      ({ code }: ApiError) => code === 'second_factor_required',
    ),
  );
  await other.close();
});

describe('15 minutes after the password was entered', () => {
  const age = (user: TestUser, past: string) =>
    product.ctx.db.query(`update sessions set proved_at = now() - interval '${past}' where user_id = $1`, [user.id]);

  test('rights, settings, reset links, exports and the second factor require it again, and work once it is entered', async () => {
    const [admin, owner] = [await product.register('admin'), await product.register('owner')];
    const leaving = await product.register('owner');
    const params = { id: owner.id };
    const role = await admin.api.roles.create({ body: { name: 'Some role', permissions: [] } });
    const acts: Record<string, () => Promise<unknown>> = {
      'a change of rights': () => admin.api.users.update({ params, body: { status: 'suspended' } }),
      'a new account': () => admin.api.users.create({ body: { name: 'Made Up', email: 'made@example.com' } }),
      'a role': () => admin.api.roles.create({ body: { name: 'Another role', permissions: [] } }),
      'a change of a role': () => admin.api.roles.update({ params: { id: role.id }, body: { name: 'Renamed' } }),
      'the end of a role': () => admin.api.roles.remove({ params: { id: role.id } }),
      'a link': () => admin.api.users.resetLink({ params }),
      'the second factor of another': () => admin.api.users.removeTotpOf({ params }),
      'the end of an account': () => admin.api.users.remove({ params: { id: leaving.id } }),
      'a setting': () => admin.api.settings.update({ body: { adminSignUp: 'open' } }),
      'an export of users': () => admin.api.users.exportAll(),
      'an export of packages': () => admin.api.packages.exportAll(),
      'one’s own second factor': () => admin.api.users.startTotp(),
    };
    await age(admin, '15 minutes 1 second');
    for (const [name, act] of Object.entries(acts))
      await expect(act(), name).rejects.toMatchObject({ status: 403, code: 'password_required' });
    await admin.api.users.list();
    const confirm = (secret: string) => admin.api.auth.confirm({ body: { password: secret } });
    await expect(confirm('wrong')).rejects.toMatchObject({
      status: 422,
      fields: { password: 'The password is not right' },
    });
    await expect(acts['a link']?.()).rejects.toMatchObject({ code: 'password_required' });
    await confirm(password);
    for (const act of Object.values(acts)) await act();
    await age(admin, '14 minutes 59 seconds');
    await admin.api.users.exportAll();
  });

  test('without the permission the answer is still forbidden, and a wrong password counts as a failed sign-in', async () => {
    const owner = await product.register('owner');
    await age(owner, '1 hour');
    await expect(owner.api.users.exportAll()).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      const { status } = await inject(product.app, '/api/auth/confirm', {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ password: `guess ${guess}` }),
      });
      statuses.push(status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});
