import { Email, fill } from '@waybill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { AppError, invalid, notFound } from '../platform/errors.ts';
import { check } from '../platform/http/http.ts';
import { networkOf } from '../platform/origin/addresses.ts';
import { hashOf, setBlocked } from './blocked-addresses.ts';
import { liftBounce } from './bounced-addresses.ts';
import { isSigned, isSignedByTwilio, signatureHeader, timestampHeader } from './callback-signatures.ts';
import { escapeHtml } from './mail.ts';
import { publicOrigin, textsIn } from './message-text.ts';
import { receiveMailReport, receiveSmsReport, type SmsReport } from './receipts.ts';
import { readNumber, readWish, type Wish } from './stop-words.ts';

type CallbackCtx = Pick<Ctx, 'config' | 'db' | 'now' | 'rateLimits' | 'settings' | 'urlKey'>;

const maxBodyBytes = 16 * 1024;

/**
 * What providers report about messages, outside of the contract: each signs its calls instead of having a session. Nothing of a call is
 * logged. A valid signature always passes; wrong ones are limited, so that nobody can keep a provider out.
 */
export function callbacksHttp(scope: FastifyInstance, ctx: CallbackCtx): void {
  scope.removeAllContentTypeParsers();
  // As it was signed.
  scope.addContentTypeParser(
    ['application/json', 'application/x-www-form-urlencoded'],
    { parseAs: 'string' },
    (_request, body, done) => done(null, body.toString()),
  );
  scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  const options = { bodyLimit: maxBodyBytes };

  scope.post('/callbacks/twilio/status/:id', options, async (request, reply) => {
    const form = await fromTwilio(ctx, request);
    const receipt = readTwilioStatus(form);
    if (receipt) await receiveSmsReport(ctx, (request.params as { id: string }).id, receipt);
    return reply.code(204).send();
  });
  scope.post('/callbacks/twilio/inbound', options, async (request, reply) => {
    const form = await fromTwilio(ctx, request);
    const answer = await answerTo(ctx, form.get('From') ?? '', wishOfTwilio(form));
    // Twilio itself answers the words that it knows.
    const says = answer !== null && !obeysItself(form) ? `<Message>${escapeHtml(answer)}</Message>` : '';
    return reply
      .type('text/xml; charset=utf-8')
      .send(`<?xml version="1.0" encoding="UTF-8"?><Response>${says}</Response>`);
  });
  scope.post('/callbacks/sms', options, async (request, reply) => {
    const told = await readSigned(ctx, request, ctx.config.SMS_TOKEN, SmsCallback);
    if ('id' in told) {
      const state = told.state === 'bounced' ? 'failed' : told.state;
      const reported = { state, reason: failureReason(state, told.reason), isBounce: told.state === 'bounced' };
      await receiveSmsReport(ctx, told.id, reported);
      return reply.code(204).send();
    }
    const answer = await answerTo(ctx, told.from, readWish(told.text));
    return answer === null ? reply.code(204).send() : sendJson(reply, { reply: answer });
  });
  scope.post('/callbacks/mail', options, async (request, reply) => {
    const { id, address, ...told } = await readSigned(ctx, request, ctx.config.MAIL_CALLBACK_TOKEN, MailCallback);
    const reason = told.reason === undefined ? '' : `: ${told.reason}`;
    await receiveMailReport(ctx, {
      id: id === undefined ? null : idOfMail(id),
      address: address ?? null,
      state: told.state,
      reason: `the email came back${reason}`,
    });
    return reply.code(204).send();
  });
}

/** What stands before the @ of a Message-ID, which may come whole. */
const idOfMail = (id: string): string => id.replace(/^</, '').replace(/@.*$/, '');

const sendJson = (reply: FastifyReply, body: object) =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(body));

const failureReason = (state: SmsReport['state'], reason: string | undefined): string | null =>
  state === 'failed' ? `the provider could not deliver it${reason ? `: ${reason}` : ''}` : null;

const reason = z.optional(z.string().check(z.maxLength(300)));
const SmsReceipt = z.strictObject({
  id: z.string().check(z.maxLength(100)),
  state: z.enum(['delivered', 'failed', 'bounced']),
  reason,
});
const InboundSms = z.strictObject({
  from: z.string().check(z.maxLength(50)),
  text: z.string().check(z.maxLength(5000)),
});
const MailCallback = z
  .strictObject({
    id: z.optional(z.string().check(z.maxLength(300))),
    address: z.optional(Email),
    state: z.enum(['delivered', 'bounced', 'complained']),
    reason,
  })
  .check(z.refine(({ id, address }) => id !== undefined || address !== undefined, 'Must have id or address'));
