import { useState } from 'react';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Field } from '../ui/Field.tsx';
import { faultsOf } from '../platform/faults.ts';
import { PasswordInput } from './PasswordInput.tsx';
import { useConfirmPassword } from './second-factor-queries.ts';

/** Asks for the password again before something that a borrowed screen must not do. What waits for it goes on by itself. */
export function ConfirmPasswordDialog({ onAnswer }: { onAnswer: (given: boolean) => void }) {
  const [password, setPassword] = useState('');
  const confirm = useConfirmPassword();
  const fault = faultsOf(confirm.error).password;
  const send = () => confirm.mutate(password, { onSuccess: () => onAnswer(true) });
  return (
    <ConfirmDialog
      open
      onOpenChange={() => onAnswer(false)}
      title="Enter your password"
      description="It was last given more than 15 minutes ago."
      confirmLabel="Continue"
      act={confirm}
      loadingText="Checking…"
      error={fault ? undefined : confirm.error?.message}
      onConfirm={send}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // It lies inside the form of whoever asked, for React.
          event.stopPropagation();
          send();
        }}
      >
        <Field label="Password" error={fault} required>
          <PasswordInput
            value={password}
            autoComplete="current-password"
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </form>
    </ConfirmDialog>
  );
}
