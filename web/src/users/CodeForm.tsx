import { ConfirmCodeInput } from '@waybill/contract';
import { useState } from 'react';
import { texts } from '../platform/texts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { CodeInput } from './CodeInput.tsx';

interface CodeFormProps {
  loading: boolean;
  /** The error of the last code. */
  error: string | undefined;
  onSubmit: (code: string) => void;
  onBack: () => void;
}

/** The second step of sign-in: the code of the second factor. */
export function CodeForm({ loading, error, onSubmit, onBack }: CodeFormProps) {
  const form = useForm(ConfirmCodeInput, ({ code }) => onSubmit(code), { initial: { code: '' }, unsaved: false });
  const { signIn } = texts;
  const [recovery, setRecovery] = useState(false);
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label={recovery ? signIn.recoveryCode : signIn.code}
        hint={recovery ? signIn.recoveryCodeHint : signIn.codeHint}
        error={form.formState.errors.code?.message ?? error}
        required
      >
        <CodeInput key={String(recovery)} {...form.register('code')} recovery={recovery} />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText={signIn.submitting}>
        {signIn.submit}
      </Button>
      <Button
        variant="ghost"
        onClick={() => {
          form.reset();
          setRecovery(!recovery);
        }}
      >
        {recovery ? signIn.withApp : signIn.withRecoveryCode}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        {signIn.back}
      </Button>
    </form>
  );
}
