import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../ctx.ts';

type Signer = Pick<Ctx, 'urlKey' | 'now'>;

/** The signed claims: valid for one path and one purpose, until they expire. */
export interface Ticket {
  purpose: 'read' | 'upload';
  path: string;
  /** Unix time in seconds. */
  expires: number;
  /** Other signed parameters of the URL. */
  terms?: readonly string[];
}

export function signatureOf({ urlKey }: Signer, { purpose, path, expires, terms = [] }: Ticket): string {
  return createHmac('sha256', urlKey)
    .update(JSON.stringify([purpose, path, expires, ...terms]))
    .digest('base64url');
}

export function isSigned(ctx: Signer, ticket: Ticket, signature: string): boolean {
  const expected = Buffer.from(signatureOf(ctx, ticket));
  const actual = Buffer.from(signature);
  return (
    actual.length === expected.length &&
    timingSafeEqual(actual, expected) &&
    ticket.expires * 1000 > ctx.now().getTime()
  );
}

const maxReadSeconds = 3600;
const expiryStepSeconds = 600;

/**
 * The expiry of a URL signed now, in 50 to 60 minutes. Rounded to steps of 10 minutes, so that a page that is reloaded gets the same
 * URLs and finds the images in the browser's cache.
 */
export const readExpiry = ({ now }: Signer): number =>
  Math.floor((now().getTime() / 1000 + maxReadSeconds) / expiryStepSeconds) * expiryStepSeconds;
