import type { PushSubscriptionInput } from '@waybill/contract';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import type { Db, Queryable } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';
import { checkPublicUrl } from '../platform/outgoing/public-addresses.ts';
import { openHttpClient, type HttpClient, type OutgoingReply } from '../platform/outgoing/requests.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { encryptForDevice, signForService } from './push-crypto.ts';
import { senderOf } from './smtp.ts';
import { NoAddressError, RefusedError, type Transport } from './transport.ts';

/** Users whose devices are told at once. */
const concurrency = 20;

/** Whether an endpoint belongs to the operator's own push service, which may have any address. */
function isOwnService({ PUSH_SERVICE_URL: own }: Config, endpoint: string): boolean {
  const parsed = URL.parse(endpoint);
  return own !== undefined && parsed !== null && parsed.origin === new URL(own).origin && parsed.username === '';
}

/**
 * Subscribes the caller's session, in place of an earlier subscription: a browser has one, which ends with its session.
 *
 * @throws `invalid` if the endpoint is not an address in the public internet, or the key none
 */
export async function subscribe(ctx: Ctx, actor: Actor, { endpoint, keys }: PushSubscriptionInput): Promise<void> {
  if (!isOwnService(ctx.config, endpoint)) {
    try {
      checkPublicUrl(new URL(endpoint));
    } catch {
      throw invalid({ endpoint: 'Must be the https address of a push service' });
    }
  }
  const device = { publicKey: Buffer.from(keys.p256dh, 'base64url'), secret: Buffer.from(keys.auth, 'base64url') };
  if (device.secret.length !== 16) throw invalid({ 'keys.auth': 'Must be the secret of a subscription' });
  try {
    encryptForDevice('', device);
  } catch {
    throw invalid({ 'keys.p256dh': 'Must be the key of a subscription' });
  }
  await ctx.db.transaction(async (tx) => {
    // Another user signed in with the same browser.
    await tx.query('delete from push_subscriptions where endpoint = $1 and session_id <> $2', [
      endpoint,
      actor.sessionId,
    ]);
    await tx.query(
      `insert into push_subscriptions (session_id, user_id, endpoint, public_key, secret) values ($1, $2, $3, $4, $5)
       on conflict (session_id) do update set endpoint = excluded.endpoint, public_key = excluded.public_key, secret = excluded.secret`,
      [actor.sessionId, actor.id, endpoint, device.publicKey, device.secret],
    );
  });
}

export async function unsubscribe(db: Db, actor: Actor): Promise<void> {
  await db.query('delete from push_subscriptions where session_id = $1', [actor.sessionId]);
}

/** Whether messages are pushed to the caller's session. */
export async function isSubscribed(db: Queryable, actor: Actor): Promise<boolean> {
  const rows = await db.query('select from push_subscriptions where session_id = $1', [actor.sessionId]);
  return rows.length > 0;
}

interface DeviceRow {
  session_id: string;
  endpoint: string;
  public_key: Buffer;
  secret: Buffer;
}

type Result = 'told' | 'gone' | Error;

/** Sends to every device of a user: `to` is the user's id. A device that its push service no longer knows is forgotten. */
export function openPush({ config, db, now, pushKeys }: Pick<Ctx, 'config' | 'db' | 'now' | 'pushKeys'>): Transport {
  const clients = { own: openHttpClient({ publicOnly: false }), public: openHttpClient({ publicOnly: true }) };
  const contact = contactOf(config);

  const tell = async (device: DeviceRow, payload: string, id: string, ttlSeconds: number): Promise<Result> => {
    const { endpoint, public_key: publicKey, secret } = device;
    try {
      const client: HttpClient = isOwnService(config, endpoint) ? clients.own : clients.public;
      const reply = await client.send({
        url: endpoint,
        headers: {
          authorization: signForService(pushKeys, endpoint, contact, now()),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(ttlSeconds),
          // A repeated message takes the place of the one that still waits at the push service.
          topic: id.replaceAll('-', ''),
        },
        body: encryptForDevice(payload, { publicKey, secret }),
      });
      return resultOf(reply);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };

  return {
    concurrency,
    async send({ id, to, subject, text, path, endsAt }) {
      const devices = await db.query<DeviceRow>(
        'select session_id, endpoint, public_key, secret from push_subscriptions where user_id = $1',
        [to],
      );
      const payload = JSON.stringify({ id, title: subject, body: text, path });
      const ttlSeconds = Math.max(0, Math.round((endsAt.getTime() - now().getTime()) / 1000));
      const results = await Promise.all(devices.map((device) => tell(device, payload, id, ttlSeconds)));
      const gone = devices.filter((_device, index) => results[index] === 'gone');
      if (gone.length > 0)
        await db.query('delete from push_subscriptions where session_id = any($1) and endpoint = any($2)', [
          gone.map(({ session_id: session }) => session),
          gone.map(({ endpoint }) => endpoint),
        ]);
      if (results.includes('told')) return;
      const failures = results.filter((result) => result instanceof Error);
      const [failure] = [...failures.filter((one) => !(one instanceof RefusedError)), ...failures];
      throw failure ?? new NoAddressError('no device is subscribed any more');
    },
    verify: async () => {},
    close() {
      clients.own.close();
      clients.public.close();
    },
  };
}

function resultOf({ status }: OutgoingReply): Result {
  if (status >= 200 && status < 300) return 'told';
  if (status === 404 || status === 410) return 'gone';
  const message = `the push service answered ${status}`;
  return [400, 401, 403, 413].includes(status) ? new RefusedError(message) : new Error(message);
}

/** Push services want to know whom to ask about this sender. */
function contactOf({ MAIL_FROM: from, PUBLIC_URL: url }: Config): string {
  if (from) return `mailto:${senderOf(from).address}`;
  return url?.startsWith('https:') ? url : 'mailto:postmaster@localhost.invalid';
}
