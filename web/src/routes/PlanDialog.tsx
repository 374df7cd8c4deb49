import { useQuery } from '@tanstack/react-query';
import { ApiError, isOpenStop, maxSplit } from '@waybill/contract';
import type { DriverOnDuty, Plan, PlanChange, PlanInput, Route, WaitingSelection } from '@waybill/contract';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { api } from '../platform/api.ts';
import { useToday } from '../platform/clock.ts';
import { formatCountOf } from '../platform/formats.ts';
import { newIdempotencyKey, useIdempotencyKey } from '../platform/idempotency.ts';
import { queryClient } from '../platform/query-client.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { absentUntil } from '../shifts/absence-words.ts';
import { withoutLater } from './later.ts';
import { LaterToo } from './LaterToo.tsx';
import { absenceOf, hoursOfShift, isOver, isReplannable, openStops, shiftOfDriver } from './plan.ts';
import type { Planning } from './planning.ts';
import { PlanView } from './PlanView.tsx';
import { elsewhereQuery, laterQuery } from './queries.ts';

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

/** What is chosen before the search. */
interface Wishes {
  /** Null until a driver is ticked: those with a shift that is not over and without a route. */
  chosen: readonly string[] | null;
  /** Routes that have not started are planned anew, too. */
  replans: boolean;
  /** What is proposed for a later day is planned, too. */
  takesLater: boolean;
  limit: string;
}

/** Has the server search the best routes of the day, shows how they get better beside the routes of now, lets stops be dragged, and plans them. */
export function PlanDialog({ planning, drivers, open, onClose, selection, packages }: PlanDialogProps) {
  const { day, depot, routes, shifts } = planning;
  const keyOf = useIdempotencyKey();
  const [planId, setPlanId] = useState<string | null>(null);
  const queryKey = ['plans', planId];
  const { data: plan, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.plans.read({ params: { id: planId ?? '' }, signal }),
    enabled: planId !== null,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'solving' ? false : pollMs),
    meta: { showsError: true },
  });
  const now = useToday();
  const isOnShift = (id: string) => {
    const shift = shiftOfDriver(id, day, shifts, depot);
    return shift !== undefined && !isOver(shift, now);
  };
  /** How many plans were discarded: the same wishes are another search after each of them. */
  const [discarded, setDiscarded] = useState(0);
  /** If it fails, all drivers are offered, and the server says who has a route of another depot. */
  const elsewhere = useQuery({ ...elsewhereQuery(day, depot.id), enabled: planId === null });
  const offered = drivers.filter(({ id }) => !elsewhere.data?.has(id));
  const [wishes, setWishes] = useState<Wishes>({ chosen: null, replans: false, takesLater: false, limit: '10' });
  const whole = selection ?? { all: true, filter: { day } };
  const { data: later = 0 } = useQuery({ ...laterQuery(whole, day), enabled: planId === null });
  const usual = offered
    .filter(({ id }) => isOnShift(id) && !routes.some(({ driverId, state }) => driverId === id && state !== 'finished'))
    .map(({ id }) => id)
    .slice(0, maxSplit);
  const chosen = (wishes.chosen ?? usual).filter((id) => !elsewhere.data?.has(id));
  /** The routes as they were when a plan was made from them: the way back from it. */
  const [replanned, setReplanned] = useState<readonly Route[]>([]);
  const start = useSingleMutation({
    mutationFn: ({ input, attempt }: { input: PlanInput; attempt: number }, signal) =>
      api.plans.create({ body: input, idempotencyKey: keyOf([input, attempt]), signal }),
    onSuccess: ({ id }) => setPlanId(id),
    meta: { showsError: true },
  });
  const search = (attempt = discarded) => {
    const anew = wishes.replans
      ? routes.filter((route) => isReplannable(route) && (route.driverId === null || chosen.includes(route.driverId)))
      : [];
    setReplanned(anew);
    const input: PlanInput = {
      day,
      depotId: depot.id,
      driverIds: [...chosen],
      selection: wishes.takesLater ? whole : { ...whole, dueBy: day },
      ...(anew.length > 0 && { routeIds: anew.map(({ id }) => id) }),
      limitSeconds: Number(wishes.limit),
      confirm: true,
    };
    start.mutate({ input, attempt });
  };
  const [steps, setSteps] = useState<readonly PlanChange['routes'][]>([]);
  const change = useSingleMutation({
    mutationFn: (body: PlanChange, signal) => api.plans.change({ params: { id: planId ?? '' }, body, signal }),
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
    onError: () => queryClient.invalidateQueries({ queryKey }),
    meta: { showsError: true },
  });
  const save = (next: PlanChange['routes']) => plan && change.mutate({ version: plan.version, routes: next });
  const apply = useSingleMutation({
    mutationFn: (id: string, signal) =>
      api.plans.apply({ params: { id }, idempotencyKey: newIdempotencyKey(), signal }),
    onSuccess: (applied) => {
      void planning.acts.applied(applied, replanned);
      onClose();
    },
    meta: { showsError: true },
  });
  const discard = () => {
    if (planId !== null && plan?.state !== 'applied')
      api.plans.remove({ params: { id: planId } }).catch(() => {
        // It is removed by itself later.
      });
    setPlanId(null);
    setDiscarded((count) => count + 1);
    setSteps([]);
    apply.reset();
    change.reset();
  };
  const close = () => {
    discard();
    onClose();
  };
  const searchAnew = () => {
    discard();
    search(discarded + 1);
  };
  const isReady = plan?.state === 'ready' && plan.routes.length > 0;
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      size={planId === null ? 'lg' : 'xl'}
      title="Plan the day"
      unsaved={steps.length > 0}
      act={apply}
      description={
        selection
          ? `${formatCountOf(wishes.takesLater ? packages : withoutLater(packages, later), 'package')} selected`
          : 'Everything waiting that can be delivered on this day'
      }
      footer={
        planId === null ? (
          <>
            <DialogClose />
            <Button type="submit" form={formId} size="lg" disabled={elsewhere.isPending} loading={start.isPending}>
              Find the best routes
            </Button>
          </>
        ) : (
          <>
            <Button variant="secondary" size="lg" onClick={discard}>
              {plan?.state === 'solving' ? 'Stop' : 'Change and search again'}
            </Button>
            <Button
              size="lg"
              disabled={!isReady || change.isPending}
              loading={apply.isPending}
              onClick={() => plan && apply.mutate(plan.id)}
            >
              {isReady ? `Plan ${formatCountOf(plan.routes.length, 'route')}` : 'Plan routes'}
            </Button>
          </>
        )
      }
    >
      {planId === null && elsewhere.isPending ? (
        <p role="status" className="text-ui text-ink-2">
          Loading the drivers...
        </p>
      ) : planId === null ? (
        <PlanForm
          planning={planning}
          drivers={offered}
          elsewhere={drivers.filter(({ id }) => elsewhere.data?.has(id))}
          depotOf={(id) => elsewhere.data?.get(id) ?? ''}
          later={later}
          wishes={{ ...wishes, chosen }}
          onWishes={setWishes}
          error={start.error}
          onSearch={() => search()}
        />
      ) : plan ? (
        <div className="flex flex-col gap-4">
          {apply.error && <ApplyFault error={apply.error} plan={plan} planning={planning} onAnew={searchAnew} />}
          <PlanView
            plan={plan}
            planning={planning}
            fault={change.error?.message ?? null}
            busy={change.isPending || apply.isPending}
            onChange={(next) => {
              setSteps((before) => [...before, asWanted(plan)]);
              save(next);
            }}
            onUndo={
              steps.length > 0
                ? () => {
                    const last = steps.at(-1);
                    setSteps(steps.slice(0, -1));
                    if (last) save(last);
                  }
                : null
            }
          />
        </div>
      ) : (
        <p role={error ? 'alert' : 'status'} className="text-ui text-ink-2">
          {error ? error.message : 'The search begins...'}
        </p>
      )}
    </Dialog>
  );
}

