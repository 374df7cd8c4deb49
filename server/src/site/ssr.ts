import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PageAssets, PageRenderer, PublicPageData } from '@waybill/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { languageOf, languages, offeredLanguages } from '../platform/languages.ts';
import { linkOrigin } from '../platform/origin/link-origin.ts';
import { readOrganisation } from '../settings/effective-settings.ts';

export interface SsrRenderer extends Pick<PageRenderer, 'chunksOf' | 'previewOf'> {
  send(request: FastifyRequest, reply: FastifyReply, page: PublicPageData): Promise<FastifyReply>;
}

/**
 * Server-side rendering of the public pages: complete HTML with inlined styles, compressed as the client accepts.
 * @param buildFolder the build of the web application
 */
export async function createSsrRenderer(ctx: Ctx, buildFolder: string): Promise<SsrRenderer> {
  const renderer = (await import(join(buildFolder, 'server/render.js'))) as PageRenderer;
  const assets = await readAssets(buildFolder);
  const styles = hashOf(assets.styles);
  const ownStyles = Object.fromEntries(Object.entries(assets.stylesOf).map(([name, css]) => [name, hashOf(css)]));
  const scripts = new Map(
    offeredLanguages.flatMap(({ code }) =>
      pageNames.map((name) => [`${code} ${name}`, renderer.inlineScripts(assets, code, name).map(hashOf).join(' ')]),
    ),
  );
  const apiDocs = ctx.config.API_DOCS;
  return {
    chunksOf: renderer.chunksOf,
    previewOf: renderer.previewOf,
    async send(request, reply, page) {
      const organisation = await readOrganisation(ctx.settings);
      const language = languageOfPage(request);
      const html = renderer.renderDocument(
        { path: pathOf(request), page, organisation, apiDocs, language, languages: offeredLanguages },
        assets,
        linkOrigin(ctx.config, request),
      );
      const policy = String(reply.getHeader('content-security-policy'))
        .replace("style-src 'self'", `$& ${styles} ${ownStyles[page.name] ?? ''}`.trimEnd())
        .replace("script-src 'self'", `$& ${scripts.get(`${language} ${page.name}`)}`);
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .header('content-language', language)
        .header('vary', 'accept-encoding, accept-language');
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
      const accepted = request.headers['accept-encoding'] ?? '';
      const encoding = encodings.find(({ name }) => new RegExp(`\\b${name}\\b`).test(accepted));
      if (!encoding) return reply.send(html);
      return reply.header('content-encoding', encoding.name).send(await encoding.pack(html));
    },
  };
}

/** The language that a link asks for by `?lang=`, else the one that the browser prefers. */
function languageOfPage(request: FastifyRequest): string {
  const { lang } = request.query as { lang?: unknown };
  return typeof lang === 'string' && languages.has(lang) ? lang : languageOf(request);
}

/** Best first. Brotli at quality 5 is as fast as gzip and 10 % smaller; at its default 11 it would take 100 times as long. */
const encodings = [
  {
    name: 'br',
    pack: (html: string) => brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  },
  { name: 'gzip', pack: promisify<string, Buffer>(gzip) },
];
const brotli = promisify(brotliCompress);

const pageNames = Object.keys({
  landing: true,
  track: true,
  contact: true,
  about: true,
  terms: true,
  privacy: true,
  cookies: true,
  licenses: true,
  'not-found': true,
} satisfies Record<PublicPageData['name'], true>) as PublicPageData['name'][];

/** The entry points of pages that have more than text. */
const entryOf: Partial<Record<PublicPageData['name'], string>> = {
  landing: 'landing',
  track: 'track',
  contact: 'contact',
};

export const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/';

async function readAssets(buildFolder: string): Promise<PageAssets> {
  const manifest = JSON.parse(await readFile(join(buildFolder, 'public/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; imports?: string[] }
  >;
  const styles = manifest['src/styles.css'];
  const tracker = manifest['src/tracking/tracker.css'];
  const landing = manifest['src/pages/parts/landing.css'];
  if (!styles || !tracker || !landing) throw new Error('the build of the public pages is not whole');
  const texts = Object.fromEntries(
    offeredLanguages.map(({ code }) => [code, `/${manifest[`../contract/src/texts/${code}.ts`]?.file}`]),
  );
  const latin = Object.values(manifest).filter(({ file }) => /cut-geist-.*\.woff2$/.test(file));
  const read = (file: string) => readFile(join(buildFolder, 'public', file), 'utf8');
  const track = await read(tracker.file);
  const scriptsOf = (entry: string): string[] => {
    const found = new Set<string>();
    const add = (key: string) => {
      if (!found.has(key)) for (const next of (found.add(key), manifest[key]?.imports ?? [])) add(next);
    };
    add(`src/hydrate-${entry}.ts`);
    return [...found].map((key) => {
      const file = manifest[key]?.file;
      if (file === undefined) throw new Error(`the build of the public pages has no ${key}`);
      return `/${file}`;
    });
  };
  const scriptsByPage = Object.fromEntries(pageNames.map((name) => [name, scriptsOf(entryOf[name] ?? 'text')]));
  return {
    styles: await read(styles.file),
    // The landing page shows the tracker's scene.
    stylesOf: { track, landing: track + (await read(landing.file)) },
    theme: await readFile(join(buildFolder, 'app/theme.js'), 'utf8'),
    scripts: scriptsByPage,
    texts,
    fonts: latin.map(({ file }) => `/${file}`),
  };
}
