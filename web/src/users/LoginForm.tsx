import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { LoginInput } from '@waybill/contract';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { PasswordInput } from './PasswordInput.tsx';

const Login = z.pick(LoginInput, { email: true, password: true });
export type Login = z.output<typeof Login>;

interface LoginFormProps {
  loading: boolean;
  onSubmit: (login: Login) => void;
}

export function LoginForm({ loading, onSubmit }: LoginFormProps) {
  const { register, handleSubmit, formState } = useForm<Login, unknown, Login>({
    resolver: standardSchemaResolver(Login),
    defaultValues: { email: '', password: '' },
  });
  const { errors } = formState;
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="flex flex-col gap-5">
      <Field label="Email" error={errors.email?.message} required>
        <Input {...register('email')} type="email" autoComplete="username" inputMode="email" spellCheck={false} />
      </Field>
      <Field label="Password" error={errors.password?.message} required>
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText="Signing in…">
        Sign In
      </Button>
    </form>
  );
}
