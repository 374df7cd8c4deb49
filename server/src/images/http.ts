import { images } from '@waybill/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { bind } from '../platform/http/http.ts';
import { errorReply } from '../platform/errors.ts';
import { createMissLimit, type MissLimit } from './guess-limits.ts';
import { isFolder, isImageName, isPublic, thumbnailPath, typeOfFile } from './names.ts';
import { createUpload, findFile, findWithdrawnFile, isReadable, isWithdrawn, receiveUpload } from './service.ts';

export function imagesHttp(app: FastifyInstance, ctx: Ctx) {
  bind(app, ctx, images, {
    announce: (ctx, { actor, body }) => createUpload(ctx, actor, body),
  });
}

const ReadQuery = z.object({
  size: z.optional(z.literal('thumbnail')),
  expires: z._default(z.coerce.number().check(z.int()), 0),
  signature: z._default(z.string(), ''),
});

const UploadQuery = z.object({
  type: z.string(),
  size: z.coerce.number().check(z.int()),
  checksum: z.string(),
  expires: z.coerce.number().check(z.int()),
  signature: z.string(),
});

/** Image URLs below `/media`. Browsers send no bearer token with an `<img>` request, so private images have signed URLs. */
export async function mediaHttp(app: FastifyInstance, ctx: Ctx): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      // Should the file be rendered as a page after all, it has an opaque origin and runs no scripts.
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    });
  });
  const missLimit = createMissLimit(ctx.config.RATE_LIMITS, ctx.config.WORKERS);
  app.route<{ Params: { folder: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/:folder/:name',
    config: { load: 'pictures' },
    handler: (request, reply) => sendImage(ctx, missLimit, request, reply),
  });
  app.setNotFoundHandler((request, reply) => reply.code(404).send(errorReply(notFound('image'), request.id)));
  if (ctx.storage.kind === 'local') await app.register(async (uploads) => localUploadHttp(uploads, ctx));
}

/** Names are never reused, so images are immutable. Package images may be withdrawn: shared caches drop them within an hour. */
const publicCaching = (folder: string) =>
  folder === 'packages' ? 'public, max-age=3600' : 'public, max-age=31536000, immutable';

async function sendImage(
  ctx: Ctx,
  missLimit: MissLimit,
  request: FastifyRequest<{ Params: { folder: string; name: string } }>,
  reply: FastifyReply,
) {
  const { folder, name } = request.params;
  const query = ReadQuery.safeParse(request.query).data;
  if (!query || !isFolder(folder) || !isImageName(name)) throw notFound('image');
  const original = `${folder}/${name}`;
  const isSigned = isReadable(ctx, original, query);
  if (!isSigned) missLimit.enforce(request.ip);
  const missing = () => {
    if (!isSigned) missLimit.countMiss(request.ip);
    return notFound('image');
  };
  const open = isPublic(folder) && !(folder === 'packages' && (await isWithdrawn(ctx.db, name)));
  if (!open && !isSigned) throw missing();
  const path = query.size ? thumbnailPath(original) : original;
  if (open && ctx.config.S3_PUBLIC_URL) {
    const base = ctx.config.S3_PUBLIC_URL.replace(/\/$/, '');
    return reply.header('cache-control', 'public, max-age=86400').redirect(`${base}/${path}`);
  }
  const file = await (!open && folder === 'packages' ? findWithdrawnFile(ctx, path) : findFile(ctx, path));
  if (!file) throw missing();
  const forSeconds = query.expires - Math.floor(ctx.now().getTime() / 1000);
  reply
    .type(typeOfFile(path))
    .header('content-length', file.size)
    .header('cache-control', open ? publicCaching(folder) : `private, max-age=${forSeconds}`)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', 'sandbox');
  if (request.method === 'GET') return reply.send(file.stream);
  file.stream.destroy();
  return reply.send();
}

/** The local store's counterpart of a presigned PUT to S3: the URL carries the declared type, size and checksum, signed. */
function localUploadHttp(app: FastifyInstance, ctx: Ctx): void {
  app.removeAllContentTypeParsers();
  // No body parser: the body stays a stream.
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  // The body of a refused upload may be endless and is not read to its end, so the connection cannot be reused.
  app.addHook('onError', (_request, reply, _error, done) => {
    reply.header('connection', 'close');
    done();
  });
  app.put<{ Params: { name: string } }>(
    '/incoming/:name',
    // Reading the body is all the work: the limits for transfers apply, and no slot of a load class is needed.
    { config: { load: 'transfers', readsBody: true } },
    async (request, reply) => {
      const query = UploadQuery.safeParse(request.query).data;
      if (!query) throw forbidden();
      await receiveUpload(ctx, request.params.name, query, request);
      return reply.send();
    },
  );
}
