import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { endpoints } from '@waybill/contract';
import type { Endpoint } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { defineConfig } from 'vite';
import type { Plugin, Rolldown } from 'vite';
import { subsetFonts } from './subset-fonts.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const server = process.env.WAYBILL_URL ?? 'http://127.0.0.1:3000';
const proxy = Object.fromEntries(
  ['/api', '/media', '/map', '/terms', '/privacy', '/cookies', '/licenses'].map((path) => [path, { target: server }]),
);

/** Public pages use Preact in place of React: 30 kB instead of 90 for visitors who track a package. */
const preact = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom/server': 'preact/compat/server',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
};

/** Libraries that only dialogs and forms need, so that other pages do not load them. */
const dialogsOrForms = /@base-ui|react-hook-form/;

/**
 * Chunks of code that pages share. Few of them: one chunk per set of importers made a page request 90 files. A module goes to the first
 * group that matches, with all its dependencies, so base modules come first.
 */
const groups: Rolldown.CodeSplittingGroup[] = [
  // The entry point, everything that it imports statically, and the runtime of the bundler.
  { name: 'shell', test: /./, tags: ['$initial'] },
  {
    ...unlessItImports(dialogsOrForms, 'common'),
    test: /contract\/src|@tanstack|lucide-react|web\/src\/(ui|platform|users)\/(?!QrCode|DataTable|RowKeys|SelectionBar|BulkReport|StreetInput|suggestion-texts|use(Selection|LongPress))/,
    minShareCount: 3,
  },
  {
    ...unlessItImports(dialogsOrForms, 'table'),
    test: /src\/ui\/(DataTable|RowKeys|SelectionBar|BulkReport|use(Selection|LongPress))/,
    minShareCount: 2,
  },
  { name: 'popups', test: /@base-ui|@floating-ui|src\/ui\/\w*Dialog\w*\.tsx/, minShareCount: 8 },
  { name: 'qr', test: /uqr|src\/ui\/QrCode/, minShareCount: 2 },
  { name: 'forms', test: /react-hook-form|@hookform|src\/platform\/useForm|users\/(StreetInput|suggestion-texts)/ },
  // What every page loads while somebody is signed in, and what every page loads 2 s later.
  {
    name: 'session',
    test: /platform\/(event|live)-stream|NotificationBell|app\/(Admin(Frame|Icon)|FrameCounts|HardwareScanner)|stats\/queries|keyboard-wedge/,
  },
  // What every page loads 2 s later, or with the first touch.
  { name: 'notices', test: /ui\/(Toaster|drag-sheet)|app\/LeaveDialog/ },
  {
    ...unlessItImports(dialogsOrForms, 'domain'),
    test: /contract\/src\/(?!absences)|lucide-react|web\/src\/(?!users|maps(?!\/map-texts)|settings|audit|contact|pages(?!\/parts\/Lazy)|stats|inventory|tracking|packages\/(?:PackageDetails|PlaceOfAddress|FailedAttempt|PackageDetailSkeleton|RecipientAccessLink|PackageOwner|PackageImages?\.|PackageSteps|PackageHistory|ShareButtons|DeliveredBanner|ArrivalLine|next-step)|labels\/PrintLabels|events\/(?:Timeline|ChangeList|change-texts)|deliveries\/(?:CarrierStrip|ProofTiles|DepotActions)|shifts\/DispatchActions|deliveries\/(?:AskedFields|useAsked)|packages\/asked-form|ui\/SignaturePad|.*(QrCode|form|Fields|errors))/,
    minShareCount: 2,
  },
  // A whole package: its page, and the panels of lists, which are loaded when they open.
  {
    ...unlessItImports(dialogsOrForms, 'package'),
    test: /packages\/(?:PackageDetails|PlaceOfAddress|FailedAttempt|PackageDetailSkeleton|RecipientAccessLink|PackageOwner|PackageImages?\.|PackageSteps|PackageHistory|ShareButtons|DeliveredBanner|ArrivalLine|next-step)|labels\/PrintLabels|events\/(?:Timeline|ChangeList|change-texts)|deliveries\/(?:CarrierStrip|ProofTiles|DepotActions)|shifts\/DispatchActions/,
    minShareCount: 2,
  },
  // The drawing of a package's state, which panels load beside themselves.
  { name: 'scene', test: /src\/tracking\/scene/ },
  { name: 'figures', test: /web\/src\/(stats(?!\/(FigureRows|figure-columns))|inventory)/, minShareCount: 2 },
  // Dialogs that the pages of several roles open, and what a hand-over asks for.
  {
    name: 'acts',
    test: /web\/src\/(deliveries|incidents|shifts|routes|ui\/SignaturePad|packages\/asked-form)/,
    minShareCount: 2,
  },
];

