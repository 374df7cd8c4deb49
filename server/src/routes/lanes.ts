import { dayIn, isAfterDue, isOpenStop, maxLanes, type BusyDriver, type Lane } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { windowsOf, type PackageRow } from '../packages/row.ts';
import { findBusyDrivers, findLaneRoutes } from './queries.ts';
import { endOf } from './stop-rows.ts';
import { findTimetables } from './stops.ts';

const isLate = (expected: string, pkg: PackageRow, timeZone: string): boolean =>
  isAfterDue(
    Date.parse(expected),
    {
      window: windowsOf(pkg).map(([, to]) => ({ to: to.toISOString() }))[0] ?? null,
      eta: pkg.return_due ? null : pkg.eta,
    },
    (at) => dayIn(timeZone, at),
  );

/** What is on the road, and what begins today, as one line for each driver. */
export async function listLanes(ctx: Ctx): Promise<Lane[]> {
  const rows = await findLaneRoutes(ctx.db, ctx.now(), maxLanes);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return (await findTimetables(ctx, ctx.db, rows)).flatMap(({ route, stops, arrivals }): Lane[] => {
    const { driver_name: driver, shift_from: from, shift_to: to } = rowOf.get(route.id) ?? {};
    // It was finished, or lost its driver, since it was listed.
    if (!driver || route.driver_id === null || route.state === 'finished') return [];
    return [
      {
        routeId: route.id,
        day: route.day,
        depotId: route.depot_id,
        timeZone: route.time_zone,
        driverId: route.driver_id,
        driver,
        state: route.state,
        startsAt: (route.started_at ?? route.starts_at)?.toISOString() ?? null,
        shift: from && to ? { from: from.toISOString(), to: to.toISOString() } : null,
        stops: stops.map((stop) => {
          const expected = isOpenStop(stop.state) ? (arrivals.get(stop.pkg.id)?.estimatedDeliveryTime ?? null) : null;
          return {
            packageId: stop.pkg.id,
            state: stop.state,
            at: endOf(stop)?.toISOString() ?? expected,
            late: expected !== null && isLate(expected, stop.pkg, route.time_zone),
          };
        }),
      },
    ];
  });
}

/** Who drives on a day, and from which depot. */
export const listBusyDrivers = async (ctx: Ctx, day: string): Promise<BusyDriver[]> =>
  (await findBusyDrivers(ctx.db, day)).map((row) => ({
    driverId: row.driver_id,
    routeId: row.route_id,
    state: row.state,
    depotId: row.depot_id,
    depot: row.depot,
  }));
