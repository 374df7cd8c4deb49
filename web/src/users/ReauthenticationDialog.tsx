import { ReauthenticationInput } from '@waybill/contract';
import { useId } from 'react';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { CodeInput } from './CodeInput.tsx';
import { PasswordInput } from './PasswordInput.tsx';

interface ReauthenticationDialogProps {
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
      description={description}
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            size="lg"
            variant={danger ? 'danger' : 'primary'}
            loading={act.isPending}
            loadingText="Checking…"
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
        <Field label="Password" error={errors.password?.message} required>
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
        <Field label="Code" hint="Of your authenticator app, or a recovery code" error={errors.code?.message} required>
          <CodeInput {...form.register('code')} recovery />
        </Field>
      </form>
    </Dialog>
  );
}
