import type { Config } from '../config.ts';
import { openHttpClient, type HttpClient, type OutgoingReply } from '../platform/outgoing/requests.ts';
import { isLoopback } from '../platform/origin/addresses.ts';
import { BouncedError, OptedOutError, RefusedError, type OutgoingMessage, type Transport } from './transport.ts';

/** Requests under way at once. */
const connections = 10;

type SmsSettings = Pick<
  Config,
  'PUBLIC_URL' | 'SMS_TOKEN' | 'SMS_URL' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'TWILIO_FROM' | 'TWILIO_URL'
> &
  Partial<Pick<Config, 'SMS_TIMEOUT'>>;

export const hasSms = ({ SMS_URL, TWILIO_ACCOUNT_SID }: SmsSettings): boolean =>
  SMS_URL !== undefined || TWILIO_ACCOUNT_SID !== undefined;

/** The provider that is set up; null without one. */
export function openSms(settings: SmsSettings): Transport | null {
  const { SMS_URL: url, SMS_TOKEN: token } = settings;
  const { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: secret, TWILIO_FROM: from } = settings;
  const seconds = settings.SMS_TIMEOUT;
  const client = openHttpClient({ publicOnly: false, timeoutMs: seconds && seconds * 1000 });
  if (url && token) return openGateway(client, url, token);
  if (account && secret && from)
    return openTwilio(client, { url: settings.TWILIO_URL, account, secret, from, callback: callbackOf(settings) });
  return null;
}

/** Where Twilio reports what became of a message, followed by its id; null where it cannot reach us. */
function callbackOf({ PUBLIC_URL: origin }: SmsSettings): string | null {
  return origin === undefined || isLoopback(new URL(origin).hostname)
    ? null
    : `${origin.replace(/\/+$/, '')}/callbacks/twilio/status/`;
}

/** A plain gateway: `POST { to, text, id }` with the token as a bearer token. A repeated `id` is the same message. */
function openGateway(client: HttpClient, url: string, token: string): Transport {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    concurrency: connections,
    async send({ to, text, id }) {
      const reply = await client.send({ url, headers, body: JSON.stringify({ to, text, id }) });
      if (isSuccess(reply)) return;
      const failure = failureOf(reply, [400, 410, 422], gatewayReason(reply.text));
      throw reply.status === 410 ? new BouncedError(failure.message, to) : failure;
    },
    // Nothing can be asked of it without sending something.
    verify: async () => void (await client.send({ url })),
    close: () => client.close(),
  };
}

interface TwilioAccount {
  url: string;
  account: string;
  secret: string;
  /** A phone number, or the id of a messaging service. */
  from: string;
  callback: string | null;
}

/** The code of "Attempt to send to unsubscribed recipient". */
const optedOutCode = /^21610\b/;
/** The codes of what is no number, or none that an SMS can reach. */
const noNumberCodes = /^(?:21211|21217|21614)\b/;

function openTwilio(client: HttpClient, { url, account, secret, from, callback }: TwilioAccount): Transport {
  const base = `${url.replace(/\/+$/, '')}/2010-04-01/Accounts/${account}`;
  const authorization = `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`;
  const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
  return {
    concurrency: connections,
    async send({ id, to, text }: OutgoingMessage) {
      const reply = await client.send({
        url: `${base}/Messages.json`,
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          To: to,
          [sender]: from,
          Body: text,
          ...(callback !== null && { StatusCallback: callback + id }),
        }).toString(),
      });
      if (isSuccess(reply)) return;
      const reason = twilioReason(reply.text);
      const failure = failureOf(reply, [400], reason);
      if (optedOutCode.test(reason)) throw new OptedOutError(failure.message);
      throw noNumberCodes.test(reason) ? new BouncedError(failure.message, to) : failure;
    },
    async verify() {
      const reply = await client.send({ url: `${base}.json`, headers: { authorization } });
      if (!isSuccess(reply)) throw failureOf(reply, [], twilioReason(reply.text));
    },
    close: () => client.close(),
  };
}

const isSuccess = ({ status }: OutgoingReply): boolean => status >= 200 && status < 300;

/** @param refusals the answers that say that this message will never be sent. What an operator can put right is tried again */
function failureOf({ status }: OutgoingReply, refusals: number[], reason: string): Error {
  const message = [`the provider answered ${status}`, reason.slice(0, 300)].filter(Boolean).join(': ');
  return refusals.includes(status) ? new RefusedError(message) : new Error(message);
}

/** What the gateway says in `error` or `message`; else all that it says. */
function gatewayReason(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    return [error, message].find((part) => typeof part === 'string') ?? text;
  } catch {
    return text;
  }
}

/** `{ code, message }` of an error; else nothing: the reply is not from the provider. */
function twilioReason(text: string): string {
  try {
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
    return [code, message].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  } catch {
    return '';
  }
}