/**
 * What public pages share: one file with what all need, and one with the schemas of forms and their library, which the landing page and
 * pages of text do not load. As nine files, their headers alone were 9 kB.
 */
const publicGroups: Rolldown.CodeSplittingGroup[] = [
  {
    name: 'shell',
    test: /preact|lucide-react|web\/src\/|contract\/src\/(client|client-error-text|fill|permissions|zones)\.ts/,
    tags: ['$initial'],
    minShareCount: 2,
  },
  { name: 'forms', test: /./, tags: ['$initial'], minShareCount: 2 },
];

/** The name of a group, which gets no module that imports, directly or not, a module that matches. */
function unlessItImports(
  excluded: RegExp,
  group: string,
): { name: Rolldown.CodeSplittingNameFunction; debugName: string } {
  const known = new Map<string, boolean>();
  return {
    debugName: group,
    name(id, context) {
      const imports = (module: string): boolean => {
        const found = known.get(module);
        if (found !== undefined) return found;
        // Before its imports: libraries import each other in cycles.
        known.set(module, excluded.test(module));
        if (context.getModuleInfo(module)?.importedIds.some(imports)) known.set(module, true);
        return known.get(module) === true;
      };
      return imports(id) ? null : group;
    },
  };
}

/**
 * Three builds of the same components: the application; with `--ssr` the renderer of the public pages (render.tsx); then with
 * `--mode public` their hydration in the browser (hydrate.tsx).
 */
export default defineConfig(({ mode, isSsrBuild = false }) => {
  const isPublic = mode === 'public' || isSsrBuild;
  return {
    root: import.meta.dirname,
    plugins: [
      react(),
      // Before subsetFonts inlines the full fonts: those keep `font-display: swap`, because a late rare letter is worth a swap.
      mode === 'public' && ssrPageStyles(),
      subsetFonts(),
      tailwindcss(),
      stripContract(),
      inlineEndpoints(),
      stripTexts(),
      preloadByFetch(),
      inlineIcon(),
      !isSsrBuild && precompress(),
    ],
    resolve: { alias: isPublic ? preact : {} },
    define: {
      'import.meta.env.VITE_VERSION': JSON.stringify(version),
      'import.meta.env.VITE_OPERATIONS': JSON.stringify(
        Object.values(clientEndpoints).flatMap((group) => Object.keys(group)).length,
      ),
    },
    server: { proxy },
    preview: { proxy },
    // Bundle all dependencies into the renderer, so that the server renders with the same Preact that hydrates in the browser.
    ssr: { noExternal: true },
    build: {
      emptyOutDir: true,
      // Never inline assets: the Content Security Policy forbids data: fonts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: !isSsrBuild && 'manifest.json',
      copyPublicDir: !isPublic,
      rolldownOptions: isSsrBuild
        ? {}
        : isPublic
          ? {
              input: [
                ...['landing', 'track', 'contact', 'text'].map((page) => `src/hydrate-${page}.ts`),
                'src/styles.css',
                'src/tracking/tracker.css',
                'src/pages/parts/landing.css',
              ],
              output: { codeSplitting: { groups: publicGroups } },
            }
          : { output: { codeSplitting: { groups } } },
    },
  };
});

/**
 * Strips unused schemas from the contract, so that a page loads only those of its own forms. The groups of `endpoints` are dropped, since
 * `inlineEndpoints` gives each page the endpoints that it calls. Schema calls are marked as pure, so that tree shaking removes the unused
 * ones with everything they refer to.
 */
function stripContract(): Plugin {
  const contract = fileURLToPath(new URL('../contract/src/', import.meta.url));
  const groups = /= group\(\{\n[^]*?\n\}\);/g;
  const schema =
    /(?<!\w|\w\.|function )(?=(?:z(?:\.\w+)+|[A-Z]\w*\.check|text|blankToNull|side|severalOf|sortOf|wholeNumber|zoneOf|byChannel)\()/g;
  return {
    name: 'strip-contract',
    // Not in `npm run dev`, where the client calls the groups.
    apply: 'build',
    transform: (code, id) =>
      id.startsWith(contract)
        ? code
            .replace(groups, '= undefined;')
            .replace(/^(?!\s*(?:\/\/|\/?\*)).+$/gm, (line) => line.replace(schema, '/* @__PURE__ */ '))
        : null,
  };
}

/**
 * Replaces `api.users.list` by a call that holds this endpoint alone, so that a page loads the endpoints it calls: all of them in the
 * entry point would be 4 kB before every page, and more with each new one.
 */
function inlineEndpoints(): Plugin {
  const api = fileURLToPath(new URL('src/platform/api.ts', import.meta.url));
  return {
    name: 'inline-endpoints',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/, code: /\bapi\b/ },
      handler(code, id) {
        if (id === api) return code.replaceAll('createClient', 'createCall');
        if (!/import \{[^}]*\bapi\b[^}]*\} from '[./]*(platform\/)?api\.ts'/.test(code)) return null;
        const inlined = code.replace(/(?<![\w.])api\s*\.(\w+)\s*\.(\w+)/g, (_, group: string, call: string) => {
          const endpoint = clientEndpoints[group]?.[call];
          if (!endpoint) this.error(`${id} calls api.${group}.${call}, which is not in the contract`);
          return `api(${JSON.stringify(endpoint)})`;
        });
        const other = /(?<![\w.])api\s*(\.|\[|\)|,|;)[^\n]*/.exec(inlined.replace(/^import .*$/gm, ''));
        if (other) this.error(`${id} uses \`api\` in another way than api.group.call: ${other[0]}`);
        return inlined;
      },
    },
  };
}

