import { dayIn, isAtRisk, type ArrivalFigures, type ArrivalsQuery, type PackageStatus } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events/record.ts';
import { findForecasts, findPlannedForecasts } from '../packages/rounds.ts';
import type { Db, Queryable, Tx } from '../platform/database/db.ts';
import { findTracks } from '../positions/tracks.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { stayOf, staysAt, type Door } from '../travel/coming-near.ts';
import {
  horizons,
  learnPaces,
  learnQuantiles,
  learnRatios,
  type ArrivalModel,
  type DrivenRound,
} from '../travel/forecast.ts';

/** Routes or attempts per statement. */
const batchSize = 100;
const learnedDays = 28;
/** The newest are enough. */
const mostFacts = 200_000;
const learnEveryMs = 20 * 3_600_000;

/**
 * Stores the window of each open stop on the started routes as it was when it came to its horizon, and the arrivals of those that were
 * expected, and who will be late. Idempotent: whatever is stored already stays.
 */
export async function storeForecasts(ctx: Pick<Ctx, 'db' | 'now' | 'config' | 'settings'>): Promise<void> {
  const risky: Risk[] = [];
  const routes = await ctx.db.query<{ id: string }>("select id from routes where state = 'started' order by id");
  for (let start = 0; start < routes.length; start += batchSize) {
    const ids = routes.slice(start, start + batchSize).map(({ id }) => id);
    const found = await findForecasts(ctx, ctx.db, ids);
    risky.push(...(await findRisks(ctx, found)));
    const column = <Value>(valueOf: (row: (typeof found)[number]) => Value) => found.map(valueOf);
    await ctx.db.query(
      `insert into arrival_forecasts (package_id, route_id, horizon, stops_ahead, made_at, expected_at, median_at, from_at, to_at, fixed_at)
       select given.package_id, given.route_id, given.horizon, given.stops_ahead, $1, given.expected_at, given.median_at, given.from_at, given.to_at, given.fixed_at
       from unnest($2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::timestamptz[])
         as given (package_id, route_id, horizon, stops_ahead, expected_at, median_at, from_at, to_at, fixed_at)
       on conflict do nothing`,
      [
        ctx.now(),
        column(({ packageId }) => packageId),
        column(({ routeId }) => routeId),
        column(({ horizon }) => horizon),
        column(({ stopsAhead }) => stopsAhead),
        column(({ expected }) => new Date(expected)),
        column(({ window }) => new Date(window.median)),
        column(({ window }) => new Date(window.from)),
        column(({ window }) => new Date(window.to)),
        column(({ fixed }) => new Date(fixed)),
      ],
    );
  }
  risky.push(...(await findRisks(ctx, await findPlannedForecasts(ctx, ctx.db))));
  await storeRisks(ctx, risky);
  await storeStays(ctx);
  // The driver's position says when they were at the door, else what the driver said, else when the attempt ended.
  await ctx.db.query(
    `update arrival_forecasts f set arrived_at = greatest(f.made_at, coalesce(s.near_at, a.arrived_at, a.ended_at))
     from delivery_attempts a left join door_stays s using (package_id, number)
     where f.arrived_at is null and f.made_at > $1::timestamptz - interval '2 days'
       and a.package_id = f.package_id and a.route_id = f.route_id and a.ended_at >= f.made_at`,
    [ctx.now()],
  );
}

interface EndedRow {
  package_id: string;
  number: number;
  driver_id: string;
  started_at: Date;
  /** When the driver was at the door, by the button. */
  said_at: Date;
  ended_at: Date;
  lon: number;
  lat: number;
  accuracy: Door['accuracy'];
}

/** Most drivers press the button at the door: then the positions of this time are enough. */
const aroundMs = 20 * 60_000;

