import { isOpenStop } from '@waybill/contract';
import type { Route, Stop } from '@waybill/contract';
import { Clock } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatCountOf } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { absentUntil } from '../shifts/absence-words.ts';
import { Initials } from '../users/Initials.tsx';
import { absenceOf, endOf, minutesOver, openStops, shiftOf, streetOf, timeIn, windowIn } from './plan.ts';
import type { Planning } from './planning.ts';
import { RouteMenu } from './RouteMenu.tsx';
import { hoursOf, latenessOf, momentOf, percentOf, spanOf } from './timeline.ts';
import type { Span } from './timeline.ts';

/** The day by its hours: a lane for each route, its stops where they are expected. Lanes are places to drop, as the columns are. */
export function DayTimeline(planning: Planning) {
  const { routes, shifts, day, depot } = planning;
  const now = useToday().getTime();
  const used = routes.flatMap((route) => shiftOf(route, shifts, depot) ?? []);
  const span = spanOf(routes, used, day, depot);
  const isNow = now > span.from && now < span.to;
  const late = routes.flatMap(({ stops }) => stops.filter((stop) => latenessOf(stop, depot.timeZone) !== null));
  const hasFailed = routes.some(({ stops }) => stops.some(({ state }) => state === 'failed'));
  return (
    <div className="@container min-h-0 grow scroll-pl-40 overflow-auto pb-24" data-timeline="">
      <div className="min-w-[38rem]">
        <div className="sticky left-0 flex w-[100cqw] flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 pr-4 pl-3 text-meta text-ink-3">
          <span className="mr-auto">
            {late.length > 0 ? (
              <span className="font-semibold text-danger">{formatCountOf(late.length, 'stop')} will be late</span>
            ) : (
              'Nothing will be late'
            )}
          </span>
          <span className="flex flex-wrap gap-x-4 gap-y-1">
            <Key className="bg-ink-3" word="done" />
            <Key className="bg-brand" word="next" />
            <Key className="border border-brand bg-surface" word="open" />
            {hasFailed && <Key className="border border-red-dot bg-surface" word="failed" />}
            <Key className="bg-red-dot" word="late" />
          </span>
        </div>
        <div className="sticky top-0 z-10 flex border-b border-line bg-surface">
          <span className="sticky left-0 z-20 w-40 shrink-0 bg-surface @min-[38rem]:w-52" />
          <div aria-hidden="true" className="relative mr-6 ml-3 h-8 grow text-meta figures text-ink-3">
            {hoursOf(span, isNow ? now : null).map((hour) => (
              <span
                key={hour}
                className="absolute top-1.5 -translate-x-1/2"
                style={{ left: `${percentOf(span, hour)}%` }}
              >
                {timeIn(depot.timeZone, hour).slice(0, 2)}
              </span>
            ))}
            {isNow && (
              <span
                ref={showNow}
                className="absolute top-1 z-10 -translate-x-1/2 rounded-full bg-ink px-2 py-0.5 font-semibold text-canvas"
                style={{ left: `${percentOf(span, now)}%` }}
              >
                {timeIn(depot.timeZone, now)}
              </span>
            )}
          </div>
        </div>
        {/* Takes the arrow keys of the buttons inside. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ul aria-label="Routes by hour" onKeyDown={moveFocus}>
          {routes.map((route) => (
            <Lane key={route.id} {...planning} route={route} span={span} now={isNow ? now : null} />
          ))}
        </ul>
        <details className="px-3 py-3">
          <summary className="sticky left-3 min-h-11 w-fit cursor-pointer py-3 text-ui font-medium text-brand">
            Show as a table
          </summary>
          <TimelineTable {...planning} />
        </details>
      </div>
    </div>
  );
}

/** Where the lanes are wider than their box: when it is shown, and whenever its width changes. */
function showNow(now: HTMLElement) {
  const box = now.closest('[data-timeline]');
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (!box || box.clientWidth === width) return;
    width = box.clientWidth;
    now.scrollIntoView({ block: 'nearest', inline: 'center' });
  });
  if (box) observer.observe(box);
  return () => observer.disconnect();
}

const Key = ({ className, word }: { className: string; word: string }) => (
  <span className="flex items-center gap-1.5">
    <span aria-hidden="true" className={classes('h-3 w-1.5 rounded-[2px]', className)} /> {word}
  </span>
);

/** The arrow keys go from stop to stop of a lane, and to the neighbouring lanes. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const current = (event.target as HTMLElement).closest<HTMLElement>('[data-tick]');
  const lane = current?.closest('[data-lane]');
  if (!current || !lane) return;
  const ticksOf = (of: Element | null | undefined) => [...(of?.querySelectorAll<HTMLElement>('[data-tick]') ?? [])];
  const own = ticksOf(lane);
  const at = own.indexOf(current);
  const beside = { ArrowLeft: own[at - 1], ArrowRight: own[at + 1], Home: own[0], End: own.at(-1) }[event.key];
  const toLane =
    event.key === 'ArrowUp' ? lane.previousElementSibling : event.key === 'ArrowDown' ? lane.nextElementSibling : null;
  const x = current.getBoundingClientRect().x;
  const nearest = ticksOf(toLane).toSorted(
    (a, b) => Math.abs(a.getBoundingClientRect().x - x) - Math.abs(b.getBoundingClientRect().x - x),
  )[0];
  const target = beside ?? nearest;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

interface LaneProps extends Planning {
  route: Route;
  span: Span;
  now: number | null;
}

function Lane(props: LaneProps) {
  const { route, span, now, day, depot, shifts, absences, nameOf, stops, onStops, stale } = props;
  const { dragging } = props.drag;
  const note = stale.get(route.id);
  const absence = route.state === 'finished' ? undefined : absenceOf(route.driverId, day, absences);
  const zone = depot.timeZone;
  const name = nameOf(route.driverId);
  const shift = shiftOf(route, shifts, depot);
  const end = endOf(route);
  const over = minutesOver(route, shift);
  const open = openStops(route);
  const placed = route.stops.flatMap((stop) => {
    const moment = momentOf(stop);
    return moment === null ? [] : [{ stop, moment }];
  });
  const firstLate = placed.find(({ stop }) => latenessOf(stop, zone) !== null);
  // Only one of a lane is reached by Tab; the arrow keys go on from there.
  const reached = placed.findIndex(({ stop }) => isOpenStop(stop.state));
  const left = (moment: number) => `${percentOf(span, moment)}%`;
  const width = (from: number, to: number) => `${percentOf(span, to) - percentOf(span, from)}%`;
  const toggle = (stop: Stop) => {
    const next = new Map(stops);
    if (!next.delete(stop.packageId)) next.set(stop.packageId, route.id);
    onStops(next);
  };
  return (
    <li
      data-lane=""
      data-route={route.id}
      data-end=""
      aria-label={`Route of ${name}`}
      className={classes(
        'border-b border-line',
        dragging?.over?.routeId !== route.id && 'bg-surface',
        dragging?.over?.routeId === route.id && 'bg-brand-soft outline-2 -outline-offset-2 outline-brand',
      )}
    >
      {note !== undefined && (
        <p role="alert" className="bg-yellow-bg px-3 py-2 text-meta text-yellow-ink">
          {note}
        </p>
      )}
      <div className="flex h-16 bg-inherit">
        <div className="sticky left-0 z-[5] flex w-40 shrink-0 items-center gap-2.5 bg-inherit pr-1 pl-3 @min-[38rem]:w-52">
          <span className="@max-[38rem]:hidden">
            <Initials name={name} size="sm" />
          </span>
          <span className="min-w-0 grow">
            <span className="block truncate text-table font-semibold text-ink" title={name}>
              {name}
            </span>
            <span className="block truncate text-meta figures text-ink-3">
              {route.stops.length - open.length}/{route.stops.length}
              {end && (
                <>
                  , ends{' '}
                  <span className={classes(over > 0 && 'font-semibold text-danger')}>
                    {timeIn(zone, end)}
                    {over > 0 && <span className="sr-only">, {over} min over shift</span>}
                  </span>
                </>
              )}
            </span>
            {absence && (
              <span className="block truncate text-meta font-medium text-yellow-ink">{absentUntil(absence)}</span>
            )}
          </span>
          <RouteMenu {...props} name={name} />
        </div>
        <div className="relative mr-6 ml-3 grow">
          {hoursOf(span).map((hour) => (
            <span
              key={hour}
              aria-hidden="true"
              className="absolute inset-y-0 w-px bg-line"
              style={{ left: left(hour) }}
            />
          ))}
          {shift && (
            <span
              aria-hidden="true"
              title={`Shift ${timeIn(zone, shift.startsAt)} to ${timeIn(zone, shift.endsAt)}`}
              className="absolute top-5 h-7 rounded-control bg-sunken"
              style={{
                left: left(Date.parse(shift.startsAt)),
                width: width(Date.parse(shift.startsAt), Date.parse(shift.endsAt)),
              }}
            />
          )}
          {shift && (
            <span
              className="absolute bottom-0 -translate-x-full pr-1 text-meta whitespace-nowrap figures text-ink-3"
              style={{ left: left(Date.parse(shift.endsAt)) }}
            >
              <span className="sr-only">shift </span>to {timeIn(zone, shift.endsAt)}
            </span>
          )}
          {shift && over > 0 && end && (
            <span
              aria-hidden="true"
              className="absolute top-5 h-7 rounded-control bg-red-bg"
              style={{ left: left(Date.parse(shift.endsAt)), width: width(Date.parse(shift.endsAt), Date.parse(end)) }}
            />
          )}
          {firstLate && (
            <span
              className="absolute top-1 z-[1] flex items-center gap-1 bg-surface px-1 text-meta font-semibold whitespace-nowrap text-danger figures"
              style={
                percentOf(span, firstLate.moment) > 60
                  ? { right: `${100 - percentOf(span, firstLate.moment)}%` }
                  : { left: left(firstLate.moment) }
              }
            >
              <Clock aria-hidden="true" className="size-3.5" />
              {timeIn(zone, firstLate.moment)}, {latenessOf(firstLate.stop, zone)}
            </span>
          )}
          {placed.map(({ stop, moment }, index) => (
            <Tick
              key={stop.packageId}
              stop={stop}
              zone={zone}
              left={left(moment)}
              isSelected={stops.has(stop.packageId)}
              isReached={index === Math.max(reached, 0)}
              onToggle={() => toggle(stop)}
            />
          ))}
          {now !== null && (
            <span aria-hidden="true" className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: left(now) }} />
          )}
        </div>
      </div>
    </li>
  );
}

const words: Record<Stop['state'], string> = {
  open: 'expected',
  next: 'next, expected',
  arrived: 'the driver is there, expected',
  delivered: 'delivered',
  failed: 'failed',
  returned: 'back with its owner',
  left: 'back at the depot',
};

const colours: Record<Stop['state'], string> = {
  open: 'border-[1.5px] border-brand bg-surface',
  next: 'bg-brand',
  arrived: 'bg-brand',
  delivered: 'bg-ink-3',
  failed: 'border-[1.5px] border-red-dot bg-surface',
  returned: 'bg-ink-3',
  left: 'bg-line',
};

interface TickProps {
  stop: Stop;
  zone: string;
  left: string;
  isSelected: boolean;
  isReached: boolean;
  onToggle: () => void;
}

/** A stop. An open one is selected by a click, to be assigned to another route or taken back. */
function Tick({ stop, zone, left, isSelected, isReached, onToggle }: TickProps) {
  const lateness = latenessOf(stop, zone);
  const moment = stop.endedAt ?? stop.arrivesAt;
  const window = windowIn(zone, stop.arrivalWindow);
  const name = [
    `Stop ${stop.position}, ${streetOf(stop)}`,
    `${words[stop.state]} ${moment ? timeIn(zone, moment) : ''}`,
    window && `between ${window}`,
    lateness,
  ]
    .filter(Boolean)
    .join(', ');
  const isOpen = isOpenStop(stop.state);
  return (
    <button
      type="button"
      data-tick=""
      title={name}
      aria-label={name}
      aria-pressed={isOpen ? isSelected : undefined}
      aria-disabled={!isOpen}
      tabIndex={isReached ? 0 : -1}
      onClick={isOpen ? onToggle : undefined}
      className={classes('absolute top-5 h-7 w-3 -translate-x-1/2 p-0', isOpen && 'cursor-pointer')}
      style={{ left }}
    >
      <span
        aria-hidden="true"
        className={classes(
          'mx-auto block h-full w-2 rounded-[3px]',
          lateness ? 'bg-red-dot' : colours[stop.state],
          isSelected && 'outline-2 outline-offset-1 outline-brand',
        )}
      />
    </button>
  );
}

function TimelineTable({ routes, depot, nameOf }: Planning) {
  const zone = depot.timeZone;
  return (
    <table className="w-full text-left text-table">
      <thead className="text-meta text-ink-3">
        <tr>
          {['Driver', 'Stop', 'Street', 'State', 'Time', 'Between', 'Late'].map((name) => (
            <th key={name} scope="col" className="py-2 pr-3 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {routes.flatMap((route) =>
          route.stops.map((stop) => {
            const moment = stop.endedAt ?? stop.arrivesAt;
            return (
              <tr key={stop.packageId} className="border-t border-line">
                <th scope="row" className="py-1.5 pr-3 font-medium">
                  {nameOf(route.driverId)}
                </th>
                <td className="pr-3 figures">{stop.position}</td>
                <td className="pr-3">{streetOf(stop)}</td>
                <td className="pr-3">{words[stop.state].replace(/,? ?expected$/, '') || 'open'}</td>
                <td className="pr-3 figures">{moment ? timeIn(zone, moment) : ''}</td>
                <td className="pr-3 figures">{windowIn(zone, stop.arrivalWindow)}</td>
                <td className="text-danger">{latenessOf(stop, zone)}</td>
              </tr>
            );
          }),
        )}
      </tbody>
    </table>
  );
}
