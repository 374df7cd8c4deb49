import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { TrackMessageInput } from '@waybill/contract';
import type { TrackingLookup, LicensedPackage, Organisation, PublicView } from '@waybill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addFormParser, receiveContactForm, receiveForm } from '../contact/form.ts';
import type { Ctx } from '../ctx.ts';
import { languageOf, languages, offeredLanguages } from '../platform/languages.ts';
import { renderPreview } from './preview.ts';
import { createSsrRenderer, hashOf, pathOf } from './ssr.ts';
import { AppError } from '../platform/errors.ts';
import { decoderPolicy } from '../platform/http/security-headers.ts';
import { linkOrigin } from '../platform/origin/link-origin.ts';
import { readOrganisation } from '../settings/effective-settings.ts';
import { minTrackingIdLength, sendTrackMessage, trackPackage, type PublicLookup } from '../tracking/service.ts';

const root = join(import.meta.dirname, '../../..');
const buildFolder = join(root, 'web/dist');

/** Static public pages. */
const plainPages = {
  '/': 'landing',
  '/about': 'about',
  '/terms': 'terms',
  '/privacy': 'privacy',
  '/cookies': 'cookies',
} as const;

/**
 * Serves the web: files of the build (hashed ones cacheable for ever), the public pages (server-side rendered, complete without
 * JavaScript), and the shell of the single-page application for all routes behind the sign-in.
 */
export async function serveWeb(app: FastifyInstance, ctx: Ctx, lookup: PublicLookup): Promise<void> {
  if (!existsSync(join(buildFolder, 'server/render.js'))) {
    app.get('/', (_request, reply) => reply.code(503).send('The web application is not built: run npm start.'));
    return;
  }
  const pages = await createSsrRenderer(ctx, buildFolder);
  const application = await readApplication(ctx.config.API_DOCS);
  const preloadsOf = await readPreloads();
  await app.register(fastifyStatic, {
    root: [join(buildFolder, 'app'), join(buildFolder, 'public')],
    index: false,
    wildcard: false,
    // Precompressed files are sent in place of the originals and get no routes of their own.
    globIgnore: ['manifest.json', '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const hashed = path.includes('/assets/');
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (/\/decode-worker-[^/]*\.js(\.br|\.gz)?$/.test(path))
        response.header('content-security-policy', decoderPolicy);
    },
  });

  for (const [path, name] of Object.entries(plainPages))
    app.get(path, (request, reply) => pages.send(request, reply, { name }));
  let packages: Promise<LicensedPackage[]> | null = null;
  app.get('/licenses', async (request, reply) =>
    pages.send(request, reply, { name: 'licenses', packages: await (packages ??= listLicenses()) }),
  );

  app.get<{ Querystring: { sent?: unknown } }>('/contact', (request, reply) =>
    pages.send(request, reply, { name: 'contact', sent: request.query.sent !== undefined }),
  );
  await app.register(async (scope) => {
    addFormParser(scope);
    scope.post('/contact', { config: { load: 'rest' } }, async (request, reply) => {
      const { status, retryAfterSeconds, form } = await receiveContactForm(ctx, request);
      // Redirect after POST: reloading a page that responded to it would send the form again.
      if (form.sent) return reply.redirect('/contact?sent', 303);
      if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds);
      return pages.send(request, reply.code(status).header('cache-control', 'no-store'), { name: 'contact', ...form });
    });
    scope.post<{ Params: { id: string }; Querystring: { lang?: unknown } }>(
      '/track/:id/message',
      { config: { load: 'rest' } },
      async (request, reply) => {
        const { id } = request.params;
        const { lang } = request.query;
        const { status, retryAfterSeconds, form } = await receiveForm(
          request,
          TrackMessageInput,
          ['text', 'replyTo', 'website'],
          (input) => sendTrackMessage(ctx, lookup, id, input, request),
        );
        const chosen = typeof lang === 'string' && languages.has(lang) ? `&lang=${lang}` : '';
        if (form.sent) return reply.redirect(`/track/${encodeURIComponent(id)}?sent${chosen}`, 303);
        if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds);
        const { found } = await findPublicView(id, request);
        reply.code(status).header('x-robots-tag', 'noindex').header('cache-control', 'no-store');
        return pages.send(request, reply, { name: 'track', id, found, message: form });
      },
    );
  });

  app.get<{ Querystring: { id?: unknown; lang?: unknown } }>('/track', (request, reply) => {
    const { id, lang } = request.query;
    const typed = typeof id === 'string' ? id.trim().slice(0, 200) : '';
    if (typed === '') return pages.send(request, reply, { name: 'track' });
    if (typed.length < minTrackingIdLength) return pages.send(request, reply, { name: 'track', typed });
    const chosen = typeof lang === 'string' && languages.has(lang) ? `?lang=${lang}` : '';
    return reply.redirect(`/track/${encodeURIComponent(typed)}${chosen}`, 303);
  });
  app.get<{ Params: { id: string }; Querystring: { sent?: unknown } }>('/track/:id', async (request, reply) => {
    const { id } = request.params;
    const { found, status, retryAfterSeconds } = await findPublicView(id, request);
    if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds);
    // Anyone with the tracking ID may see the page, but search engines must not index it and caches must not store it.
    reply.code(status).header('x-robots-tag', 'noindex').header('cache-control', 'no-store');
    const message = request.query.sent === undefined ? {} : { message: { sent: true } };
    return pages.send(request, reply, { name: 'track', id, found, ...message });
  });

  // For chats and mail programs, which fetch it when somebody sends the link.
  app.get<{ Params: { id: string } }>(
    '/track/:id/preview.png',
    { config: { load: 'pictures' } },
    async (request, reply) => {
      const view = JSON.parse(await trackPackage(ctx, lookup, request.params.id, request)) as PublicView;
      const picture = await renderPreview(pages.previewOf(view, await readOrganisation(ctx.settings)));
      return reply
        .type('image/png')
        .header('x-robots-tag', 'noindex')
        .header('cache-control', 'public, max-age=300')
        .send(picture);
    },
  );

  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(404).send();
    const chunks = pages.chunksOf(path);
    const language = languageOf(request);
    if (chunks)
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-language')
        .header(
          'content-security-policy',
          String(reply.getHeader('content-security-policy')).replace("script-src 'self'", `$& ${application.script}`),
        )
        .send(
          application.render(
            preloadsOf([language, ...chunks.map((name) => (name.startsWith('?') ? language + name : name))]),
            await readOrganisation(ctx.settings),
            linkOrigin(ctx.config, request),
            language,
          ),
        );
    reply.code(404);
    return /\.[a-z0-9]{2,5}$/i.test(path) ? reply.send() : pages.send(request, reply, { name: 'not-found' });
  });

  async function findPublicView(
    id: string,
    request: FastifyRequest,
  ): Promise<{ found: TrackingLookup; status: number; retryAfterSeconds?: number | undefined }> {
    try {
      const view = JSON.parse(await trackPackage(ctx, lookup, id, request)) as PublicView;
      return { found: { view }, status: 200 };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'not_found') return { found: { missing: true }, status: 404 };
      return {
        found: { failed: error.message, requestId: request.id },
        status: error.status,
        retryAfterSeconds: error.retryAfterSeconds,
      };
    }
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * @returns a function from names of chunks to the elements that preload them, with their imports, while the shell still loads. Otherwise
 * a browser would learn only from the code of the shell what else the page needs.
 */
