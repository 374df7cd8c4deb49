import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { endpoints } from '@waybill/contract';
import type { Endpoint } from '@waybill/contract';
import { defineConfig } from 'vite';
import type { Plugin, Rolldown } from 'vite';
import { subsetFonts } from './subset-fonts.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const server = process.env.WAYBILL_URL ?? 'http://127.0.0.1:3000';
const proxy = Object.fromEntries(
  ['/api', '/media', '/terms', '/privacy', '/cookies', '/licenses'].map((path) => [path, { target: server }]),
);

/** Preact in React's place: 30 kB instead of 90 for whoever only wants to know where a package is. */
const preact = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom/server': 'preact/compat/server',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
};

/**
 * Code that pages share, in a few files: one for each set of sharers made a page ask for 90. The first that takes a module keeps it, with
 * all that it needs, so what others stand on comes first; what leads to dialogs is left out below them, or every page would load those.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  // What every page starts with.
  { name: 'shell', tags: ['$initial'] },
  { name: 'popups', test: /@base-ui|@floating-ui|src\/ui\/\w*Dialog\w*\.tsx/, minShareCount: 8 },
  { name: 'icons', test: /lucide-react/, minShareCount: 2 },
  { name: 'controls', test: /src\/(ui|platform)\/(?!useForm)|@tanstack/, minShareCount: 6 },
  { name: 'contract', test: /contract\/src/, minShareCount: 6 },
  { name: 'forms', test: /react-hook-form|@hookform|src\/platform\/useForm/ },
  { name: 'accounts', test: /src\/users\/(?!.*(Dialog|Form))/, minShareCount: 4 },
  {
    name: 'domain',
    test: /web\/src\/(?!ui|platform|users|pages)(?!.*(Dialog|Menu|Form|Fields|package-errors))/,
    minShareCount: 3,
  },
];

/**
 * Three builds: the application; with `--ssr` what draws the public pages on the server (render.tsx); then with `--mode public` what
 * takes these over in the browser (hydrate.tsx). The same components in all of them.
 */
export default defineConfig(({ mode, isSsrBuild = false }) => {
  const isPublic = mode === 'public' || isSsrBuild;
  return {
    root: import.meta.dirname,
    plugins: [
      react(),
      // Before the whole fonts come in: a rare letter that comes late is worth its swap.
      mode === 'public' && stylesOfDrawnPages(),
      subsetFonts(),
      tailwindcss(),
      contractAsUsed(),
      preloadByFetch(),
      !isSsrBuild && compressed(),
    ],
    resolve: { alias: isPublic ? preact : {} },
    define: { 'import.meta.env.VITE_VERSION': JSON.stringify(version) },
    server: { proxy },
    preview: { proxy },
    // In one file with everything it needs: what it is drawn with here takes it over in the browser.
    ssr: { noExternal: true },
    build: {
      emptyOutDir: true,
      // Everything in its own file: the Content Security Policy allows no data: fonts or styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: !isSsrBuild && 'manifest.json',
      copyPublicDir: !isPublic,
      rolldownOptions: isSsrBuild
        ? {}
        : isPublic
          ? { input: 'src/hydrate.tsx' }
          : { output: { codeSplitting: { groups } } },
    },
  };
});

/**
 * A page carries the schemas of its own forms and no others. The client needs of an endpoint its method, its path and what kind of body
 * and reply it has: so `endpoints` is written down without schemas, and the groups it is made of are dropped. Making a schema is told to
 * have no side effects, so that one that nothing uses is left out, with all that it checks.
 */
function contractAsUsed(): Plugin {
  const contract = fileURLToPath(new URL('../contract/src/', import.meta.url));
  const groups = /= group\(\{\n[^]*?\n\}\);/g;
  const schema =
    /(?<!\w|\w\.|function )(?=(?:z(?:\.\w+)+|[A-Z]\w*\.check|text|blankToNull|side|severalOf|wholeNumber|zoneOf)\()/g;
  return {
    name: 'contract-as-used',
    load: (id) => (id === join(contract, 'endpoints.ts') ? `export const endpoints = ${JSON.stringify(lean)};` : null),
    transform: (code, id) =>
      id.startsWith(contract)
        ? code
            .replace(groups, '= undefined;')
            .replace(/^(?!\s*(?:\/\/|\/?\*)).+$/gm, (line) => line.replace(schema, '/* @__PURE__ */ '))
        : null,
  };
}

/**
 * A drawn page has its styles inside, so they are what its components use and nothing of the application's: Tailwind reads what
 * draws the pages on the server, which has been built before, beside this build. Its fonts are asked for with the page: one that
 * comes too late all the same is for the next page, and nothing moves under somebody who reads.
 */
function stylesOfDrawnPages(): Plugin {
  let drawing = '';
  return {
    name: 'styles-of-drawn-pages',
    enforce: 'pre',
    configResolved({ root, build }) {
      drawing = resolve(root, build.outDir, '../server');
    },
    transform: {
      filter: { id: /src\/styles\.css$/ },
      handler: (code) =>
        [
          code.replace("source('../')", 'source(none)').replaceAll('font-display: swap', 'font-display: optional'),
          `@source '${drawing}/**/*.js';`,
        ].join('\n'),
    },
  };
}

/** What code needs is fetched before it is imported, by our own function: why stands there. */
function preloadByFetch(): Plugin {
  const ours = fileURLToPath(new URL('src/platform/preload-code.ts', import.meta.url));
  return {
    name: 'preload-by-fetch',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { preload as __vitePreload } from ${JSON.stringify(ours)};`,
    },
  };
}

/** What the client reads of an endpoint. */
function leanOf({ method, path, body, reply, list, file, failure }: Endpoint) {
  const kind = (part: Endpoint['body'] | Endpoint['reply']) => (typeof part === 'string' ? part : undefined);
  return { method, path, body: kind(body), reply: kind(reply), list, file, failure };
}

const lean = Object.fromEntries(
  Object.entries(endpoints).map(([name, group]) => [
    name,
    Object.fromEntries(Object.entries(group).map(([call, endpoint]: [string, Endpoint]) => [call, leanOf(endpoint)])),
  ]),
);

/** Text is compressed once, here, and not at every request. */
function compressed(): Plugin {
  const pack = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) };
  return {
    name: 'compressed',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true });
      const texts = names.filter((name) => /\.(js|css|svg)$/.test(name)).map((name) => join(dir, name));
      for (const file of texts) {
        const content = await readFile(file);
        for (const [suffix, shrink] of Object.entries(pack)) await writeFile(file + suffix, await shrink(content));
      }
    },
  };
}