/**
 * The texts of notifications are the server's: it renders them. Browsers load a language without them, which is half of it, and without
 * the areas that few pages show: those are files of their own, `en.ts?driver`.
 */
function stripTexts(): Plugin {
  const apart = {
    notifications: undefined,
    driver: undefined,
    map: undefined,
    recipient: undefined,
    positions: undefined,
    absences: undefined,
    firstDay: undefined,
    account: undefined,
    issues: undefined,
    notices: undefined,
    proofPage: undefined,
  };
  return {
    name: 'strip-texts',
    load: {
      filter: { id: /contract\/src\/texts\/\w+\.ts(\?\w+)?$/ },
      async handler(id) {
        const [path = id, area] = id.split('?');
        this.addWatchFile(path);
        // By its time of change, since Node imports a file once.
        const { texts } = (await import(`${pathToFileURL(path).href}?${statSync(path).mtimeMs}`)) as { texts: Texts };
        return `export const texts = ${JSON.stringify(area ? texts[area as keyof Texts] : { ...texts, ...apart })};`;
      },
    },
  };
}

/** The application's icon is part of its document: one request less. */
function inlineIcon(): Plugin {
  const icon = readFileSync(new URL('public/favicon.svg', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  return {
    name: 'inline-icon',
    transformIndexHtml: (html) => html.replace('/favicon.svg', `data:image/svg+xml,${encodeURIComponent(icon)}`),
  };
}

/**
 * A server-rendered page has its styles inline, so they must hold only what its components use: Tailwind scans the renderer, which is
 * built before this build, beside it. Its fonts are preloaded with `font-display: optional`: a font that still arrives too late is used
 * from the next page on, so the text does not shift while somebody reads.
 */
function ssrPageStyles(): Plugin {
  let renderer = '';
  return {
    name: 'ssr-page-styles',
    enforce: 'pre',
    configResolved({ root, build }) {
      renderer = resolve(root, build.outDir, '../server');
    },
    transform: {
      filter: { id: /src\/styles\.css$/ },
      handler: (code) =>
        [
          code.replace("source('../')", 'source(none)').replaceAll('font-display: swap', 'font-display: optional'),
          `@source '${renderer}/**/*.js';`,
          // The map's library has none of our classes, but words that look like some.
          `@source not '${renderer}/assets/engine-*.js';`,
        ].join('\n'),
    },
  };
}

/** Replaces Vite's preload helper with `preload` of preload-code.ts, which says why. */
function preloadByFetch(): Plugin {
  const replacement = fileURLToPath(new URL('src/platform/preload-code.ts', import.meta.url));
  return {
    name: 'preload-by-fetch',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { preload as __vitePreload } from ${JSON.stringify(replacement)};`,
    },
  };
}

/** The fields of an endpoint that the client reads. */
function clientEndpoint({ method, path, body, reply, list, file, failure }: Endpoint) {
  const kind = (part: Endpoint['body'] | Endpoint['reply']) => (typeof part === 'string' ? part : undefined);
  return { method, path, body: kind(body), reply: kind(reply), list, file, failure };
}

const clientEndpoints: Record<string, Record<string, ReturnType<typeof clientEndpoint>>> = Object.fromEntries(
  Object.entries(endpoints).map(([name, group]) => [
    name,
    Object.fromEntries(
      Object.entries(group).map(([call, endpoint]: [string, Endpoint]) => [call, clientEndpoint(endpoint)]),
    ),
  ]),
);

/** Compresses text files once at build time, so that the server need not compress on every request. */
function precompress(): Plugin {
  const compressors = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) };
  return {
    name: 'precompress',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true });
      const texts = names.filter((name) => /\.(m?js|css|svg|wasm)$/.test(name)).map((name) => join(dir, name));
      const compressAll = async (file: string) => {
        const content = await readFile(file);
        await Promise.all(
          Object.entries(compressors).map(async ([suffix, compress]) =>
            writeFile(file + suffix, await compress(content)),
          ),
        );
      };
      // At once: Node compresses as many in parallel as its pool has threads.
      await Promise.all(texts.map(compressAll));
    },
  };
}
