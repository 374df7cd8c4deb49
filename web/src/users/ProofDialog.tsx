import { useId, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { CodeInput } from './CodeInput.tsx';
import { faultsOf } from '../platform/faults.ts';
import { PasswordInput } from './PasswordInput.tsx';

interface ProofDialogProps {
  title: string;
  description: string;
  confirmLabel: string;
  danger?: boolean;
  /** What confirming starts: given up when the dialog is closed while it runs. */
  act: { cancel: () => void; isPending: boolean };
  error: Error | null;
  onConfirm: (proof: { password: string; code: string }) => void;
  onClose: () => void;
}

/** Asks for password and code together. */
export function ProofDialog({
  title,
  description,
  confirmLabel,
  danger,
  act,
  error,
  onConfirm,
  onClose,
}: ProofDialogProps) {
  const formId = useId();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const faults = faultsOf(error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      act={act}
      title={title}
      description={description}
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            size="lg"
            variant={danger ? 'danger' : 'primary'}
            loading={act.isPending}
            loadingText="Checking…"
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm({ password, code: code.trim() });
        }}
        className="flex flex-col gap-4"
      >
        {error && Object.keys(faults).length === 0 && (
          <p role="alert" className="text-ui text-danger">
            {error.message}
          </p>
        )}
        <Field label="Password" error={faults.password} required>
          <PasswordInput
            value={password}
            autoComplete="current-password"
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <Field label="Code" hint="Of your authenticator app, or a recovery code" error={faults.code} required>
          <CodeInput value={code} onChange={setCode} recovery />
        </Field>
      </form>
    </Dialog>
  );
}
