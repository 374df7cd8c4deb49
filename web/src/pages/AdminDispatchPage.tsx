import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, dayIn, isOpenStop } from '@waybill/contract';
import type { Depot, Route, WaitingFilter, WaitingPackage } from '@waybill/contract';
import {
  CalendarDays,
  ChartGantt,
  ChevronLeft,
  ChevronRight,
  Columns3,
  Map as MapIcon,
  Plus,
  Send,
  Undo2,
  Waypoints,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { useToday } from '../platform/clock.ts';
import { formatCount, formatCountOf, formatShortDay } from '../platform/formats.ts';
import { depotsQuery, useLiveDepots } from '../depots/queries.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { queryClient } from '../platform/query-client.ts';
import { checked } from '../routes/checked-search.ts';
import type { CheckedSearch } from '../routes/checked-search.ts';
import { DispatchBar } from '../routes/DispatchBar.tsx';
import { DragGhost } from '../routes/DragGhost.tsx';
import { inLaneOrder } from '../routes/lane-order.ts';
import type { LaneOrder } from '../routes/lane-order.ts';
import { insertedAt, isReplannable, openStops, viewerZone } from '../routes/plan.ts';
import type { Planning } from '../routes/planning.ts';
import { dayRoutesQuery, loadedRows, useLiveDispatch } from '../routes/queries.ts';
import { proposedDayOf, wishedTimes } from '../routes/proposed-day.ts';
import { RouteColumn } from '../routes/RouteColumn.tsx';
import { Refusals } from '../routes/Refusals.tsx';
import { RouteStrip } from '../routes/RouteStrip.tsx';
import { asSelection, isChosen, nothingChosen, totalsOf } from '../routes/selection.ts';
import { useActs } from '../routes/useActs.ts';
import { useDrag } from '../routes/useDrag.ts';
import type { Dragged, Place } from '../routes/useDrag.ts';
import { useUndo } from '../routes/useUndo.ts';
import { useWaiting } from '../routes/useWaiting.ts';
import { WaitingFilters } from '../routes/WaitingFilters.tsx';
import { WaitingList } from '../routes/WaitingList.tsx';
import { weekAbsencesQuery } from '../shifts/absence-queries.ts';
import { activeDriversQuery, useLiveShifts, weekQuery } from '../shifts/queries.ts';
import { addDays, mondayOf } from '../shifts/week.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { Select } from '../ui/Select.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { useDialogState } from '../ui/useDialogState.ts';

const RoutesMap = lazyComponent(() => importWithRetry(async () => (await import('../routes/RoutesMap.tsx')).RoutesMap));
const dialogs = () => importWithRetry(() => import('./parts/DispatchDialogs.tsx'));
const AssignDialog = lazyComponent(() => dialogs().then((code) => code.AssignDialog));
const SplitDialog = lazyComponent(() => dialogs().then((code) => code.SplitDialog));
const PlanDialog = lazyComponent(() => dialogs().then((code) => code.PlanDialog));
const PlaceDialog = lazyComponent(() => dialogs().then((code) => code.PlaceDialog));
const IllDialog = lazyComponent(() => dialogs().then((code) => code.IllDialog));
const DayTimeline = lazyComponent(() =>
  importWithRetry(() => import('../routes/DayTimeline.tsx')).then((code) => code.DayTimeline),
);
const RouteDialog = lazyComponent(() => dialogs().then((code) => code.RouteDialog));

export function AdminDispatchPage() {
  useLiveDispatch();
  useLiveShifts();
  useLiveDepots();
  const search = checked(usePageSearch('adminDispatch'));
  const depots = useQuery(depotsQuery());
  const pending = useDelayedPending(depots.isPending);
  const depot = depots.data?.find(({ id }) => id === search.depot) ?? depots.data?.[0];
  if (depot) return <Dispatch depot={depot} depots={depots.data ?? []} search={search} />;
  if (depots.isError)
    return (
      <div className="p-6">
        <h1 className="sr-only">Dispatch</h1>
        <ErrorState
          title="The depots could not be loaded"
          message={depots.error.message}
          requestId={depots.error instanceof ApiError ? depots.error.requestId : null}
          retrying={depots.isFetching}
          onRetry={() => void depots.refetch()}
        />
      </div>
    );
  return (
    <div className="p-6">
      <h1 className="mb-4 text-title font-semibold">Dispatch</h1>
      {pending && (
        <SkeletonGroup label="Loading dispatch">
          <Skeleton height="h-96" />
        </SkeletonGroup>
      )}
    </div>
  );
}

/** Filters that are typed: each letter replaces the entry of the history. */
const typedFilters = ['q', 'place', 'reference', 'ownedBy', 'kgFrom', 'kgTo'];

interface DispatchProps {
  depot: Depot;
  depots: readonly Depot[];
  search: CheckedSearch;
}

function Dispatch({ depot, depots, search }: DispatchProps) {
  const navigate = useNavigate();
  const change = (next: Partial<CheckedSearch>) =>
    void navigate({
      to: '/admin/dispatch',
      // Of what the URL has by then: two fields may be typed in before the screen shows the first.
      search: (before) => ({ ...before, ...next }),
      replace: typedFilters.some((name) => name in next),
      resetScroll: false,
    });
  const today = dayIn(depot.timeZone, useToday());
  const day = search.day ?? today;
  const { q, place, window, owner, ownedBy, kgFrom, kgTo, reference, attempts, due } = search;
  const filter: WaitingFilter = {
    q,
    place,
    window,
    ownerId: owner,
    owner: ownedBy,
    weightFrom: kgFrom,
    weightTo: kgTo,
    reference,
    attempts,
    day: due && day,
  };
  const filtered = Object.values(filter).some((one) => one !== undefined);
  const scope = JSON.stringify(filter);
  const [selected, setSelected] = useState({ scope, chosen: nothingChosen });
  const chosen = selected.scope === scope ? selected.chosen : nothingChosen;
  const setChosen = (next: typeof chosen) => setSelected({ scope, chosen: next });
  const [stopsOfDay, setStopsOfDay] = useState<{ day: string; stops: ReadonlyMap<string, string> }>({
    day,
    stops: new Map(),
  });

  const routes = useQuery(dayRoutesQuery(day, depot.id));
  const pendingRoutes = useDelayedPending(routes.isPending);
  const drivers = useQuery(activeDriversQuery());
  const shifts = useQuery(weekQuery(mondayOf(day)));
  const absences = useQuery(weekAbsencesQuery(mondayOf(day)));
  const { groups, matching, ownerName } = useWaiting(filter);
  const undo = useUndo();
  const acts = useActs(day, depot.id, undo);
  const assigning = useDialogState<true>();
  const splitting = useDialogState<true>();
  const planningDay = useDialogState<true>();
  const editing = useDialogState<{ route: Route | null }>();
  const ill = useDialogState<Route>();
  const placing = useDialogState<WaitingPackage>();

  const nameOf = (driverId: string | null) =>
    driverId === null ? 'No driver' : (drivers.data?.find(({ id }) => id === driverId)?.name ?? 'Driver');
  const all = inLaneOrder(routes.data ?? [], search.sort, nameOf, depot);
  const illHere = search.ill && all.find(({ driverId, state }) => driverId === search.ill && state !== 'finished');
  // Whoever comes from an absence decides at once who takes the stops.
  useEffect(() => {
    if (!illHere || !drivers.data) return;
    ill.show(illHere);
    change({ ill: undefined });
  });
  // A stop that is done, or has left its route, is no longer selected.
  const stops = new Map(
    [...(stopsOfDay.day === day ? stopsOfDay.stops : [])].filter(([id, routeId]) =>
      all.some(
        (route) =>
          route.id === routeId && route.stops.some(({ packageId, state }) => packageId === id && isOpenStop(state)),
      ),
    ),
  );
  const setStops = (next: ReadonlyMap<string, string>) => setStopsOfDay({ day, stops: next });
  const totals = totalsOf(chosen, groups, matching);
  const selection = asSelection(chosen, filter);
  const chosenRows = loadedRows(queryClient).filter((row) => isChosen(chosen, row));
  const byRoute = Map.groupBy(stops.keys(), (id) => stops.get(id) ?? '');
  const clear = () => {
    setChosen(nothingChosen);
    setStops(new Map());
  };

  const drop = (item: Dragged, { routeId, at }: Place) => {
    const route = acts.find(routeId);
    if (!route) return;
    if (item.kind === 'row') {
      const isOfSelection = isChosen(chosen, item.row);
      void acts.assign(route, isOfSelection ? selection : { packageIds: [item.row.id] }, at);
      if (isOfSelection) setChosen(nothingChosen);
      return;
    }
    const moved = stops.has(item.stop.packageId) ? byRoute : new Map([[item.routeId, [item.stop.packageId]]]);
    const here = moved.get(routeId);
    if (here && moved.size === 1) {
      const order = openStops(route).map(({ packageId }) => packageId);
      acts.order(route, insertedAt(order, here, at ?? order.length));
    } else void acts.moveStops(moved, route, at);
  };
  const drag = useDrag(drop);
  const draggedCount = (() => {
    const item = drag.dragging?.item;
    if (item?.kind === 'row') return isChosen(chosen, item.row) ? totals.packages : 1;
    return item && stops.has(item.stop.packageId) ? stops.size : 1;
  })();
  const planning: Planning = {
    day,
    depot,
    depots,
    routes: all,
    shifts: shifts.data ?? [],
    absences: absences.data ?? [],
    nameOf,
    acts,
    drag,
    dragged: draggedCount,
    stops,
    onStops: setStops,
    stale: undo.notes.stale,
    onEdit: (route) => editing.show({ route }),
    onIll: ill.show,
  };
  const assignTo = (route: Route) => {
    if (stops.size > 0) void acts.moveStops(byRoute, route);
    if (totals.packages > 0) void acts.assign(route, selection);
    clear();
  };
  const refusalOf = (route: Route): string | null => {
    if (route.state === 'started' && totals.packages > 0) return 'Already on the road';
    const isOnRoad = [...byRoute.keys()].some((id) => acts.find(id)?.state === 'started');
    return isOnRoad && route.state === 'planned' ? 'What is on the road goes to a driver on the road' : null;
  };
  const [onlyStop] = stops;
  const step = (by: 1 | -1) => {
    const route = onlyStop && acts.find(onlyStop[1]);
    if (!route) return;
    const order = openStops(route).map(({ packageId }) => packageId);
    const at = order.indexOf(onlyStop[0]);
    const to = at + by;
    if (at >= 0 && to >= 0 && to < order.length)
      acts.order(route, order.with(at, order[to] ?? '').with(to, onlyStop[0]));
  };
  const releasable = all.filter(
    ({ state, released, driverId, stops: of }) =>
      state === 'planned' && !released && driverId !== null && of.length > 0,
  );
  const isTimeline = search.view === 'timeline' && all.length > 0;
  const stopCount = all.reduce((sum, { stops: of }) => sum + of.length, 0);

  return (
    <div className="flex min-h-0 grow flex-col bg-surface max-md:-mb-4 md:h-dvh">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
        <h1 className="text-title font-semibold text-ink">Dispatch</h1>
        <DayChooser
          day={day}
          today={today}
          zone={depot.timeZone}
          onDay={(next) => change({ day: next === today ? undefined : next })}
        />
        {depots.length > 1 && (
          <span className="w-44 max-sm:ml-auto">
            <Select
              size="sm"
              aria-label="Depot"
              options={depots.map(({ id, name }) => ({ value: id, label: name }))}
              value={depot.id}
              onValueChange={(id) => change({ depot: id })}
            />
          </span>
        )}
        {/* On tablets a line of its own. */}
        <span className="ml-auto flex items-center justify-end gap-3 max-md:contents md:max-lg:w-full">
          <span className="mr-auto text-table figures text-ink-3 max-2xl:hidden md:max-lg:inline">
            {[
              formatCountOf(all.length, 'route'),
              formatCountOf(stopCount, 'stop'),
              undo.steps > 0 && `${formatCount(undo.steps)} changed by you`,
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
          <span className="flex flex-wrap items-center justify-end gap-2 max-md:ml-auto max-sm:order-2">
            <IconButton
              size="sm"
              label="Map"
              aria-pressed={search.map === 'on'}
              icon={<MapIcon aria-hidden="true" />}
              // On phones it stands among the routes.
              onClick={() => change(search.map === 'on' ? { map: undefined } : { map: 'on', show: 'routes' })}
            />
            <span className={classes(undo.steps === 0 && 'max-sm:hidden')}>
              <Button
                variant="secondary"
                size="sm"
                disabled={undo.steps === 0}
                aria-keyshortcuts="Control+Z Meta+Z"
                icon={<Undo2 aria-hidden="true" className="size-4" />}
                onClick={undo.walkBack}
              >
                <span className="max-sm:sr-only">Undo</span>
              </Button>
            </span>
            <Button
              variant="secondary"
              size="sm"
              disabled={(matching.packages === 0 && !all.some(isReplannable)) || !drivers.data}
              icon={<Waypoints aria-hidden="true" className="size-4 max-sm:hidden" />}
              onClick={() => planningDay.show(true)}
            >
              Plan the day
            </Button>
            <Button
              size="sm"
              disabled={releasable.length === 0}
              icon={<Send aria-hidden="true" className="size-4 max-sm:hidden" />}
              onClick={() => void acts.release(releasable)}
            >
              Release to drivers
            </Button>
          </span>
        </span>
      </header>
      <Refusals refused={undo.notes.refused} onDismiss={undo.dismiss} />
      <div role="group" aria-label="Show" className="grid grid-cols-2 border-b border-line md:hidden">
        {(['waiting', 'routes'] as const).map((side) => {
          const isShown = (search.show === 'routes') === (side === 'routes');
          return (
            <button
              key={side}
              type="button"
              aria-pressed={isShown}
              onClick={() => change({ show: side === 'routes' ? 'routes' : undefined })}
              className={classes(
                'min-h-11 text-ui font-medium',
                isShown ? 'text-brand shadow-[inset_0_-2px_0_var(--color-brand)]' : 'text-ink-2',
              )}
            >
              {side === 'waiting'
                ? `${filtered ? 'Matching' : 'Waiting'} ${formatCount(matching.packages)}`
                : `Routes ${formatCount(all.length)}`}
            </button>
          );
        })}
      </div>
      {/* Beside a tablet's list stand two whole columns. */}
      <div className="grid min-h-0 grow md:grid-cols-[min(35rem,45%)_minmax(0,1fr)] md:max-lg:grid-cols-[minmax(0,1fr)_max(55%,26.0625rem)]">
        <section
          aria-label="Waiting"
          className={classes(
            'flex min-h-0 min-w-0 flex-col border-r border-line max-md:border-r-0',
            search.show === 'routes' && 'max-md:hidden',
          )}
        >
          <WaitingFilters day={day} search={search} ownerName={ownerName} onSearch={change} />
          <div className="@container min-h-0 grow overflow-y-auto pb-24">
            <WaitingList
              filter={filter}
              day={day}
              filtered={filtered}
              zone={depot.timeZone}
              chosen={chosen}
              onChosen={setChosen}
              onOwner={(ownerId) => change({ owner: ownerId })}
              onClearFilters={() =>
                change({
                  q: undefined,
                  place: undefined,
                  window: undefined,
                  owner: undefined,
                  ownedBy: undefined,
                  kgFrom: undefined,
                  kgTo: undefined,
                  reference: undefined,
                  attempts: undefined,
                  due: undefined,
                })
              }
              onDrag={drag.begin}
              onPlace={all.length > 0 ? placing.show : null}
            />
          </div>
        </section>
        <section
          aria-label="Routes"
          className={classes('flex min-h-0 min-w-0 flex-col', search.show !== 'routes' && 'max-md:hidden')}
        >
          {routes.isError && !routes.data ? (
            <ErrorState
              title="The routes could not be loaded"
              message={routes.error.message}
              requestId={routes.error instanceof ApiError ? routes.error.requestId : null}
              retrying={routes.isFetching}
              onRetry={() => void routes.refetch()}
            />
          ) : !routes.data ? (
            pendingRoutes && (
              <SkeletonGroup label="Loading the routes">
                <div className="flex gap-3 p-3">
                  {['a', 'b', 'c'].map((name) => (
                    <span key={name} className="w-51 shrink-0">
                      <Skeleton height="h-64" />
                    </span>
                  ))}
                </div>
              </SkeletonGroup>
            )
          ) : (
            <>
              {all.length > 0 && (
                <ViewChooser
                  view={search.view}
                  onView={(view) => change({ view })}
                  sort={search.sort}
                  onSort={(sort) => change({ sort })}
                />
              )}
              {isTimeline && <DayTimeline {...planning} />}
              {all.length > 0 && !isTimeline && <RouteStrip {...planning} />}
              {search.map === 'on' && (
                <RoutesMap planning={planning} filter={filter} chosen={chosen} onChosen={setChosen} />
              )}
              <div hidden={isTimeline} data-columns="" className="min-h-0 grow snap-x overflow-auto">
                {/* As high as the longest column: heads stay at the top to the last stop. */}
                <div className={classes('flex min-h-full min-w-full items-stretch', all.length > 0 && 'w-max')}>
                  {(isTimeline ? [] : all).map((route) => (
                    <RouteColumn key={route.id} {...planning} route={route} />
                  ))}
                  {all.length === 0 ? (
                    <div className="grow">
                      <EmptyState
                        drawing={<ParcelDrawing kind="open" />}
                        title={`No routes for ${formatShortDay(day)}`}
                        description="Select what waits and press Split evenly, or add a route and drop packages on it."
                        action={
                          <Button variant="secondary" onClick={() => editing.show({ route: null })}>
                            Add route
                          </Button>
                        }
                      />
                    </div>
                  ) : (
                    <div className="p-3">
                      <Button
                        variant="ghost"
                        size="sm"
                        icon={<Plus aria-hidden="true" className="size-4" />}
                        onClick={() => editing.show({ route: null })}
                      >
                        Add route
                      </Button>
                    </div>
                  )}
                </div>
              </div>
            </>
          )}
        </section>
      </div>
      <DispatchBar
        packages={totals.packages}
        kilograms={totals.kilograms}
        stops={stops.size}
        onAssign={() => assigning.show(true)}
        onSplit={totals.packages > 0 ? () => splitting.show(true) : null}
        onTakeBack={
          stops.size > 0
            ? () => {
                void acts.moveStops(byRoute, null);
                setStops(new Map());
              }
            : null
        }
        onStep={stops.size === 1 && totals.packages === 0 ? step : null}
        onClear={clear}
      />
      <DragGhost planning={planning} />
      {assigning.shown && (
        <AssignDialog
          key={`assign ${assigning.opening}`}
          planning={planning}
          open={assigning.open}
          onClose={assigning.close}
          what={[
            totals.packages > 0 && formatCountOf(totals.packages, 'package'),
            stops.size > 0 && formatCountOf(stops.size, 'stop'),
          ]
            .filter(Boolean)
            .join(' and ')}
          refusalOf={refusalOf}
          onAssign={assignTo}
          proposedDay={stops.size > 0 ? null : proposedDayOf(chosenRows, totals.packages, day)}
          wished={wishedTimes(chosenRows, depot.timeZone)}
          onNewRoute={
            totals.packages > 0 && stops.size === 0
              ? (onDay) => {
                  void acts.assignNew(onDay, selection);
                  clear();
                }
              : null
          }
        />
      )}
      {splitting.shown && drivers.data && (
        <SplitDialog
          key={`split ${splitting.opening}`}
          planning={planning}
          drivers={drivers.data}
          open={splitting.open}
          onClose={splitting.close}
          packages={totals.packages}
          selection={selection}
          onSplit={(input, key) => {
            void acts.split(input, key);
            setChosen(nothingChosen);
          }}
        />
      )}
      {planningDay.shown && drivers.data && (
        <PlanDialog
          key={`plan ${planningDay.opening}`}
          planning={planning}
          drivers={drivers.data}
          open={planningDay.open}
          onClose={planningDay.close}
          selection={totals.packages > 0 ? selection : null}
          packages={totals.packages}
        />
      )}
      {editing.shown && (
        <RouteDialog
          key={`edit ${editing.opening}`}
          planning={planning}
          drivers={drivers.data ?? []}
          route={editing.shown.route}
          open={editing.open}
          onClose={editing.close}
        />
      )}
      {placing.shown && (
        <PlaceDialog
          key={`place ${placing.opening}`}
          planning={planning}
          row={placing.shown}
          open={placing.open}
          onClose={placing.close}
        />
      )}
      {ill.shown && (
        <IllDialog
          key={`ill ${ill.opening}`}
          planning={planning}
          route={ill.shown}
          open={ill.open}
          onClose={ill.close}
        />
      )}
    </div>
  );
}

interface ViewChooserProps {
  view: string | undefined;
  onView: (view: string | undefined) => void;
  sort: LaneOrder | undefined;
  onSort: (sort: LaneOrder | undefined) => void;
}

const sortOptions = [
  { value: 'made', label: 'Unsorted' },
  { value: 'driver', label: 'By driver' },
  { value: 'end', label: 'Last end first' },
  { value: 'stops', label: 'Most stops first' },
  { value: 'kilograms', label: 'Heaviest first' },
  { value: 'late', label: 'Late ones first' },
] as const satisfies { value: LaneOrder | 'made'; label: string }[];

function ViewChooser({ view, onView, sort, onSort }: ViewChooserProps) {
  return (
    <div role="group" aria-label="Show the routes as" className="flex items-center border-b border-line pr-4">
      {([undefined, 'timeline'] as const).map((one) => (
        <button
          key={one ?? 'list'}
          type="button"
          aria-pressed={view === one}
          onClick={() => onView(one)}
          className={classes(
            'flex min-h-9 items-center gap-1.5 px-3 text-table font-medium pointer-coarse:min-h-11',
            view === one ? 'text-brand shadow-[inset_0_-2px_0_var(--color-brand)]' : 'text-ink-2',
          )}
        >
          {one ? (
            <ChartGantt aria-hidden="true" className="size-4" />
          ) : (
            <Columns3 aria-hidden="true" className="size-4" />
          )}
          {one ? 'Timeline' : 'List'}
        </button>
      ))}
      <span className="ml-auto w-44 py-1">
        <Select
          size="sm"
          aria-label="Sort the routes"
          options={sortOptions}
          value={sort ?? 'made'}
          onValueChange={(order) => onSort(order === 'made' ? undefined : order)}
        />
      </span>
    </div>
  );
}

interface DayChooserProps {
  day: string;
  today: string;
  /** Of the depot: named where it is not that of the browser. */
  zone: string;
  onDay: (day: string) => void;
}

function DayChooser({ day, today, zone, onDay }: DayChooserProps) {
  const tomorrow = addDays(today, 1);
  const word = day === today ? 'Today, ' : day === tomorrow ? 'Tomorrow, ' : '';
  return (
    <div
      role="group"
      aria-label="Day"
      className="flex flex-wrap items-center gap-1 max-sm:order-1 max-sm:-ml-2 max-sm:w-full"
    >
      <IconButton
        size="sm"
        label="Day before"
        aria-keyshortcuts="["
        icon={<ChevronLeft aria-hidden="true" />}
        onClick={() => onDay(addDays(day, -1))}
      />
      {/* The whole day opens the picker; the field itself, which is transparent, is only for the keyboard and screen readers. */}
      <span className="relative flex min-h-9 min-w-44 items-center justify-center gap-1.5 rounded-control px-2 has-focus-visible:outline-2 has-focus-visible:outline-brand hover:bg-sunken pointer-coarse:min-h-11">
        <span>
          <h2 aria-live="polite" className="text-ui font-medium figures">
            {word}
            {formatShortDay(day)}
          </h2>
          {zone !== viewerZone() && <span className="-mt-0.5 block text-meta text-ink-3">Times in {zone}</span>}
        </span>
        <CalendarDays aria-hidden="true" className="size-4 text-ink-3" />
        <input
          type="date"
          aria-label="Choose a day"
          className="absolute inset-0 cursor-pointer opacity-0"
          value={day}
          onClick={({ currentTarget }) => currentTarget.showPicker()}
          onKeyDown={(event) => {
            if (event.key === 'Tab' || event.key === 'Escape') return;
            // What is typed could not be seen.
            event.preventDefault();
            if (event.key === 'Enter' || event.key === ' ') event.currentTarget.showPicker();
          }}
          onChange={({ target }) => target.value && onDay(target.value)}
        />
      </span>
      <IconButton
        size="sm"
        label="Day after"
        aria-keyshortcuts="]"
        icon={<ChevronRight aria-hidden="true" />}
        onClick={() => onDay(addDays(day, 1))}
      />
      <Button variant="ghost" size="sm" onClick={() => onDay(day === today ? tomorrow : today)}>
        {day === today ? 'Tomorrow' : 'Today'}
      </Button>
    </div>
  );
}
