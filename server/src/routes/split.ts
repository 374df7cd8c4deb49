import { maxSplitPackages, maxStops, splitEvenly, type SplitInput, type SplitResult } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { setRoute } from '../packages/on-routes.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { invalid } from '../platform/errors.ts';
import { requireActiveDriver } from '../users/active-driver.ts';
import { requireOnDuty } from '../users/on-duty.ts';
import { lockWaiting } from './new-routes.ts';
import { insertRoute, lockRoutes, setRouteRow } from './queries.ts';
import { readChanged, recordRoute } from './service.ts';
import { findSelected, inAddressOrder } from './waiting.ts';

/**
 * Plans new routes of contiguous runs by postal code, street and house number, with as many stops each. What stopped waiting since it was
 * selected is refused where it was named, else left out.
 */
export async function splitPackages(ctx: Ctx, actor: Actor, input: SplitInput): Promise<SplitResult> {
  const { day, depotId, selection, driverIds = [] } = input;
  const count = Math.max(driverIds.length, input.routes ?? 0);
  if (count === 0) throw invalid({ driverIds: 'Please choose at least one driver' });
  return ctx.db.transaction(async (tx) => {
    for (const driverId of driverIds.toSorted()) await requireActiveDriver(tx, driverId, 'driverIds');
    const most = Math.min(count * maxStops, maxSplitPackages);
    const selected = await findSelected(ctx, tx, selection, most);
    if (selected.length > most) throw invalid({ selection: tooMany(most) });
    const ids = [...new Set([...(selection.packageIds ?? []), ...selected.map(({ id }) => id)])];
    const starts = input.startsAt ? [] : await findStarts(tx, day, depotId, driverIds);
    const routeIds: string[] = [];
    for (let at = 0; at < count; at++) {
      const driverId = driverIds[at]?.toLowerCase() ?? null;
      const id = uuid();
      const startsAt = input.startsAt
        ? new Date(input.startsAt)
        : (starts.find((start) => start.driver_id === driverId)?.starts_at ?? null);
      const depot = await insertRoute(tx, { id, day, depotId, driverId, startsAt }, ctx.now());
      if (!depot) throw invalid({ depotId: 'This depot does not exist' });
      if (driverId && !input.confirm)
        await requireOnDuty(tx, driverId, { day, from: startsAt, timeZone: depot.time_zone });
      routeIds.push(id);
    }
    const { chosen, refused } = await lockWaiting(tx, ids);
    if (chosen.length === 0) throw invalid({ selection: 'None of these packages waits any more' });
    const rows = await lockRoutes(tx, routeIds);
    const runs = splitEvenly(inAddressOrder(chosen), count);
    for (const [at, id] of routeIds.entries()) {
      const route = rows.get(id);
      if (!route) continue;
      const stopIds = runs[at]?.map(({ row }) => row.id) ?? [];
      await setRoute(tx, stopIds, id, ctx.now());
      await setRouteRow(tx, { ...route, stop_ids: stopIds }, actor.id, ctx.now());
      await recordRoute(ctx, tx, actor, 'route.created', route, { day: [null, day], added: [[], stopIds] });
    }
    const routes = [];
    for (const id of routeIds) routes.push(await readChanged(ctx, tx, actor, id));
    const named = new Set(selection.packageIds?.map((id) => id.toLowerCase()));
    return { routes, refused: refused.filter(({ packageId }) => named.has(packageId.toLowerCase())) };
  });
}

const tooMany = (most: number) =>
  `These are more than ${most} packages. Please choose more routes (${maxStops} stops each), or fewer packages.`;

interface StartRow {
  driver_id: string | null;
  starts_at: Date;
}

/**
 * When routes of a day start by default: with the driver's first shift of that day, else when the depot opens, else at 08:00 there. The
 * one without a driver comes too, as null.
 */
const findStarts = (db: Queryable | Tx, day: string, depotId: string, driverIds: string[]) =>
  db.query<StartRow>(
    `select driver.id as driver_id, coalesce(
       (select min(shifts.starts_at) from shifts where shifts.driver_id = driver.id
          and shifts.starts_at >= $1::date::timestamp at time zone depots.time_zone
          and shifts.starts_at < ($1::date + 1)::timestamp at time zone depots.time_zone),
       ($1::date + coalesce(depots.opens_at, '08:00')::time) at time zone depots.time_zone) as starts_at
     from depots, unnest(array_append($3::uuid[], null)) driver(id) where depots.id = $2`,
    [day, depotId, driverIds],
  );
