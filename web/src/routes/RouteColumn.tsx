import { useQuery } from '@tanstack/react-query';
import type { Route, Stop } from '@waybill/contract';
import { CircleCheck, CircleX, GripVertical, Send, TriangleAlert, Truck, Undo2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { StreetLine } from '../deliveries/StreetLine.tsx';
import { useToday } from '../platform/clock.ts';
import { formatCount, formatCountOf, formatWeight } from '../platform/formats.ts';
import { money } from '../platform/money.ts';
import { classes } from '../ui/classes.ts';
import { Initials } from '../users/Initials.tsx';
import { absentUntil } from '../shifts/absence-words.ts';
import {
  absenceOf,
  endOf,
  isLate,
  loadOf,
  minutesOver,
  minutesPerStop,
  openStops,
  placeOf,
  shiftOf,
  streetOf,
  timeIn,
  windowIn,
} from './plan.ts';
import { hours, kilometres } from './drive-text.ts';
import { exceededBy, warningsOf } from './load.ts';
import type { Planning } from './planning.ts';
import { offeredToQuery } from './queries.ts';
import { RouteMenu } from './RouteMenu.tsx';

interface RouteColumnProps extends Planning {
  route: Route;
}

/** A route: its driver and totals, and its stops in order. A place to drop packages and stops. */
export function RouteColumn(props: RouteColumnProps) {
  const { route, depot, drag, nameOf, stale } = props;
  const { dragging } = drag;
  const over = dragging?.over?.routeId === route.id ? dragging.over : null;
  const open = openStops(route);
  const name = nameOf(route.driverId);
  const note = stale.get(route.id);
  const { data: offers } = useQuery({ ...offeredToQuery(), enabled: route.state === 'started' });
  const now = useToday();
  return (
    <section
      aria-label={`Route of ${name}`}
      data-route={route.id}
      id={`route-${route.id}`}
      ref={showIfNamed}
      className={classes(
        'flex w-[13.5rem] shrink-0 snap-start flex-col border-r border-line max-md:w-[82vw] md:max-lg:w-52',
        over && 'outline-2 -outline-offset-2 outline-brand',
      )}
    >
      <RouteHead {...props} name={name} isOver={over !== null} />
      {note !== undefined && (
        <p role="alert" className="border-b border-line bg-yellow-bg px-3 py-2 text-meta text-yellow-ink">
          {note}
        </p>
      )}
      {route.stops.length === 0 && (
        <p className={classes('px-3 py-6 text-center text-meta text-ink-3', over && 'bg-brand-soft')}>
          Drop packages here, or select some and press Assign to.
        </p>
      )}
      <ol aria-label={`Stops of ${name}`} className="pb-24">
        {route.stops.map((stop) => {
          const at = open.indexOf(stop);
          return (
            <StopItem
              key={stop.packageId}
              {...props}
              stop={stop}
              offeredTo={offeredNow(offers?.get(stop.packageId), now)}
              at={at}
              order={open.map(({ packageId }) => packageId)}
              zone={depot.timeZone}
              hasLineAbove={over?.at !== undefined && at >= 0 && over.at === at}
              hasLineBelow={over?.at === open.length && at === open.length - 1}
            />
          );
        })}
      </ol>
    </section>
  );
}

function RouteHead({
  route,
  name,
  isOver,
  depot,
  shifts,
  absences,
  acts,
  drag: { dragging },
  dragged,
  onStops,
  onEdit,
  onIll,
}: RouteColumnProps & { name: string; isOver: boolean }) {
  const zone = depot.timeZone;
  const open = openStops(route);
  const shift = shiftOf(route, shifts, depot);
  const absence = absenceOf(route.driverId, route.day, absences);
  const end = endOf(route);
  const over = minutesOver(route, shift);
  const load = loadOf(route, shift);
  const done = route.stops.length - open.length;
  // '6 stops, 5 done' would read as one that is left.
  const count = (stops: number) => (done > 0 ? `${formatCount(stops)} left` : formatCountOf(stops, 'stop'));
  const { drive } = route;
  const exceeds = exceededBy(route);
  const warnings = warningsOf(route, exceeds);
  const each = minutesPerStop(route);
  const comes = isOver && !(dragging?.item.kind === 'stop' && dragging.item.routeId === route.id);
  const endThen = comes && end && each !== null ? timeIn(zone, Date.parse(end) + dragged * each * 60_000) : null;
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-surface px-3 pt-2.5 pb-2">
      <div className="flex items-center gap-2">
        <Initials name={name} size="sm" />
        <h3 className="min-w-0 grow truncate text-ui font-semibold text-ink" title={name}>
          {name}
        </h3>
        <RouteMenu route={route} name={name} acts={acts} onStops={onStops} onEdit={onEdit} onIll={onIll} />
      </div>
      <p className="mt-1 flex items-baseline justify-between gap-2 text-table figures">
        <span className={comes ? 'font-semibold text-brand' : 'text-ink-2'}>
          {comes ? `${open.length} → ${count(open.length + dragged)}` : count(open.length)}
          {done > 0 && <span className="text-ink-3">, {done} done</span>}
        </span>
        {end && (
          <span
            className={classes(
              over > 0 ? 'font-semibold text-danger' : comes ? 'font-semibold text-brand' : 'text-ink-2',
            )}
          >
            {endThen ? `${timeIn(zone, end)} → ${endThen}` : `ends ${timeIn(zone, end)}`}
          </span>
        )}
      </p>
      <div aria-hidden="true" className="my-1.5 h-1 rounded-full bg-sunken">
        <div
          className={classes('h-1 rounded-full', over > 0 ? 'bg-red-dot' : 'bg-ink-3')}
          style={{ width: `${Math.round((load ?? 0) * 100)}%` }}
        />
      </div>
      <p className="flex items-baseline justify-between gap-2 text-meta figures text-ink-3">
        <span className={classes(exceeds.kilograms > 0 && 'font-semibold text-danger')}>
          {route.vehicle?.capacityKg
            ? `${formatWeight(route.kilograms)} of ${formatWeight(route.vehicle.capacityKg)}`
            : formatWeight(route.kilograms)}
        </span>
        {over > 0 ? (
          <span className="text-danger">{over} min over shift</span>
        ) : (
          <span>
            {shift
              ? `shift to ${timeIn(zone, shift.endsAt)}`
              : route.startsAt
                ? `from ${timeIn(zone, route.startsAt)}`
                : 'no start time'}
          </span>
        )}
      </p>
      {drive && (
        <p
          className="mt-0.5 flex items-baseline justify-between gap-2 text-meta figures text-ink-3"
          title={driveNote(drive)}
        >
          <span>
            {drive.travelTimes === 'estimated' && <span aria-hidden="true">~ </span>}
            {kilometres(drive.metres)}
            <span className="sr-only">, {driveNote(drive)}</span>
          </span>
          {drive.cost && <span>{money(drive.cost.amount, drive.cost.currency)}</span>}
          <span>{hours(drive.seconds)} driving</span>
        </p>
      )}
      {warnings.length > 0 && (
        <ul aria-label="What the vehicle cannot carry" className="mt-1 text-meta font-medium text-danger">
          {warnings.map((warning) => (
            <li key={warning} className="flex items-start gap-1.5">
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" /> {warning}
            </li>
          ))}
        </ul>
      )}
      {absence && route.state !== 'finished' && (
        <p className="mt-1 flex flex-wrap items-center justify-between gap-x-2 rounded-control bg-yellow-bg px-2 py-1 text-meta font-medium text-yellow-ink">
          {absentUntil(absence)}
          {open.length > 0 && (
            <button
              type="button"
              onClick={() => onIll(route)}
              className="min-h-6 underline underline-offset-2 pointer-coarse:min-h-11"
            >
              Give to others
            </button>
          )}
        </p>
      )}
      <RouteState route={route} />
    </header>
  );
}

