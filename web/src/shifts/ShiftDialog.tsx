import { useQuery } from '@tanstack/react-query';
import { ApiError, faultOfTimes } from '@waybill/contract';
import type { Shift } from '@waybill/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { localDay } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { faultsOf } from '../platform/faults.ts';
import { activeDriversQuery, useSaveShift } from './queries.ts';
import { formatLength, timeOf, timesOf } from './week.ts';

const formId = 'shift';

/** A new shift: whose it may be, and on which day. */
export interface NewShift {
  driverId?: string;
  day: string;
}

interface ShiftDialogProps {
  shift: Shift | null;
  start: NewShift;
  open: boolean;
  onClose: () => void;
  onDelete: (shift: Shift) => void;
}

export function ShiftDialog({ shift, start, open, onClose, onDelete }: ShiftDialogProps) {
  const drivers = useQuery(activeDriversQuery());
  const draft = useDraft(
    `shift ${shift?.id ?? 'new'}`,
    {
      driverId: shift?.driverId ?? start.driverId ?? '',
      day: shift ? localDay(new Date(shift.startsAt)) : start.day,
      from: shift ? timeOf(shift.startsAt) : '08:00',
      to: shift ? timeOf(shift.endsAt) : '16:00',
      note: shift?.note ?? '',
    },
    open,
  );
  const { driverId, day, from, to, note } = draft.values;
  const [tried, setTried] = useState(false);
  const save = useSaveShift(shift);

  const times = day && from && to ? asKept(shift, timesOf(day, from, to)) : null;
  const fault = times && faultOfTimes(Date.parse(times.startsAt), Date.parse(times.endsAt));
  const sent = faultsOf(save.error);
  const faults = {
    driver: tried && !driverId ? 'Please choose a driver' : sent.driverId,
    day: tried && !day ? 'Please choose a date' : sent.startsAt,
    from: tried && !from ? 'Please choose a time' : undefined,
    to: tried && !to ? 'Please choose a time' : ((tried ? fault : null) ?? sent.endsAt),
  };

  const options = (drivers.data ?? [])
    .map(({ id, name }) => ({ value: id, label: name }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  // Whose it is stays to be chosen, also when that is no active driver any more.
  if (shift && drivers.data && !options.some(({ value }) => value === shift.driverId))
    options.unshift({ value: shift.driverId, label: `${shift.driver ?? 'Deleted driver'} (not active)` });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!driverId || !times || fault) return;
    save.mutate(
      { driverId, ...times, note },
      {
        onSuccess: (saved) => {
          draft.saved();
          toast({
            title: shift ? 'Shift updated' : 'Shift added',
            description: `${saved.driver ?? 'Driver'}, ${timeOf(saved.startsAt)} to ${timeOf(saved.endsAt)}`,
          });
          onClose();
        },
      },
    );
  };
  const isOther = save.error instanceof ApiError && Object.keys(save.error.fields).length === 0;
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      title={shift ? 'Edit Shift' : 'Add Shift'}
      unsaved={draft.dirty}
      footer={
        <>
          {shift && (
            <span className="md:mr-auto">
              <Button
                variant="ghost"
                size="lg"
                fullWidth
                icon={<Trash2 aria-hidden="true" className="size-5" />}
                onClick={() => onDelete(shift)}
              >
                Delete
              </Button>
            </span>
          )}
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={save.isPending} loadingText="Saving...">
            {shift ? 'Save Changes' : 'Add Shift'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label="Driver" error={faults.driver ?? drivers.error?.message}>
          <Select
            options={options}
            placeholder={drivers.isPending ? 'Loading drivers...' : 'Choose a driver'}
            value={options.some(({ value }) => value === driverId) ? driverId : ''}
            onChange={(event) => draft.change({ driverId: event.target.value })}
          />
        </Field>
        <Field label="Date" error={faults.day}>
          <Input type="date" value={day} onChange={(event) => draft.change({ day: event.target.value })} />
        </Field>
        <div className="grid grid-cols-2 gap-5">
          <Field label="Start" error={faults.from}>
            <Input type="time" value={from} onChange={(event) => draft.change({ from: event.target.value })} />
          </Field>
          <Field
            label="End"
            error={faults.to}
            hint={
              times &&
              !fault &&
              `${formatLength(times.startsAt, times.endsAt)}${to > from ? '' : ', ends on the next day'}`
            }
          >
            <Input type="time" value={to} onChange={(event) => draft.change({ to: event.target.value })} />
          </Field>
        </div>
        <Field label="Note" optional hint="The driver sees it" error={sent.note}>
          <Input
            value={note}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => draft.change({ note: event.target.value })}
          />
        </Field>
        {isOther && (
          <p role="alert" className="text-ui text-danger">
            {save.error?.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** A shift that nobody has moved keeps its moments, also in the hour that comes twice, which a time alone cannot tell. */
function asKept(shift: Shift | null, times: { startsAt: string; endsAt: string }) {
  if (!shift) return times;
  const same = (moment: string, typed: string) => timeOf(moment) === timeOf(typed) && sameDay(moment, typed);
  return {
    startsAt: same(shift.startsAt, times.startsAt) ? shift.startsAt : times.startsAt,
    endsAt: same(shift.endsAt, times.endsAt) ? shift.endsAt : times.endsAt,
  };
}

const sameDay = (a: string, b: string) => localDay(new Date(a)) === localDay(new Date(b));
