import { createHash } from 'node:crypto';
import { fill } from '@waybill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { languageOf, textsFor } from '../platform/languages.ts';
import { readUnsubscribeToken, setBlocked } from './blocked-addresses.ts';
import { escapeHtml } from './mail.ts';

/** As the emails look that lead here, in the colours of web/src/styles.css. */
const style = `:root{color-scheme:light dark;--page:#f7f8fa;--card:#fff;--line:#e1e5eb;--ink:#101828;--soft:#475467;--brand:#1d4ed8;--on-brand:#fff;--focus:#2563eb}
@media(prefers-color-scheme:dark){:root{--page:#0a0d13;--card:#11151d;--line:#252d3a;--ink:#f2f5f9;--soft:#aeb9c9;--brand:#7aa7ff;--on-brand:#0a0d13;--focus:#7aa7ff}}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:calc(100% - 2rem);max-width:28rem;margin:1rem;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:12px;overflow-wrap:anywhere}
.from{margin:0 0 1rem;font-size:.875rem;color:var(--soft)}h1{margin:0 0 .75rem;font-size:1.5rem;line-height:2rem;text-wrap:balance}p{margin:0;color:var(--soft)}form{margin:1.5rem 0 0}
button{font:inherit;font-weight:600;min-height:3rem;padding:.625rem 1.25rem;border:0;border-radius:8px;background:var(--brand);color:var(--on-brand);cursor:pointer}
button.again{background:none;color:var(--ink);box-shadow:inset 0 0 0 1px var(--soft)}
button:focus-visible{outline:3px solid var(--focus);outline-offset:2px}`;
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
        : `<form method="post">${state === 'done' ? '<input type="hidden" name="again" value="1">' : ''}<button${state === 'done' ? ' class="again"' : ''}>${escapeHtml(button)}</button></form>`;
    const html = `<!doctype html>
<html lang="${languageOf(request)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><p class="from">${escapeHtml(organisation)}</p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(fill(text, { organisation }))}</p>${form}</main></body></html>`;
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
