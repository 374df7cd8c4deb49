import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@waybill/contract';
import type { DriverOnDuty, Plan, PlanInput, PlanReason, WaitingSelection } from '@waybill/contract';
import { maxSplit } from '@waybill/contract';
import { ChevronRight, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { api } from '../platform/api.ts';
import { formatCount, formatCountOf } from '../platform/formats.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';
import { Select } from '../ui/Select.tsx';
import { shiftOfDriver, timeIn } from './plan.ts';
import { hours, kilometres } from './drive-text.ts';
import type { Planning } from './planning.ts';

const formId = 'plan-the-day';
/** How often the best plan so far is asked for. */
const pollMs = 700;

interface PlanDialogProps {
  planning: Planning;
  drivers: readonly DriverOnDuty[];
  open: boolean;
  onClose: () => void;
  /** What is ticked of what waits; null: everything for that day. */
  selection: WaitingSelection | null;
  packages: number;
}

/** Has the server search the best routes of the day, shows how they get better, and plans them. */
export function PlanDialog({ planning, drivers, open, onClose, selection, packages }: PlanDialogProps) {
  const [planId, setPlanId] = useState<string | null>(null);
  const { data: plan, error } = useQuery({
    queryKey: ['plans', planId],
    queryFn: ({ signal }) => api.plans.read({ params: { id: planId ?? '' }, signal }),
    enabled: planId !== null,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'solving' ? false : pollMs),
    meta: { showsError: true },
  });
  const discard = () => {
    if (planId !== null && plan?.state !== 'applied')
      api.plans.remove({ params: { id: planId } }).catch(() => {
        // It is removed by itself later.
      });
    setPlanId(null);
  };
  const close = () => {
    discard();
    onClose();
  };
  const apply = () => {
    if (!plan) return;
    void planning.acts.applyPlan(plan.id);
    onClose();
  };
  const isReady = plan?.state === 'ready' && plan.routes.length > 0;
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      size="lg"
      title="Plan the day"
      description={
        selection
          ? `${formatCountOf(packages, 'package')} selected`
          : `Everything that waits and can be delivered on this day`
      }
      footer={
        planId === null ? (
          <>
            <DialogClose />
            <Button type="submit" form={formId} size="lg">
              Find the best routes
            </Button>
          </>
        ) : (
          <>
            <Button variant="secondary" size="lg" onClick={discard}>
              {plan?.state === 'solving' ? 'Stop' : 'Change and search again'}
            </Button>
            <Button size="lg" disabled={!isReady} onClick={apply}>
              {isReady ? `Plan ${formatCountOf(plan.routes.length, 'route')}` : 'Plan routes'}
            </Button>
          </>
        )
      }
    >
      {planId === null ? (
        <PlanForm planning={planning} drivers={drivers} selection={selection} onPlan={setPlanId} />
      ) : plan ? (
        <PlanView plan={plan} planning={planning} />
      ) : (
        <p role={error ? 'alert' : 'status'} className="text-ui text-ink-2">
          {error ? error.message : 'The search begins...'}
        </p>
      )}
    </Dialog>
  );
}

const limits = [
  { value: '3', label: '3 seconds' },
  { value: '10', label: '10 seconds' },
  { value: '30', label: '30 seconds' },
  { value: '60', label: '1 minute' },
  { value: '120', label: '2 minutes' },
];

type PlanFormProps = Pick<PlanDialogProps, 'planning' | 'drivers' | 'selection'> & { onPlan: (id: string) => void };

function PlanForm({ planning, drivers, selection, onPlan }: PlanFormProps) {
  const { day, depot, shifts, routes } = planning;
  const keyOf = useIdempotencyKey();
  const isBusy = (id: string) => routes.some(({ driverId, state }) => driverId === id && state !== 'finished');
  const shiftFor = (id: string) => shiftOfDriver(id, day, shifts, depot);
  const free = drivers.filter(({ id }) => !isBusy(id));
  const onShift = free.filter(({ id }) => shiftFor(id) !== undefined);
  const offered = [...onShift, ...free.filter(({ id }) => shiftFor(id) === undefined)];
  const [chosen, setChosen] = useState<readonly string[]>(() => onShift.map(({ id }) => id).slice(0, maxSplit));
  const [limit, setLimit] = useState('10');
  const [touched, setTouched] = useState(false);
  const start = useSingleMutation({
    mutationFn: (input: PlanInput, signal) => api.plans.create({ body: input, idempotencyKey: keyOf(input), signal }),
    onSuccess: ({ id }) => onPlan(id),
    meta: { showsError: true },
  });
  const missing = chosen.length === 0 ? 'Please choose at least one driver' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (missing) return;
    start.mutate({
      day,
      depotId: depot.id,
      driverIds: [...chosen],
      ...(selection && { selection }),
      limitSeconds: Number(limit),
      confirm: true,
    });
  };
  const fault = (touched ? missing : null) ?? start.error?.message;
  return (
    <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <fieldset>
        <legend className="mb-1 text-ui font-medium">Drivers without a route on this day</legend>
        {offered.length === 0 && <p className="text-ui text-ink-2">Every driver has a route on this day.</p>}
        {offered.map(({ id, name }) => {
          const shift = shiftFor(id);
          return (
            <Checkbox
              key={id}
              label={name}
              hint={
                shift
                  ? `${timeIn(depot.timeZone, shift.startsAt)} to ${timeIn(depot.timeZone, shift.endsAt)}`
                  : "No shift on this day: the depot's hours count"
              }
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
              }
            />
          );
        })}
      </fieldset>
      <Field label="Search for">
        <Select options={limits} value={limit} onValueChange={setLimit} />
      </Field>
      {fault && (
        <p role="alert" className="text-ui font-medium text-danger">
          {fault}
        </p>
      )}
      {start.error instanceof ApiError && start.error.code === 'no_place' && (
        <p className="text-ui text-ink-2">Packages and depots get their places from their addresses, or by a pin.</p>
      )}
    </form>
  );
}

