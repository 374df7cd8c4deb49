import { builtInRoles, permissionsOf } from '@waybill/contract';
import type { Permission, RoleDefinition, User } from '@waybill/contract';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { faultsOf } from '../platform/faults.ts';
import { PermissionChoice } from './PermissionChoice.tsx';
import { roleNames } from './role-names.ts';
import { useSaveRights } from './role-queries.ts';

const formId = 'rights';

interface RightsDialogProps {
  user: User;
  /** All there are; empty where the caller may not see them. */
  roles: readonly RoleDefinition[];
  open: boolean;
  onClose: () => void;
  onSaved: () => void;
}

/** Gives a user a custom role, or permissions of their own. */
export function RightsDialog({ user, roles, open, onClose, onSaved }: RightsDialogProps) {
  const session = useSession();
  const draft = useDraft(`rights ${user.id}`, { roleId: user.roleId, own: user.permissions }, open);
  const { roleId, own } = draft.values;
  const save = useSaveRights(user);
  const faults = faultsOf(save.error);
  const isDirty = roleId !== user.roleId || JSON.stringify(own) !== JSON.stringify(user.permissions);
  const builtIn = { value: builtInRoles[user.role].id, label: `None: ${roleNames[user.role]} alone` };
  const custom = roles
    // One that is not active cannot be given, but may be what the user has.
    .filter((role) => !role.isBuiltIn && (role.isActive || role.id === user.roleId))
    .map((role) => ({ value: role.id, label: role.isActive ? role.name : `${role.name} (not active)` }));
  const role = roles.find((candidate) => candidate.id === roleId && !candidate.isBuiltIn);
  const byRole: readonly Permission[] = permissionsOf({
    role: user.role,
    permissions: null,
    customRolePermissions: role ? (role.isActive ? role.permissions : []) : null,
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return;
    save.mutate(
      { roleId: roleId === user.roleId ? undefined : roleId, permissions: own },
      {
        onSuccess: () => {
          draft.saved();
          toast({ title: 'Success', description: 'User updated successfully' });
          onSaved();
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      unsaved={isDirty}
      size="lg"
      title="Change Role & Permissions"
      description={user.name}
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
            Save Changes
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {save.error && !faults.roleId && (
          <p role="alert" className="text-ui text-danger">
            {save.error.message}
          </p>
        )}
        <Field
          label="Custom Role"
          error={faults.roleId}
          hint="Its permissions take the place of the built-in role's; which screens the user has stays as it is"
          disabled={roles.length === 0}
        >
          <Select
            options={[builtIn, ...custom]}
            value={roleId}
            onValueChange={(chosen) => draft.change({ roleId: chosen })}
          />
        </Field>
        <Checkbox
          label="Permissions of their own"
          hint="Instead of those that the role gives"
          checked={own !== null}
          onChange={(event) => draft.change({ own: event.target.checked ? [...byRole] : null })}
        />
        {own && (
          <PermissionChoice
            value={own}
            grantable={session.permissions}
            onChange={(chosen) => draft.change({ own: chosen })}
          />
        )}
      </form>
    </Dialog>
  );
}