/** Stores when the drivers of attempts that were expected, and have ended, were near the door: some confirm all of them at the depot. */
async function storeStays({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const ended = await db.query<EndedRow>(
    `select a.package_id, a.number, c.user_id as driver_id, a.started_at, coalesce(a.arrived_at, a.ended_at) as said_at, a.ended_at,
       p.place_lon as lon, p.place_lat as lat, p.place_accuracy as accuracy
     from (
       select distinct package_id, route_id from arrival_forecasts where arrived_at is null and made_at > $1::timestamptz - interval '2 days'
     ) f
     join delivery_attempts a on a.package_id = f.package_id and a.route_id = f.route_id
     join packages p on p.id = a.package_id
     join position_consents c on c.user_id = a.driver_id
     where p.place_lon is not null and p.place_lat is not null and p.place_accuracy is not null and a.started_at is not null`,
    [now()],
  );
  for (let start = 0; start < ended.length; start += batchSize) {
    const batch = ended.slice(start, start + batchSize);
    const unknown = await storeStaysOf(db, batch, (row) => row.said_at.getTime() - aroundMs);
    // One by one: these are all points of a round.
    for (const row of unknown) await storeStaysOf(db, [row], () => 0);
  }
}

/** @param fromOf when the positions begin that are looked at, in ms. @returns those without a stay */
async function storeStaysOf(db: Queryable, ended: EndedRow[], fromOf: (row: EndedRow) => number): Promise<EndedRow[]> {
  const tracks = await findTracks(
    db,
    ended.map((row) => ({
      driverId: row.driver_id,
      from: new Date(Math.max(row.started_at.getTime(), fromOf(row))),
      to: row.ended_at,
    })),
  );
  const found = ended.map((row, index) => ({
    row,
    stay: stayOf(staysAt(tracks[index] ?? [], row), row.said_at.getTime()),
  }));
  const near = found.flatMap(({ row, stay }) => (stay ? { row, stay } : []));
  if (near.length > 0)
    await db.query(
      `insert into door_stays (package_id, number, driver_id, near_at, near_until)
       select given.package_id, given.number, c.user_id, given.near_at, given.near_until
       from unnest($1::uuid[], $2::integer[], $3::uuid[], $4::timestamptz[], $5::timestamptz[])
         as given (package_id, number, driver_id, near_at, near_until)
       join position_consents c on c.user_id = given.driver_id
       order by given.driver_id for key share of c
       on conflict do nothing`,
      [
        near.map(({ row }) => row.package_id),
        near.map(({ row }) => row.number),
        near.map(({ row }) => row.driver_id),
        near.map(({ stay }) => new Date(stay.from)),
        near.map(({ stay }) => new Date(stay.until)),
      ],
    );
  return found.flatMap(({ row, stay }) => (stay ? [] : row));
}

interface Risk {
  packageId: string;
  expectedAt: Date;
}

interface DueRow {
  id: string;
  window_to: Date | null;
  eta: string | null;
}

/** Those that are expected after what was wished or due, by the median that is published. */
async function findRisks(
  ctx: Pick<Ctx, 'db' | 'now' | 'settings'>,
  forecasts: { packageId: string; window: { median: number } }[],
): Promise<Risk[]> {
  const zone = await zoneOf(ctx.settings, {});
  const rows = await ctx.db.query<DueRow>(
    'select id, window_to, eta from packages where id = any($1::uuid[]) and not return_due',
    [forecasts.map(({ packageId }) => packageId)],
  );
  const dueOf = new Map(
    rows.map(({ id, window_to: to, eta }) => [id, { window: to && { to: to.toISOString() }, eta }] as const),
  );
  const now = ctx.now().getTime();
  return forecasts.flatMap(({ packageId, window }) => {
    const due = dueOf.get(packageId);
    return due && isAtRisk(window.median, due, (at) => dayIn(zone, at), now)
      ? { packageId, expectedAt: new Date(window.median) }
      : [];
  });
}

interface RiskRow {
  id: string;
  owner_id: string;
  driver_id: string | null;
  status: PackageStatus;
  location: string | null;
}

/** Stores who is at risk now. Lists and the board hear of those that were not before, and of those that are no more. */
async function storeRisks(ctx: Pick<Ctx, 'db' | 'now'>, risks: Risk[]): Promise<void> {
  const at = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const changed = await tx.query<{ package_id: string }>(
      `with given as (select * from unnest($1::uuid[], $2::timestamptz[]) as given (package_id, expected_at)),
         gone as (delete from packages_at_risk where package_id <> all($1::uuid[]) returning package_id),
         came as (
           insert into packages_at_risk (package_id, since, expected_at) select package_id, $3, expected_at from given
           on conflict (package_id) do update set expected_at = excluded.expected_at
             where packages_at_risk.expected_at <> excluded.expected_at
           returning package_id, since
         )
       select package_id from gone union all select package_id from came where since = $3`,
      [risks.map(({ packageId }) => packageId), risks.map(({ expectedAt }) => expectedAt), at],
    );
    if (changed.length === 0) return;
    const rows = await tx.query<RiskRow>(
      'select id, owner_id, driver_id, status, location from packages where id = any($1::uuid[])',
      [changed.map(({ package_id: id }) => id)],
    );
    await recordAll(
      tx,
      rows.map(({ id, owner_id: ownerId, driver_id: driverId, status, location }) => ({
        type: 'package.forecast' as const,
        at,
        actorId: null,
        packageId: id,
        ownerId,
        driverId,
        status,
        location,
      })),
    );
  });
}

