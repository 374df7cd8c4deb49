import { isOnTheRoad } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import type { PackageRow } from './row.ts';

/** When a driver is expected: at `estimatedDeliveryTime`, give or take, after `stopsAway` other stops. */
export interface Arrival {
  estimatedDeliveryTime: string;
  arrivalWindow: { from: string; to: string };
  stopsAway: number;
}

/** A started route, as far as its arrivals depend on it. */
interface Round {
  startedAt: Date;
  /** When the last stop was done; null at first. */
  doneAt: Date | null;
  /** The packages of the open stops, the next one first. */
  open: string[];
}

interface RoundRow {
  id: string;
  /** Set on started routes. */
  started_at: Date | null;
  stop_ids: string[];
  done_at: Date | null;
  open_ids: string[];
  next_ids: string[];
}

const roundsSql = `
  select r.id, r.started_at, r.stop_ids, max(greatest(p.completed_at, p.failed_at, p.returned_at)) as done_at,
    coalesce(array_agg(p.id) filter (where p.status in ('in transit', 'out for delivery')), '{}') as open_ids,
    coalesce(array_agg(p.id) filter (where p.status = 'out for delivery'), '{}') as next_ids
  from routes r left join packages p on p.route_id = r.id and p.driver_id is not distinct from
    case when p.status = 'processing' then null else r.driver_id end
  where r.id = any($1::uuid[]) and r.state = 'started' group by r.id`;

/** Reads the started ones of these routes. */
export async function findRounds(db: Queryable, routeIds: Iterable<string>): Promise<Map<string, Round>> {
  const ids = [...new Set(routeIds)];
  if (ids.length === 0) return new Map();
  const rows = await db.query<RoundRow>(roundsSql, [ids]);
  return new Map(rows.map((row) => [row.id, asRound(row)]));
}

function asRound({ started_at: startedAt, done_at: doneAt, ...row }: RoundRow): Round {
  const open = inOrder(row.stop_ids, row.open_ids);
  const isNext = new Set(row.next_ids);
  return { startedAt: startedAt ?? new Date(0), doneAt, open: nextFirst(open, (id) => isNext.has(id)) };
}

/** In the order of the route; those that were added by starting a delivery are last. */
function inOrder(stopIds: string[], ids: string[]): string[] {
  const positions = new Map(stopIds.map((id, index) => [id, index]));
  const positionOf = (id: string) => positions.get(id) ?? positions.size;
  return ids.toSorted((a, b) => positionOf(a) - positionOf(b) || (a < b ? -1 : 1));
}

/** A driver goes to the stop that is out for delivery before all others, wherever it is in the order. */
export const nextFirst = <Stop>(open: Stop[], isNext: (stop: Stop) => boolean): Stop[] => [
  ...open.filter(isNext),
  ...open.filter((stop) => !isNext(stop)),
];

const minuteMs = 60_000;
/** Half of an arrival window. */
const marginMs = 30 * minuteMs;

export const stopMs = ({ config }: Pick<Ctx, 'config'>): number => config.STOP_MINUTES * minuteMs;

/**
 * The expected arrival at a stop, in whole minutes.
 * @param from when the route or its last stop was done
 * @param earliest no arrival is expected before; null on a planned route
 */
export function arrivalAt(from: Date, ahead: number, msPerStop: number, earliest: Date | null): Arrival {
  const base = Math.max(from.getTime(), (earliest?.getTime() ?? 0) - msPerStop);
  const at = Math.ceil((base + (ahead + 1) * msPerStop) / minuteMs) * minuteMs;
  const opens = Math.max(at - marginMs, Math.floor((earliest?.getTime() ?? 0) / minuteMs) * minuteMs);
  const instant = (ms: number) => new Date(ms).toISOString();
  return {
    estimatedDeliveryTime: instant(at),
    arrivalWindow: { from: instant(opens), to: instant(at + marginMs) },
    stopsAway: ahead,
  };
}

/** The time from which the arrivals of a started route are counted: its start, or the last stop that was done. */
export const countsFrom = (startedAt: Date, doneAt: (Date | null)[]): Date =>
  new Date(Math.max(startedAt.getTime(), ...doneAt.map((at) => at?.getTime() ?? 0)));

/** The expected arrival of a package, or null where it is no open stop of this route. */
export function arrivalIn(round: Round | undefined, packageId: string, msPerStop: number, now: Date): Arrival | null {
  const ahead = round?.open.indexOf(packageId) ?? -1;
  return round && ahead >= 0 ? arrivalAt(countsFrom(round.startedAt, [round.doneAt]), ahead, msPerStop, now) : null;
}

const onRoute = ({ status, stranded, route_id: routeId }: PackageRow): string[] =>
  routeId !== null && isOnTheRoad(status) && !stranded ? [routeId] : [];

/** Puts the arrivals on started routes into views of packages. @param rows of the views */
export async function withArrivals<View extends { id: string }>(
  ctx: Pick<Ctx, 'now' | 'config'>,
  db: Queryable,
  rows: PackageRow[],
  views: View[],
): Promise<View[]> {
  const rounds = await findRounds(db, rows.flatMap(onRoute));
  if (rounds.size === 0) return views;
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return views.map((view) => {
    const row = rowOf.get(view.id);
    const [routeId = ''] = row ? onRoute(row) : [];
    return { ...view, ...arrivalIn(rounds.get(routeId), view.id, stopMs(ctx), ctx.now()) };
  });
}
