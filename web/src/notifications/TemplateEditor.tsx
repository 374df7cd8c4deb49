import { TemplateDraft } from '@waybill/contract';
import type { Template } from '@waybill/contract';
import { RotateCcw, Send } from 'lucide-react';
import { useDeferredValue, useRef } from 'react';
import * as z from 'zod/mini';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { TemplatePreview } from './TemplatePreview.tsx';
import { useResetTemplate, useSaveTemplate, useSendTest } from './template-queries.ts';
import { paragraphsOf, placeholderTexts, textOf } from './template-texts.ts';

interface Typed {
  subject: string;
  text: string;
}

/** The paragraphs are typed as one text. */
const TemplateForm = z.object({
  subject: TemplateDraft.shape.subject,
  text: z.pipe(z.pipe(z.string(), z.transform(paragraphsOf)), TemplateDraft.shape.paragraphs),
}) as unknown as z.ZodMiniType<{ subject: string; text: string[] }, Typed>;

const fieldOf = (path: string) => (path.startsWith('paragraphs') ? 'text' : path);
const typedOf = ({ subject, paragraphs }: TemplateDraft): Typed => ({ subject, text: textOf(paragraphs) });

export function TemplateEditor({ template }: { template: Template }) {
  const { kind, language, version, canSend, placeholders } = template;
  const { user } = useSession();
  const save = useSaveTemplate(template);
  const reset = useResetTemplate(template);
  const test = useSendTest(template);
  const resetting = useDialogState<true>();
  /** Where a placeholder goes: the field that had the focus last. */
  const lastField = useRef<keyof Typed>('text');
  const form = useForm(TemplateForm, submit, {
    initial: typedOf(template),
    refusal: save.error ?? test.error,
    fieldOf,
    draft: `template ${kind} ${language}`,
  });
  const { errors } = form.formState;
  const typed = form.watch();
  const draft = useDeferredValue({ subject: typed.subject.trim(), paragraphs: paragraphsOf(typed.text) });
  const registered = {
    subject: form.register('subject'),
    text: form.register('text'),
  };

  function submit({ subject, text: paragraphs }: { subject: string; text: string[] }) {
    test.reset();
    save.mutate(
      { subject, paragraphs, version },
      {
        onSuccess: (saved) => {
          form.saved(typedOf(saved));
          toast({ title: 'Text saved', description: 'Messages that are sent from now on say it.' });
        },
      },
    );
  }
  const sendTest = form.handleSubmit(({ subject, text: paragraphs }) => {
    save.reset();
    test.mutate(
      { subject, paragraphs },
      { onSuccess: () => toast({ title: 'Test sent', description: `To ${user?.email ?? 'your address'}.` }) },
    );
  });
  const insert = (placeholder: string) => {
    const field = lastField.current;
    const control = document.getElementById(`template-${field}`) as HTMLInputElement | HTMLTextAreaElement | null;
    const value = typed[field];
    const [start, end] = [control?.selectionStart ?? value.length, control?.selectionEnd ?? value.length];
    const inserted = `{${placeholder}}`;
    form.setValue(field, value.slice(0, start) + inserted + value.slice(end), { shouldDirty: true });
    control?.focus();
    control?.setSelectionRange(start + inserted.length, start + inserted.length);
  };
  return (
    <div className="gap-x-8 @4xl:grid @4xl:grid-cols-2">
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field label="Subject" id="template-subject" error={errors.subject?.message}>
          <Input
            {...registered.subject}
            maxLength={150}
            autoComplete="off"
            lang={language}
            onFocus={() => (lastField.current = 'subject')}
          />
        </Field>
        <Field
          label="Text"
          id="template-text"
          error={errors.text?.message}
          hint="A blank line starts a new paragraph. An SMS has the text without the subject."
        >
          <Textarea {...registered.text} rows={6} lang={language} onFocus={() => (lastField.current = 'text')} />
        </Field>
        <div role="group" aria-labelledby="template-placeholders">
          <p id="template-placeholders" className="mb-1.5 text-ui font-medium text-ink">
            Insert a placeholder
          </p>
          <div className="flex flex-wrap gap-2">
            {placeholders.map((name) => (
              <Button key={name} size="sm" variant="secondary" title={`{${name}}`} onClick={() => insert(name)}>
                {placeholderTexts[name] ?? name}
              </Button>
            ))}
          </div>
        </div>
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
        <div className="flex flex-wrap gap-2 border-t border-line pt-5 max-md:*:grow">
          <Button type="submit" size="lg" disabled={!form.changed} loading={save.isPending} loadingText="Saving...">
            Save Changes
          </Button>
          {form.changed && !save.isPending && (
            <Button
              variant="ghost"
              size="lg"
              onClick={() => {
                save.reset();
                test.reset();
                form.saved(typedOf(template));
              }}
            >
              Discard
            </Button>
          )}
          <Button
            variant="secondary"
            size="lg"
            icon={<Send aria-hidden="true" className="size-5" />}
            disabled={!canSend}
            loading={test.isPending}
            loadingText="Sending..."
            onClick={() => void sendTest()}
          >
            Send me a test
          </Button>
          {version > 0 && (
            <Button
              variant="ghost"
              size="lg"
              icon={<RotateCcw aria-hidden="true" className="size-5" />}
              onClick={() => resetting.show(true)}
            >
              Built-in text
            </Button>
          )}
        </div>
        {!canSend && (
          <p className="text-table text-ink-3">A test needs a mail server: SMTP_URL and MAIL_FROM are not set.</p>
        )}
      </form>
      <TemplatePreview name={template} draft={draft} />
      {resetting.shown && (
        <ConfirmDialog
          key={resetting.opening}
          open={resetting.open}
          onOpenChange={resetting.close}
          title="Back to the built-in text?"
          description={`Your text is deleted. The built-in one is: “${textOf(template.builtIn.paragraphs)}”`}
          confirmLabel="Use the built-in text"
          loadingText="Resetting..."
          danger
          act={reset}
          error={reset.error?.message}
          onConfirm={() =>
            reset.mutate(undefined, {
              onSuccess: (now) => {
                form.saved(typedOf(now));
                toast({ title: 'Built-in text restored' });
                resetting.close();
              },
            })
          }
        />
      )}
    </div>
  );
}
