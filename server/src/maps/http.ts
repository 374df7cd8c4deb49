import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Ctx } from '../ctx.ts';
import { errorReply, notFound } from '../platform/errors.ts';
import { openMapSources } from './sources.ts';
import { styleOf } from './style.ts';
import { worldMaxZoom } from './zooms.ts';

const whole = z.pipe(z.string().check(z.regex(/^\d{1,8}$/)), z.transform(Number));
const TileParams = z
  .object({ z: whole, x: whole, y: whole })
  .check(z.refine((tile) => tile.z <= 22 && tile.x < 2 ** tile.z && tile.y < 2 ** tile.z));

/** The map below `/map`: its style and tiles. Public, since it shows nothing but land and streets. */
export async function mapsHttp(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const sources = openMapSources(ctx);
  const options = { config: { load: 'pictures' as const } };

  app.get<{ Querystring: { theme?: unknown } }>('/style.json', options, async (request, reply) => {
    reply.header('cache-control', 'no-cache');
    if (ctx.config.MAP_STYLE_URL) return reply.redirect(ctx.config.MAP_STYLE_URL);
    return styleOf(request.query.theme === 'dark' ? 'dark' : 'light', await sources.streets());
  });
  app.get('/world/:z/:x/:y', options, async (request, reply) => {
    const tile = tileOf(request);
    if (tile.z > worldMaxZoom) throw notFound('tile');
    return sendTile(request, reply, await sources.world(tile.z, tile.x, tile.y), 'application/vnd.mapbox-vector-tile');
  });
  app.get('/tiles/:z/:x/:y', options, async (request, reply) => {
    const tile = tileOf(request);
    const streets = await sources.streets();
    if (!streets || tile.z < streets.minZoom || tile.z > streets.maxZoom) throw notFound('tile');
    return sendTile(request, reply, await streets.read(tile.z, tile.x, tile.y), streets.type);
  });
  app.setNotFoundHandler((request, reply) => reply.code(404).send(errorReply(notFound('tile'), request.id)));
}

function tileOf(request: FastifyRequest): z.output<typeof TileParams> {
  const tile = TileParams.safeParse(request.params).data;
  if (!tile) throw notFound('tile');
  return tile;
}

/** The address of a tile has the version of its content. */
const tileCaching = 'public, max-age=604800';

function sendTile(request: FastifyRequest, reply: FastifyReply, tile: Uint8Array, type: string) {
  reply.header('cache-control', tileCaching);
  if (tile.length === 0) return reply.code(204).send();
  reply.type(type).header('vary', 'accept-encoding');
  if (type.startsWith('image/')) return reply.send(Buffer.from(tile));
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(gunzipSync(tile));
  return reply.header('content-encoding', 'gzip').send(Buffer.from(tile));
}
