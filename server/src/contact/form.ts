import { ContactInput, type ContactPageData } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { AppError, fromDatabase } from '../platform/errors.ts';
import { check } from '../platform/http/http.ts';
import { sendMessage } from './service.ts';

const fields = ['name', 'email', 'message', 'trackingId', 'website'] as const;

/** Parses URL-encoded forms, as browsers send them without JavaScript, in this scope only. */
export function addFormParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body.toString())),
  );
}

/**
 * Handles the contact form without JavaScript. @returns the status and page data; a refused form keeps what was typed. CSRF: there is
 * no cookie to abuse, and cross-site posts are refused anyway.
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
    const appError = error instanceof AppError ? error : fromDatabase(error);
    if (!appError) throw error;
    const { status, message, retryAfterSeconds } = appError;
    return { status, retryAfterSeconds, page: { ...page, failed: message } };
  }
}

/** Converts line breaks from CR LF, as forms send them, to LF, as scripts do, so that duplicates are recognised. */
function readTyped(body: unknown): Record<string, string> {
  if (!(body instanceof URLSearchParams)) return {};
  const given = fields.filter((name) => body.has(name));
  return Object.fromEntries(given.map((name) => [name, (body.get(name) ?? '').replaceAll('\r\n', '\n')]));
}
