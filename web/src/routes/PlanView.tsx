import { costOfDrive } from '@waybill/contract';
import type { Plan, PlanChange, PlanReason } from '@waybill/contract';
import { ChevronRight, TriangleAlert, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { formatCount, formatCountOf } from '../platform/formats.ts';
import { money } from '../platform/money.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { ProgressBar } from '../ui/ProgressBar.tsx';
import { hours, kilometres } from './drive-text.ts';
import { timeIn } from './plan.ts';
import type { Planning } from './planning.ts';
import { PlanCurve } from './PlanCurve.tsx';
import { PlanMap } from './PlanMap.tsx';
import { PlanRoutes } from './PlanRoutes.tsx';

interface PlanViewProps {
  plan: Plan;
  planning: Planning;
  /** Why the last change by hand was not made. */
  fault: string | null;
  busy: boolean;
  onChange: (routes: PlanChange['routes']) => void;
  onUndo: (() => void) | null;
}

const reasons: Record<PlanReason, string> = {
  no_place: 'The place of the address is not known',
  skill: 'No vehicle can carry it',
  capacity: 'The vehicles are full',
  too_far: 'Too far for every shift',
  window: 'Nobody can be there in its window',
  too_many_stops: 'The drivers have as many stops as they may',
  shift: 'The shifts are used up',
  taken_out: 'Taken out by you',
};

const nobody: ReadonlySet<string> = new Set();

/** A plan as it is so far: its progress, its figures beside those of now, its routes on a map and as lists, and what is left out. */
export function PlanView({ plan, planning, fault, busy, onChange, onUndo }: PlanViewProps) {
  const { routes, unassigned, best, state } = plan;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(nobody);
  if (state === 'failed')
    return (
      <Banner tone="red" icon={<TriangleAlert />} title="No plan" live>
        {plan.failure}
      </Banner>
    );
  const searched = state === 'solving' ? (best.at(-1)?.at ?? 0) : plan.limitSeconds;
  const notes = [
    plan.missed.includes('router') && 'The router does not answer: distances and driving times are estimates.',
    plan.travelTimes === 'estimated' &&
      !plan.missed.includes('router') &&
      'Distances and driving times are estimates: no router is set up.',
    plan.missed.includes('vroom') && 'VROOM found no plan that keeps to all limits: the built-in optimizer did.',
    plan.optimizer === 'vroom' && state !== 'solving' && 'Found by VROOM.',
  ].filter((note) => note !== false);
  const broken = routes.reduce((sum, { faults }) => sum + faults.length, 0);
  const choose = (id: string) => setChosen(chosen.has(id) ? nobody : new Set([id]));
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="flex flex-col gap-2 text-ui text-ink-2">
        {state === 'solving' ? (
          <>
            {routes.length === 0 ? 'Looking for the best routes...' : 'Still getting better...'}
            <ProgressBar
              label="Search"
              size="sm"
              value={Math.round(Math.min(100, (searched / plan.limitSeconds) * 100))}
            />
          </>
        ) : routes.length > 0 ? (
          plan.version > 1 ? (
            'Changed by you. Its times are computed anew with each change.'
          ) : (
            'This is the best that was found. Drag stops to change it; nothing is planned yet.'
          )
        ) : (
          'Nothing can be delivered on this day: see why below.'
        )}
      </div>
      {routes.length > 0 && (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-3">
            <PlanCurve best={best} limitSeconds={plan.limitSeconds} />
            <Comparison plan={plan} planning={planning} />
            {notes.length > 0 && (
              <ul className="text-meta text-ink-3">
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
          </div>
          <PlanMap plan={plan} planning={planning} chosen={chosen} onChoose={choose} />
        </div>
      )}
      {fault !== null && (
        <p role="alert" className="text-ui font-medium text-danger">
          {fault}
        </p>
      )}
      {routes.length > 0 && (
        <>
          <div className="flex min-h-9 flex-wrap items-center gap-3">
            <p role="status" className={classes('grow text-ui', broken > 0 ? 'font-medium text-danger' : 'text-ink-2')}>
              {broken > 0
                ? `${formatCountOf(broken, 'limit')} broken: see the routes below`
                : 'All windows, shifts and vehicles are kept to.'}
            </p>
            {onUndo && (
              <Button
                variant="secondary"
                size="sm"
                disabled={busy}
                icon={<Undo2 aria-hidden="true" className="size-4" />}
                onClick={onUndo}
              >
                Undo change
              </Button>
            )}
          </div>
          <PlanRoutes
            plan={plan}
            planning={planning}
            chosen={chosen}
            onChosen={setChosen}
            onChange={state === 'ready' && !busy ? onChange : null}
          />
        </>
      )}
      {unassigned.length > 0 && <LeftOut plan={plan} chosen={chosen} onChoose={choose} />}
    </div>
  );
}

/** The plan beside the routes as they are now; without any, beside an even split by postal code. */
function Comparison({ plan, planning: { depot } }: { plan: Plan; planning: Planning }) {
  const { routes, unassigned, split, present, rates } = plan;
  // Only where the settings say what driving costs.
  const cost = (drive: { metres: number; seconds: number }) =>
    rates ? [money(costOfDrive(drive, rates), rates.currency)] : [];
  const sums = (of: readonly { metres: number; seconds: number }[]) => ({
    metres: sum(of, 'metres'),
    seconds: sum(of, 'seconds'),
  });
  const sum = (of: readonly { metres: number; seconds: number }[], key: 'metres' | 'seconds') =>
    of.reduce((total, one) => total + one[key], 0);
  const last = (of: readonly { endsAt: string | null }[]) => {
    const end = of
      .flatMap(({ endsAt }) => endsAt ?? [])
      .toSorted()
      .at(-1);
    return end === undefined ? '–' : timeIn(depot.timeZone, end);
  };
  const late = routes.flatMap(({ faults }) => faults).filter(({ reason }) => reason === 'window').length;
  const stops = routes.reduce((total, route) => total + route.stops.length, 0);
  const all = stops + unassigned.length;
  const columns: { name: string; cells: string[] }[] = [];
  if (present.length > 0) {
    const now = present.reduce((total, route) => total + route.stops, 0);
    columns.push({
      name: 'Now',
      cells: [
        formatCount(now),
        kilometres(sum(present, 'metres')),
        hours(sum(present, 'seconds')),
        ...cost(sums(present)),
        last(present),
        formatCount(present.reduce((total, route) => total + route.late, 0)),
        formatCount(all - now),
      ],
    });
  }
  if (split)
    columns.push({
      name: 'Split by postal code',
      cells: [
        formatCount(split.stops),
        kilometres(split.metres),
        hours(split.seconds),
        ...cost(split),
        '–',
        formatCount(split.late),
        formatCount(all - split.stops),
      ],
    });
  const own = [
    formatCount(stops),
    kilometres(sum(routes, 'metres')),
    hours(sum(routes, 'seconds')),
    ...cost(sums(routes)),
    last(routes),
    formatCount(late),
    formatCount(unassigned.length),
  ];
  const labels = [
    'Stops',
    'Distance',
    'Driving',
    ...(rates ? ['Cost'] : []),
    'Last driver back',
    'After their window',
    'Not on a route',
  ];
  return (
    <table className="w-full text-ui figures">
      <thead>
        <tr className="border-b border-line text-left text-meta text-ink-3">
          <th className="py-1.5 font-medium">
            <span className="sr-only">Figure</span>
          </th>
          {columns.map(({ name }) => (
            <th key={name} scope="col" className="py-1.5 pl-2 text-right font-medium">
              {name}
            </th>
          ))}
          <th scope="col" className="py-1.5 pl-2 text-right font-medium">
            This plan
          </th>
        </tr>
      </thead>
      <tbody>
        {labels.map((label, row) => (
          <tr key={label} className="border-b border-line">
            <th scope="row" className="py-1.5 text-left font-normal text-ink-2">
              {label}
            </th>
            {columns.map(({ name, cells }) => (
              <td key={name} className="py-1.5 pl-2 text-right text-ink-2">
                {cells[row]}
              </td>
            ))}
            <td className="py-1.5 pl-2 text-right font-semibold text-ink">{own[row]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LeftOutProps {
  plan: Plan;
  chosen: ReadonlySet<string>;
  onChoose: (id: string) => void;
}

function LeftOut({ plan: { unassigned, state }, chosen, onChoose }: LeftOutProps) {
  const byReason = Map.groupBy(unassigned, ({ reason }) => reason);
  return (
    <section aria-label="Left out">
      <h3 className="mb-1 text-ui font-semibold">{formatCountOf(unassigned.length, 'package')} left out</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {[...byReason].map(([reason, of]) => (
          <li key={reason}>
            <details className="group" open={reason === 'taken_out' || undefined}>
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-3 py-2 text-ui focus-visible:-outline-offset-2">
                <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
                <span className="grow">{reasons[reason]}</span>
                <span className="text-ink-2 figures">{formatCount(of.length)}</span>
              </summary>
              <ul className="border-t border-line text-table">
                {of.map((stop) => {
                  const words = [stop.street ?? stop.name, stop.postalCode, stop.town].filter(Boolean).join(', ');
                  return (
                    <li key={stop.packageId} className="px-3 py-1.5 pl-10">
                      {state === 'ready' && reason !== 'no_place' ? (
                        <button
                          type="button"
                          aria-pressed={chosen.has(stop.packageId)}
                          onClick={() => onChoose(stop.packageId)}
                          className="min-h-8 w-full truncate text-left hover:text-brand aria-pressed:font-semibold aria-pressed:text-brand pointer-coarse:min-h-11"
                        >
                          {words}
                        </button>
                      ) : (
                        <span className="block truncate">{words}</span>
                      )}
                    </li>
                  );
                })}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
