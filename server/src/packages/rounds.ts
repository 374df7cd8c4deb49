import { isOnTheRoad } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/database/db.ts';
import type { Point } from '../travel/estimate.ts';
import {
  coldModel,
  forecast,
  horizonOf,
  paceOf,
  type ArrivalModel,
  type Forecast,
  type ForecastRound,
  type ForecastStop,
} from '../travel/forecast.ts';
import { goesTo } from '../places/going-to.ts';
import { publicPositionOnRoute } from '../positions/last-positions.ts';
import { isCarrierOf, type PackageRow } from './row.ts';

/** When a driver is expected: at `estimatedDeliveryTime`, give or take, after `stopsAway` other stops. */
export interface Arrival {
  estimatedDeliveryTime: string;
  arrivalWindow: { from: string; to: string };
  stopsAway: number;
}

/** A started route, as far as its arrivals depend on it. */
export interface Round extends Omit<ForecastRound, 'now' | 'stops' | 'msPerStop' | 'isPlanned'> {
  /** The packages of the open stops, the next one first. */
  open: OpenStop[];
  model: ArrivalModel;
  /** The driver's name; null if the account is not active. */
  driver: string | null;
  /** Where the driver is, as the public may know it at the next stop: JSON, and its time in ms. */
  publicPosition: { json: string; at: number } | null;
}

interface OpenStop extends ForecastStop {
  id: string;
  /** The driver is on the way to it. */
  next: boolean;
}

interface RoundRow {
  id: string;
  /** Set on started routes. */
  started_at: Date | null;
  stop_ids: string[];
  /** Where it begins: null where that is not known exactly. */
  depot_lon: number | null;
  depot_lat: number | null;
  /** The stops that were done, in this order; the times in ms. */
  done: { lon: number | null; lat: number | null; at: number }[];
  position_lon: number | null;
  position_lat: number | null;
  position_at: Date | null;
  public_position: string | null;
  zone_seconds: number;
  driver: string | null;
  /** Null as long as nothing was learned about the driver. */
  usual_pace: number | null;
  open: { id: string; lon: number | null; lat: number | null; opens: number | null; next: boolean; here: boolean }[];
  model: ArrivalModel | null;
}

/** Nobody is sent to the middle of a town: it counts as no place. */
const isExact = (row: string) => `coalesce(${row}.place_accuracy, 'town') <> 'town'`;
/** Where it was last tried, or brought back to. */
const wasAt = (axis: 'lon' | 'lat') =>
  `case when p.returned_at is not null then ${goesTo('p', axis)} when ${isExact('p')} then p.place_${axis} end`;
const opens = 'case when not p.return_due then extract(epoch from p.window_from) * 1000 end';

const roundsSql = `
  select r.id, r.started_at, r.stop_ids, done.stops as done, open.stops as open,
    case when ${isExact('d')} then d.place_lon end as depot_lon, case when ${isExact('d')} then d.place_lat end as depot_lat,
    last.lon as position_lon, last.lat as position_lat, last.at as position_at, ${publicPositionOnRoute('last', 'r')} as public_position,
    extract(epoch from (now() at time zone d.time_zone) - (now() at time zone 'UTC'))::integer as zone_seconds,
    (select u.name from users u where ${isCarrierOf('u', 'r')}) as driver,
    (select pace from driver_paces where driver_id = r.driver_id) as usual_pace, (select model from arrival_model) as model
  from routes r
  join depots d on d.id = r.depot_id
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', p.id, 'lon', ${goesTo('p', 'lon')}, 'lat', ${goesTo('p', 'lat')}, 'opens', ${opens},
      'next', p.status = 'out for delivery', 'here', coalesce(p.arrived_at >= p.started_at, false))), '[]') as stops
    from packages p where p.route_id = r.id and p.driver_id = r.driver_id and p.status in ('in transit', 'out for delivery')
  ) open
  cross join lateral (
    select coalesce(json_agg(json_build_object('at', extract(epoch from at) * 1000, 'lon', lon, 'lat', lat) order by at), '[]') as stops
    from (
      select greatest(p.completed_at, p.failed_at, p.returned_at) as at, ${wasAt('lon')} as lon, ${wasAt('lat')} as lat
      from packages p
      where p.route_id = r.id and p.driver_id is not distinct from case when p.status = 'processing' then null else r.driver_id end
    ) p where at is not null
  ) done
  left join position_consents consent on consent.user_id = r.driver_id
  left join driver_positions last on last.driver_id = consent.user_id
  where r.id = any($1::uuid[]) and r.state = 'started'`;

