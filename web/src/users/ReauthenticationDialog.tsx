import { ReauthenticationInput } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { useId } from 'react';
import { translated } from '../platform/texts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { accountTexts } from './account-texts.ts';
import { CodeInput } from './CodeInput.tsx';
import { PasswordInput } from './PasswordInput.tsx';

interface ReauthenticationDialogProps {
  words: Texts['account']['secondFactor'];
  title: string;
  description: string;
  confirmLabel: string;
  danger?: boolean;
  /** The mutation that confirming starts. Closing the dialog while it runs cancels it. */
  act: { cancel: () => void; isPending: boolean };
  error: Error | null;
  onConfirm: (proof: ReauthenticationInput) => void;
  onClose: () => void;
}

/** Re-authentication with password and second factor. */
export function ReauthenticationDialog({
  words,
  title,
  description,
  confirmLabel,
  danger,
  act,
  error,
  onConfirm,
  onClose,
}: ReauthenticationDialogProps) {
  const formId = useId();
  const form = useForm(ReauthenticationInput, onConfirm, {
    initial: { password: '', code: '' },
    refusal: error,
    unsaved: false,
  });
  const { errors } = form.formState;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      act={act}
      title={title}
      closeLabel={accountTexts().close}
      description={description}
      footer={
        <>
          <DialogClose>{accountTexts().cancel}</DialogClose>
          <Button
            type="submit"
            form={formId}
            size="lg"
            variant={danger ? 'danger' : 'primary'}
            loading={act.isPending}
            loadingText={words.checking}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {translated(form.formError)}
          </p>
        )}
        <Field label={words.password} error={errors.password?.message} required>
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
        <Field label={words.code} hint={words.eitherHint} error={errors.code?.message} required>
          <CodeInput {...form.register('code')} recovery />
        </Field>
      </form>
    </Dialog>
  );
}
