import { setTimeout as sleep } from 'node:timers/promises';
import {
  notificationParameters,
  ruleOf,
  type NotificationParameter,
  type NotificationParameters,
  type Template,
  type TemplateDraft,
  type TemplateInput,
  type TemplateKind,
  type TemplatePreview,
} from '@waybill/contract';
import { texts as english } from '@waybill/contract/texts/en';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { assertCurrent, type EditedVersion } from '../platform/http/optimistic-lock.ts';
import { languages } from '../platform/languages.ts';
import { findUser } from '../users/service.ts';
import type { MessageContent } from './mail.ts';
import { builtInText, composeMessage, fillContent, publicOrigin, textsIn, type TextSource } from './message-text.ts';
import { hasTransport } from './messages.ts';
import { exampleFacts, recipientPlaceholders, recipientValues } from './recipient-text.ts';
import { placeholderOf, valuesOf, type RenderedText } from './render.ts';
import { openSmtp } from './smtp.ts';
import {
  deleteTemplateRow,
  findTemplateRow,
  kindOf,
  listChangedTexts,
  lockTemplate,
  setTemplateRow,
  type TemplateRow,
} from './template-queries.ts';

/** A kind of message without what administrators have changed of it. */
interface Kind extends Omit<TemplateKind, 'changed'> {
  key: string;
}

const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(english.notifications.templates).flatMap(([audience, ofAudience]) =>
    Object.entries(ofAudience as Record<string, RenderedText>).map(([key, { title }]) => {
      const [type = key, variant = null] = key.split('/');
      const kind = kindOf(audience, key);
      return [kind, { kind, key, audience, type, variant, title, placeholders: placeholdersOf(audience, type) }];
    }),
  ),
);

function placeholdersOf(audience: string, type: string): string[] {
  const names = (ruleOf(type)?.notifies?.with ?? []).flatMap((parameter) => placeholderOf[parameter] ?? []);
  return [...new Set([...names, ...(audience === 'recipient' ? recipientPlaceholders : []), 'organisation'])];
}

/** What previews and tests tell of. */
const examples: NotificationParameters = {
  packageName: 'Blue box',
  note: 'Nobody was there',
  wish: 'safe_place',
  comment: 'Friendly and on time',
  incidentNumber: 12_345,
  incidentType: 'Package damaged',
  messageNumber: 17,
  stars: 5,
  changedFields: ['window', 'instructions'],
  changedParts: ['role'],
  hadDriver: false,
  goesBack: false,
  byThemselves: false,
  leavesStops: false,
  isLastOfDay: false,
};

/** @throws not_found for a kind or language that there is none of */
function find(kind: string, language: string): { known: Kind; builtIn: MessageContent } {
  const known = kinds.get(kind);
  if (!known || !languages.has(language)) throw notFound('template');
  const templates = textsIn(language).notifications.templates as Record<string, Record<string, RenderedText>>;
  // A translation may have fewer variants.
  const template = templates[known.audience]?.[known.key] ?? templates[known.audience]?.[known.type];
  if (!template) throw notFound('template');
  return { known, builtIn: builtInText(known.type, template) };
}

export async function listTemplates({ db }: Pick<Ctx, 'db'>): Promise<TemplateKind[]> {
  const changed = await listChangedTexts(db);
  return [...kinds.values()].map(({ key: _key, ...known }) => ({
    ...known,
    changed: changed.filter(({ kind }) => kind === known.kind).map(({ language }) => language),
  }));
}

export async function readTemplate(ctx: Ctx, kind: string, language: string): Promise<Template> {
  find(kind, language);
  return asTemplate(ctx, kind, language, await findTemplateRow(ctx.db, kind, language));
}

async function asTemplate(
  ctx: Pick<Ctx, 'config' | 'db'>,
  kind: string,
  language: string,
  row: TemplateRow | null,
): Promise<Template> {
  const { known, builtIn } = find(kind, language);
  const changed = await listChangedTexts(ctx.db);
  return {
    ...known,
    changed: changed.filter((one) => one.kind === kind).map((one) => one.language),
    language,
    subject: row?.subject ?? builtIn.subject,
    paragraphs: row?.paragraphs ?? builtIn.paragraphs,
    builtIn,
    version: row?.version ?? 0,
    updatedAt: row?.updated_at.toISOString() ?? null,
    canSend: hasTransport(ctx.config, 'email'),
  };
}

/** @throws invalid with the fields that have a placeholder that is not the kind's */
function rejectUnknownPlaceholders({ placeholders }: Kind, { subject, paragraphs }: TemplateDraft): void {
  const faults: Record<string, string> = {};
  const check = (field: string, text: string) => {
    const unknown = [...text.matchAll(/\{([^{}]*)\}/g)].find(([, name = '']) => !placeholders.includes(name));
    if (unknown)
      faults[field] =
        `There is no placeholder ${unknown[0].slice(0, 60)} here. There is ${placeholders.map((name) => `{${name}}`).join(', ')}.`;
  };
  check('subject', subject);
  paragraphs.forEach((paragraph, index) => check(`paragraphs.${index}`, paragraph));
  if (Object.keys(faults).length > 0) throw invalid(faults);
}

