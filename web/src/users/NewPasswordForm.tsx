import { Password } from '@waybill/contract';
import * as z from 'zod/mini';
import { texts } from '../platform/texts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { passwordsMatch } from './confirmation.ts';
import { PasswordInput } from './PasswordInput.tsx';

const NewPassword = z
  .object({
    currentPassword: z.optional(z.string().check(z.minLength(1, 'Please enter your present password'))),
    password: Password,
    confirmPassword: Password,
  })
  .check(passwordsMatch);
export type NewPassword = z.output<typeof NewPassword>;

/** Maps the server's field paths to fields of the form. */
const fieldOf = (path: string): keyof NewPassword | null => {
  if (path === 'currentPassword') return path;
  return path === 'newPassword' || path === 'password' ? 'password' : null;
};

interface NewPasswordFormProps {
  /** The label of the current password's field; absent: it is not asked for. */
  currentLabel?: string;
  /** Its button is the verb of the page. */
  isMain?: boolean;
  loading: boolean;
  /** The server's error; its messages for single fields are shown at those fields. */
  error: Error | null;
  onSubmit: (typed: NewPassword) => void;
}

export function NewPasswordForm({ currentLabel, isMain = true, loading, error, onSubmit }: NewPasswordFormProps) {
  const form = useForm(NewPassword, onSubmit, {
    initial: { ...(currentLabel && { currentPassword: '' }), password: '', confirmPassword: '' },
    refusal: error,
    fieldOf,
    // After submitting, leaving does not ask, even on failure: passwords are typed again anyway.
    unsaved: 'until it is sent',
  });
  const { register } = form;
  const { errors } = form.formState;
  const { signIn } = texts;
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      {currentLabel && (
        <Field label={currentLabel} error={errors.currentPassword?.message} required>
          <PasswordInput {...register('currentPassword')} autoComplete="current-password" />
        </Field>
      )}
      <Field label={signIn.newPassword} hint={signIn.passwordHint} error={errors.password?.message} required>
        <PasswordInput {...register('password')} autoComplete="new-password" />
      </Field>
      <Field label={signIn.confirmPassword} error={errors.confirmPassword?.message} required>
        <PasswordInput {...register('confirmPassword')} autoComplete="new-password" />
      </Field>
      <span className="flex">
        <Button
          type="submit"
          size={isMain ? 'lg' : 'md'}
          variant={isMain ? 'primary' : 'secondary'}
          fullWidth={isMain}
          loading={loading}
          loadingText={signIn.saving}
        >
          {signIn.setPassword}
        </Button>
      </span>
    </form>
  );
}
