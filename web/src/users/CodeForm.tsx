import { ConfirmCodeInput } from '@waybill/contract';
import { useState } from 'react';
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
  const [recovery, setRecovery] = useState(false);
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label={recovery ? 'Recovery Code' : 'Code'}
        hint={
          recovery
            ? 'One of those that you were shown when you set up the second factor. Each works once.'
            : 'The six digits that your authenticator app shows now'
        }
        error={form.formState.errors.code?.message ?? error}
        required
      >
        <CodeInput key={String(recovery)} {...form.register('code')} recovery={recovery} />
      </Field>
      <Button type="submit" size="lg" fullWidth loading={loading} loadingText="Signing in…">
        Sign In
      </Button>
      <Button
        variant="ghost"
        onClick={() => {
          form.reset();
          setRecovery(!recovery);
        }}
      >
        {recovery ? 'Use a code of the app' : 'Use a recovery code'}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        Back to Sign In
      </Button>
    </form>
  );
}