const asWanted = ({ routes }: Plan): PlanChange['routes'] =>
  routes.map(({ driverId, stops }) => ({ driverId, packageIds: stops.map(({ packageId }) => packageId) }));

interface ApplyFaultProps {
  error: Error;
  plan: Plan;
  planning: Planning;
  onAnew: () => void;
}

/** Why a plan was not applied: what has changed since it was made, by name. */
function ApplyFault({ error, plan, planning, onAnew }: ApplyFaultProps) {
  const isStale = error instanceof ApiError && error.code === 'stale';
  const nameOf = (id: string): string => {
    const stop = [...plan.routes.flatMap(({ stops }) => stops), ...plan.unassigned].find((one) => one.packageId === id);
    if (stop) return stop.street ?? stop.name;
    const route = plan.present.find(({ routeId }) => routeId === id);
    return route ? `Route of ${planning.nameOf(route.driverId)}` : planning.nameOf(id);
  };
  const changes = isStale ? Object.entries(error.fields) : [];
  return (
    <div role="alert">
      <Banner
        tone="red"
        icon={<TriangleAlert />}
        title="Nothing was planned"
        action={
          isStale && (
            <Button variant="secondary" onClick={onAnew}>
              Plan anew
            </Button>
          )
        }
      >
        <p>{error.message}</p>
        {changes.length > 0 && (
          <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5">
            {changes.map(([id, message]) => (
              <li key={id}>
                {nameOf(id)}: {message}
              </li>
            ))}
          </ul>
        )}
      </Banner>
    </div>
  );
}

