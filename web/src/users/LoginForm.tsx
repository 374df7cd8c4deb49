import { LoginInput } from '@waybill/contract';
import { CircleAlert } from 'lucide-react';
import * as z from 'zod/mini';
import { texts } from '../platform/texts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { PasswordInput } from './PasswordInput.tsx';

const Login = z.pick(LoginInput, { email: true, password: true });
export type Login = z.output<typeof Login>;

interface LoginFormProps {
  loading: boolean;
  /** Why the last attempt failed. */
  failure?: string;
  onSubmit: (login: Login) => void;
}

export function LoginForm({ loading, failure, onSubmit }: LoginFormProps) {
  const {
    register,
    onSubmit: submit,
    formState,
  } = useForm(Login, onSubmit, { initial: { email: '', password: '' }, unsaved: false });
  const { errors } = formState;
  const { signIn } = texts;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {failure && (
        <p className="flex items-start gap-2 rounded-control bg-danger-soft px-3 py-2.5 text-ui text-danger">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {failure}
        </p>
      )}
      <Field label={signIn.email} error={errors.email?.message} required>
        <Input {...register('email')} type="email" autoComplete="username" inputMode="email" spellCheck={false} />
      </Field>
      <Field label={signIn.password} error={errors.password?.message} required>
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText={signIn.submitting}>
        {signIn.submit}
      </Button>
    </form>
  );
}
