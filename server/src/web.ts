import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const built = join(import.meta.dirname, '../../web/dist');

/** Serves the built web application: hashed files for ever, the page itself fresh each time. */
export async function serveWeb(app: FastifyInstance): Promise<void> {
  if (!existsSync(join(built, 'index.html'))) {
    app.get('/', (_request, reply) => reply.code(503).send('The web application is not built: run npm start.'));
    return;
  }
  const page = await readFile(join(built, 'index.html'));
  await app.register(fastifyStatic, {
    root: built,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const hashed = path.includes('/assets/');
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // The routes of the pages live in the browser; the server knows only that it is none of its own.
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(404).send();
    if (/\.[a-z0-9]{2,5}$/i.test(request.url.split('?')[0] ?? '')) return reply.code(404).send();
    // Whoever holds a tracking ID may look; search engines need not.
    if (request.url.startsWith('/track/')) reply.header('x-robots-tag', 'noindex');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}
