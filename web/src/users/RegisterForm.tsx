import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ApiError } from '@waybill/contract';
import type { Role, SignUpPolicy } from '@waybill/contract';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { email, enum as oneOf, maxLength, minLength, object, pipe, refine, string, trim } from 'zod/mini';
import type { output } from 'zod/mini';
import { useUnsaved } from '../platform/unsaved.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import { RoleChoice } from './RoleChoice.tsx';

const longEnough = minLength(6, 'Password must be at least 6 characters');

const Registration = object({
  name: string().check(
    trim(),
    minLength(2, 'Name must be at least 2 characters'),
    maxLength(120, 'Name must be at most 120 characters'),
  ),
  email: pipe(string().check(trim()), email('Please enter a valid email address')),
  password: string().check(longEnough),
  confirmPassword: string().check(longEnough),
  userType: oneOf(['driver', 'owner', 'admin']),
}).check(
  refine((typed) => typed.password === typed.confirmPassword, {
    error: "Passwords don't match",
    path: ['confirmPassword'],
    // Also while another field is faulty: all that is wrong is told at once.
    when: ({ value }) => hasPasswords(value),
  }),
);
export type Registration = output<typeof Registration>;

const hasPasswords = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'password' in value && 'confirmPassword' in value;

interface RegisterFormProps {
  /** The role picked before the form opened. */
  role: Role;
  policy?: Record<Role, SignUpPolicy>;
  loading: boolean;
  /** The server's refusal; messages for single fields go to these fields. */
  error: Error | null;
  onSubmit: (registration: Registration) => void;
}

const formFields: Record<string, keyof Registration> = {
  name: 'name',
  email: 'email',
  password: 'password',
  role: 'userType',
};

export function RegisterForm({ role, policy, loading, error, onSubmit }: RegisterFormProps) {
  const { register, handleSubmit, setError, formState } = useForm<Registration, unknown, Registration>({
    resolver: standardSchemaResolver(Registration),
    defaultValues: { name: '', email: '', password: '', confirmPassword: '', userType: role },
  });
  const { errors } = formState;
  useUnsaved(formState.isDirty);

  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'email_taken') setError('email', { message: error.message });
    for (const [path, message] of Object.entries(error.fields)) {
      const field = formFields[path];
      if (field) setError(field, { message });
    }
  }, [error, setError]);

  return (
    <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="flex flex-col gap-5">
      <RoleChoice register={register('userType')} policy={policy} error={errors.userType?.message} />
      <Field label="Name" error={errors.name?.message} required>
        <Input {...register('name')} autoComplete="name" />
      </Field>
      <Field label="Email" error={errors.email?.message} required>
        <Input {...register('email')} type="email" autoComplete="username" inputMode="email" spellCheck={false} />
      </Field>
      <Field label="Password" hint="At least 6 characters" error={errors.password?.message} required>
        <PasswordInput {...register('password')} autoComplete="new-password" />
      </Field>
      <Field label="Confirm Password" error={errors.confirmPassword?.message} required>
        <PasswordInput {...register('confirmPassword')} autoComplete="new-password" />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText="Creating your account…">
        Create Account
      </Button>
    </form>
  );
}
