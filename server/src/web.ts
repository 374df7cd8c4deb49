import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type {
  Found,
  LicensedPackage,
  Organisation,
  PageAssets,
  PageRenderer,
  PublicPageData,
  PublicView,
} from '@waybill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formBody, receiveContactForm } from './contact/form.ts';
import type { Ctx } from './ctx.ts';
import { AppError } from './platform/errors.ts';
import { organisationOf } from './settings/in-force.ts';
import { shortestTrackingId, trackPackage, type Lookup } from './tracking/service.ts';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'web/dist');

/** Pages that need nothing but their name. */
const plainPages = {
  '/': 'landing',
  '/about': 'about',
  '/terms': 'terms',
  '/privacy': 'privacy',
  '/cookies': 'cookies',
} as const;

/**
 * Serves what a browser loads: files of the build, hashed ones for ever; the public pages, drawn here and complete without
 * JavaScript; and for everything behind the sign-in the application's one page.
 */
export async function serveWeb(app: FastifyInstance, ctx: Ctx, lookup: Lookup): Promise<void> {
  if (!existsSync(join(built, 'server/render.js'))) {
    app.get('/', (_request, reply) => reply.code(503).send('The web application is not built: run npm start.'));
    return;
  }
  const application = readApplication(await readFile(join(built, 'app/index.html'), 'utf8'));
  const pages = await openPages(ctx);
  await app.register(fastifyStatic, {
    root: [join(built, 'app'), join(built, 'public')],
    index: false,
    wildcard: false,
    globIgnore: ['manifest.json'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const hashed = path.includes('/assets/');
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  for (const [path, name] of Object.entries(plainPages))
    app.get(path, (request, reply) => pages.send(request, reply, { name }));
  const packages = await listLicenses();
  app.get('/licenses', (request, reply) => pages.send(request, reply, { name: 'licenses', packages }));

  app.get<{ Querystring: { sent?: unknown } }>('/contact', (request, reply) =>
    pages.send(request, reply, { name: 'contact', sent: request.query.sent !== undefined }),
  );
  await app.register(async (scope) => {
    formBody(scope);
    scope.post('/contact', { config: { load: 'rest' } }, async (request, reply) => {
      const { status, retryAfterSeconds, page } = await receiveContactForm(ctx, request);
      // Not the page itself: loading that again would send it again.
      if (page.sent) return reply.redirect('/contact?sent', 303);
      if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds);
      return pages.send(request, reply.code(status).header('cache-control', 'no-store'), page);
    });
  });

  app.get<{ Querystring: { id?: unknown } }>('/track', (request, reply) => {
    const { id } = request.query;
    if (typeof id !== 'string') return pages.send(request, reply, { name: 'track' });
    const typed = id.trim().slice(0, 200);
    if (typed.length < shortestTrackingId) return pages.send(request, reply, { name: 'track', typed });
    return reply.redirect(`/track/${encodeURIComponent(typed)}`, 303);
  });
  app.get<{ Params: { id: string } }>('/track/:id', async (request, reply) => {
    const { id } = request.params;
    const { found, status } = await findPublicView(id, request);
    // Whoever holds a tracking ID may look; search engines and caches need not.
    reply.code(status).header('x-robots-tag', 'noindex').header('cache-control', 'no-store');
    return pages.send(request, reply, { name: 'track', id, found });
  });

  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(404).send();
    if (pages.isApplicationPath(path))
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(application(await readOrganisation(ctx)));
    reply.code(404);
    return /\.[a-z0-9]{2,5}$/i.test(path) ? reply.send() : pages.send(request, reply, { name: 'not-found' });
  });

  async function findPublicView(id: string, request: FastifyRequest): Promise<{ found: Found; status: number }> {
    try {
      const view = JSON.parse(await trackPackage(ctx, lookup, id, request.ip)) as PublicView;
      return { found: { view }, status: 200 };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'not_found') return { found: { missing: true }, status: 404 };
      return { found: { failed: error.message, requestId: request.id }, status: error.status };
    }
  }
}

interface Pages extends Pick<PageRenderer, 'isApplicationPath'> {
  send(request: FastifyRequest, reply: FastifyReply, page: PublicPageData): Promise<FastifyReply>;
}

async function openPages(ctx: Ctx): Promise<Pages> {
  const renderer = (await import(join(built, 'server/render.js'))) as PageRenderer;
  const assets = await readAssets();
  const stylesHash = createHash('sha256').update(assets.styles).digest('base64');
  const origin = ctx.config.PUBLIC_URL?.replace(/\/$/, '') ?? null;
  const pack = promisify(gzip);
  return {
    isApplicationPath: renderer.isApplicationPath,
    async send(request, reply, page) {
      const html = renderer.renderDocument(
        { path: pathOf(request), page, organisation: await readOrganisation(ctx) },
        assets,
        origin,
      );
      const policy = String(reply.getHeader('content-security-policy'));
      reply
        .type('text/html; charset=utf-8')
        .header('vary', 'accept-encoding')
        // The styles come inside the page: one round trip less before something can be read.
        .header(
          'content-security-policy',
          policy.replace("style-src 'self'", `style-src 'self' 'sha256-${stylesHash}'`),
        );
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(html);
      return reply.header('content-encoding', 'gzip').send(await pack(html));
    },
  };
}

/** Also without a database: then as it was last read. */
const readOrganisation = async ({ settings }: Ctx): Promise<Organisation> =>
  organisationOf(await settings.find().catch(() => settings.last()));

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The application's one page, with the name that it carries from the first paint on. */
function readApplication(html: string): (organisation: Organisation) => string {
  const [before, after] = html.split('<title>Waybill</title>');
  if (before === undefined || after === undefined) throw new Error('the build of the application has no title');
  return (organisation) => {
    const title = organisation.name.replace(/[&<>]/g, (character) => escapes[character] ?? '');
    const given = JSON.stringify({ organisation }).replaceAll('<', '\\u003c');
    return `${before}<title>${title}</title><script id="page" type="application/json">${given}</script>${after}`;
  };
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/';

async function readAssets(): Promise<PageAssets> {
  const manifest = JSON.parse(await readFile(join(built, 'public/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[] }
  >;
  const entry = manifest['src/public.ts'];
  const [styles] = entry?.css ?? [];
  if (!entry || !styles) throw new Error('the build of the public pages is not whole');
  const latin = Object.values(manifest).filter(({ file }) => /geist-latin-wght-normal.*\.woff2$/.test(file));
  return {
    styles: await readFile(join(built, 'public', styles), 'utf8'),
    script: `/${entry.file}`,
    fonts: latin.map(({ file }) => `/${file}`),
  };
}

/** From the lockfile, so that it is what is installed. */
async function listLicenses(): Promise<LicensedPackage[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>;
  };
  const listed = new Map<string, LicensedPackage>();
  for (const [path, { version, license, dev, link }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1);
    if (!path.startsWith('node_modules/') || !name || !version || dev || link) continue;
    listed.set(`${name}@${version}`, { name, version, license: license ?? 'Not stated' });
  }
  return [...listed.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}
