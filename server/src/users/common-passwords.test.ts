import type { ApiError } from '@waybill/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestProduct, password, type TestProduct, type TestUser } from '../testing/test-product.ts';
import { createAdmin, ensureFirstAdmin } from './service.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct({ runsJobs: false, config: { PUBLIC_URL: 'http://localhost:3000' } });
  admin = await product.register('admin');
});
afterAll(() => product.close());

const tooCommon = 'This password is too common. Please choose another one.';

test.each([
  '123456',
  'password',
  'PassWord1',
  'qwerty123',
  'iloveyou',
  'Waybill2026!',
  'anna.berg@Example.com',
  'anna.berg',
])('registration rejects the common password %s', async (common) => {
  const body = { name: 'Anna Berg', email: 'anna.berg@example.com', password: common };
  await expect(product.api().auth.register({ body })).rejects.toMatchObject({
    status: 422,
    code: 'invalid',
    message: tooCommon,
    fields: { password: tooCommon },
  });
});

test('common passwords are rejected in a change, by a reset link, an administrator, the command line and the environment', async () => {
  const { id, api, email } = await product.register('owner');
  const fieldsOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: ApiError) => error.fields,
    );
  const common = 'Qwerty123';
  expect(
    await fieldsOf(api.users.changePassword({ body: { currentPassword: password, newPassword: common } })),
  ).toEqual({
    newPassword: tooCommon,
  });
  const { url } = await admin.api.users.resetLink({ params: { id } });
  const token = url.split('token=')[1] ?? '';
  const reset = (secret: string) => product.api().auth.reset({ body: { token, password: secret } });
  for (const secret of [common, email]) expect(await fieldsOf(reset(secret))).toEqual({ password: tooCommon });
  // A rejected password does not consume the link.
  await reset('another pond heron');
  const made = { name: 'Made Up', email: 'made@example.com', password: common };
  expect(await fieldsOf(admin.api.users.create({ body: made }))).toEqual({ password: tooCommon });
  await expect(createAdmin(product.ctx.db, made)).rejects.toThrow(tooCommon);
  const empty = await openTestProduct({ runsJobs: false });
  await expect(
    ensureFirstAdmin(empty.ctx.db, { ...empty.ctx.config, ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: common }),
  ).rejects.toThrow('ADMIN_PASSWORD is too common');
  await empty.close();
});
