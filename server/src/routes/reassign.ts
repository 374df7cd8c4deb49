import type { ReassignInput, StopsResult } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { lockOnRoutes } from '../packages/on-routes.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';
import { addStopsIn, moveStopsIn } from './planning.ts';
import { deleteRoute, lockRoutes, type RouteRow } from './queries.ts';
import { assertLegal, recordRoute } from './service.ts';
import { openStopsOf } from './stops.ts';

/**
 * Gives everything that a driver has planned for a day, and but for a future day what is on a started route, to other routes: contiguous runs that leave these with
 * as many stops each. What is on the road starts at once where the other route is started, else it waits at the depot as its planned stop.
 * Planned routes that this empties are deleted; a started one stays until it is finished.
 */
export async function reassignStops(
  ctx: Ctx,
  actor: Actor,
  { driverId, day, to }: ReassignInput,
): Promise<StopsResult> {
  return ctx.db.transaction(async (tx) => {
    const ofDriver = await tx.query<{ id: string }>(
      // Whoever falls ill for tomorrow finishes what is on the road today.
      `select r.id from routes r join depots d on d.id = r.depot_id where r.driver_id = $1 and r.state in ('planned', 'started')
       and (r.day = $2::date or (r.state = 'started' and $2::date <= ($3::timestamptz at time zone d.time_zone)::date))`,
      [driverId, day, ctx.now()],
    );
    const routes = await lockRoutes(tx, [...ofDriver.map(({ id }) => id), ...to]);
    const sources = ofDriver.flatMap(({ id }) => routes.get(id) ?? []).filter(({ state }) => state !== 'finished');
    const targets = to.map((id) => targetOf(routes.get(id.toLowerCase()), driverId));
    const packages = await lockOnRoutes(tx, [...routes.keys()], []);
    const counts = targets.map((target) => openStopsOf(target, packages.values()).length);
    const result: StopsResult = { done: [], refused: [] };
    // What is on the road goes to those who are on the road, where there are any.
    for (const source of sources) {
      const open = openStopsOf(source, packages.values()).map(({ id }) => id);
      const started = targets.filter(({ state }) => state === 'started');
      const takers = source.state === 'started' && started.length > 0 ? started : targets;
      const lengths = sharesOf(
        takers.map((taker) => counts[targets.indexOf(taker)] ?? 0),
        open.length,
      );
      let from = 0;
      for (const [at, target] of takers.entries()) {
        const share = open.slice(from, (from += lengths[at] ?? 0));
        if (share.length === 0) continue;
        counts[targets.indexOf(target)] = (counts[targets.indexOf(target)] ?? 0) + share.length;
        const moved = await moveTo(ctx, tx, actor, source, target, share);
        result.done.push(...moved.done);
        result.refused.push(...moved.refused);
      }
      if (source.state === 'planned' && result.refused.length === 0) {
        await deleteRoute(tx, source.id);
        await recordRoute(ctx, tx, actor, 'route.deleted', source, { stops: [[], []] });
      }
    }
    return result;
  });
}

function targetOf(route: RouteRow | undefined, driverId: string): RouteRow {
  if (!route) throw invalid({ to: 'This route does not exist' });
  if (route.driver_id === driverId.toLowerCase()) throw invalid({ to: 'Please choose routes of other drivers' });
  assertLegal('move', route, 'no stops can be moved to it');
  return route;
}

async function moveTo(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  source: RouteRow,
  target: RouteRow,
  packageIds: string[],
): Promise<StopsResult> {
  if (source.state === 'planned' || target.state === 'started')
    return moveStopsIn(ctx, tx, actor, source.id, { packageIds, to: target.id });
  const back = await moveStopsIn(ctx, tx, actor, source.id, { packageIds, to: null });
  const planned = await addStopsIn(ctx, tx, actor, target.id, back.done);
  return { done: planned.done, refused: [...back.refused, ...planned.refused] };
}

/** How many of `total` further stops each route gets, so that all of them end up with as many as possible alike. */
export function sharesOf(counts: readonly number[], total: number): number[] {
  const filled = [...counts];
  for (let left = total; left > 0; left--) {
    const least = filled.indexOf(Math.min(...filled));
    filled[least] = (filled[least] ?? 0) + 1;
  }
  return filled.map((count, at) => count - (counts[at] ?? 0));
}
