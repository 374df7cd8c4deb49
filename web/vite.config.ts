import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const server = process.env.WAYBILL_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), contractWithoutZod()],
  server: { proxy: { '/api': { target: server } } },
  preview: { proxy: { '/api': { target: server } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Everything in its own file: the Content Security Policy allows no data: fonts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

/**
 * The contract's schemas check on the server. The browser needs of an endpoint its method, its path and what kind of reply
 * comes, so there the contract gets a stand-in for zod, and zod in full (a fifth of the app's shell) stays out of the
 * bundle. Forms and search parameters have schemas of their own, in zod/mini; types are untouched.
 */
function contractWithoutZod(): Plugin {
  const contract = fileURLToPath(new URL('../contract/src/', import.meta.url));
  const standIn = fileURLToPath(new URL('src/platform/zod-stand-in.ts', import.meta.url));
  return {
    name: 'contract-without-zod',
    enforce: 'pre',
    resolveId: (source, importer) => (source === 'zod' && importer?.startsWith(contract) ? standIn : null),
  };
}