const reasons: Record<PlanReason, string> = {
  no_place: 'The place of the address is not known',
  skill: 'No vehicle can carry it',
  capacity: 'The vehicles are full',
  too_far: 'Too far for every shift',
  window: 'Nobody can be there in its window',
  too_many_stops: 'The drivers have as many stops as they may',
  shift: 'The shifts are used up',
};

/** A plan as it is so far: its progress, its figures beside those of an even split, its routes and what is left out. */
function PlanView({ plan, planning }: { plan: Plan; planning: Planning }) {
  const { nameOf, depot } = planning;
  const { routes, unassigned, split, best, state } = plan;
  const sum = (of: 'metres' | 'seconds') => routes.reduce((total, route) => total + route[of], 0);
  const stops = routes.reduce((total, route) => total + route.stops.length, 0);
  const searched = state === 'solving' ? (best.at(-1)?.at ?? 0) : plan.limitSeconds;
  const time = (moment: string) => timeIn(depot.timeZone, moment);
  const rows: [label: string, of: string, here: string][] = [
    ['Stops', formatCount(split?.stops ?? 0), formatCount(stops)],
    ['Distance', kilometres(split?.metres ?? 0), kilometres(sum('metres'))],
    ['Driving', hours(split?.seconds ?? 0), hours(sum('seconds'))],
    ['After their window', formatCount(split?.late ?? 0), '0'],
    ['Left out', '0', formatCount(unassigned.length)],
  ];
  const byReason = Map.groupBy(unassigned, ({ reason }) => reason);
  if (state === 'failed')
    return (
      <Banner tone="red" icon={<TriangleAlert />} title="No plan" live>
        {plan.failure}
      </Banner>
    );
  const notes = [
    plan.missed.includes('router') && 'The router does not answer: distances and driving times are estimates.',
    plan.travelTimes === 'estimated' &&
      !plan.missed.includes('router') &&
      'Distances and driving times are estimates: no router is set up.',
    plan.missed.includes('vroom') && 'VROOM found no plan that keeps to all limits: the built-in optimizer did.',
    plan.optimizer === 'vroom' && state !== 'solving' && 'Found by VROOM.',
  ].filter((note) => note !== false);
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
          'This is the best that was found. Stops can still be dragged once the routes are planned.'
        ) : (
          'Nothing can be delivered on this day: see why below.'
        )}
      </div>
      {routes.length > 0 && split && (
        <table className="w-full text-ui figures">
          <thead>
            <tr className="border-b border-line text-left text-meta text-ink-3">
              <th className="py-1.5 font-medium">
                <span className="sr-only">Figure</span>
              </th>
              <th className="py-1.5 text-right font-medium">Split by postcode</th>
              <th className="py-1.5 text-right font-medium">This plan</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, of, here]) => (
              <tr key={label} className="border-b border-line">
                <th scope="row" className="py-1.5 text-left font-normal text-ink-2">
                  {label}
                </th>
                <td className="py-1.5 text-right text-ink-2">{of}</td>
                <td className="py-1.5 text-right font-semibold text-ink">{here}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {notes.length > 0 && routes.length > 0 && (
        <ul className="text-meta text-ink-3">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {routes.length > 0 && (
        <ul aria-label="Routes of this plan" className="divide-y divide-line rounded-card border border-line">
          {routes.map((route) => (
            <li key={route.driverId}>
              <details className="group">
                <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 px-3 py-2 text-ui focus-visible:-outline-offset-2">
                  <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
                  <span className="grow font-semibold text-ink">{nameOf(route.driverId)}</span>
                  <span className="text-ink-2 figures">
                    {formatCountOf(route.stops.length, 'stop')}, {time(route.startsAt)} to {time(route.endsAt)},{' '}
                    {kilometres(route.metres)}
                  </span>
                </summary>
                <ol className="border-t border-line text-table">
                  {route.stops.map((stop, index) => (
                    <li key={stop.packageId} className="flex gap-3 px-3 py-1.5">
                      <span className="w-5 shrink-0 text-right text-ink-3 figures">{index + 1}</span>
                      <span className="min-w-0 grow truncate">
                        {stop.street ?? stop.name}
                        <span className="text-ink-3"> {[stop.postalCode, stop.town].filter(Boolean).join(' ')}</span>
                      </span>
                      <span className="shrink-0 text-ink-2 figures">{time(stop.arrivesAt)}</span>
                    </li>
                  ))}
                </ol>
              </details>
            </li>
          ))}
        </ul>
      )}
      {unassigned.length > 0 && (
        <section aria-label="Left out">
          <h3 className="mb-1 text-ui font-semibold">{formatCountOf(unassigned.length, 'package')} left out</h3>
          <ul className="divide-y divide-line rounded-card border border-line">
            {[...byReason].map(([reason, of]) => (
              <li key={reason}>
                <details className="group">
                  <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-3 py-2 text-ui focus-visible:-outline-offset-2">
                    <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
                    <span className="grow">{reasons[reason]}</span>
                    <span className="text-ink-2 figures">{formatCount(of.length)}</span>
                  </summary>
                  <ul className="border-t border-line text-table">
                    {of.map((stop) => (
                      <li key={stop.packageId} className="truncate px-3 py-1.5 pl-10">
                        {[stop.street ?? stop.name, stop.postalCode, stop.town].filter(Boolean).join(', ')}
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
