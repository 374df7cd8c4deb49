import type { Role, User, UserStatus } from '@waybill/contract';
import { roles as builtInRoles, userStatuses } from '@waybill/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { useSaveUser } from './admin-queries.ts';
import { CarriedChoice } from './CarriedChoice.tsx';
import { nameOfCustomRole, useRoles } from './custom-roles.ts';
import { faultsOf } from '../platform/faults.ts';
import { PasswordInput } from './PasswordInput.tsx';
import { shortRoleNames } from './role-names.ts';
import { useCarried } from './useCarried.ts';
import { userStatusNames } from './UserStatusBadge.tsx';

const formId = 'user';
const roleOptions = builtInRoles.map((value) => ({ value, label: shortRoleNames[value] }));
const statusOptions = userStatuses.map((value) => ({ value, label: userStatusNames[value] }));

interface UserFields {
  name: string;
  email: string;
  role: Role;
  /** Of a new account; '' for none. */
  roleId: string;
  status: UserStatus;
}

interface UserDialogProps {
  /** Null: a new one. */
  user: User | null;
  open: boolean;
  onClose: () => void;
  /** A new account has a one-time password, told this once. */
  onTemporaryPassword: (email: string, password: string) => void;
}

export function UserDialog({ user, open, onClose, onTemporaryPassword }: UserDialogProps) {
  const { permissions } = useSession();
  const draft = useDraft<UserFields>(
    `user ${user?.id ?? 'new'}`,
    {
      name: user?.name ?? '',
      email: user?.email ?? '',
      role: user?.role ?? 'owner',
      roleId: '',
      status: user?.status ?? 'active',
    },
    open,
  );
  const { name, email, role, roleId, status } = draft.values;
  // Never in the draft: passwords are kept nowhere.
  const [password, setPassword] = useState('');
  const roles = useRoles();
  const givable = permissions.includes('users.manage_roles')
    ? roles.filter(({ isBuiltIn, isActive }) => !isBuiltIn && isActive)
    : [];
  const customRole = user && nameOfCustomRole(user, roles);
  const save = useSaveUser(user);
  const faults = faultsOf(save.error);
  const leaves = user?.role === 'driver' && user.status === 'active' && (role !== 'driver' || status !== 'active');
  const carried = useCarried(user, open && leaves);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || email.trim() === '' || !carried.isAnswered()) return;
    save.mutate(
      { name, email, role, roleId: roleId || null, status, password, deliveries: carried.answer },
      {
        onSuccess: (temporaryPassword) => {
          draft.saved();
          setPassword('');
          toast({ title: 'Success', description: user ? 'User updated successfully' : 'User created successfully.' });
          onClose();
          if (temporaryPassword !== null) onTemporaryPassword(email.trim(), temporaryPassword);
        },
        onError: (error) =>
          toast({ title: 'Error', description: error.message || 'Failed to save user', variant: 'destructive' }),
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      title={user ? 'Edit User' : 'Create New User'}
      unsaved={draft.dirty || password !== ''}
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            size="lg"
            disabled={name.trim() === '' || email.trim() === '' || carried.isCounting}
            loading={save.isPending}
            loadingText="Saving..."
          >
            {user ? 'Save Changes' : 'Create User'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field label="Name" error={faults.name}>
          <Input
            value={name}
            maxLength={120}
            autoComplete="off"
            onChange={(event) => draft.change({ name: event.target.value })}
          />
        </Field>
        <Field label="Email" error={faults.email} hint={user ? 'The email of an account cannot be changed' : undefined}>
          <Input
            type="email"
            value={email}
            readOnly={user !== null}
            maxLength={254}
            autoComplete="off"
            onChange={(event) => draft.change({ email: event.target.value })}
          />
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Role"
            error={faults.role}
            disabled={user !== null && !permissions.includes('users.manage_roles')}
          >
            <Select options={roleOptions} value={role} onValueChange={(chosen) => draft.change({ role: chosen })} />
          </Field>
          <Field label="Status" error={faults.status}>
            <Select
              options={statusOptions}
              value={status}
              onValueChange={(chosen) => draft.change({ status: chosen })}
            />
          </Field>
        </div>
        {!user && givable.length > 0 && (
          <Field
            label="Custom Role"
            error={faults.roleId}
            hint="Its permissions take the place of the role's; which screens the user has stays as it is"
          >
            <Select
              options={[{ value: '', label: 'None' }, ...givable.map(({ id, name: label }) => ({ value: id, label }))]}
              value={roleId}
              onValueChange={(chosen) => draft.change({ roleId: chosen })}
            />
          </Field>
        )}
        {user && <CarriedChoice name={user.name} carried={carried} />}
        {(customRole || user?.permissions) && (
          <p className="rounded-card bg-sunken px-4 py-3 text-ui text-ink-2 wrap-anywhere">
            {customRole && (
              <>
                Custom role: <span className="font-medium text-ink">{customRole}</span>.{' '}
              </>
            )}
            {user?.permissions && 'This user has permissions of their own. '}
            This stays as it is. To change it, choose View permissions in the list.
          </p>
        )}
        {!user && (
          <Field
            label="Password"
            optional
            error={faults.password}
            hint="Left blank, the account gets a one-time password, shown to you once"
          >
            <PasswordInput
              value={password}
              autoComplete="new-password"
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
        )}
      </form>
    </Dialog>
  );
}
