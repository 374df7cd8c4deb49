import { createHash } from 'node:crypto';
import { fill } from '@waybill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { languageOf, textsFor } from '../platform/languages.ts';
import { readUnsubscribeToken, setBlocked } from './blocked-addresses.ts';
import { escapeHtml } from './mail.ts';

const style = `:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{max-width:32rem;margin:10vh auto;padding:1.5rem}h1{font-size:1.5rem;line-height:1.3}
button{font:inherit;font-weight:600;padding:.75rem 1.25rem;border:0;border-radius:.5rem;background:#1d4ed8;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #60a5fa;outline-offset:2px}`;
const policy = `default-src 'none';style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';form-action 'self';base-uri 'none';frame-ancestors 'none'`;

/**
 * The page that a link to unsubscribe opens, without JavaScript, and the one click of RFC 8058, which is the same POST. Reading it changes
 * nothing, since mail scanners open links.
 */
export function unsubscribePages(scope: FastifyInstance, ctx: Pick<Ctx, 'db' | 'settings' | 'urlKey'>): void {
  type Asked = FastifyRequest<{ Params: { token: string } }>;
  const answer = async (request: Asked, reply: FastifyReply, state: 'ask' | 'done' | 'again') => {
    const { organisationName: organisation } = await ctx.settings.find();
    const { unsubscribe: said } = textsFor(request).notifications;
    const hash = readUnsubscribeToken(ctx, request.params.token);
    const { title, text, button } = hash === null ? { ...said.unknown, button: null } : said[state];
    const form =
      button === null
        ? ''
        : `<form method="post">${state === 'done' ? '<input type="hidden" name="again" value="1">' : ''}<button>${escapeHtml(button)}</button></form>`;
    const html = `<!doctype html>
<html lang="${languageOf(request)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(fill(text, { organisation }))}</p>${form}</main></body></html>`;
    return reply
      .status(hash === null ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .send(html);
  };
  scope.get('/unsubscribe/:token', (request: Asked, reply) => answer(request, reply, 'ask'));
  scope.post('/unsubscribe/:token', async (request: Asked, reply) => {
    const hash = readUnsubscribeToken(ctx, request.params.token);
    const isAgain = request.body instanceof URLSearchParams && request.body.has('again');
    if (hash !== null) await setBlocked(ctx.db, 'email', hash, !isAgain);
    return answer(request, reply, isAgain ? 'again' : 'done');
  });
}
