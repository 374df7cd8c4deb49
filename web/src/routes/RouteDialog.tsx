import type { DriverOnDuty, Route } from '@waybill/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { absentUntil } from '../shifts/absence-words.ts';
import { absenceOf, momentIn, shiftOfDriver, timeIn, viewerZone } from './plan.ts';
import type { Planning } from './planning.ts';

const formId = 'route';
const nobody = 'nobody';

interface RouteDialogProps {
  planning: Planning;
  drivers: readonly DriverOnDuty[];
  /** Null: a new one. */
  route: Route | null;
  open: boolean;
  onClose: () => void;
}

/** The driver and the start of a planned route, or of a new one. */
export function RouteDialog({ planning, drivers, route, open, onClose }: RouteDialogProps) {
  const { day, depot, shifts, absences, acts } = planning;
  const zone = depot.timeZone;
  const first = route?.driverId ?? nobody;
  const startOf = (id: string) => {
    const shift = shiftOfDriver(id, day, shifts, depot);
    return shift ? timeIn(zone, shift.startsAt) : (depot.opensAt ?? '08:00');
  };
  const [driverId, setDriverId] = useState(first);
  const [start, setStart] = useState(route?.startsAt ? timeIn(zone, route.startsAt) : startOf(first));
  const [touched, setTouched] = useState(route !== null);
  const changed =
    driverId !== first || (route !== null && start !== (route.startsAt ? timeIn(zone, route.startsAt) : start));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const driver = driverId === nobody ? null : driverId;
    const startsAt = start ? momentIn(zone, day, start) : null;
    if (route) void acts.change(route, { driverId: driver, startsAt });
    else void acts.addRoute(driver, startsAt);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      unsaved={changed}
      title={route ? 'Driver and start' : 'Add route'}
      description={`Times are those of ${depot.name}${zone === viewerZone() ? '' : ` (${zone})`}.`}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg">
            {route ? 'Save' : 'Add route'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Driver">
          <Select
            options={[
              { value: nobody, label: 'Nobody yet' },
              ...drivers.map(({ id, name }) => {
                const shift = shiftOfDriver(id, day, shifts, depot);
                const absence = absenceOf(id, day, absences);
                const hours = absence
                  ? absentUntil(absence).toLowerCase()
                  : shift
                    ? `${timeIn(zone, shift.startsAt)} to ${timeIn(zone, shift.endsAt)}`
                    : 'no shift';
                return { value: id, label: `${name}, ${hours}` };
              }),
            ]}
            value={driverId}
            onValueChange={(id) => {
              setDriverId(id);
              if (!touched) setStart(startOf(id));
            }}
          />
        </Field>
        <Field label="Start">
          <Input
            type="time"
            value={start}
            onChange={({ target }) => {
              setTouched(true);
              setStart(target.value);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}
