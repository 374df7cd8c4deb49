import { ContactInput, type MessageFormState } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { AppError, fromDatabase } from '../platform/errors.ts';
import { check } from '../platform/http/http.ts';
import { sendMessage } from './service.ts';

/** Parses URL-encoded forms, as browsers send them without JavaScript, in this scope only. */
export function addFormParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body.toString())),
  );
}

/**
 * Handles a form for a message without JavaScript. @returns the status and what the form shows; a refused one keeps what was typed. CSRF:
 * there is no cookie to abuse, and cross-site posts are refused anyway.
 */
export async function receiveForm<Schema extends z.ZodMiniType>(
  request: FastifyRequest,
  schema: Schema,
  names: readonly string[],
  send: (input: z.output<Schema>) => Promise<unknown>,
): Promise<{ status: number; retryAfterSeconds?: number | undefined; form: MessageFormState }> {
  const typed = readTyped(request.body, names);
  if (request.headers['sec-fetch-site'] === 'cross-site')
    return { status: 403, form: { typed, failed: 'This form was sent from another site. Please send it from here.' } };
  const input = check(schema, typed);
  if ('fields' in input) return { status: 422, form: { typed, faults: input.fields } };
  try {
    await send(input.value);
    return { status: 303, form: { sent: true } };
  } catch (error) {
    const appError = error instanceof AppError ? error : fromDatabase(error);
    if (!appError) throw error;
    const { status, message, retryAfterSeconds } = appError;
    return { status, retryAfterSeconds, form: { typed, failed: message } };
  }
}

/** Handles the contact form without JavaScript, see `receiveForm`. */
export const receiveContactForm = (ctx: Ctx, request: FastifyRequest) =>
  receiveForm(request, ContactInput, ['name', 'email', 'message', 'trackingId', 'website'], (input) =>
    sendMessage(ctx, input, request.ip),
  );

/** Converts line breaks from CR LF, as forms send them, to LF, as scripts do, so that duplicates are recognised. */
function readTyped(body: unknown, names: readonly string[]): Record<string, string> {
  if (!(body instanceof URLSearchParams)) return {};
  const given = names.filter((name) => body.has(name));
  return Object.fromEntries(given.map((name) => [name, (body.get(name) ?? '').replaceAll('\r\n', '\n')]));
}
