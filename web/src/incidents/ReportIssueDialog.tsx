import { useState } from 'react';
import type { FormEvent } from 'react';
import { PhotoField } from '../deliveries/PhotoField.tsx';
import { useDraft } from '../platform/drafts.ts';
import { useIdempotencyKey } from '../platform/idempotency.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { toast } from '../platform/toasts.ts';
import { uploadImages } from '../platform/uploads.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { useFocusFault } from '../ui/useFocusFault.ts';

const formId = 'report-issue';
const shortest = 3;

interface Issue {
  issue: string;
  /** Of a picture that is uploaded. */
  photo?: string;
}

interface ReportIssueDialogProps<Reply> {
  open: boolean;
  onClose: () => void;
  /** The package. */
  about: { id: string; name: string };
  send: (issue: Issue, options: { idempotencyKey: string; signal: AbortSignal }) => Promise<Reply>;
  onSent: (reply: Reply) => void;
}

/** Opens an incident, for an owner on a package and for a driver on a delivery. What was typed stays when it cannot be sent. */
export function ReportIssueDialog<Reply>({ open, onClose, about, send, onSent }: ReportIssueDialogProps<Reply>) {
  const draft = useDraft(`issue ${about.id}`, { issue: '', photo: null as File | null }, open);
  const { issue, photo } = draft.values;
  const [error, setError] = useState<string>();
  const keyOf = useIdempotencyKey();
  const report = useSingleMutation({
    mutationFn: async (text: string, signal) => {
      const [image] = photo ? await uploadImages([photo], signal) : [];
      const content = image === undefined ? { issue: text } : { issue: text, photo: image };
      return send(content, { idempotencyKey: keyOf(content), signal });
    },
    meta: { showsError: true },
    onSuccess: (reply) => {
      draft.saved();
      onSent(reply);
      toast({ title: 'Issue reported', description: 'An incident has been opened and will be looked into.' });
      onClose();
    },
  });
  const form = useFocusFault(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (report.isPending) return;
    const text = issue.trim();
    if (text.length < shortest) return setError('Issue must be at least 3 characters');
    setError(undefined);
    report.mutate(text);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Report Issue"
      description={about.name}
      unsaved={draft.dirty}
      act={report}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={report.isPending} loadingText="Sending...">
            Report Issue
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label="What happened?" error={error ?? report.error?.message}>
          <Textarea value={issue} maxLength={2000} onChange={(event) => draft.change({ issue: event.target.value })} />
        </Field>
        <PhotoField photo={photo} onChange={(taken) => draft.change({ photo: taken })} />
      </form>
    </Dialog>
  );
}
