import { Id, PermissionList, builtInRoles, permissionsOf } from '@waybill/contract';
import type { Permission, RoleDefinition, User } from '@waybill/contract';
import * as z from 'zod/mini';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { PermissionChoice } from './PermissionChoice.tsx';
import { useSaveRights } from './role-queries.ts';

const formId = 'rights';
const Rights = z.object({ roleId: Id, permissions: z.nullable(PermissionList) });

interface RightsDialogProps {
  user: User;
  /** All roles; empty if the current user may not see them. */
  roles: readonly RoleDefinition[];
  open: boolean;
  onClose: () => void;
  onSaved: () => void;
}

/** Assigns a user a custom role, or a permission list of their own. */
export function RightsDialog({ user, roles, open, onClose, onSaved }: RightsDialogProps) {
  const session = useSession();
  const save = useSaveRights(user);
  const form = useForm(Rights, submit, {
    initial: { roleId: user.roleId, permissions: user.permissions },
    refusal: save.error,
    draft: `rights ${user.id}`,
    open,
    unsaved: false,
  });
  function submit(rights: z.output<typeof Rights>) {
    save.mutate(
      { roleId: rights.roleId === user.roleId ? undefined : rights.roleId, permissions: rights.permissions },
      {
        onSuccess: () => {
          form.saved();
          toast({ title: 'Success', description: 'User updated successfully' });
          onSaved();
        },
      },
    );
  }
  const [roleId, own] = form.watch(['roleId', 'permissions']);
  const builtIn = { value: builtInRoles[user.role].id, label: 'No custom role' };
  const custom = roles
    // An inactive role cannot be assigned, but the user may already have it.
    .filter((role) => !role.isBuiltIn && (role.isActive || role.id === user.roleId))
    .map((role) => ({ value: role.id, label: role.isActive ? role.name : `${role.name} (not active)` }));
  const role = roles.find((candidate) => candidate.id === roleId && !candidate.isBuiltIn);
  const byRole: readonly Permission[] = permissionsOf({
    role: user.role,
    permissions: null,
    customRolePermissions: role ? (role.isActive ? role.permissions : []) : null,
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      unsaved={form.changed}
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
            disabled={!form.changed}
            loading={save.isPending}
            loadingText="Saving..."
          >
            Save Changes
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
        <Field
          label="Custom Role"
          error={form.formState.errors.roleId?.message}
          hint="Replaces the role's permissions. Screens stay the same."
          disabled={roles.length === 0}
        >
          <Select
            options={[builtIn, ...custom]}
            value={roleId}
            onValueChange={(chosen) => form.choose('roleId', chosen)}
          />
        </Field>
        <Checkbox
          label="Individual permissions"
          hint="Instead of those of the role"
          checked={own !== null}
          onChange={(event) => form.choose('permissions', event.target.checked ? [...byRole] : null)}
        />
        {own && (
          <PermissionChoice
            value={own}
            grantable={session.permissions}
            onChange={(chosen) => form.choose('permissions', chosen)}
          />
        )}
      </form>
    </Dialog>
  );
}
