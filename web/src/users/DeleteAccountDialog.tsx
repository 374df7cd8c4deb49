import { ConfirmPasswordInput } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { useDeleteOwnAccount } from './account-queries.ts';
import { PasswordInput } from './PasswordInput.tsx';

const formId = 'delete-account';

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says what is deleted and what is kept, and asks for the password. */
export function DeleteAccountDialog({ open, onClose, onDeleted }: DeleteAccountDialogProps) {
  const remove = useDeleteOwnAccount();
  const form = useForm(
    ConfirmPasswordInput,
    ({ password }) =>
      remove.mutate(password, {
        onSuccess: () => {
          toast({ title: 'Account deleted', description: 'Your personal data has been removed.' });
          onDeleted();
        },
      }),
    { initial: { password: '' }, refusal: remove.error, unsaved: false },
  );
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={remove}
      title="Delete your account?"
      description="This cannot be undone."
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            size="lg"
            variant="danger"
            loading={remove.isPending}
            loadingText="Deleting..."
          >
            Delete account
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <p className="text-ui text-ink-2">
          Your name, email address and everything else about you is removed for good, and all your sessions end. Your
          packages that wait for a driver are cancelled. The history of packages and deliveries stays, without your
          name.
        </p>
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
        <Field label="Password" error={form.formState.errors.password?.message} required>
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
      </form>
    </Dialog>
  );
}
