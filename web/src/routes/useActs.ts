import type {
  Insertion,
  OwnAbsenceInput,
  Plan,
  Route,
  RouteUpdateInput,
  SplitInput,
  StopsResult,
  WaitingSelection,
} from '@waybill/contract';
import { byAddress, readAddressLine } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { formatCountOf, formatShortDay } from '../platform/formats.ts';
import { newIdempotencyKey } from '../platform/idempotency.ts';
import { queryClient } from '../platform/query-client.ts';
import { dayRoutesQuery } from './queries.ts';
import { insertedAt, openStops } from './plan.ts';
import { optimizedText } from './optimized-text.ts';
import type { Undo } from './useUndo.ts';

type Refused = StopsResult['refused'];

/** Stops that are moved together, by the route that has them. */
export type StopsByRoute = ReadonlyMap<string, readonly string[]>;

const idsOf = (route: Route) => openStops(route).map(({ packageId }) => packageId);

/** The stops that were locked, but for those that did not come back. */
const lockedOf = (route: Route, refused: Refused) =>
  openStops(route).flatMap(({ packageId, locked }) =>
    locked && !refused.some((one) => one.packageId === packageId) ? packageId : [],
  );

const sameStops = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && new Set([...a, ...b]).size === a.length;

/** The acts of a dispatcher on the routes of a day, each with the way back. Whoever chooses a driver without a shift has read so. */
export function useActs(day: string, depotId: string, { run }: Pick<Undo, 'run'>) {
  const { queryKey } = dayRoutesQuery(day, depotId);
  const cached = () => queryClient.getQueryData<Route[]>(queryKey) ?? [];
  const find = (id: string) => cached().find((route) => route.id === id);
  const show = (changed: Route) =>
    queryClient.setQueryData<Route[]>(queryKey, (all) =>
      all?.map((route) => (route.id === changed.id ? changed : route)),
    );

  const reload = async (id: string) => {
    const route = await api.routes.read({ params: { id } });
    show(route);
    return route;
  };
  const add = (id: string, packageIds: string[]) =>
    api.routes.addStops({ params: { id }, body: { packageIds }, idempotencyKey: newIdempotencyKey() });
  const move = (id: string, packageIds: string[], to: string | null) =>
    api.routes.move({ params: { id }, body: { packageIds, to }, idempotencyKey: newIdempotencyKey() });
  const save = async (id: string, body: RouteUpdateInput & { version: number }) => {
    const route = await api.routes.update({ params: { id }, body });
    show(route);
    return route;
  };
  /** A change that whatever others have changed meanwhile does not speak against. */
  const saveAnyway = async (id: string, body: RouteUpdateInput) =>
    save(id, { ...body, version: (await reload(id)).version });
  /** Brings stops back into an order, if the route still has exactly these. */
  const restore = async (id: string, order: readonly string[]) => {
    const route = await reload(id);
    if (route.state !== 'finished' && sameStops(idsOf(route), order))
      await save(id, { order: [...order], version: route.version });
  };

  /** Saves an order at once, shown before the server answers. */
  const order = (route: Route, next: string[]) => {
    const before = idsOf(route);
    if (before.join() === next.join()) return;
    const position = new Map(next.map((id, index) => [id, index]));
    const times = openStops(route).map(({ arrivesAt, arrivalWindow }) => ({ arrivesAt, arrivalWindow }));
    const done = route.stops.filter(({ packageId }) => !position.has(packageId));
    const open = openStops(route)
      .toSorted((a, b) => (position.get(a.packageId) ?? 0) - (position.get(b.packageId) ?? 0))
      .map((stop, index) => ({ ...stop, ...times[index], position: done.length + index + 1 }));
    show({ ...route, stops: [...done, ...open] });
    void run(async () => {
      const version = find(route.id)?.version ?? route.version;
      await save(route.id, { order: next, version });
      return { undo: () => restore(route.id, before) };
    }, route.id);
  };

  const place = async (id: string, packageIds: readonly string[], at: number | undefined) => {
    if (at === undefined || packageIds.length === 0) return;
    const route = await reload(id);
    await save(id, { order: insertedAt(idsOf(route), packageIds, at), version: route.version });
  };

  const back = async (id: string, packageIds: string[]): Promise<Refused> =>
    packageIds.length > 0 ? (await move(id, packageIds, null)).refused : [];

  return {
    /** The route as it is now. */
    find,
    order,

    sortByAddress: (route: Route) =>
      order(
        route,
        openStops(route)
          .map(({ packageId, delivery }) => ({ packageId, ...readAddressLine(delivery.recipientAddress) }))
          .toSorted(byAddress)
          .map(({ packageId }) => packageId),
      ),

    /** Has the server find the best order. Stops that are locked, on their way or without a place stay where they are. */
    optimize: (route: Route) =>
      run(async () => {
        const before = idsOf(find(route.id) ?? route);
        const found = await api.routes.optimize({ params: { id: route.id }, body: {} });
        show(found);
        const isSame = before.join() === idsOf(found).join();
        return {
          says: optimizedText(found.optimized, isSame),
          undo: isSame ? undefined : () => restore(route.id, before),
        };
      }, route.id),

    /** Plans waiting packages on a route. @param at before the open stop that is there; at the end without */
    assign: (route: Route, selection: WaitingSelection, at?: number) =>
      run(async () => {
        const { packageIds, packages } = await api.dispatch.select({ body: selection });
        if (packageIds.length === 0) return { says: 'None of these packages waits any more' };
        const { done, refused } = await add(route.id, packageIds);
        await place(route.id, done, at);
        const left = packages - packageIds.length;
        return {
          refused,
          // What was refused is told above the lists.
          says:
            done.length === 0
              ? undefined
              : `${formatCountOf(done.length, 'package')} planned${route.day === day ? '' : ` for ${formatShortDay(route.day)}`}${left > 0 ? `, ${left} left: a route has at most 500` : ''}`,
          undo: done.length > 0 ? () => back(route.id, done) : undefined,
        };
      }, route.id),

    /** Plans waiting packages on a new route of a day, which has no driver yet. */
    assignNew: (onDay: string, selection: WaitingSelection) =>
      run(async () => {
        const { packageIds } = await api.dispatch.select({ body: selection });
        if (packageIds.length === 0) return { says: 'None of these packages waits any more' };
        const body = { day: onDay, depotId, driverId: null };
        const { id } = await api.routes.create({ body, idempotencyKey: newIdempotencyKey() });
        const { done, refused } = await add(id, packageIds);
        return {
          refused,
          says: `${formatCountOf(done.length, 'package')} planned for ${formatShortDay(onDay)}`,
          undo: () => api.routes.remove({ params: { id } }),
        };
      }),

    /** Puts a waiting package where it costs least. */
    insert: (packageId: string, { routeId, before, version }: Insertion) =>
      run(async () => {
        show(await api.routes.insert({ params: { id: routeId }, body: { packageId, before, version } }));
        return { says: 'Package placed', undo: () => back(routeId, [packageId]) };
      }, routeId),

    /** Moves stops to another route, or to the depot (null). */
    moveStops: (stops: StopsByRoute, to: Route | null, at?: number) =>
      run(
        async () => {
          const orders = new Map([...stops.keys()].flatMap((id) => (find(id) ? [[id, idsOf(find(id) as Route)]] : [])));
          const refused: Refused = [];
          const moved: [string, string[]][] = [];
          for (const [id, packageIds] of stops) {
            if (id === to?.id) continue;
            const result = await move(id, [...packageIds], to?.id ?? null);
            refused.push(...result.refused);
            if (result.done.length > 0) moved.push([id, result.done]);
          }
          const all = moved.flatMap(([, ids]) => ids);
          if (to) await place(to.id, all, at);
          const undo = async () => {
            const left: Refused = [];
            for (const [id, ids] of moved) {
              left.push(...(to ? await move(to.id, ids, id) : await add(id, ids)).refused);
              await restore(id, orders.get(id) ?? []);
            }
            return left;
          };
          return {
            refused,
            says: `${formatCountOf(all.length, 'stop')} ${to ? 'moved' : 'back at the depot'}`,
            undo: moved.length > 0 ? undo : undefined,
          };
        },
        to?.id ?? [...stops.keys()][0],
      ),

    /** The routes of a plan were made. @param before the routes that it changed, as they were */
    applied: ({ routes }: Plan, before: readonly Route[]) =>
      run(async () => {
        await Promise.resolve();
        return {
          says: `${formatCountOf(routes.length, 'route')} planned`,
          undo: async () => {
            const refused: Refused = [];
            for (const { routeId, stops } of routes) {
              if (routeId === null) continue;
              const isOld = before.some(({ id }) => id === routeId);
              if (!isOld) await api.routes.remove({ params: { id: routeId } });
              else
                await back(
                  routeId,
                  stops.map(({ packageId }) => packageId),
                );
            }
            const isKept = (id: string) => routes.some(({ routeId }) => routeId === id);
            for (const old of before) {
              const { driverId, startsAt } = old;
              const body = { day, depotId, driverId, startsAt, confirm: true };
              const id = isKept(old.id)
                ? old.id
                : (await api.routes.create({ body, idempotencyKey: newIdempotencyKey() })).id;
              const stops = idsOf(old);
              if (stops.length > 0) refused.push(...(await add(id, stops)).refused);
              await saveAnyway(id, { startsAt, locked: lockedOf(old, refused) });
            }
            return refused;
          },
        };
      }),

    split: (input: SplitInput, idempotencyKey: string) =>
      run(async () => {
        const { routes, refused } = await api.dispatch.split({ body: input, idempotencyKey });
        return {
          refused,
          says: `${formatCountOf(routes.length, 'route')} planned`,
          undo: async () => {
            for (const { id } of routes) await api.routes.remove({ params: { id } });
          },
        };
      }),

    addRoute: (driverId: string | null, startsAt: string | null) =>
      run(async () => {
        const body = { day, depotId, driverId, startsAt, confirm: true };
        const { id } = await api.routes.create({ body, idempotencyKey: newIdempotencyKey() });
        return { undo: () => api.routes.remove({ params: { id } }) };
      }),

    /** Its packages wait again. */
    remove: (route: Route) =>
      run(async () => {
        const { startsAt, driverId } = route;
        const stops = idsOf(route);
        await api.routes.remove({ params: { id: route.id } });
        return {
          says: 'Route deleted',
          undo: async () => {
            const body = { day, depotId, driverId, startsAt, confirm: true };
            const { id } = await api.routes.create({ body, idempotencyKey: newIdempotencyKey() });
            return stops.length > 0 ? (await add(id, stops)).refused : [];
          },
        };
      }, route.id),

    change: (route: Route, fields: Pick<RouteUpdateInput, 'driverId' | 'startsAt'>) =>
      run(async () => {
        const { driverId, startsAt } = route;
        await save(route.id, { ...fields, version: find(route.id)?.version ?? route.version, confirm: true });
        return { undo: async () => void (await saveAnyway(route.id, { driverId, startsAt, confirm: true })) };
      }, route.id),

    release: (routes: readonly Route[]) =>
      run(async () => {
        for (const { id } of routes) await saveAnyway(id, { released: true });
        return {
          says: `${formatCountOf(routes.length, 'route')} released to drivers`,
          undo: async () => {
            for (const { id } of routes) await saveAnyway(id, { released: false });
          },
        };
      }),

    /**
     * Gives everything of a driver who cannot drive to these routes, if any, and enters the absence. It is not undone: the others know
     * of it.
     */
    reassign: (driverId: string, to: string[], absence: OwnAbsenceInput | null, idempotencyKey: string) =>
      run(async () => {
        const { done, refused } =
          to.length > 0
            ? await api.dispatch.reassign({ body: { driverId, day, to }, idempotencyKey })
            : { done: [], refused: [] };
        if (absence) await api.absences.create({ body: { ...absence, driverId }, idempotencyKey });
        return {
          refused,
          says: to.length > 0 ? `${formatCountOf(done.length, 'stop')} given to other drivers` : 'Absence entered',
        };
      }),
  };
}
export type Acts = ReturnType<typeof useActs>;
