import { ConfirmPasswordInput } from '@waybill/contract';
import { useForm } from '../platform/useForm.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Field } from '../ui/Field.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import { useConfirmPassword } from './second-factor-queries.ts';

/** Re-authentication before a sensitive action, in case somebody else uses an unlocked screen. The waiting request then continues. */
export function ConfirmPasswordDialog({ onAnswer }: { onAnswer: (given: boolean) => void }) {
  const confirm = useConfirmPassword();
  const form = useForm(
    ConfirmPasswordInput,
    ({ password }) => confirm.mutate(password, { onSuccess: () => onAnswer(true) }),
    { initial: { password: '' }, refusal: confirm.error, unsaved: false },
  );
  return (
    <ConfirmDialog
      open
      onOpenChange={() => onAnswer(false)}
      title="Enter your password"
      description="It was last given more than 15 minutes ago."
      confirmLabel="Continue"
      act={confirm}
      loadingText="Checking…"
      error={form.formError}
      onConfirm={() => form.onSubmit()}
    >
      <form noValidate onSubmit={form.onSubmit}>
        <Field label="Password" error={form.formState.errors.password?.message} required>
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
      </form>
    </ConfirmDialog>
  );
}
