import type { DriverOnDuty, SplitInput, WaitingSelection } from '@waybill/contract';
import { maxSplit } from '@waybill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatCountOf } from '../platform/formats.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { absentUntil } from '../shifts/absence-words.ts';
import { withoutLater } from './later.ts';
import { LaterToo } from './LaterToo.tsx';
import { absenceOf, hoursOfShift, isOver, shiftOfDriver } from './plan.ts';
import type { Planning } from './planning.ts';
import { elsewhereQuery, laterQuery } from './queries.ts';

const formId = 'split-evenly';

interface SplitDialogProps {
  planning: Planning;
  drivers: readonly DriverOnDuty[];
  open: boolean;
  onClose: () => void;
  packages: number;
  selection: WaitingSelection;
  onSplit: (input: SplitInput, idempotencyKey: string) => void;
}

/**
 * Splits the selected packages into new routes, without those that are proposed for a later day unless they are ticked. Drivers with a shift that is not over and without a route on that day are ticked; who ticks one without a
 * shift reads so there, which confirms it.
 */
export function SplitDialog({ planning, drivers, open, onClose, packages, selection, onSplit }: SplitDialogProps) {
  const { day, depot, shifts, absences, routes } = planning;
  const keyOf = useIdempotencyKey();
  const shiftFor = (id: string) => shiftOfDriver(id, day, shifts, depot);
  const isBusy = (id: string) => routes.some(({ driverId, state }) => driverId === id && state !== 'finished');
  const now = useToday();
  const isPast = (id: string) => {
    const shift = shiftFor(id);
    return shift !== undefined && isOver(shift, now);
  };
  const onShift = drivers.filter(({ id }) => shiftFor(id) !== undefined);
  const offered = [...onShift, ...drivers.filter(({ id }) => shiftFor(id) === undefined)];
  const { data: elsewhere, isPending } = useQuery(elsewhereQuery(day, depot.id));
  const [ticked, setTicked] = useState<readonly string[] | null>(null);
  const usual = onShift
    .filter(({ id }) => !isBusy(id) && !elsewhere?.has(id) && !isPast(id))
    .map(({ id }) => id)
    .slice(0, maxSplit);
  const chosen = ticked ?? usual;
  const [wanted, setWanted] = useState<string | null>(null);
  const others = wanted ?? (usual.length > 0 ? '0' : '1');
  /** If it fails, they are left out all the same. */
  const { data: later = 0 } = useQuery(laterQuery(selection, day));
  const [takesLater, setTakesLater] = useState(false);
  const taken = takesLater ? packages : withoutLater(packages, later);
  const count = chosen.length + Math.max(0, Math.trunc(Number(others)) || 0);
  const error = isPending
    ? 'Loading the drivers...'
    : count === 0
      ? 'Please choose at least one driver'
      : count > maxSplit
        ? `At most ${maxSplit} routes at a time`
        : taken === 0
          ? 'All of these are proposed for a later day'
          : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (error) return;
    const input: SplitInput = {
      day,
      depotId: depot.id,
      driverIds: [...chosen],
      routes: count,
      selection: takesLater ? selection : { ...selection, dueBy: day },
      confirm: true,
    };
    onSplit(input, keyOf(input));
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Split evenly"
      description={`${formatCountOf(taken, 'package')} by postal code, street and house number`}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" disabled={error !== null}>
            {count > 0 ? `Plan ${formatCountOf(count, 'route')}` : 'Plan routes'}
          </Button>
          {/* In sight however long the list of drivers is: at the left, on phones above both buttons. */}
          <p role="status" className="text-ui text-ink-2 max-md:pb-1 md:order-first md:mr-auto md:self-center">
            {error ?? `About ${formatCountOf(Math.ceil(taken / count), 'stop')} each`}
          </p>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {later > 0 && <LaterToo day={day} later={later} taken={takesLater} onTaken={setTakesLater} />}
        <fieldset>
          <legend className="mb-1 text-ui font-medium">Drivers</legend>
          {offered.length === 0 && <p className="text-ui text-ink-2">There are no active drivers.</p>}
          {offered.map(({ id, name }) => {
            const shift = shiftFor(id);
            const absence = absenceOf(id, day, absences);
            const hours = absence
              ? absentUntil(absence)
              : shift
                ? hoursOfShift(shift, depot, now)
                : 'No shift on this day';
            const other = elsewhere?.get(id);
            return (
              <Checkbox
                key={id}
                label={name}
                hint={isBusy(id) ? `${hours}, has a route` : other ? `${hours}, has a route from ${other}` : hours}
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  setTicked(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
            );
          })}
        </fieldset>
        <Field label="Routes without a driver yet">
          <Input
            type="number"
            inputMode="numeric"
            min={0}
            max={maxSplit}
            value={others}
            onChange={({ target }) => setWanted(target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
