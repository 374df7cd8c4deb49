import { afterAll, beforeAll, expect, test } from 'vitest';
import { languages } from '../platform/languages.ts';
import { openMailServer, type MailServer } from '../testing/mail-server.ts';
import {
  createPackage,
  eventually,
  openTestProduct,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let mailServer: MailServer;
let product: TestProduct;
let owner: TestUser;
let driver: TestUser;
let admin: TestUser;
beforeAll(async () => {
  mailServer = await openMailServer();
  product = await openTestProduct({
    config: {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Parcels <parcels@example.org>',
      PUBLIC_URL: 'https://parcels.example.org',
      ADMIN_SIGNUP: 'open',
      DRIVER_SIGNUP: 'open',
    },
  });
  owner = await product.register('owner', 'Olga Owner');
  driver = await product.register('driver');
  admin = await product.register('admin', 'Ada Admin');
});
afterAll(async () => {
  await product.close();
  await mailServer.close();
});

const params = { kind: 'owner.delivery.completed', language: 'en' };
const body = {
  subject: '{packageName} is there – {organisation}',
  paragraphs: ['Hello!', 'We brought “{packageName}”.'],
};
const mailsAbout = (text: string) => mailServer.mails.filter(({ subject }) => subject.includes(text));
const deliver = async (name: string) => {
  const { id } = await createPackage(owner, { name });
  await driver.api.deliveries.start({ params: { id } });
  await driver.api.deliveries.complete({ params: { id } });
};

test('a changed text is what emails say from then on, until it is reset, and answers go to the reply address', async () => {
  const listed = await admin.api.templates.list();
  expect(listed.find(({ kind }) => kind === params.kind)).toEqual({
    kind: 'owner.delivery.completed',
    audience: 'owner',
    type: 'delivery.completed',
    variant: null,
    title: 'Delivered',
    placeholders: ['packageName', 'organisation'],
    changed: [],
  });
  const builtIn = await admin.api.templates.read({ params });
  expect(builtIn).toMatchObject({ version: 0, subject: 'Delivered: {packageName}', updatedAt: null, canSend: true });
  await admin.api.settings.update({ body: { organisationName: 'Parcels & Co', replyAddress: 'Help@example.org' } });

  const saved = await admin.api.templates.update({ params, body: { ...body, version: 0 } });
  expect(saved).toMatchObject({
    ...body,
    version: 1,
    changed: ['en'],
    builtIn: { subject: 'Delivered: {packageName}' },
  });
  await deliver('Lamp <b>{organisation}');
  await eventually('the mail', async () => mailsAbout('Lamp').length === 1);
  const [mail] = mailsAbout('Lamp');
  // A value is never a placeholder, and HTML is escaped.
  expect(mail?.subject).toBe('Lamp <b>{organisation} is there – Parcels & Co');
  expect(mail?.body).toMatch(/Hello!\s+We brought “Lamp <b>\{organisation\}”\./);
  expect(mail?.body).toContain('We brought “Lamp &lt;b&gt;{organisation}”.</p>');
  expect(mail?.headers).toMatch(/^Reply-To: help@example\.org$/m);

  // The other language keeps its own.
  const german = await admin.api.templates.read({ params: { ...params, language: 'de' } });
  expect(german).toMatchObject({ version: 0, changed: ['en'] });

  await admin.api.templates.remove({ params });
  await admin.api.templates.remove({ params });
  expect(await admin.api.templates.read({ params })).toMatchObject({ version: 0, subject: 'Delivered: {packageName}' });
  await deliver('Vase');
  await eventually('the mail', async () => mailsAbout('Vase').length === 1);
  expect(mailsAbout('Vase')[0]?.subject).toBe('Delivered: Vase');

  const { items } = await admin.api.audit.list({ query: { act: 'template.changed' } });
  expect(items).toMatchObject([
    { actorId: admin.id, details: { subject: [body.subject, 'Delivered: {packageName}'] } },
    {
      actorId: admin.id,
      details: {
        message: [null, 'owner.delivery.completed (en)'],
        subject: ['Delivered: {packageName}', body.subject],
        text: ['hidden', 'hidden'],
      },
    },
  ]);
});

test('unknown placeholders, line breaks in the subject, empty texts and old versions are refused', async () => {
  const send = (input: object) => admin.api.templates.update({ params, body: { ...body, ...input } });
  const unknown = await send({ subject: '{packageNam} is there', paragraphs: ['Fine', '{stars} stars'] }).catch(
    (error: unknown) => error,
  );
  expect(unknown).toMatchObject({
    status: 422,
    fields: {
      subject: 'There is no placeholder {packageNam} here. There is {packageName}, {organisation}.',
      'paragraphs.1': expect.stringContaining('{stars}'),
    },
  });
  for (const input of [
    { subject: 'Here\r\nBcc: everybody@example.org' },
    { subject: ' ' },
    { paragraphs: [] },
    { paragraphs: ['Zero​width'] },
    { paragraphs: ['{}'] },
  ])
    await expect(send(input)).rejects.toMatchObject({ status: 422 });
  await send({ version: 0 });
  await expect(send({ version: 0 })).rejects.toMatchObject({ status: 409, code: 'stale' });
  for (const wrong of [
    { ...params, kind: 'owner.nothing' },
    { ...params, kind: '../settings' },
    { ...params, kind: '__proto__.constructor' },
    { ...params, language: 'xx' },
  ])
    await expect(admin.api.templates.read({ params: wrong })).rejects.toMatchObject({ status: 404 });
});

/** Words as a reader sees them, without the markup. */
const wordsOf = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim();

test('every built-in text of every language can be previewed and saved as it is, and its mail keeps to what mail programs can show', async () => {
  const kinds = await admin.api.templates.list();
  expect(kinds.length).toBeGreaterThan(40);
  for (const { kind } of kinds)
    for (const language of ['en', 'de', 'es', 'fr']) {
      const { builtIn } = await admin.api.templates.read({ params: { kind, language } });
      const { subject, text, html } = await admin.api.templates.preview({ params: { kind, language }, body: builtIn });
      const where = `${kind} in ${language}`;
      expect([where, subject, text, html.replaceAll(/\{[^}]*:[^}]*\}/g, '')].join('\n')).not.toMatch(
        /\{\w+\}|undefined/,
      );
      // No script, form or style sheet, and no resource of somebody else; images are not needed. Gmail cuts off after 102 kB.
      expect(html, where).not.toMatch(/<script|<link|<form|<svg|@import|url\(|src="(?!https?:\/\/[^"]*\/media\/)/i);
      expect(html.length, where).toBeLessThan(20_000);
      // No width that a narrow window cannot keep, and the colours of the dark scheme.
      expect(html.match(/(?<!max-)width[=:]\s*"?\d+(?!%|\d)/g) ?? [], where).toEqual([]);
      expect(html, where).toContain('prefers-color-scheme: dark');
      // Both parts say the same.
      const words = wordsOf(html);
      for (const paragraph of text.split(/\n+/).filter((line) => line !== '--' && line.trim() !== ''))
        expect(words, where).toContain(
          paragraph
            .replace(/: https?:\/\/\S+$/, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        );
    }
});

test('what is pushed says nothing about people and packages, in any language', () => {
  for (const [code, { notifications }] of languages) {
    const titles = Object.values(notifications.templates).flatMap((of) =>
      Array.from(JSON.stringify(of).matchAll(/"title":"([^"]*)"/g)),
    );
    expect(titles.length).toBeGreaterThan(30);
    const values = titles.flatMap(([, title = '']) => title.match(/\{\w+\}/g) ?? []);
    // The number of an incident and stars are all that a title may tell.
    expect(
      values.filter((value) => !['{incidentNumber}', '{messageNumber}', '{stars}'].includes(value)),
      code,
    ).toEqual([]);
    expect(notifications.push.body, code).not.toMatch(/[{}]/);
  }
});

test('a test goes to its sender alone, and says so if the mail server refuses it', async () => {
  const params = { kind: 'driver.package.rated', language: 'de' };
  const draft = { subject: 'Prüfung {stars}', paragraphs: ['“{packageName}”{reason}'] };
  await admin.api.templates.test({ params, body: draft });
  expect(mailsAbout('Prüfung 5').map(({ to }) => to)).toEqual([admin.email]);
  mailServer.treat(550);
  await expect(admin.api.templates.test({ params, body: draft })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('The mail server did not take the message'),
  });
  mailServer.treat('accept');
});