interface LegRow {
  from_lon: number;
  from_lat: number;
  to_lon: number | null;
  to_lat: number | null;
  began_at: Date;
  seconds: number;
}

/** Learns from the last 28 days, once a night. @returns whether it did */
export async function learnArrivals({ db, now, settings }: Pick<Ctx, 'db' | 'now' | 'settings'>): Promise<boolean> {
  const at = now();
  const [last] = await db.query<{ learned_at: Date }>('select learned_at from arrival_model');
  if (last && at.getTime() - last.learned_at.getTime() < learnEveryMs) return false;
  const from = new Date(at.getTime() - learnedDays * 86_400_000);
  const legs = await readLegs(db, from);
  const outcomes = await db.query<{ horizon: number; expected_ms: number; actual_ms: number }>(
    `select horizon, (extract(epoch from expected_at - made_at) * 1000)::float8 as expected_ms,
       (extract(epoch from arrived_at - made_at) * 1000)::float8 as actual_ms
     from arrival_forecasts where made_at >= $1 and arrived_at is not null order by made_at desc limit $2`,
    [from, mostFacts],
  );
  const zoneMs = await zoneMsOf(db, await zoneOf(settings, {}));
  const model = {
    ratios: learnRatios(
      legs.flatMap(({ to_lon: lon, to_lat: lat, ...leg }) =>
        lon === null || lat === null
          ? []
          : {
              from: { lon: leg.from_lon, lat: leg.from_lat },
              to: { lon, lat },
              at: leg.began_at.getTime(),
              seconds: leg.seconds,
            },
      ),
      zoneMs,
    ),
    quantiles: learnQuantiles(
      outcomes.map(({ horizon, expected_ms: expectedMs, actual_ms: actualMs }) => ({ horizon, expectedMs, actualMs })),
    ),
  };
  const { all, byDriver } = learnPaces(await readRounds(db, from), zoneMs, model);
  await db.transaction(async (tx) => {
    await storeModel(tx, at, legs.length, outcomes.length, { ...model, pace: all });
    await storePaces(tx, [...byDriver]);
  });
  return true;
}

const storeModel = (tx: Tx, at: Date, legs: number, outcomes: number, model: ArrivalModel) =>
  tx.query(
    `insert into arrival_model (learned_at, legs, outcomes, model) values ($1, $2, $3, $4)
     on conflict (id) do update set learned_at = excluded.learned_at, legs = excluded.legs, outcomes = excluded.outcomes, model = excluded.model`,
    [at, legs, outcomes, JSON.stringify(model)],
  );

/** Those of drivers who have driven nothing lately, or are deleted meanwhile, end. */
async function storePaces(tx: Tx, paces: [driverId: string, pace: number][]): Promise<void> {
  await tx.query('delete from driver_paces');
  await tx.query(
    `insert into driver_paces (driver_id, pace)
     select u.id, given.pace from unnest($1::uuid[], $2::float8[]) as given (driver_id, pace)
     join users u on u.id = given.driver_id and u.role = 'driver' and u.deleted_at is null order by u.id for key share of u`,
    [paces.map(([driverId]) => driverId), paces.map(([, pace]) => pace)],
  );
}

/** SQL: when the driver was done at the door of the attempt `a`, with its stay `s`. Who presses the button elsewhere has left it before. */
const doneAt = 'least(a.ended_at, s.near_until)';

/** The legs between doors that are known exactly, where it is known when the driver arrived. */
const readLegs = (db: Db, from: Date): Promise<LegRow[]> =>
  db.query<LegRow>(
    `select from_lon, from_lat, to_lon, to_lat, began_at, seconds from (
       select p.place_lon as to_lon, p.place_lat as to_lat, lag(p.place_lon) over driven as from_lon, lag(p.place_lat) over driven as from_lat,
         lag(${doneAt}) over driven as began_at,
         extract(epoch from coalesce(s.near_at, a.arrived_at) - lag(${doneAt}) over driven)::float8 as seconds
       from delivery_attempts a join packages p on p.id = a.package_id left join door_stays s using (package_id, number)
       where a.ended_at >= $1 and a.route_id is not null and coalesce(p.place_accuracy, 'town') <> 'town'
       window driven as (partition by a.route_id order by ${doneAt}, a.id)
     ) leg
     where seconds > 0 and seconds < 7200 and from_lon is not null and from_lat is not null and to_lon is not null and to_lat is not null
       and began_at is not null
     limit $2`,
    [from, mostFacts],
  );

