import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SlowChannel } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';

type Signer = Pick<Ctx, 'urlKey'>;

const hmac = ({ urlKey }: Signer, claims: string[]): string =>
  createHmac('sha256', urlKey).update(JSON.stringify(claims)).digest('base64url').slice(0, 32);

export const hashOf = (signer: Signer, channel: SlowChannel, address: string): string =>
  hmac(signer, ['blocked address', channel, address.trim().toLowerCase()]);

/** What a link to unsubscribe an email address has. It names nobody, and works as long as the installation has its key. */
export function unsubscribeToken(signer: Signer, address: string): string {
  const hash = hashOf(signer, 'email', address);
  return hash + hmac(signer, ['unsubscribe', hash]);
}

/** @returns the hash of the address; null for a token that was not made here */
export function readUnsubscribeToken(signer: Signer, token: string): string | null {
  const [hash, signature] = [token.slice(0, 32), Buffer.from(token.slice(32))];
  const expected = Buffer.from(hmac(signer, ['unsubscribe', hash]));
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? hash : null;
}

/** Both are idempotent: mail clients repeat a click. */
export async function setBlocked(db: Queryable, channel: SlowChannel, hash: string, isBlocked: boolean): Promise<void> {
  await db.query(
    isBlocked
      ? 'insert into blocked_addresses (channel, address_hash) values ($1, $2) on conflict do nothing'
      : 'delete from blocked_addresses where channel = $1 and address_hash = $2',
    [channel, hash],
  );
}

/** Of these hashes of addresses: those whose owners want no messages to them. */
export async function findBlocked(db: Queryable, channel: SlowChannel, hashes: string[]): Promise<Set<string>> {
  const rows = await db.query<{ address_hash: string }>(
    'select address_hash from blocked_addresses where channel = $1 and address_hash = any($2)',
    [channel, hashes],
  );
  return new Set(rows.map(({ address_hash: hash }) => hash));
}