/** What the distance of a route leaves out, and how it is known. */
const driveNote = ({ travelTimes, withoutPlace, co2Kg }: NonNullable<Route['drive']>): string =>
  [
    travelTimes === 'estimated' ? 'Estimated by straight lines' : 'By road',
    `${formatWeight(Math.round(co2Kg * 10) / 10)} of CO2`,
    withoutPlace > 0 && `${formatCountOf(withoutPlace, 'stop')} without a known place left out`,
  ]
    .filter(Boolean)
    .join(', ');

function RouteState({ route }: { route: Route }) {
  if (route.state === 'finished')
    return (
      <p className="mt-1 flex items-center gap-1.5 text-meta text-ink-3">
        <CircleCheck aria-hidden="true" className="size-3.5" /> Finished
      </p>
    );
  if (route.state === 'started')
    return (
      <p className="mt-1 flex items-center gap-1.5 text-meta text-blue-ink">
        <Truck aria-hidden="true" className="size-3.5" /> On the road
      </p>
    );
  return route.released ? (
    <p className="mt-1 flex items-center gap-1.5 text-meta text-ink-3">
      <Send aria-hidden="true" className="size-3.5" /> Released to the driver
    </p>
  ) : null;
}

/** The name while the offer can be accepted. */
const offeredNow = (offer: { to: string; expiresAt: string } | undefined, now: Date): string | null =>
  offer && Date.parse(offer.expiresAt) > now.getTime() ? offer.to : null;

interface StopItemProps extends RouteColumnProps {
  stop: Stop;
  /** The colleague to whom its driver offers it. */
  offeredTo: string | null;
  /** Among the open stops, from 0; -1 for one that is done. */
  at: number;
  order: string[];
  zone: string;
  hasLineAbove: boolean;
  hasLineBelow: boolean;
}

