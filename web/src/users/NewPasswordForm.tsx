import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ApiError, Password } from '@waybill/contract';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useUnsaved } from '../platform/unsaved.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { isConfirmed } from './confirmation.ts';
import { PasswordInput } from './PasswordInput.tsx';

const NewPassword = z
  .object({
    currentPassword: z.optional(z.string().check(z.minLength(1, 'Please enter your present password'))),
    password: Password,
    confirmPassword: Password,
  })
  .check(isConfirmed);
export type NewPassword = z.output<typeof NewPassword>;

const formFields: Record<string, keyof NewPassword> = {
  currentPassword: 'currentPassword',
  newPassword: 'password',
  password: 'password',
};

interface NewPasswordFormProps {
  /** Asks for the present password as well, under this name. */
  currentLabel?: string;
  loading: boolean;
  /** The server's refusal; messages for single fields go to these fields. */
  error: Error | null;
  onSubmit: (typed: NewPassword) => void;
}

export function NewPasswordForm({ currentLabel, loading, error, onSubmit }: NewPasswordFormProps) {
  const { register, handleSubmit, setError, formState } = useForm<NewPassword, unknown, NewPassword>({
    resolver: standardSchemaResolver(NewPassword),
    defaultValues: { ...(currentLabel && { currentPassword: '' }), password: '', confirmPassword: '' },
  });
  const { errors } = formState;
  // What was sent is done with, whatever the answer: passwords are typed anew.
  useUnsaved(formState.isDirty && !formState.isSubmitSuccessful);

  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    for (const [path, message] of Object.entries(error.fields)) {
      const field = formFields[path];
      if (field) setError(field, { message });
    }
  }, [error, setError]);

  return (
    <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="flex flex-col gap-5">
      {currentLabel && (
        <Field label={currentLabel} error={errors.currentPassword?.message} required>
          <PasswordInput {...register('currentPassword')} autoComplete="current-password" />
        </Field>
      )}
      <Field label="New Password" hint="At least 6 characters" error={errors.password?.message} required>
        <PasswordInput {...register('password')} autoComplete="new-password" />
      </Field>
      <Field label="Confirm Password" error={errors.confirmPassword?.message} required>
        <PasswordInput {...register('confirmPassword')} autoComplete="new-password" />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText="Saving…">
        Set New Password
      </Button>
    </form>
  );
}
