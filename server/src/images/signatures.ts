import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../ctx.ts';

type Signer = Pick<Ctx, 'urlKey' | 'now'>;

/** What is signed belongs to one path and one purpose, and ends. */
export interface Ticket {
  purpose: 'read' | 'upload';
  path: string;
  /** In seconds since 1970. */
  expires: number;
  /** What else the address says. */
  terms?: readonly string[];
}

export function signatureOf({ urlKey }: Signer, { purpose, path, expires, terms = [] }: Ticket): string {
  return createHmac('sha256', urlKey)
    .update(JSON.stringify([purpose, path, expires, ...terms]))
    .digest('base64url');
}

export function isSigned(ctx: Signer, ticket: Ticket, signature: string): boolean {
  const right = Buffer.from(signatureOf(ctx, ticket));
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right) && ticket.expires * 1000 > ctx.now().getTime();
}

const privateForSeconds = 3600;
const stepSeconds = 600;

/**
 * When an address that is made now ends: in 50 to 60 minutes, in steps, so that a page that is loaded again asks for the
 * same address and finds it in its cache.
 */
export const readExpiry = ({ now }: Signer): number =>
  Math.floor((now().getTime() / 1000 + privateForSeconds) / stepSeconds) * stepSeconds;