interface DoneRow {
  route_id: string;
  driver_id: string;
  at: Date;
  lon: number | null;
  lat: number | null;
}

/** The rounds of drivers, each with the stops that were done; places that are not known exactly are null. */
async function readRounds(db: Db, from: Date): Promise<DrivenRound[]> {
  const rows = await db.query<DoneRow>(
    `select a.route_id, a.driver_id, ${doneAt} as at, case when coalesce(p.place_accuracy, 'town') <> 'town' then p.place_lon end as lon,
       case when coalesce(p.place_accuracy, 'town') <> 'town' then p.place_lat end as lat
     from delivery_attempts a join packages p on p.id = a.package_id left join door_stays s using (package_id, number)
     where a.ended_at >= $1 and a.route_id is not null and a.driver_id is not null order by ${doneAt} desc limit $2`,
    [from, mostFacts],
  );
  const rounds = Map.groupBy(
    rows.toReversed(),
    ({ route_id: routeId, driver_id: driverId }) => `${routeId} ${driverId}`,
  );
  return [...rounds.values()].map((done) => ({
    driverId: done[0]?.driver_id ?? '',
    done: done.map(({ at, lon, lat }) => ({
      place: lon === null || lat === null ? null : { lon, lat },
      at: at.getTime(),
    })),
  }));
}

async function zoneMsOf(db: Queryable, zone: string): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    `select extract(epoch from (now() at time zone $1) - (now() at time zone 'UTC'))::integer as seconds`,
    [zone],
  );
  return (row?.seconds ?? 0) * 1000;
}

interface HorizonRow {
  horizon: number;
  forecasts: number;
  inside: number;
  late: number;
  minutes: number;
  percent: number | null;
  fixed_minutes: number;
  fixed_percent: number | null;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/** How good the windows of the last days were, by stops to go, beside so many minutes for each stop. */
export async function readArrivals(ctx: Ctx, { days }: ArrivalsQuery): Promise<ArrivalFigures> {
  const now = ctx.now();
  const from = new Date(now.getTime() - days * 86_400_000);
  const [rows, [model]] = await Promise.all([
    ctx.reads.query<HorizonRow>(
      `select horizon, count(*)::integer as forecasts, (count(*) filter (where arrived_at between from_at and to_at))::integer as inside,
         (count(*) filter (where arrived_at > to_at))::integer as late,
         (avg(abs(extract(epoch from arrived_at - median_at))) / 60)::float8 as minutes,
         (avg(abs(extract(epoch from arrived_at - median_at)) / extract(epoch from arrived_at - made_at)) filter (where arrived_at > made_at) * 100)::float8 as percent,
         (avg(abs(extract(epoch from arrived_at - fixed_at))) / 60)::float8 as fixed_minutes,
         (avg(abs(extract(epoch from arrived_at - fixed_at)) / extract(epoch from arrived_at - made_at)) filter (where arrived_at > made_at) * 100)::float8 as fixed_percent
       from arrival_forecasts where made_at >= $1 and arrived_at is not null group by horizon order by horizon`,
      [from],
    ),
    ctx.reads.query<{ learned_at: Date; legs: number; outcomes: number }>(
      'select learned_at, legs, outcomes from arrival_model',
    ),
  ]);
  return {
    asOf: now.toISOString(),
    days,
    learned: model && { at: model.learned_at.toISOString(), legs: model.legs, arrivals: model.outcomes },
    horizons: rows.map((row) => ({
      fromStops: horizons[row.horizon] ?? 1,
      toStops: (horizons[row.horizon + 1] ?? 0) - 1 || null,
      arrivals: row.forecasts,
      inWindow: oneDecimal((row.inside / row.forecasts) * 100),
      late: oneDecimal((row.late / row.forecasts) * 100),
      minutes: oneDecimal(row.minutes),
      percent: row.percent === null ? null : oneDecimal(row.percent),
      fixedMinutes: oneDecimal(row.fixed_minutes),
      fixedPercent: row.fixed_percent === null ? null : oneDecimal(row.fixed_percent),
    })),
  };
}
