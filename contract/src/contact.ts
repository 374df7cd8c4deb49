import * as z from 'zod/mini';
import { ByNumber, Email, Instant, ListQuery, blankToNull, notACursor, text } from './common.ts';
import { group } from './endpoint.ts';

export const contactStatuses = ['Open', 'Resolved'] as const;
export const ContactStatus = z.enum(contactStatuses);
export type ContactStatus = z.output<typeof ContactStatus>;

/** What a visitor writes to the administrators. The same fields as the form has, which works without JavaScript. */
export const ContactInput = z.strictObject({
  name: text('Name', { min: 2, max: 120, tooShort: 'Name must be at least 2 characters' }),
  email: Email,
  message: text('Message', {
    min: 10,
    max: 2000,
    tooShort: 'Message must be at least 10 characters',
    multiline: true,
  }),
  /** As it was typed: it need not be one of ours. */
  trackingId: z.optional(blankToNull(text('Tracking ID', { max: 40 }))),
  /** No person sees this field; what fills it in is a program, and its message is dropped without a word. */
  website: z.optional(text('Website')),
});
export type ContactInput = z.output<typeof ContactInput>;

/** A visitor's message. `id` is its number, from 1 on. */
export const ContactMessage = z.object({
  id: z.int(),
  status: ContactStatus,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  trackingId: z.nullable(z.string()),
  time: Instant,
  resolvedAt: z.nullable(Instant),
  /** Who resolved it; null where the account is gone. */
  resolvedBy: z.nullable(z.string()),
});
export type ContactMessage = z.output<typeof ContactMessage>;

/** `q` looks through number, name, email address, tracking ID and text; `from` and `to` bound when it was sent. */
export const ContactListQuery = z.extend(ListQuery, {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, notACursor))),
  status: z.optional(ContactStatus),
});
export type ContactListQuery = z.output<typeof ContactListQuery>;

const administrators = { access: { anyOf: ['admin.access'] }, scope: 'everything' } as const;

export const contact = group({
  send: {
    method: 'POST',
    path: '/contact',
    limit: 'own',
    summary: 'A message to the administrators',
    access: 'public',
    scope: 'none',
    body: ContactInput,
    reply: z.object({ message: z.string() }),
    status: 201,
    failure: 'The message could not be sent. Please try again.',
  },
  list: {
    method: 'GET',
    path: '/messages',
    failure: 'Failed to fetch messages.',
    ...administrators,
    query: ContactListQuery,
    reply: z.array(ContactMessage),
    list: true,
  },
  /** Resolves it, or opens it again, unless the same message is open already; the status it has already changes nothing. */
  move: {
    method: 'PUT',
    path: '/messages/:id',
    failure: 'Failed to update the message.',
    ...administrators,
    params: ByNumber,
    body: z.strictObject({ status: ContactStatus }),
    reply: ContactMessage,
    errors: ['conflict'],
  },
});
