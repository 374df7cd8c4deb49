import type { SlowChannel } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import { recordUnreachable } from '../packages/unreachable.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { hashOf } from './blocked-addresses.ts';

/** The channels whose addresses can be found not to work; a browser that is gone is only forgotten. */
type BouncingChannel = 'email' | 'sms';

const accountEvents = { email: 'account.unreachable', sms: 'account.number-unreachable' } as const;

/** Whom a message was for that came back. */
export interface BouncedMessage {
  audience: string;
  package_id: string | null;
  user_id: string | null;
}

/**
 * Marks an address as one that does not work, and tells whoever can correct it: the owner of the package, or the account, in the product.
 * Idempotent: for each package and account once, until the mark is lifted.
 *
 * @param message null if it is not known
 */
export async function markBounced(
  ctx: Pick<Ctx, 'now' | 'urlKey'>,
  tx: Tx,
  channel: BouncingChannel,
  address: string,
  message: BouncedMessage | null,
): Promise<void> {
  const hash = hashOf(ctx, channel, address);
  const at = ctx.now();
  const [marked] = await tx.query<{ at: Date }>(
    `insert into bounced_addresses (channel, address_hash, at) values ($1, $2, $3) on conflict do nothing returning at`,
    [channel, hash, at],
  );
  const since = marked?.at ?? (await findBounced(tx, channel, [hash])).get(hash) ?? at;
  if (message?.audience === 'recipient') {
    if (message.package_id !== null) await recordUnreachable(tx, ctx, channel, message.package_id, since);
    return;
  }
  // Accounts hear of it once.
  if (!marked) return;
  const userId = message ? message.user_id : await findAccount(tx, address);
  if (userId !== null) await record(tx, { type: accountEvents[channel], at, actorId: null, userId });
}

async function findAccount(tx: Tx, email: string): Promise<string | null> {
  const [user] = await tx.query<{ id: string }>(
    'select id from users where lower(email) = lower($1) and deleted_at is null',
    [email],
  );
  return user?.id ?? null;
}

/** Of these hashes of addresses: those that do not work, as far as is known, and since when. */
export async function findBounced(db: Queryable, channel: SlowChannel, hashes: string[]): Promise<Map<string, Date>> {
  const rows = await db.query<{ address_hash: string; at: Date }>(
    'select address_hash, at from bounced_addresses where channel = $1 and address_hash = any($2)',
    [channel, hashes],
  );
  return new Map(rows.map(({ address_hash: hash, at }) => [hash, at]));
}

/** It works again, or an administrator wants to try. */
export async function liftBounce(
  ctx: Pick<Ctx, 'urlKey'>,
  db: Queryable,
  channel: SlowChannel,
  address: string,
): Promise<void> {
  await db.query('delete from bounced_addresses where channel = $1 and address_hash = $2', [
    channel,
    hashOf(ctx, channel, address),
  ]);
}
