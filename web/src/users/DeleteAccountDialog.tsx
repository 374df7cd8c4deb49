import { ConfirmPasswordInput } from '@waybill/contract';
import { translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { useDeleteOwnAccount } from './account-queries.ts';
import { accountTexts } from './account-texts.ts';
import { PasswordInput } from './PasswordInput.tsx';

const formId = 'delete-account';

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  onDeleted: () => void;
  /** Whether packages can be theirs: those of a driver are other people's. */
  hasPackages: boolean;
}

/** Says what is deleted and what is kept, and asks for the password. */
export function DeleteAccountDialog({ open, onClose, onDeleted, hasPackages }: DeleteAccountDialogProps) {
  const { remove: words, password, cancel, close } = accountTexts();
  const remove = useDeleteOwnAccount();
  const form = useForm(
    ConfirmPasswordInput,
    ({ password }) =>
      remove.mutate(password, {
        onSuccess: () => {
          toast({ title: words.done, description: words.doneText });
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
      title={words.ask}
      closeLabel={close}
      description={words.final}
      footer={
        <>
          <DialogClose>{cancel}</DialogClose>
          <Button
            type="submit"
            form={formId}
            size="lg"
            variant="danger"
            loading={remove.isPending}
            loadingText={words.deleting}
          >
            {words.confirm}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <p className="text-ui text-ink-2">
          {words.text}
          {hasPackages && ` ${words.packages}`}
        </p>
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {translated(form.formError)}
          </p>
        )}
        <Field label={password.title} error={form.formState.errors.password?.message} required>
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
      </form>
    </Dialog>
  );
}
