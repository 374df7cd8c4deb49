import { useQuery } from '@tanstack/react-query';
import type { Route } from '@waybill/contract';
import { useState } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatCount, formatCountOf, formatShortDay } from '../platform/formats.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { absentUntil } from '../shifts/absence-words.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { absenceOf, endOf, givenAway, openStops, timeIn } from './plan.ts';
import type { Planning } from './planning.ts';
import { unfinishedRoutesQuery } from './queries.ts';

interface IllDialogProps {
  planning: Planning;
  route: Route;
  open: boolean;
  onClose: () => void;
}

/** Gives everything of a driver to the others, who are all ticked: the second click opens this, the third confirms. */
export function IllDialog({ planning, route, open, onClose }: IllDialogProps) {
  const { day, routes, absences, depot, depots, nameOf, acts } = planning;
  const entered = absenceOf(route.driverId, day, absences);
  const keyOf = useIdempotencyKey();
  const others = routes.filter(
    ({ driverId, state }) => driverId !== null && driverId !== route.driverId && state !== 'finished',
  );
  const [chosen, setChosen] = useState(() => others.map(({ id }) => id));
  const taking = chosen.filter((id) => others.some((other) => other.id === id));
  const { data: unfinished, isPending } = useQuery(unfinishedRoutesQuery(route.driverId));
  const now = useToday();
  const given = givenAway(
    route.driverId,
    { day, now },
    new Map([...routes, ...(unfinished ?? [])].map((one) => [one.id, one])).values(),
    depots,
  );
  const stops = given.reduce((sum, one) => sum + openStops(one).length, 0);
  /** Those that do not stand on the screen. */
  const further = given.filter((one) => openStops(one).length > 0 && !routes.some(({ id }) => id === one.id));
  const name = nameOf(route.driverId);
  const [isAway, setIsAway] = useState(!entered);
  const [until, setUntil] = useState(day);
  const submit = () => {
    const { driverId } = route;
    if (driverId === null) return;
    const absence = isAway && !entered ? ({ kind: 'sick', from: day, to: until < day ? day : until } as const) : null;
    void acts.reassign(driverId, taking, absence, keyOf([driverId, taking, absence]));
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={entered ? `${name}: ${absentUntil(entered).toLowerCase()}` : `${name} is ill`}
      description={
        stops === 1
          ? 'The stop that is left, planned or on the road, goes to a driver you tick.'
          : `All ${formatCount(stops)} remaining stops, planned or on the road, are shared evenly among the drivers you tick.`
      }
      footer={
        <>
          <DialogClose />
          <Button
            size="lg"
            disabled={isPending || (taking.length === 0 && !(isAway && others.length === 0))}
            onClick={submit}
          >
            {taking.length === 0 && others.length === 0
              ? 'Enter the absence'
              : `Give ${formatCountOf(stops, 'stop')} to ${formatCountOf(taking.length, 'driver')}`}
          </Button>
        </>
      }
    >
      {further.length > 0 && (
        <ul className="mb-4 rounded-card bg-blue-bg px-3 py-2.5 text-ui text-blue-ink">
          {further.map((one) => (
            <li key={one.id}>
              {formatCountOf(openStops(one).length, 'stop')} of them {openStops(one).length === 1 ? 'is' : 'are'} on a
              round {one.state === 'started' ? 'still under way' : 'planned'} from{' '}
              {[
                one.day !== day && formatShortDay(one.day),
                one.depotId !== depot.id && (depots.find(({ id }) => id === one.depotId)?.name ?? 'another depot'),
              ]
                .filter(Boolean)
                .join(', ')}
              .
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 ? (
        <EmptyState
          title="No other driver has a route on this day"
          description="Plan a route for somebody else first, or change the driver of this route."
        />
      ) : (
        <fieldset>
          <legend className="mb-1 text-ui font-medium">Who takes them</legend>
          {others.map((other) => {
            const end = endOf(other);
            return (
              <Checkbox
                key={other.id}
                label={nameOf(other.driverId)}
                hint={[
                  other.state === 'started' ? 'on the road' : 'planned',
                  formatCountOf(openStops(other).length, 'stop'),
                  end && `ends ${timeIn(depot.timeZone, end)}`,
                ]
                  .filter(Boolean)
                  .join(', ')}
                checked={chosen.includes(other.id)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, other.id] : chosen.filter((id) => id !== other.id))
                }
              />
            );
          })}
        </fieldset>
      )}
      {!entered && (
        <div className="mt-4 border-t border-line pt-3">
          <Checkbox
            label="Enter the absence in the schedule"
            hint="Plans leave the driver out until then"
            checked={isAway}
            onChange={({ target }) => setIsAway(target.checked)}
          />
          {isAway && (
            // Below the words of the box that it belongs to.
            <div className="ml-8 w-44 pb-1">
              <Field label="Last day">
                <Input type="date" min={day} value={until} onChange={({ target }) => setUntil(target.value)} />
              </Field>
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}
