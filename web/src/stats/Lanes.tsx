import { useQuery } from '@tanstack/react-query';
import { isOpenStop } from '@waybill/contract';
import type { Lane, LaneStop } from '@waybill/contract';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatCountOf } from '../platform/formats.ts';
import { useInvalidation } from '../platform/invalidation.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Initials } from '../users/Initials.tsx';
import { useCan } from '../users/useCan.ts';
import {
  endOf,
  hoursOf,
  inTrouble,
  isOverShift,
  lanesShown,
  lateOf,
  nextOf,
  percentOf,
  spanOf,
  timeIn,
} from './lanes.ts';
import type { Span } from './lanes.ts';
import { lanesQuery, refreshLanes } from './queries.ts';

/** One line for each driver of today: the stops where they are expected, how far it is, what comes next, and what will be late. */
export function Lanes() {
  useInvalidation('route', refreshLanes);
  const { data = [] } = useQuery(lanesQuery());
  const now = useToday().getTime();
  const [showsAll, setShowsAll] = useState(false);
  const plans = useCan({ permissions: ['deliveries.assign'] });
  if (data.length === 0) return null;
  const sorted = inTrouble(data);
  const shown = showsAll ? sorted : sorted.slice(0, lanesShown);
  const span = spanOf(shown, now);
  const late = data.reduce((sum, lane) => sum + lateOf(lane).length, 0);
  const [zone = 'UTC'] = data.map(({ timeZone }) => timeZone);
  return (
    <section aria-label="Drivers today" className="border-t border-line">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 text-meta text-ink-3">
        <p className="mr-auto">
          {formatCountOf(data.length, 'driver')},{' '}
          {late > 0 ? (
            <span className="font-semibold text-danger">{formatCountOf(late, 'stop')} will be late</span>
          ) : (
            'nothing will be late'
          )}
        </p>
        <Key className="bg-ink-3" word="done" />
        <Key className="bg-brand" word="next" />
        <Key className="border border-brand bg-surface" word="open" />
        <Key className="bg-red-dot" word="late" />
        <Key className="border border-red-dot bg-surface" word="failed" />
      </div>
      <div aria-hidden="true" className="flex border-b border-line max-md:hidden">
        <span className="w-44 shrink-0" />
        <div className="relative mr-6 ml-2 h-6 grow text-meta figures text-ink-3">
          {hoursOf(span).map((hour) => (
            <span key={hour} className="absolute top-0 -translate-x-1/2" style={{ left: `${percentOf(span, hour)}%` }}>
              {timeIn(zone, hour).slice(0, 2)}
            </span>
          ))}
        </div>
      </div>
      {/* Takes the arrow keys of the links inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul aria-label="Routes of today" onKeyDown={moveFocus}>
        {shown.map((lane) => (
          <LaneLine key={lane.routeId} lane={lane} span={span} now={now} plans={plans} />
        ))}
      </ul>
      {sorted.length > lanesShown && (
        <div className="px-5 py-2">
          <Button size="sm" variant="secondary" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? `Show the first ${lanesShown}` : `Show all ${sorted.length}`}
          </Button>
        </div>
      )}
    </section>
  );
}

const Key = ({ className, word }: { className: string; word: string }) => (
  <span className="flex items-center gap-1.5">
    <span aria-hidden="true" className={classes('h-3 w-1.5 rounded-[2px]', className)} /> {word}
  </span>
);

/** The arrow keys go from stop to stop of a lane; only one of a lane is reached by Tab. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const current = (event.target as HTMLElement).closest<HTMLElement>('[data-tick]');
  const own = [...(current?.parentElement?.querySelectorAll<HTMLElement>('[data-tick]') ?? [])];
  const at = current ? own.indexOf(current) : -1;
  const target = { ArrowLeft: own[at - 1], ArrowRight: own[at + 1], Home: own[0], End: own.at(-1) }[event.key];
  if (at === -1 || !target) return;
  event.preventDefault();
  target.focus();
}

interface LaneLineProps {
  lane: Lane;
  span: Span;
  now: number;
  /** Whether the viewer may open the dispatch screen. */
  plans: boolean;
}

function LaneLine({ lane, span, now, plans }: LaneLineProps) {
  const { driver, stops, timeZone, state, day, depotId, startsAt, shift } = lane;
  const open = stops.filter((stop) => isOpenStop(stop.state));
  const end = endOf(lane);
  const isOver = isOverShift(lane);
  const late = lateOf(lane).length;
  const next = nextOf(lane);
  const reached = next ? stops.indexOf(next) : 0;
  return (
    <li aria-label={`Route of ${driver}`} className="flex border-b border-line last:border-b-0 max-md:flex-col md:h-16">
      <div className="flex shrink-0 items-center gap-2.5 px-5 max-md:pt-2.5 md:w-44 md:pr-0">
        <Initials name={driver} size="sm" />
        <span className="min-w-0 grow">
          <span className="block truncate text-table font-semibold text-ink" title={driver}>
            {plans ? (
              <a
                href={`/admin/dispatch?day=${day}&depot=${depotId}&show=routes&view=timeline`}
                className="hover:underline"
              >
                {driver}
              </a>
            ) : (
              driver
            )}
          </span>
          <span className="block truncate text-meta figures text-ink-3">
            {stops.length - open.length}/{stops.length}
            {state === 'planned' && startsAt && `, starts ${timeIn(timeZone, startsAt)}`}
            {state === 'planned' && !startsAt && ', planned'}
            {state === 'started' && end && (
              <>
                , ends <span className={classes(isOver && 'font-semibold text-danger')}>{timeIn(timeZone, end)}</span>
              </>
            )}
            {shift && (
              <span className="sr-only">
                , shift {timeIn(timeZone, shift.from)} to {timeIn(timeZone, shift.to)}
                {isOver && ', which is over before the last stop'}
              </span>
            )}
          </span>
          {late > 0 && (
            <span className="block truncate text-meta font-semibold text-danger">
              {formatCountOf(late, 'stop')} late
            </span>
          )}
        </span>
        {next?.at && (
          <span className={classes('text-table font-semibold figures md:hidden', next.late && 'text-danger')}>
            <span className="text-meta font-normal text-ink-3">next</span> {timeIn(timeZone, next.at)}
          </span>
        )}
      </div>
      <div className="relative grow max-md:mx-5 max-md:my-2 max-md:flex max-md:gap-0.5 md:mr-6 md:ml-2">
        {hoursOf(span).map((hour) => (
          <span
            key={hour}
            aria-hidden="true"
            className="absolute inset-y-0 w-px bg-line max-md:hidden"
            style={{ left: `${percentOf(span, hour)}%` }}
          />
        ))}
        {shift && (
          <Band
            span={span}
            {...shift}
            title={`Shift ${timeIn(timeZone, shift.from)} to ${timeIn(timeZone, shift.to)}`}
            className="bg-sunken"
          />
        )}
        {shift && end && isOver && (
          <Band
            span={span}
            from={shift.to}
            to={end}
            title={`After the shift, until ${timeIn(timeZone, end)}`}
            className="rounded-l-none bg-red-bg"
          />
        )}
        {next?.at && (
          <span
            className={classes(
              'absolute top-1 z-1 -translate-x-1/2 bg-surface px-1 text-meta font-semibold whitespace-nowrap figures max-md:hidden',
              next.late ? 'text-danger' : 'text-ink',
            )}
            style={{ left: `clamp(1rem, ${percentOf(span, Date.parse(next.at))}%, calc(100% - 1rem))` }}
          >
            {timeIn(timeZone, next.at)}
          </span>
        )}
        {stops.map((stop, index) => (
          <Tick
            key={stop.packageId}
            stop={stop}
            position={index + 1}
            timeZone={timeZone}
            left={stop.at ? percentOf(span, Date.parse(stop.at)) : null}
            isReached={index === reached}
          />
        ))}
        {now > span.from && now < span.to && (
          <span
            aria-hidden="true"
            className="absolute inset-y-0 w-0.5 bg-ink max-md:hidden"
            style={{ left: `${percentOf(span, now)}%` }}
          />
        )}
      </div>
    </li>
  );
}

interface BandProps {
  span: Span;
  /** Instants. */
  from: string;
  to: string;
  title: string;
  className: string;
}

/** A time behind the stops. */
function Band({ span, from, to, title, className }: BandProps) {
  const [left, right] = [percentOf(span, Date.parse(from)), percentOf(span, Date.parse(to))];
  return (
    <span
      aria-hidden="true"
      title={title}
      className={classes('absolute top-6 h-8 rounded-control max-md:hidden', className)}
      style={{ left: `${left}%`, width: `${right - left}%` }}
    />
  );
}

const words: Record<LaneStop['state'], string> = {
  open: 'expected',
  next: 'next, expected',
  arrived: 'the driver is there, expected',
  delivered: 'delivered',
  failed: 'failed',
  returned: 'back with its owner',
  left: 'back at the depot',
};

const colours: Record<LaneStop['state'], string> = {
  open: 'border-[1.5px] border-brand bg-surface',
  next: 'bg-brand',
  arrived: 'bg-brand',
  delivered: 'bg-ink-3',
  failed: 'border-[1.5px] border-red-dot bg-surface',
  returned: 'bg-ink-3',
  left: 'bg-line',
};

interface TickProps {
  stop: LaneStop;
  position: number;
  timeZone: string;
  /** In percent; null where no time is known: then only narrow screens show it, in its order. */
  left: number | null;
  isReached: boolean;
}

/** A stop, which leads to its package. */
function Tick({ stop: { packageId, state, at, late }, position, timeZone, left, isReached }: TickProps) {
  const name = [
    `Stop ${position}`,
    at ? `${words[state]} ${timeIn(timeZone, at)}` : words[state].replace(/,? ?expected$/, '') || 'open',
    late && 'late',
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <a
      href={`/admin/package/${packageId}`}
      data-tick=""
      title={name}
      aria-label={name}
      tabIndex={isReached ? 0 : -1}
      className={classes(
        'h-6 max-md:min-w-0 max-md:flex-1 md:absolute md:top-7 md:w-3 md:-translate-x-1/2',
        left === null && 'md:hidden',
      )}
      style={{ left: `${left ?? 0}%` }}
    >
      <span
        aria-hidden="true"
        className={classes(
          'mx-auto block h-full rounded-[3px] max-md:w-full md:w-2',
          late ? 'bg-red-dot' : colours[state],
        )}
      />
    </a>
  );
}
