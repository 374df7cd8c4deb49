import { useQuery } from '@tanstack/react-query';
import { fill } from '@waybill/contract';
import type { Absence, AffectedRoute } from '@waybill/contract';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatCountOf, formatLongDay } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { Select } from '../ui/Select.tsx';
import { AbsenceFields } from './AbsenceFields.tsx';
import { AbsenceForm, initialOf } from './absence-form.ts';
import { texts } from './absence-texts.ts';
import { useDeleteAbsence, useSaveAbsence } from './absence-queries.ts';
import { activeDriversQuery } from './queries.ts';

export { loadAbsenceTexts } from './absence-texts.ts';

const formId = 'absence';

interface AbsenceDialogProps {
  absence: Absence | null;
  /** Of a new one. */
  start: { day: string };
  open: boolean;
  onClose: () => void;
}

/** Enters, changes or deletes an absence. What the driver has in these days is offered to others right away. */
export function AbsenceDialog({ absence, start, open, onClose }: AbsenceDialogProps) {
  const drivers = useQuery(activeDriversQuery());
  const save = useSaveAbsence(absence);
  const remove = useDeleteAbsence();
  const [affected, setAffected] = useState<{ driver: string; driverId: string; routes: readonly AffectedRoute[] }>();
  const form = useForm(AbsenceForm, submit, {
    initial: initialOf(absence, { day: start.day, driverId: '' }),
    refusal: save.error,
    draft: `absence ${absence?.id ?? 'new'}`,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const driverId = form.watch('driverId');
  const options = (drivers.data ?? [])
    .map(({ id, name }) => ({ value: id, label: name }))
    .toSorted((a, b) => a.label.localeCompare(b.label));

  function submit(content: AbsenceForm) {
    save.mutate(content, {
      onSuccess: ({ driver, routes, driverId: id, from, to }) => {
        form.saved();
        const days =
          from === to ? formatLongDay(from) : fill(texts.days, { from: formatLongDay(from), to: formatLongDay(to) });
        toast({ title: texts.saved, description: `${driver ?? 'Driver'}, ${days}` });
        if (routes.length > 0) setAffected({ driver: driver ?? 'The driver', driverId: id, routes });
        else onClose();
      },
    });
  }
  if (affected) {
    const stops = affected.routes.reduce((sum, route) => sum + route.stops, 0);
    return (
      <Dialog
        open={open}
        onOpenChange={onClose}
        title={`${affected.driver} has ${formatCountOf(stops, 'stop')} on these days`}
        description="Give them to others now, or later on the dispatch screen."
        footer={<DialogClose>Later</DialogClose>}
      >
        <ul className="flex flex-col gap-3">
          {affected.routes.map(({ id, day, depotId, state, stops: count }) => (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-line p-4"
            >
              <span>
                <span className="block text-ui font-medium">{formatLongDay(day)}</span>
                <span className="text-table figures text-ink-3">
                  {formatCountOf(count, 'stop')}, {state === 'started' ? 'on the road' : 'planned'}
                </span>
              </span>
              <LinkButton
                size="md"
                href={`/admin/dispatch?day=${day}&depot=${depotId}&show=routes&ill=${affected.driverId}`}
              >
                Give to others
              </LinkButton>
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      title={absence ? `Absence of ${absence.driver ?? 'a deleted driver'}` : 'Add Absence'}
      unsaved={form.changed}
      footer={
        <>
          {absence && (
            <span className="md:mr-auto">
              <Button
                variant="ghost"
                size="lg"
                fullWidth
                loading={remove.isPending}
                loadingText={texts.deleting}
                icon={<Trash2 aria-hidden="true" className="size-5" />}
                onClick={() =>
                  remove.mutate(absence.id, {
                    onSuccess: () => {
                      toast({ title: texts.deleted });
                      onClose();
                    },
                  })
                }
              >
                {texts.delete}
              </Button>
            </span>
          )}
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={save.isPending} loadingText={texts.saving}>
            {absence ? 'Save Changes' : 'Add Absence'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        {!absence && (
          <Field label="Driver" error={errors.driverId?.message ?? drivers.error?.message}>
            <Select
              options={options}
              placeholder={drivers.isPending ? 'Loading drivers...' : 'Choose a driver'}
              value={options.some(({ value }) => value === driverId) ? driverId : ''}
              onChange={(event) => form.choose('driverId', event.target.value)}
            />
          </Field>
        )}
        <AbsenceFields form={form} />
        {(form.formError ?? remove.error?.message) && (
          <p role="alert" className="text-ui text-danger">
            {form.formError ?? remove.error?.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}