async function readPreloads(): Promise<(chunks: string[]) => string> {
  const manifest = JSON.parse(await readFile(join(buildFolder, 'app/manifest.json'), 'utf8')) as Record<
    string,
    { name: string; file: string; imports?: string[] }
  >;
  // An area of a language (`en.ts?driver`) has the name of its file: it is found by `en?driver`.
  const keys = new Map(
    Object.entries(manifest).map(([key, { name }]) => [name + (/\?\w+$/.exec(key)?.[0] ?? ''), key]),
  );
  const collect = (found: Set<string>, key: string): Set<string> =>
    found.has(key) ? found : (manifest[key]?.imports ?? []).reduce(collect, found.add(key));
  const shell = collect(new Set(), 'index.html');
  return (chunks) =>
    [...chunks.map((name) => keys.get(name) ?? '').reduce(collect, new Set())]
      .filter((key) => !shell.has(key))
      .map((key) => `<link rel="modulepreload" crossorigin href="/${manifest[key]?.file}">`)
      .join('');
}

interface Application {
  /** The hash of its inline script, for the Content-Security-Policy. */
  script: string;
  /** Adds the preloads of a page, and the data of the first paint: the organisation and the origin of shared links. */
  render(preloads: string, organisation: Organisation, links: string | null, language: string): string;
}

/** Reads the application's shell. Its script that runs before the first paint is inlined, which saves a request. */
async function readApplication(apiDocs: boolean): Promise<Application> {
  const theme = await readFile(join(buildFolder, 'app/theme.js'), 'utf8');
  const html = await readFile(join(buildFolder, 'app/index.html'), 'utf8');
  const [before, head, body] = html
    .replace('<script src="/theme.js"></script>', () => `<script>${theme}</script>`)
    .split(/<title>Waybill<\/title>|(?=<\/head>)/);
  if (before === undefined || head === undefined || body === undefined)
    throw new Error('the build of the application has no title');
  const render: Application['render'] = (preloads, organisation, links, language) => {
    const title = organisation.name.replace(/[&<>]/g, (character) => escapes[character] ?? '');
    const data = JSON.stringify({ organisation, links, apiDocs, language, languages: offeredLanguages }).replaceAll(
      '<',
      '\\u003c',
    );
    return `${before}<title>${title}</title><script id="page" type="application/json">${data}</script>${head}${preloads}${body}`;
  };
  return { script: hashOf(theme), render };
}

/** Lists packages and licenses from the lockfile; a release keeps the lockfile that its web application was built from. */
async function listLicenses(): Promise<LicensedPackage[]> {
  const ofBuild = join(root, 'web/dist/package-lock.json');
  const lockfile = existsSync(ofBuild) ? ofBuild : join(root, 'package-lock.json');
  const { packages } = JSON.parse(await readFile(lockfile, 'utf8')) as {
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
