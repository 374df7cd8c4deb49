import type { PersonInput } from '@waybill/contract';
import { useState } from 'react';
import { toast } from '../platform/toasts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useErasePerson } from './queries.ts';

interface EraseDialogProps {
  person: PersonInput;
  what: string;
  open: boolean;
  onClose: () => void;
  onErased: () => void;
}

export function EraseDialog({ person, what, open, onClose, onErased }: EraseDialogProps) {
  const erase = useErasePerson();
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const confirm = () => {
    if (typed.trim().toLowerCase() !== 'erase') return setRefused(true);
    erase.mutate(
      { ...person, confirm: 'erase' },
      {
        onSuccess: () => {
          toast({ title: 'Erased', description: what });
          onClose();
          onErased();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Erase ${what}?`}
      description="Names, addresses, contacts, messages and the proofs with their images are removed for good. What happened stays in histories and figures, and the chain of proofs keeps its hashes."
      confirmLabel="Erase for good"
      loadingText="Erasing..."
      danger
      act={erase}
      error={erase.error?.message}
      onConfirm={confirm}
    >
      <Field label="Type “erase” to confirm" error={isRefused ? 'Please type “erase”' : undefined}>
        <Input
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setRefused(false);
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </ConfirmDialog>
  );
}
