import { answerRenderRequests } from '../platform/render-thread.ts';
import { openTileCutter, type TileCutter } from './tiles.ts';
import { buildTown } from './town.ts';
import { readWorld } from './world.ts';
import type { MadeTile } from './made-tiles.ts';
import { townMaxZoom, worldMaxZoom } from './zooms.ts';

const cutters: { world?: TileCutter; town?: TileCutter } = {};

answerRenderRequests(async ({ of, z, x, y }: MadeTile) => {
  if (of === 'world') return (cutters.world ??= openTileCutter(readWorld(), worldMaxZoom)).cut(z, x, y);
  return (cutters.town ??= openTileCutter(buildTown().features, townMaxZoom)).cut(z, x, y);
});
