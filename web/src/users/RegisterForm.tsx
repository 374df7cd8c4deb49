import { Password, RegisterInput, Role } from '@waybill/contract';
import type { SignUpPolicy } from '@waybill/contract';
import * as z from 'zod/mini';
import { texts } from '../platform/texts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { passwordsMatch } from './confirmation.ts';
import { PasswordInput } from './PasswordInput.tsx';
import { RoleChoice } from './RoleChoice.tsx';

const Registration = z
  .extend(z.omit(RegisterInput, { role: true }), { userType: Role, confirmPassword: Password })
  .check(passwordsMatch);
export type Registration = z.output<typeof Registration>;

/** Maps the server's field paths to fields of the form. */
const fieldOf = (path: string): keyof Registration | null => {
  if (path === 'role') return 'userType';
  return path === 'name' || path === 'email' || path === 'password' ? path : null;
};

interface RegisterFormProps {
  /** The initially chosen role. */
  role: Role;
  policy?: Record<Role, SignUpPolicy>;
  loading: boolean;
  /** The server's error; its messages for single fields are shown at those fields. */
  error: Error | null;
  onSubmit: (registration: Registration) => void;
}

export function RegisterForm({ role, policy, loading, error, onSubmit }: RegisterFormProps) {
  const form = useForm(Registration, onSubmit, {
    initial: { name: '', email: '', password: '', confirmPassword: '', userType: role },
    refusal: error,
    fieldOf,
  });
  const { register } = form;
  const { errors } = form.formState;
  const { registration, signIn } = texts;
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <RoleChoice register={register('userType')} policy={policy} error={errors.userType?.message} />
      <Field label={registration.name} error={errors.name?.message} required>
        <Input {...register('name')} autoComplete="name" />
      </Field>
      <Field label={signIn.email} error={errors.email?.message} required>
        <Input {...register('email')} type="email" autoComplete="username" inputMode="email" spellCheck={false} />
      </Field>
      <Field label={signIn.password} hint={signIn.passwordHint} error={errors.password?.message} required>
        <PasswordInput {...register('password')} autoComplete="new-password" />
      </Field>
      <Field label={signIn.confirmPassword} error={errors.confirmPassword?.message} required>
        <PasswordInput {...register('confirmPassword')} autoComplete="new-password" />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText={registration.submitting}>
        {registration.submit}
      </Button>
    </form>
  );
}
