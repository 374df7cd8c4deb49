import { useQuery } from '@tanstack/react-query';
import { fill } from '@waybill/contract';
import type { Absence } from '@waybill/contract';
import { CalendarOff, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { counted } from '../deliveries/texts.ts';
import { formatLongDay, localDay } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { AbsenceFields } from './AbsenceFields.tsx';
import { AbsenceForm, initialOf } from './absence-form.ts';
import { texts } from './absence-texts.ts';
import { ownAbsencesQuery, useDeleteAbsence, useReportAbsence } from './absence-queries.ts';

export { loadAbsenceTexts } from './absence-texts.ts';

const formId = 'own-absence';

interface MyAbsencesProps {
  open: boolean;
  onClose: () => void;
}

const daysOf = ({ from, to }: Absence) =>
  from === to ? formatLongDay(from) : fill(texts.days, { from: formatLongDay(from), to: formatLongDay(to) });

/** The driver's absences of today and later: a list, or the form of one. */
export function MyAbsences({ open, onClose }: MyAbsencesProps) {
  const absences = useQuery({ ...ownAbsencesQuery(), enabled: open });
  const [edited, setEdited] = useState<{ absence: Absence | null }>();
  const remove = useDeleteAbsence();
  if (edited)
    return <Form absence={edited.absence} open={open} onClose={onClose} onDone={() => setEdited(undefined)} />;
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      closeLabel={texts.close}
      title={texts.title}
      description={texts.intro}
      footer={
        <>
          <DialogClose>{texts.close}</DialogClose>
          <Button
            size="lg"
            icon={<Plus aria-hidden="true" className="size-5" />}
            onClick={() => setEdited({ absence: null })}
          >
            {texts.add}
          </Button>
        </>
      }
    >
      {absences.isPending && <Skeleton height="h-16" />}
      {absences.isError && !absences.data && <QueryError query={absences} />}
      {absences.data?.length === 0 && <EmptyState icon={<CalendarOff />} title={texts.none} />}
      <ul className="flex flex-col divide-y divide-line">
        {absences.data?.map((absence) => (
          <li key={absence.id} className="flex items-center gap-1 py-2">
            <span className="min-w-0 grow">
              <span className="block text-ui font-medium">{daysOf(absence)}</span>
              <span className="block text-table wrap-anywhere text-ink-3">
                {[texts.kinds[absence.kind], absence.note].filter(Boolean).join(' · ')}
              </span>
            </span>
            <IconButton
              label={`${texts.edit}: ${daysOf(absence)}`}
              icon={<Pencil aria-hidden="true" />}
              onClick={() => setEdited({ absence })}
            />
            <IconButton
              label={`${texts.delete}: ${daysOf(absence)}`}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => remove.mutate(absence.id, { onSuccess: () => toast({ title: texts.deleted }) })}
            />
          </li>
        ))}
      </ul>
      {remove.error && (
        <p role="alert" className="text-ui text-danger">
          {remove.error.message}
        </p>
      )}
    </Dialog>
  );
}

interface FormProps extends MyAbsencesProps {
  absence: Absence | null;
  onDone: () => void;
}

function Form({ absence, open, onClose, onDone }: FormProps) {
  const { user } = useSession();
  const save = useReportAbsence(absence);
  const form = useForm(AbsenceForm, submit, {
    initial: initialOf(absence, { day: localDay(), driverId: user?.id ?? '' }),
    refusal: save.error,
    draft: `own absence ${absence?.id ?? 'new'}`,
    open,
    unsaved: false,
  });
  function submit({ kind, from, to, note }: AbsenceForm) {
    save.mutate(
      { kind, from, to, note },
      {
        onSuccess: (saved) => {
          form.saved();
          const stops = saved.routes.reduce((sum, route) => sum + route.stops, 0);
          toast({ title: texts.saved, description: stops > 0 ? counted(texts.affected, stops) : daysOf(saved) });
          onDone();
        },
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      closeLabel={texts.close}
      title={absence ? texts.edit : texts.add}
      unsaved={form.changed}
      footer={
        <>
          <Button variant="secondary" size="lg" onClick={onDone}>
            {texts.cancel}
          </Button>
          <Button type="submit" form={formId} size="lg" loading={save.isPending} loadingText={texts.saving}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <AbsenceFields form={form} />
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
      </form>
    </Dialog>
  );
}