const doneIcons = {
  delivered: <CircleCheck aria-hidden="true" className="size-4 text-green-ink" />,
  failed: <CircleX aria-hidden="true" className="size-4 text-danger" />,
  returned: <CircleCheck aria-hidden="true" className="size-4 text-green-ink" />,
  left: <Undo2 aria-hidden="true" className="size-4 text-ink-3" />,
};
const doneWords: Record<string, string> = {
  delivered: 'Delivered',
  failed: 'Failed',
  returned: 'Back with its owner',
  left: 'Back at the depot',
};

function StopItem({
  stop,
  offeredTo,
  at,
  order,
  zone,
  hasLineAbove,
  hasLineBelow,
  route,
  acts,
  drag,
  stops,
  onStops,
}: StopItemProps) {
  const street = streetOf(stop);
  const window = windowIn(zone, stop.delivery.window);
  const late = isLate(stop);
  const isSelected = stops.has(stop.packageId);
  const isDragged = drag.dragging?.item.kind === 'stop' && drag.dragging.item.stop.packageId === stop.packageId;
  const { attempts, returnDue } = stop.delivery;
  const hint = [
    placeOf(stop),
    window,
    returnDue ? 'return' : attempts > 0 && `${attempts} failed ${attempts === 1 ? 'attempt' : 'attempts'}`,
  ]
    .filter(Boolean)
    .join(', ');
  const isOpen = at >= 0;
  const toggle = () => {
    const next = new Map(stops);
    if (!next.delete(stop.packageId)) next.set(stop.packageId, route.id);
    onStops(next);
  };
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    if (event.altKey) {
      const to = at + step;
      if (to < 0 || to >= order.length) return;
      acts.order(route, order.with(at, order[to] ?? '').with(to, stop.packageId));
      return;
    }
    const list = event.currentTarget.closest('ol');
    const buttons = [...(list?.querySelectorAll<HTMLElement>('[data-open-stop] button[aria-pressed]') ?? [])];
    buttons[at + step]?.focus();
  };
  const body = (
    <>
      <span className="w-5 shrink-0 text-right text-meta figures text-ink-3">
        <span className="sr-only">Stop </span>
        {stop.position}
      </span>
      <span className="min-w-0 grow text-left">
        <span className="block text-table font-medium text-ink">
          <StreetLine street={street} title={street} />
        </span>
        <span className="block truncate text-meta text-ink-3">{hint}</span>
        {isOpen && stop.state !== 'open' && (
          <span className="block truncate text-meta font-medium text-blue-ink">
            {stop.state === 'arrived' ? 'At the door' : 'Next stop'}
          </span>
        )}
        {offeredTo !== null && <span className="block truncate text-meta text-blue-ink">Offered to {offeredTo}</span>}
      </span>
    </>
  );
  if (!isOpen)
    return (
      <li className="flex min-h-10 items-center gap-2 border-b border-line bg-canvas py-1 pr-3 pl-2">
        {body}
        {doneIcons[stop.state as keyof typeof doneIcons]}
        <span className="sr-only">{doneWords[stop.state]}</span>
      </li>
    );
  return (
    <li
      data-open-stop=""
      onPointerDown={(event) => drag.begin(event, { kind: 'stop', stop, routeId: route.id, label: street, hint })}
      className={classes(
        'relative flex min-h-10 items-center border-b border-line',
        isSelected ? 'bg-brand-soft' : 'bg-surface',
        isDragged && 'opacity-35',
        hasLineAbove && 'before:absolute before:inset-x-0 before:-top-px before:h-0.5 before:bg-brand',
        hasLineBelow && 'after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:bg-brand',
      )}
    >
      <button
        type="button"
        aria-pressed={isSelected}
        data-street={street}
        title="Alt and the arrow keys move it"
        onClick={toggle}
        onKeyDown={move}
        className="flex min-h-10 min-w-0 grow items-center gap-2 py-1 pr-3 pl-2 focus-visible:-outline-offset-2 md:cursor-grab pointer-coarse:pr-2"
      >
        {body}
        {stop.arrivesAt && (
          <span className={classes('shrink-0 text-table figures', late ? 'font-semibold text-danger' : 'text-ink-2')}>
            <span className="sr-only">expected </span>
            {timeIn(zone, stop.arrivesAt)}
            {late && <span className="sr-only">, late</span>}
          </span>
        )}
      </button>
      <span
        data-grip=""
        aria-hidden="true"
        className="hidden h-11 w-9 shrink-0 touch-none items-center justify-center text-ink-3 pointer-coarse:flex"
      >
        <GripVertical className="size-4" />
      </span>
    </li>
  );
}

/** The one that the address of the page names comes into view, also if it was loaded later. */
const showIfNamed = (column: HTMLElement | null) => {
  if (column && location.hash === `#${column.id}`) column.scrollIntoView({ block: 'nearest', inline: 'center' });
};
