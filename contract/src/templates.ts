import * as z from 'zod/mini';
import { Instant, text } from './common.ts';
import { group } from './endpoint.ts';

/** What a message says: its subject and paragraphs, with placeholders such as `{packageName}`. */
const TemplateText = z.object({ subject: z.string(), paragraphs: z.array(z.string()) });

/** A kind of message: who gets it, and what it tells of. */
export const TemplateKind = z.object({
  /** Its audience, event and variant: `owner.delivery.assigned.again`. */
  kind: z.string(),
  audience: z.string(),
  /** The event's type. */
  type: z.string(),
  /** `again`: there was another driver before. `many`: the last one of a day. `themselves`: the reader did it. `stops`: there are some to take over. */
  variant: z.nullable(z.string()),
  /** As the built-in text in English begins. */
  title: z.string(),
  /** The names of its placeholders. */
  placeholders: z.array(z.string()),
  /** The languages whose text is not the built-in one. */
  changed: z.array(z.string()),
});
export type TemplateKind = z.output<typeof TemplateKind>;

export const Template = z.extend(TemplateKind, {
  language: z.string(),
  ...TemplateText.shape,
  builtIn: TemplateText,
  /** 0: the built-in text. */
  version: z.int(),
  updatedAt: z.nullable(Instant),
  /** Whether a test can be sent: a mail server is set up. */
  canSend: z.boolean(),
});
export type Template = z.output<typeof Template>;

const maxParagraphs = 12;
const templateFields = {
  subject: text('Subject', { min: 1, max: 150, tooShort: 'Please enter a subject' }),
  paragraphs: z
    .array(text('A paragraph', { min: 1, max: 1000, multiline: true, tooShort: 'A paragraph must not be empty' }))
    .check(
      z.minLength(1, 'Please enter a text'),
      z.maxLength(maxParagraphs, `At most ${maxParagraphs} paragraphs are possible`),
    ),
};
export const TemplateDraft = z.strictObject(templateFields);
export type TemplateDraft = z.output<typeof TemplateDraft>;

export const TemplateInput = z.extend(TemplateDraft, {
  /** Optimistic lock: the version that was read. If the server's is newer, the reply is 409. */
  version: z.optional(z.int().check(z.minimum(0))),
});
export type TemplateInput = z.output<typeof TemplateInput>;

/** A draft as its reader would get it, with example values. */
export const TemplatePreview = z.object({ subject: z.string(), text: z.string(), html: z.string() });
export type TemplatePreview = z.output<typeof TemplatePreview>;

const ByKind = z.strictObject({
  kind: z.string().check(z.maxLength(80)),
  language: z.string().check(z.maxLength(20)),
});

const configAccess = { access: { anyOf: ['admin.system_config'] }, scope: 'everything', noun: 'template' } as const;

export const templates = group({
  list: {
    method: 'GET',
    path: '/templates',
    summary: 'List the kinds of messages whose text can be changed, with their placeholders',
    failure: 'Failed to fetch the messages.',
    ...configAccess,
    reply: z.array(TemplateKind),
  },
  read: {
    method: 'GET',
    path: '/templates/:kind/:language',
    summary: 'Read the text of a message in a language',
    failure: 'Failed to fetch the message.',
    ...configAccess,
    params: ByKind,
    reply: Template,
  },
  update: {
    method: 'PUT',
    path: '/templates/:kind/:language',
    summary: 'Change the text of a message in a language',
    failure: 'Failed to save the message.',
    ...configAccess,
    params: ByKind,
    body: TemplateInput,
    reply: Template,
    errors: ['stale', 'precondition_failed'],
  },
  /** The built-in text again. */
  remove: {
    method: 'DELETE',
    path: '/templates/:kind/:language',
    summary: 'Return to the built-in text of a message',
    failure: 'Failed to reset the message.',
    ...configAccess,
    params: ByKind,
    reply: 'none',
  },
  preview: {
    method: 'POST',
    path: '/templates/:kind/:language/preview',
    summary: 'Render a draft with example values',
    ...configAccess,
    params: ByKind,
    body: TemplateDraft,
    reply: TemplatePreview,
    repeats: 'are executed again',
  },
  test: {
    method: 'POST',
    path: '/templates/:kind/:language/test',
    summary: 'Send a draft with example values to the caller by email',
    failure: 'Failed to send the test.',
    ...configAccess,
    params: ByKind,
    body: TemplateDraft,
    reply: 'none',
    limit: 'own',
    errors: ['conflict'],
  },
});
