import * as z from 'zod/mini';
import { clientErrorLimits } from './client-error-text.ts';
import { text } from './common.ts';
import { group } from './endpoint.ts';

/** How the browser caught it: an uncaught exception, an unhandled promise rejection, or an exception while rendering. */
export const clientErrorKinds = ['error', 'rejection', 'render'] as const;
export type ClientErrorKind = (typeof clientErrorKinds)[number];

/** An error report of a browser, without personal data: `page` is a route pattern such as `/owner/package/$id`, never a URL. */
const ClientErrorReport = z.strictObject({
  kind: z.enum(clientErrorKinds),
  message: text('Message', { max: clientErrorLimits.message }),
  stack: z.optional(text('Stack', { max: clientErrorLimits.stack, multiline: true })),
  page: z.string().check(z.regex(/^\/[a-z/$-]{0,80}$/, 'Must be the pattern of a page')),
  version: z.string().check(z.regex(/^[\w.-]{1,40}$/, 'Must be a version')),
});
export type ClientErrorReport = z.output<typeof ClientErrorReport>;

export const clientErrors = group({
  report: {
    method: 'POST',
    path: '/client-errors',
    summary: 'Report an error of a page in a browser',
    access: 'public',
    scope: 'none',
    body: ClientErrorReport,
    reply: 'none',
  },
});
