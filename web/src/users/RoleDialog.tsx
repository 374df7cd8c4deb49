import type { RoleDefinition } from '@waybill/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { faultsOf } from '../platform/faults.ts';
import { PermissionChoice } from './PermissionChoice.tsx';
import { useSaveRole } from './role-queries.ts';
import type { RoleContent } from './role-queries.ts';

const formId = 'role';

interface RoleDialogProps {
  /** Null: a new one. */
  role: RoleDefinition | null;
  open: boolean;
  onClose: () => void;
}

export function RoleDialog({ role, open, onClose }: RoleDialogProps) {
  const session = useSession();
  const [before] = useState<RoleContent>({
    name: role?.name ?? '',
    description: role?.description ?? '',
    permissions: role?.permissions ?? [],
    isActive: role?.isActive ?? true,
  });
  const draft = useDraft(`role ${role?.id ?? 'new'}`, before, open);
  const { values: content, change } = draft;
  const save = useSaveRole(role);
  const faults = faultsOf(save.error);
  const isDirty = JSON.stringify(content) !== JSON.stringify(before);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return;
    save.mutate(content, {
      onSuccess: ({ name }) => {
        draft.saved();
        toast({ title: role ? 'Role saved' : 'Role created', description: name });
        onClose();
      },
    });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      unsaved={isDirty}
      size="lg"
      title={role ? 'Edit Role' : 'Create New Role'}
      description="Whoever gets it may do what is ticked here, in place of what their built-in role allows."
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            size="lg"
            disabled={!isDirty}
            loading={save.isPending}
            loadingText="Saving..."
          >
            {role ? 'Save Changes' : 'Create Role'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        {save.error && Object.keys(faults).length === 0 && (
          <p role="alert" className="text-ui text-danger">
            {save.error.message}
          </p>
        )}
        <Field label="Name" error={faults.name}>
          <Input
            value={content.name}
            maxLength={120}
            autoComplete="off"
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Field label="Description" optional error={faults.description}>
          <Input
            value={content.description}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => change({ description: event.target.value })}
          />
        </Field>
        <Checkbox
          label="Active"
          hint="Whoever holds a role that is not active has no permissions by it"
          checked={content.isActive}
          onChange={(event) => change({ isActive: event.target.checked })}
        />
        <PermissionChoice
          value={content.permissions}
          grantable={session.permissions}
          onChange={(permissions) => change({ permissions })}
        />
      </form>
    </Dialog>
  );
}
