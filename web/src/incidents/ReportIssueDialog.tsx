import { IssueInput } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import * as z from 'zod/mini';
import { PhotoField } from '../deliveries/PhotoField.tsx';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { toast } from '../platform/toasts.ts';
import { uploadImages } from '../platform/uploads.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Textarea } from '../ui/Textarea.tsx';

const formId = 'report-issue';
const Report = z.object({ issue: IssueInput.shape.issue, photo: z.custom<File | null>() });

interface Issue {
  issue: string;
  /** Path of the uploaded image. */
  photo?: string;
}

interface ReportIssueDialogProps<Reply> {
  open: boolean;
  onClose: () => void;
  /** The package. */
  about: { id: string; name: string };
  send: (issue: Issue, options: { idempotencyKey: string; signal: AbortSignal }) => Promise<Reply>;
  onSent: (reply: Reply) => void;
  /** The driver's; owners read English. */
  words?: Words;
}

type Words = Pick<
  Texts['driver'],
  'issueDialog' | 'cancel' | 'close' | 'sending' | 'whatHappened' | 'photo' | 'addPhoto'
>;

const english: Words = {
  cancel: 'Cancel',
  close: 'Close',
  sending: 'Sending...',
  whatHappened: 'What happened?',
  photo: 'Photo',
  addPhoto: 'Add photo',
  issueDialog: {
    title: 'Report Issue',
    done: 'Issue reported',
    doneText: 'An incident has been opened and will be looked into.',
  },
};

/** Reports an incident: an owner on a package, a driver on a delivery. A failure keeps the input. */
export function ReportIssueDialog<Reply>({
  open,
  onClose,
  about,
  send,
  onSent,
  words = english,
}: ReportIssueDialogProps<Reply>) {
  const keyOf = useIdempotencyKey();
  const report = useSingleMutation({
    mutationFn: async ({ issue, photo }: z.output<typeof Report>, signal) => {
      const [image] = await uploadImages(photo ? [photo] : [], signal);
      const content = image === undefined ? { issue } : { issue, photo: image };
      return send(content, { idempotencyKey: keyOf(content), signal });
    },
    meta: { showsError: true },
    onSuccess: (reply) => {
      onSent(reply);
      toast({ title: words.issueDialog.done, description: words.issueDialog.doneText });
      onClose();
    },
  });
  const form = useForm(Report, report.mutate, {
    initial: { issue: '', photo: null },
    draft: `issue ${about.id}`,
    open,
    unsaved: false,
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={words.issueDialog.title}
      closeLabel={words.close}
      description={about.name}
      unsaved={form.changed}
      act={report}
      footer={
        <>
          <DialogClose>{words.cancel}</DialogClose>
          <Button type="submit" form={formId} size="lg" loading={report.isPending} loadingText={words.sending}>
            {words.issueDialog.title}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field label={words.whatHappened} error={form.formState.errors.issue?.message ?? report.error?.message}>
          <Textarea {...form.register('issue')} maxLength={2000} />
        </Field>
        <PhotoField words={words} photo={form.watch('photo')} onChange={(taken) => form.choose('photo', taken)} />
      </form>
    </Dialog>
  );
}
