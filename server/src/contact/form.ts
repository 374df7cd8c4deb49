import { ContactInput, type ContactPageData } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { AppError, fromDatabase } from '../platform/errors.ts';
import { check } from '../platform/http/http.ts';
import { sendMessage } from './service.ts';

const fields = ['name', 'email', 'message', 'trackingId', 'website'] as const;

/** What a browser sends without JavaScript, for the routes of this scope and nowhere else. */
export function formBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body.toString())),
  );
}

/**
 * The contact form without JavaScript: what became of it, with what was typed where it could not be taken. There is no cookie that
 * another site could make a browser send along; one that has its visitors fill our form all the same is turned away.
 */
export async function receiveContactForm(
  ctx: Ctx,
  request: FastifyRequest,
): Promise<{ status: number; retryAfterSeconds?: number | undefined; page: ContactPageData }> {
  const typed = readTyped(request.body);
  const page = { name: 'contact', typed } satisfies ContactPageData;
  if (request.headers['sec-fetch-site'] === 'cross-site')
    return {
      status: 403,
      page: { ...page, failed: 'This form was sent from another site. Please send it from here.' },
    };
  const input = check(ContactInput, typed);
  if ('fields' in input) return { status: 422, page: { ...page, faults: input.fields } };
  try {
    await sendMessage(ctx, input.value, request.ip);
    return { status: 303, page: { name: 'contact', sent: true } };
  } catch (error) {
    const known = error instanceof AppError ? error : fromDatabase(error);
    if (!known) throw error;
    const { status, message, retryAfterSeconds } = known;
    return { status, retryAfterSeconds, page: { ...page, failed: message } };
  }
}

/** Line breaks come as CR LF from a form, and as LF from a script: one message is one message. */
function readTyped(body: unknown): Record<string, string> {
  if (!(body instanceof URLSearchParams)) return {};
  const given = fields.filter((name) => body.has(name));
  return Object.fromEntries(given.map((name) => [name, (body.get(name) ?? '').replaceAll('\r\n', '\n')]));
}
