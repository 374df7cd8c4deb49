import { createHash, createHmac } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';

/** Whether links for passwords go out by email: there is a mail server, and the address that links need. Never that of a request. */
export const mailsLinks = ({ SMTP_URL, PUBLIC_URL }: Pick<Config, 'SMTP_URL' | 'PUBLIC_URL'>): boolean =>
  SMTP_URL !== undefined && PUBLIC_URL !== undefined;

/** The events whose email has a link that sets a password. */
const linkEvents = new Set(['password.link-sent', 'account.invited']);
export const hasPasswordLink = (eventType: string): boolean => linkEvents.has(eventType);

/**
 * The token of the link in an email about an event. It is not stored: the database has its hash, and the sender computes it for each
 * attempt. So neither the outbox nor the log of what was sent has a link that works.
 *
 * @param at the time of the event
 */
export const mailedToken = ({ urlKey }: Pick<Ctx, 'urlKey'>, userId: string, at: Date): string =>
  createHmac('sha256', urlKey)
    .update(JSON.stringify(['password link', userId, at.toISOString()]))
    .digest('base64url');

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
