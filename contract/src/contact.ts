import * as z from 'zod/mini';
import { ByNumber, Email, Instant, ListQuery, blankToNull, invalidCursor, text } from './common.ts';
import { group } from './endpoint.ts';

export const contactStatuses = ['Open', 'Resolved'] as const;
export const ContactStatus = z.enum(contactStatuses);
export type ContactStatus = z.output<typeof ContactStatus>;

/** A visitor's message to the administrators. The fields match the HTML form, which works without JavaScript. */
export const ContactInput = z.strictObject({
  name: text('Name', { min: 2, max: 120, tooShort: 'Name must be at least 2 characters' }),
  email: Email,
  message: text('Message', {
    min: 10,
    max: 2000,
    tooShort: 'Message must be at least 10 characters',
    multiline: true,
  }),
  /** As typed; need not be a valid tracking ID. */
  trackingId: z.optional(blankToNull(text('Tracking ID', { max: 40 }))),
  /** A honeypot: the field is invisible to people. A message from a bot that fills it in is silently dropped. */
  website: z.optional(text('Website')),
});
export type ContactInput = z.output<typeof ContactInput>;

/** A visitor's message. `id` is its number, starting at 1. */
export const ContactMessage = z.object({
  id: z.int(),
  status: ContactStatus,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  trackingId: z.nullable(z.string()),
  time: Instant,
  resolvedAt: z.nullable(Instant),
  /** The name of who resolved it; null if the account is deleted. */
  resolvedBy: z.nullable(z.string()),
});
export type ContactMessage = z.output<typeof ContactMessage>;

/** `q` searches number, name, email address, tracking ID and text; `from` and `to` filter by the time it was sent. */
export const ContactListQuery = z.extend(ListQuery, {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, invalidCursor))),
  status: z.optional(ContactStatus),
});
export type ContactListQuery = z.output<typeof ContactListQuery>;

const adminAccess = { access: { anyOf: ['admin.access'] }, scope: 'everything' } as const;

export const contact = group({
  send: {
    method: 'POST',
    path: '/contact',
    limit: 'own',
    summary: 'Send a message to the administrators',
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
    ...adminAccess,
    query: ContactListQuery,
    reply: z.array(ContactMessage),
    list: true,
  },
  /** Resolves or reopens a message; reopening conflicts with an identical open message. Setting the current status is a no-op. */
  move: {
    method: 'PUT',
    path: '/messages/:id',
    failure: 'Failed to update the message.',
    ...adminAccess,
    params: ByNumber,
    body: z.strictObject({ status: ContactStatus }),
    reply: ContactMessage,
    errors: ['conflict'],
  },
});
