import { useQuery } from '@tanstack/react-query';
import { shiftTimesError } from '@waybill/contract';
import type { Shift } from '@waybill/contract';
import { Trash2 } from 'lucide-react';
import { localDay } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { activeDriversQuery, useSaveShift } from './queries.ts';
import { fieldOf, momentsOf, shiftFormSchema } from './shift-form.ts';
import type { ShiftForm } from './shift-form.ts';
import { formatLength, timeOf } from './week.ts';

const formId = 'shift';

/** Initial values of a new shift. */
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
  const save = useSaveShift(shift);
  const form = useForm(shiftFormSchema(shift), submit, {
    initial: {
      driverId: shift?.driverId ?? start.driverId ?? '',
      day: shift ? localDay(new Date(shift.startsAt)) : start.day,
      from: shift ? timeOf(shift.startsAt) : '08:00',
      to: shift ? timeOf(shift.endsAt) : '16:00',
      note: shift?.note ?? '',
    },
    refusal: save.error,
    fieldOf,
    draft: `shift ${shift?.id ?? 'new'}`,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const [driverId, day, from, to] = form.watch(['driverId', 'day', 'from', 'to']);
  const times = momentsOf(shift, { day, from, to });
  const isPossible = times && !shiftTimesError(Date.parse(times.startsAt), Date.parse(times.endsAt));

  const options = (drivers.data ?? [])
    .map(({ id, name }) => ({ value: id, label: name }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  // Keep the current driver as an option, even if no longer an active driver.
  if (shift && drivers.data && !options.some(({ value }) => value === shift.driverId))
    options.unshift({ value: shift.driverId, label: `${shift.driver ?? 'Deleted driver'} (not active)` });

  function submit({ note, ...content }: ShiftForm) {
    const moments = momentsOf(shift, content);
    if (!moments) return;
    save.mutate(
      { driverId: content.driverId, ...moments, note },
      {
        onSuccess: (saved) => {
          form.saved();
          toast({
            title: shift ? 'Shift updated' : 'Shift added',
            description: `${saved.driver ?? 'Driver'}, ${timeOf(saved.startsAt)} to ${timeOf(saved.endsAt)}`,
          });
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      title={shift ? 'Edit Shift' : 'Add Shift'}
      unsaved={form.changed}
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
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field label="Driver" error={errors.driverId?.message ?? drivers.error?.message}>
          <Select
            options={options}
            placeholder={drivers.isPending ? 'Loading drivers...' : 'Choose a driver'}
            value={options.some(({ value }) => value === driverId) ? driverId : ''}
            onChange={(event) => form.choose('driverId', event.target.value)}
          />
        </Field>
        <Field label="Date" error={errors.day?.message}>
          <Input {...form.register('day', { deps: 'to' })} type="date" />
        </Field>
        <div className="grid grid-cols-2 gap-5">
          <Field label="Start" error={errors.from?.message}>
            <Input {...form.register('from', { deps: 'to' })} type="time" />
          </Field>
          <Field
            label="End"
            error={errors.to?.message}
            aside={isPossible && `${formatLength(times.startsAt, times.endsAt)}${to > from ? '' : ', next day'}`}
          >
            <Input {...form.register('to')} type="time" />
          </Field>
        </div>
        <Field label="Note" optional hint="The driver sees it" error={errors.note?.message}>
          <Input {...form.register('note')} maxLength={200} autoComplete="off" />
        </Field>
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
      </form>
    </Dialog>
  );
}
