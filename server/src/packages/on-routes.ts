import type { Queryable, Tx } from '../platform/database/db.ts';
import { isHeld, isPlanned, lockFreePackages, packageColumns, type PackageRow } from './row.ts';
import { packageUpdate } from './store.ts';

/** The SQLSTATE after which a transaction is repeated. */
const serializationFailure = '40001';

/** The number of waiting packages that no driver is offered: on a route, or held for a return or a collection. */
export async function countNotOffered(db: Queryable): Promise<number> {
  const [row] = await db.query<{ planned: number; held: number }>(
    `select (select count(*)::float8 from packages where ${isPlanned}) as planned,
       (select count(*)::float8 from packages where ${isHeld} and not (${isPlanned})) as held`,
  );
  return row ? row.planned + row.held : 0;
}

/** All packages of these routes, and those with these ids, in any order. */
export const findOnRoutes = (db: Queryable, routeIds: string[], ids: string[]) =>
  db.query<PackageRow>(
    `select ${packageColumns} from packages where (route_id is not null and route_id = any($1::uuid[])) or id = any($2::uuid[])`,
    [routeIds, ids],
  );

/**
 * Locks the packages of these routes and those with these ids, in the order of their ids. Callers hold the locks of the routes, which come
 * first everywhere.
 */
export async function lockOnRoutes(tx: Tx, routeIds: string[], ids: string[]): Promise<Map<string, PackageRow>> {
  const locked = await tx.query<{ id: string }>(
    `select id from packages where (route_id is not null and route_id = any($1::uuid[])) or id = any($2::uuid[]) order by id for update`,
    [routeIds, ids],
  );
  // The second statement sees what the first one waited for.
  const rows = await findOnRoutes(
    tx,
    [],
    locked.map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks packages for a driver's step: first their routes, so that steps of one route are taken one after another, then the packages, with
 * those that are out for delivery on these routes.
 * @returns all of them
 * @throws a serialization failure, after which the transaction is repeated, if a package got on another route in between
 */
export async function lockOnRound(tx: Tx, ids: string[]): Promise<Map<string, PackageRow>> {
  // A selection, so that the plans are kept.
  const chosen = '(select $1::uuid[])::uuid[]';
  const affected = `array(
      select unnest(${chosen})
      union select other.id from packages mine join packages other on other.route_id = mine.route_id and other.status = 'out for delivery'
      where mine.id = any(${chosen}) and mine.route_id is not null)`;
  const [before, , , rows] = await Promise.all([
    tx.query<{ route_id: string | null }>(`select route_id from packages where id = any(${chosen})`, [ids]),
    tx.query(
      `select from routes where id = any(array(select route_id from packages where id = any(${chosen}))) order by id for update`,
      [ids],
    ),
    tx.query(`select from packages where id = any(${affected}) order by id for update`, [ids]),
    // A statement of its own sees what the others waited for.
    tx.query<PackageRow>(`select ${packageColumns} from packages where id = any(${affected})`, [ids]),
  ]);
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  const locked = new Set(before.map(({ route_id: route }) => route));
  if (rows.some(({ id, route_id: route }) => wanted.has(id) && route !== null && !locked.has(route)))
    throw Object.assign(new Error('a package got on another route meanwhile'), { code: serializationFailure });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Puts waiting packages on a route, or takes them off (null). Neither raises their version. Requires the row locks. */
export async function setRoute(tx: Tx, ids: string[], routeId: string | null, at: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    packageUpdate({
      where: 'id = any($1::uuid[])',
      set: { route_id: '$2::uuid', planned_at: '$3::timestamptz' },
      returning: 'id',
    }),
    [ids, routeId, routeId && at],
  );
}

/** Packages that steps are about, and the routes of these packages. */
export interface FreeRounds {
  packages: Map<string, PackageRow>;
  /** Of each route what is out for delivery; null if another transaction has some of it. */
  routes: Map<string, PackageRow[] | null>;
}

/** Locks what `lockOnRound` locks, in the same order, without what another transaction has locked: it waits for nobody. */
export async function lockFreeRounds(tx: Tx, ids: string[]): Promise<FreeRounds> {
  const [free, rows] = await Promise.all([
    tx.query<{ id: string }>(
      `select id from routes where id = any(array(select route_id from packages where id = any($1::uuid[])))
       order by id for update skip locked`,
      [ids],
    ),
    lockFreePackages(tx, ids),
  ]);
  const packages = new Map(rows.map((row) => [row.id, row]));
  const routes = new Map<string, PackageRow[] | null>(free.map(({ id }) => [id, []]));
  if (routes.size === 0) return { packages, routes };
  const isOut = "route_id = any($1::uuid[]) and status = 'out for delivery'";
  const params = [[...routes.keys()]];
  // What only the first statement finds is another transaction's.
  const [all, locked] = await Promise.all([
    tx.query<{ id: string; route_id: string }>(`select id, route_id from packages where ${isOut}`, params),
    tx.query<PackageRow>(
      `select ${packageColumns} from packages where ${isOut} order by id for update skip locked`,
      params,
    ),
  ]);
  const out = new Map(locked.map((row) => [row.id, row]));
  for (const { id, route_id: routeId } of all) {
    const row = out.get(id);
    const others = routes.get(routeId);
    if (!row) routes.set(routeId, null);
    else others?.push(row);
  }
  return { packages, routes };
}

/** Of each of these routes ($1) that is started and has no package out for delivery: its first stop in transit. */
const nextStops = `route_id = any($1::uuid[]) and status = 'in transit' and id = any(array(
       select waiting.id from routes cross join lateral (
         select id from packages
         where route_id = routes.id and driver_id = routes.driver_id and status = 'in transit'
         order by array_position(routes.stop_ids, id), id limit 1
       ) waiting
       where routes.id = any($1::uuid[]) and routes.state = 'started'
         and not exists (select from packages other where other.route_id = routes.id and other.status = 'out for delivery')
     ))`;

/**
 * Locks the next stops of routes, without waiting for anybody.
 * @returns `held`: the routes whose next stop another transaction has
 */
export async function lockNextStops(tx: Tx, routeIds: string[]): Promise<{ free: PackageRow[]; held: string[] }> {
  const [all, free] = await Promise.all([
    tx.query<{ route_id: string }>(`select route_id from packages where ${nextStops}`, [routeIds]),
    tx.query<PackageRow>(
      `select ${packageColumns} from packages where ${nextStops} order by id for update skip locked`,
      [routeIds],
    ),
  ]);
  const locked = new Set(free.map(({ route_id: route }) => route));
  return { free, held: all.flatMap(({ route_id: route }) => (locked.has(route) ? [] : route)) };
}

/** Waits until no other transaction has the next stop of a route, without the route's lock: its driver's next step would wait for that. */
export const untilNextStopIsFree = (db: Queryable, routeId: string): Promise<unknown> =>
  db.query(`select from packages where ${nextStops} for update`, [[routeId]]);

/** Locks a route and then its next stop, if it has one, as soon as no other transaction has them. */
export async function waitForNextStop(tx: Tx, routeId: string): Promise<void> {
  await tx.query('select from routes where id = $1 for update', [routeId]);
  await tx.query(`select from packages where ${nextStops} for update`, [[routeId]]);
}

/** Which of these packages were edited after they were planned: not only scanned in at a depot. */
export async function findChangedSincePlanned(db: Queryable, ids: string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select p.id from packages p where p.id = any($1::uuid[]) and p.planned_at is not null and exists (
       select from package_events e where e.package_id = p.id and e.package_id = any($1) and e.type = 'package.updated' and e.at > p.planned_at and (e.changes - 'location') <> '{}')`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The driver of a route. */
export async function findRouteDriver(db: Queryable, routeId: string): Promise<string | null> {
  const [row] = await db.query<{ driver_id: string | null }>('select driver_id from routes where id = $1', [routeId]);
  return row?.driver_id ?? null;
}

/** Locks the packages with these tracking IDs, in the order of their ids. */
export async function lockScanned(tx: Tx, trackingIds: string[]): Promise<PackageRow[]> {
  const rows = await tx.query<{ id: string }>('select id from packages where tracking_id = any($1)', [trackingIds]);
  return [...(await lockOnRoutes(tx, [], rows.map(idOf))).values()];
}

const idOf = ({ id }: { id: string }) => id;

/** Requires the row locks. */
export const setAtDepot = (
  tx: Tx,
  packages: PackageRow[],
  { depotId, name, at }: { depotId: string; name: string; at: Date },
): Promise<PackageRow[]> =>
  tx.query<PackageRow>(
    packageUpdate({
      where: 'id = any($1::uuid[])',
      set: { depot_id: '$2::uuid', location: '$3', updated_at: '$4', version: 'version + 1' },
    }),
    [packages.map(idOf), depotId, name, at],
  );