/** Reads the started ones of these routes. */
export async function findRounds(db: Queryable, routeIds: Iterable<string>): Promise<Map<string, Round>> {
  const ids = [...new Set(routeIds)];
  if (ids.length === 0) return new Map();
  const rows = await db.query<RoundRow>(roundsSql, [ids]);
  return new Map(rows.map((row) => [row.id, asRound(row)]));
}

export async function findArrivalModel(db: Queryable): Promise<ArrivalModel> {
  const [row] = await db.query<{ model: ArrivalModel }>('select model from arrival_model');
  return row?.model ?? coldModel;
}

/** How long drivers usually take, as a part of what is expected of all. Those of whom nothing was learned are left out. */
export async function findPaces(db: Queryable, driverIds: readonly string[]): Promise<Map<string, number>> {
  if (driverIds.length === 0) return new Map();
  const rows = await db.query<{ driver_id: string; pace: number }>(
    'select driver_id, pace from driver_paces where driver_id = any($1::uuid[])',
    [driverIds],
  );
  return new Map(rows.map(({ driver_id: driverId, pace }) => [driverId, pace]));
}

const pointOf = (lon: number | null, lat: number | null): Point | null =>
  lon === null || lat === null ? null : { lon, lat };

function asRound({ started_at, ...row }: RoundRow): Round {
  const startedAt = started_at ?? new Date(0);
  const places = new Map(row.open.map((stop) => [stop.id, stop]));
  const open = inOrder(
    row.stop_ids,
    row.open.map(({ id }) => id),
  ).flatMap((id) => places.get(id) ?? []);
  const stops = nextFirst(open, ({ next }) => next);
  const { position_at: positionAt, public_position: publicPosition } = row;
  const position = positionAt && positionAt >= startedAt ? pointOf(row.position_lon, row.position_lat) : null;
  const model = row.model ?? coldModel;
  const zoneMs = row.zone_seconds * 1000;
  const begin = { place: pointOf(row.depot_lon, row.depot_lat), at: startedAt.getTime() };
  const done = row.done.map(({ lon, lat, at }) => ({ place: pointOf(lon, lat), at }));
  const last = done.at(-1);
  return {
    since: countsFrom(startedAt, [last ? new Date(last.at) : null]).getTime(),
    from: (last ?? begin).place,
    position: position && positionAt && { ...position, at: positionAt.getTime() },
    atDoor: stops[0]?.here === true,
    zoneMs,
    pace: paceOf(done, begin, zoneMs, model, row.usual_pace ?? undefined),
    open: stops.map(({ id, lon, lat, opens, next }) => ({ id, place: pointOf(lon, lat), opensAt: opens, next })),
    model,
    driver: row.driver,
    publicPosition: publicPosition && positionAt ? { json: publicPosition, at: positionAt.getTime() } : null,
  };
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

const secondMs = 1000;
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

/** What was computed last for a route: many of its packages are looked up together. */
interface Computed {
  now: number;
  msPerStop: number;
  forecasts: Forecast[];
  /** By package; null where it is no open stop. */
  arrivals: Map<string, Arrival | null>;
}

const computed = new WeakMap<Round, Computed>();

/** At the begin of the second: answers are whole minutes, and those of one second are computed once. */
function computedOf(round: Round, msPerStop: number, at: number): Computed {
  const now = at - (at % secondMs);
  const before = computed.get(round);
  if (before?.now === now && before.msPerStop === msPerStop) return before;
  const forecasts = forecast({ ...round, now, stops: round.open, msPerStop, isPlanned: false }, round.model);
  const computedNow = { now, msPerStop, forecasts, arrivals: new Map<string, Arrival | null>() };
  computed.set(round, computedNow);
  return computedNow;
}

/** The expected arrival of a package, or null where it is no open stop of this route. */
export function arrivalIn(round: Round | undefined, packageId: string, msPerStop: number, at: Date): Arrival | null {
  if (!round) return null;
  const { now, forecasts, arrivals } = computedOf(round, msPerStop, at.getTime());
  const before = arrivals.get(packageId);
  if (before !== undefined) return before;
  const ahead = round.open.findIndex(({ id }) => id === packageId);
  const arrival =
    ahead < 0
      ? null
      : (asArrival(forecasts[ahead], ahead) ?? arrivalAt(new Date(round.since), ahead, msPerStop, new Date(now)));
  arrivals.set(packageId, arrival);
  return arrival;
}

/** The windows of the open stops on these routes that are expected by driving times. In ms. */
export async function findForecasts(ctx: Pick<Ctx, 'now' | 'config'>, db: Queryable, routeIds: string[]) {
  const now = ctx.now();
  const msPerStop = stopMs(ctx);
  const rounds = await findRounds(db, routeIds);
  return [...rounds].flatMap(([routeId, round]) =>
    computedOf(round, msPerStop, now.getTime()).forecasts.flatMap(({ expected, window }, stopsAhead) => {
      const packageId = round.open[stopsAhead]?.id;
      if (!window || packageId === undefined) return [];
      const fixed = arrivalAt(new Date(round.since), stopsAhead, msPerStop, now).estimatedDeliveryTime;
      return {
        packageId,
        routeId,
        stopsAhead,
        horizon: horizonOf(stopsAhead),
        expected,
        window,
        fixed: Date.parse(fixed),
      };
    }),
  );
}

interface PlannedRow {
  starts_at: Date;
  stop_ids: string[];
  depot_lon: number | null;
  depot_lat: number | null;
  zone_seconds: number;
  usual_pace: number | null;
  open: { id: string; lon: number | null; lat: number | null; opens: number | null }[];
}

/** Routes that begin later are not looked at. */
const plannedHours = 36;

/** Planned routes of now and tomorrow that have to keep to a window or a day. $1: now. */
const plannedSql = `
  select r.starts_at, r.stop_ids, open.stops as open,
    case when ${isExact('d')} then d.place_lon end as depot_lon, case when ${isExact('d')} then d.place_lat end as depot_lat,
    extract(epoch from (r.starts_at at time zone d.time_zone) - (r.starts_at at time zone 'UTC'))::integer as zone_seconds,
    (select pace from driver_paces where driver_id = r.driver_id) as usual_pace
  from routes r
  join depots d on d.id = r.depot_id
  cross join lateral (
    select json_agg(json_build_object('id', p.id, 'lon', ${goesTo('p', 'lon')}, 'lat', ${goesTo('p', 'lat')}, 'opens', ${opens})) as stops,
      coalesce(bool_or(not p.return_due and (p.window_to > $1::timestamptz or p.eta <= r.day)), false) as due
    from packages p where p.route_id = r.id and p.status = 'processing'
  ) open
  where r.state = 'planned' and r.starts_at is not null and r.starts_at between $1::timestamptz - interval '12 hours' and $1::timestamptz + interval '${plannedHours} hours'
    and open.due`;

/** When the stops of planned routes are expected that have to keep to a window or a day: the medians, in ms. Whoever is late starts now. */
export async function findPlannedForecasts(
  ctx: Pick<Ctx, 'now' | 'config'>,
  db: Queryable,
): Promise<{ packageId: string; window: { median: number } }[]> {
  const now = ctx.now();
  const rows = await db.query<PlannedRow>(plannedSql, [now]);
  if (rows.length === 0) return [];
  const model = await findArrivalModel(db);
  return rows.flatMap((row) => {
    const startsAt = Math.max(row.starts_at.getTime(), now.getTime());
    const places = new Map(row.open.map((stop) => [stop.id, stop]));
    const open = inOrder(row.stop_ids, [...places.keys()]).flatMap((id) => places.get(id) ?? []);
    const forecasts = forecast(
      {
        now: startsAt,
        since: startsAt,
        from: pointOf(row.depot_lon, row.depot_lat),
        position: null,
        atDoor: false,
        zoneMs: row.zone_seconds * 1000,
        stops: open.map(({ lon, lat, opens }) => ({ place: pointOf(lon, lat), opensAt: opens })),
        pace: row.usual_pace ?? model.pace ?? 1,
        msPerStop: stopMs(ctx),
        isPlanned: true,
      },
      model,
    );
    return open.flatMap(({ id }, index) => {
      const window = forecasts[index]?.window;
      return window ? { packageId: id, window } : [];
    });
  });
}

/** As it is published; null where only the number of stops is known. */
export function asArrival(found: Forecast | undefined, ahead: number): Arrival | null {
  if (!found?.window) return null;
  const { from, median, to } = found.window;
  const instant = (ms: number) => new Date(ms).toISOString();
  return {
    estimatedDeliveryTime: instant(median),
    arrivalWindow: { from: instant(from), to: instant(to) },
    stopsAway: ahead,
  };
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