const SmsCallback = z.union([SmsReceipt, InboundSms]);

const refusal = () => new AppError('forbidden', 'This call is not signed as it must be');

const bodyOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '');

const headerOf = ({ headers }: FastifyRequest, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** @throws not_found if nothing is set up that could call; forbidden without a valid signature, too_many_requests after many of these */
async function requireSignature(ctx: CallbackCtx, request: FastifyRequest, isValid: boolean | null): Promise<void> {
  if (isValid === null) throw notFound('page');
  if (isValid) return;
  await ctx.rateLimits.take('callbackFailure', networkOf(request.ip));
  throw refusal();
}

/** The body of a call that is signed with the secret. @throws if it is not, or not as the schema has it */
async function readSigned<Schema extends z.ZodMiniType>(
  ctx: CallbackCtx,
  request: FastifyRequest,
  secret: string | undefined,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = bodyOf(request);
  const signed = { timestamp: headerOf(request, timestampHeader), signature: headerOf(request, signatureHeader), body };
  await requireSignature(ctx, request, secret === undefined ? null : isSigned(secret, signed, ctx.now()));
  const read = check(schema, parsed(body));
  if ('fields' in read) throw invalid(read.fields);
  return read.value;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError('unreadable', 'The request could not be read: its body must be JSON');
  }
}

/** The form of a call by Twilio. It signs the address that it called, which is that of PUBLIC_URL. */
async function fromTwilio(ctx: CallbackCtx, request: FastifyRequest): Promise<URLSearchParams> {
  const { TWILIO_AUTH_TOKEN: secret } = ctx.config;
  const origin = publicOrigin(ctx);
  const form = new URLSearchParams(bodyOf(request));
  const signature = headerOf(request, 'x-twilio-signature');
  const isValid =
    secret === undefined || origin === null ? null : isSignedByTwilio(secret, origin + request.url, form, signature);
  await requireSignature(ctx, request, isValid);
  return form;
}

/** What the commonest of Twilio's codes mean. */
const twilioFailures: Record<string, string> = {
  30003: 'the phone cannot be reached',
  30004: 'the recipient or the carrier blocks it',
  30005: 'the number is unknown or no longer in service',
  30006: 'a landline, or a carrier that cannot be reached',
  30007: 'the carrier filters it as unwanted',
  30008: 'for an unknown reason',
};

/** Of them: the number does not work, whenever it is tried. */
const numberUnknown = '30005';

/** Null for states on the way, such as `sent`. */
function readTwilioStatus(form: URLSearchParams): SmsReport | null {
  const status = form.get('MessageStatus');
  if (status === 'delivered' || status === 'read') return { state: 'delivered', reason: null, isBounce: false };
  if (status !== 'failed' && status !== 'undelivered') return null;
  const code = /^\d{1,6}$/.exec(form.get('ErrorCode') ?? '')?.[0];
  const means = code === undefined ? undefined : twilioFailures[code];
  const reason = failureReason('failed', [code, means].filter(Boolean).join(' '));
  return { state: 'failed', reason, isBounce: code === numberUnknown };
}

const twilioStops = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const twilioStarts = new Set(['START', 'YES', 'UNSTOP']);

/** Whether Twilio has obeyed and answered the message: by its own words, or those of the account (`OptOutType`). */
function obeysItself(form: URLSearchParams): boolean {
  const word = (form.get('Body') ?? '').trim().toUpperCase();
  return form.has('OptOutType') || twilioStops.has(word) || twilioStarts.has(word);
}

function wishOfTwilio(form: URLSearchParams): Wish | null {
  const type = form.get('OptOutType');
  if (type === 'STOP' || type === 'START') return { wants: type === 'STOP' ? 'stop' : 'start', language: 'en' };
  return readWish(form.get('Body') ?? '');
}

/** Does what somebody asks for by SMS. @returns what to answer; null: nothing was asked for */
async function answerTo(ctx: CallbackCtx, from: string, wish: Wish | null): Promise<string | null> {
  const number = readNumber(from);
  if (number === null) return null;
  // Who writes from it has it.
  await liftBounce(ctx, ctx.db, 'sms', number);
  if (wish === null) return null;
  await setBlocked(ctx.db, 'sms', hashOf(ctx, 'sms', number), wish.wants === 'stop');
  const { organisationName: organisation } = await ctx.settings.find();
  const { stopped, started } = textsIn(wish.language).notifications.sms;
  return fill(wish.wants === 'stop' ? stopped : started, { organisation });
}
