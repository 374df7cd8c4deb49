import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailServer, type MailServer } from '../testing/mail-server.ts';
import { eventually, openTestProduct, type TestProduct, type TestUser } from '../testing/test-product.ts';

let clock = Date.now();
let mailServer: MailServer;
let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  mailServer = await openMailServer();
  product = await openTestProduct({
    now: () => new Date(clock),
    config: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Parcels <parcels@example.org>',
      PUBLIC_URL: 'https://parcels.example.org',
      ADMIN_SIGNUP: 'open',
      DRIVER_SIGNUP: 'approval',
    },
  });
  admin = await product.register('admin', 'Ada Admin');
});
afterAll(async () => {
  await product.close();
  await mailServer.close();
});

const mailsTo = (email: string, subject: string) =>
  mailServer.mails.filter((mail) => mail.to === email && mail.subject === subject);
async function mailTo(email: string, subject: string, count = 1) {
  await eventually(`the mail “${subject}”`, async () => mailsTo(email, subject).length === count);
  return mailsTo(email, subject).at(-1)?.body ?? '';
}
const tokenIn = (body: string) => /https:\/\/parcels\.example\.org\/reset#token=([\w-]{43})/.exec(body)?.[1] ?? '';
const reset = (token: string, password: string) => product.api().auth.reset({ body: { token, password } });
const login = (email: string, password: string) => product.api().auth.login({ body: { email, password } });
const linkTitle = 'Link for a new password';

test('a forgotten password is replaced by a link by email, which works once and is nowhere to be read', async () => {
  const user = await product.register('owner', 'Olga Owner');
  const forgot = (email: string) => product.api().auth.forgot({ body: { email } });
  const message = 'If there is an account with this email address, we have sent it a link.';
  expect(await forgot(user.email)).toEqual({ message });
  expect(await forgot('nobody@example.com')).toEqual({ message });
  const body = await mailTo(user.email, linkTitle);
  expect(body).toContain('Set a password: https://parcels.example.org/reset#token=');
  const token = tokenIn(body);
  expect(token).toHaveLength(43);

  // A second request at once sends nothing, and leaves the link as it is.
  await forgot(user.email);
  await eventually('both requests are done', async () => {
    const done = "select from jobs.job where name = 'request-password-reset' and state = 'completed'";
    return (await product.ctx.db.query(done)).length === 3;
  });
  expect(mailsTo(user.email, linkTitle)).toHaveLength(1);
  expect(mailServer.mails.filter(({ to, subject }) => to === admin.email && /forgotten/.test(subject))).toEqual([]);

  // Nobody can read it in the log of what was sent, nor in the database.
  const { items } = await admin.api.notifications.sent({ query: { channel: 'email', limit: 200 } });
  const sent = items.find(({ type, recipient }) => type === 'password.link-sent' && recipient.id === user.id);
  const read = await admin.api.notifications.sentMessage({ params: { id: sent?.id ?? '' } });
  expect(read.text).toContain('/reset#token=…');
  const tables = await product.ctx.db.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace",
  );
  for (const { name } of tables) {
    const found = await product.ctx.db.query(`select from ${name} one where one::text like $1 limit 1`, [`%${token}%`]);
    expect([name, found.length]).toEqual([name, 0]);
  }

  await reset(token, 'another secret');
  await login(user.email, 'another secret');
  await expect(reset(token, 'a third secret')).rejects.toMatchObject({ status: 422 });
  await mailTo(user.email, 'Password changed');
});

test('who signs up has it confirmed to the address', async () => {
  const user = await product.register('owner', 'Wanda Welcome');
  const body = await mailTo(user.email, 'Welcome: your account is made');
  expect(body).toContain('You have signed up with this email address');
});

test('an invited user sets a password by the link, and is invited again only before the first sign-in', async () => {
  const email = 'nora@example.com';
  const body = { name: 'Nora New', email, invite: true };
  await expect(admin.api.users.create({ body: { ...body, password: 'pond-heron-7' } })).rejects.toMatchObject({
    status: 422,
  });
  const created = await admin.api.users.create({ body });
  expect(created).toMatchObject({ temporaryPassword: null, mustChangePassword: false });
  const first = tokenIn(await mailTo(email, 'Your new account'));
  clock += 1000;
  await admin.api.users.invite({ params: { id: created.id } });
  const second = tokenIn(await mailTo(email, 'Your new account', 2));
  await expect(reset(first, 'another secret')).rejects.toMatchObject({ status: 422 });
  const [link] = await product.ctx.db.query<{ days: number }>(
    'select round(extract(epoch from expires_at - now()) / 86400)::integer as days from password_resets where user_id = $1',
    [created.id],
  );
  expect(link?.days).toBe(7);
  await reset(second, 'another secret');
  await login(email, 'another secret');
  await expect(admin.api.users.invite({ params: { id: created.id } })).rejects.toMatchObject({
    status: 409,
    message: 'This user has signed in already. A link for a new password helps them.',
  });
  const { items } = await admin.api.audit.list({ query: { act: 'account.invited' } });
  expect(items.map(({ subjectId }) => subjectId)).toEqual([created.id, created.id]);
});

test('whoever waited for approval is told when it is there', async () => {
  const waiting = await product.register('driver', 'Dan Driver');
  await admin.api.users.update({ params: { id: waiting.id }, body: { status: 'active' } });
  await mailTo(waiting.email, 'Your account is approved');
});