const limits = [
  { value: '3', label: '3 seconds' },
  { value: '10', label: '10 seconds' },
  { value: '30', label: '30 seconds' },
  { value: '60', label: '1 minute' },
  { value: '120', label: '2 minutes' },
];

interface PlanFormProps {
  planning: Planning;
  drivers: readonly DriverOnDuty[];
  /** Those who have a route of another depot on this day. */
  elsewhere: readonly DriverOnDuty[];
  depotOf: (driverId: string) => string;
  /** How many packages are proposed for a later day. */
  later: number;
  wishes: Wishes & { chosen: readonly string[] };
  onWishes: (wishes: Wishes) => void;
  error: Error | null;
  onSearch: () => void;
}

function PlanForm({ planning, drivers, elsewhere, depotOf, later, wishes, onWishes, error, onSearch }: PlanFormProps) {
  const { day, depot, shifts, absences, routes } = planning;
  const { chosen, replans, takesLater, limit } = wishes;
  const now = useToday();
  const [touched, setTouched] = useState(false);
  const anew = routes.filter(isReplannable);
  const stopsOf = (id: string) =>
    anew.filter(({ driverId }) => driverId === id).reduce((sum, route) => sum + openStops(route).length, 0);
  const isBusy = (id: string) =>
    routes.some((route) => route.driverId === id && route.state !== 'finished' && !(replans && isReplannable(route)));
  const shiftFor = (id: string) => shiftOfDriver(id, day, shifts, depot);
  const free = drivers.filter(({ id }) => !isBusy(id));
  const offered = [
    ...free.filter(({ id }) => shiftFor(id) !== undefined),
    ...free.filter(({ id }) => shiftFor(id) === undefined),
  ];
  const missing = chosen.length === 0 ? 'Please choose at least one driver' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (!missing) onSearch();
  };
  const hintFor = (id: string) => {
    const shift = shiftFor(id);
    const stops = replans ? stopsOf(id) : 0;
    const absence = absenceOf(id, day, absences);
    return [
      absence
        ? absentUntil(absence)
        : shift
          ? hoursOfShift(shift, depot, now)
          : "No shift on this day: planned in the depot's hours",
      stops > 0 && `${formatCountOf(stops, 'stop')} planned now`,
    ]
      .filter(Boolean)
      .join(', ');
  };
  const withRoutes = anew.flatMap(({ driverId }) => driverId ?? []);
  const setReplans = (next: boolean) =>
    onWishes({
      ...wishes,
      replans: next,
      chosen: next
        ? [...new Set([...chosen, ...withRoutes])].slice(0, maxSplit)
        : chosen.filter((id) => !withRoutes.includes(id)),
    });
  const fault = (touched ? missing : null) ?? error?.message;
  return (
    <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {anew.length > 0 && (
        <Checkbox
          label="Also replan routes that have not started"
          hint={`${formatCountOf(anew.length, 'route')} with ${formatCountOf(
            anew.reduce((sum, { stops }) => sum + stops.filter(({ state }) => isOpenStop(state)).length, 0),
            'stop',
          )}. Nothing changes until you press Plan.`}
          checked={replans}
          onChange={({ target }) => setReplans(target.checked)}
        />
      )}
      {later > 0 && (
        <LaterToo
          day={day}
          later={later}
          taken={takesLater}
          onTaken={(taken) => onWishes({ ...wishes, takesLater: taken })}
        />
      )}
      <fieldset>
        <legend className="mb-1 text-ui font-medium">
          {replans ? 'Drivers who have not started' : 'Drivers without a route on this day'}
        </legend>
        {offered.length === 0 && <p className="text-ui text-ink-2">Every driver has a route on this day.</p>}
        {offered.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            hint={hintFor(id)}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onWishes({
                ...wishes,
                chosen: target.checked ? [...chosen, id] : chosen.filter((other) => other !== id),
              })
            }
          />
        ))}
        {elsewhere.length > 0 && (
          <p className="mt-1 text-table text-ink-3">
            Not offered, as they drive from another depot on this day:{' '}
            {elsewhere.map(({ id, name }) => `${name} (${depotOf(id)})`).join(', ')}
          </p>
        )}
      </fieldset>
      <Field label="Search time">
        <Select options={limits} value={limit} onValueChange={(next) => onWishes({ ...wishes, limit: next })} />
      </Field>
      {fault && (
        // Below a long list of drivers nobody would see it.
        <p
          ref={(alert) => alert?.scrollIntoView({ block: 'nearest' })}
          role="alert"
          className="text-ui font-medium text-danger"
        >
          {fault}
        </p>
      )}
      {error instanceof ApiError && error.code === 'no_place' && (
        <p className="text-ui text-ink-2">Packages and depots get their places from their addresses, or by a pin.</p>
      )}
    </form>
  );
}