/** @throws stale when somebody else has changed the text meanwhile */
export async function updateTemplate(
  ctx: Ctx,
  actor: Actor,
  { kind, language }: { kind: string; language: string },
  { version, ...draft }: TemplateInput,
  ifMatch: EditedVersion['ifMatch'],
): Promise<Template> {
  const { known, builtIn } = find(kind, language);
  rejectUnknownPlaceholders(known, draft);
  const row = await ctx.db.transaction(async (tx) => {
    const before = await lockTemplate(tx, kind, language);
    assertCurrent(
      before?.version ?? 0,
      { version, ifMatch },
      'This text was changed in the meantime. Please load it again.',
    );
    const after = await setTemplateRow(tx, kind, language, draft, ctx.now());
    await recordChange(tx, ctx, actor, { kind, language }, before ?? builtIn, after);
    return after;
  });
  return asTemplate(ctx, kind, language, row);
}

/** Back to the built-in text. Does nothing if it is in use already. */
export async function resetTemplate(
  ctx: Ctx,
  actor: Actor,
  { kind, language }: { kind: string; language: string },
): Promise<void> {
  const { builtIn } = find(kind, language);
  await ctx.db.transaction(async (tx) => {
    const before = await lockTemplate(tx, kind, language);
    if (!before) return;
    await deleteTemplateRow(tx, kind, language);
    await recordChange(tx, ctx, actor, { kind, language }, before, builtIn);
  });
}

const recordChange = (
  tx: Parameters<typeof record>[0],
  ctx: Pick<Ctx, 'now'>,
  actor: Actor,
  { kind, language }: { kind: string; language: string },
  before: MessageContent,
  after: MessageContent,
): Promise<void> =>
  record(tx, {
    type: 'template.changed',
    at: ctx.now(),
    actorId: actor.id,
    changes: {
      message: [null, `${kind} (${language})`],
      ...(before.subject !== after.subject && { subject: [before.subject, after.subject] }),
      ...(before.paragraphs.join('\n\n') !== after.paragraphs.join('\n\n') && { text: ['hidden', 'hidden'] }),
    },
  });

async function compose(ctx: Ctx, actor: Actor, kind: string, language: string, draft: TemplateDraft) {
  const { known } = find(kind, language);
  rejectUnknownPlaceholders(known, draft);
  const { organisationName: organisation, timeZone } = await ctx.settings.find();
  const texts = textsIn(language);
  const recipient = known.audience === 'recipient' ? exampleFacts(ctx.now()) : null;
  const values = {
    ...valuesOf(exampleOf(known.type), texts),
    ...(recipient && recipientValues(recipient, { organisation, timeZone, now: ctx.now() }, texts)),
  };
  const content = fillContent(draft, { ...values, organisation });
  const source: TextSource = {
    channel: 'email',
    type: known.type,
    audience: known.audience,
    parameters: {},
    language,
    package_id: null,
    incident_number: null,
    role: actor.role,
    recipient,
  };
  return { content, composed: await composeMessage(ctx, content, source, publicOrigin(ctx)) };
}

/** The parameters that an event of the type has. */
const exampleOf = (type: string): Partial<NotificationParameters> => {
  const names: readonly string[] = ruleOf(type)?.notifies?.with ?? [];
  const known = Object.keys(notificationParameters) as NotificationParameter[];
  return Object.fromEntries(known.filter((name) => names.includes(name)).map((name) => [name, examples[name]]));
};

export async function previewTemplate(
  ctx: Ctx,
  actor: Actor,
  { kind, language }: { kind: string; language: string },
  draft: TemplateDraft,
): Promise<TemplatePreview> {
  const { content, composed } = await compose(ctx, actor, kind, language, draft);
  return { subject: content.subject, text: composed.text, html: composed.html ?? '' };
}

/** Shorter than a request may take. */
const testMs = 12_000;

/** Sends a draft to the caller, once and at once: what the mail server says is the answer. */
export async function sendTest(
  ctx: Ctx,
  actor: Actor,
  { kind, language }: { kind: string; language: string },
  draft: TemplateDraft,
): Promise<void> {
  await ctx.rateLimits.take('testMail', actor.id);
  const { SMTP_URL: url, MAIL_FROM: from } = ctx.config;
  if (!url || !from) throw new AppError('conflict', 'No mail server is set up: SMTP_URL and MAIL_FROM are not set.');
  const { content, composed } = await compose(ctx, actor, kind, language, draft);
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw notFound('account');
  const transport = openSmtp(url, from);
  const tooLong = sleep(testMs, null, { ref: false }).then(() => {
    throw new Error('it did not answer in time');
  });
  tooLong.catch(() => {});
  try {
    const { text, html, organisation, path, replyTo } = composed;
    const endsAt = new Date(ctx.now().getTime() + testMs);
    const { subject } = content;
    const message = { id: uuid(), to: user.email, subject, text, html, path, endsAt, from: organisation, replyTo };
    const sending = transport.send(message);
    sending.catch(() => {});
    await Promise.race([sending, tooLong]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('conflict', `The mail server did not take the message: ${reason.slice(0, 300)}`);
  } finally {
    transport.close();
  }
}
