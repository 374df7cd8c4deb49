import { Email } from '@waybill/contract';
import * as z from 'zod/mini';
import { texts } from '../platform/texts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';

const Forgotten = z.object({ email: Email });
export type Forgotten = z.output<typeof Forgotten>;

interface ForgotFormProps {
  loading: boolean;
  onSubmit: (forgotten: Forgotten) => void;
}

export function ForgotForm({ loading, onSubmit }: ForgotFormProps) {
  const {
    register,
    onSubmit: submit,
    formState,
  } = useForm(Forgotten, onSubmit, { initial: { email: '' }, unsaved: false });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label={texts.signIn.email} error={formState.errors.email?.message} required>
        <Input {...register('email')} type="email" autoComplete="username" inputMode="email" spellCheck={false} />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText={texts.signIn.asking}>
        {texts.signIn.ask}
      </Button>
    </form>
  );
}
