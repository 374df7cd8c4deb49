import {
  CreateUserInput,
  Id,
  Role,
  UserStatus,
  blankToNull,
  roles as builtInRoles,
  userStatuses,
} from '@waybill/contract';
import type { User } from '@waybill/contract';
import { useQuery } from '@tanstack/react-query';
import { FormProvider } from 'react-hook-form';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { fromText } from '../platform/text-inputs.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { accountTexts } from './account-texts.ts';
import { useSaveUser } from './admin-queries.ts';
import { ReassignmentChoice } from './ReassignmentChoice.tsx';
import { nameOfCustomRole, useRoles } from './custom-roles.ts';
import { PasswordInput } from './PasswordInput.tsx';
import { signUpPolicyQuery } from './queries.ts';
import { shortRoleNames } from './role-names.ts';
import { useReassignment } from './useReassignment.ts';
import { userStatusNames } from './UserStatusBadge.tsx';
import { typedVehicle, vehicleFields, type TypedVehicle } from './vehicle-form.ts';
import { VehicleFields } from './VehicleFields.tsx';

const formId = 'user';
const roleOptions = builtInRoles.map((value) => ({ value, label: shortRoleNames[value] }));
const statusOptions = userStatuses.map((value) => ({ value, label: userStatusNames[value] }));

const { name, email, password } = CreateUserInput.shape;
/** `roleId` is the custom role of a new account; blank for none. */
const NewUser = z.object({
  name,
  email,
  role: Role,
  roleId: fromText(blankToNull(Id)),
  status: UserStatus,
  password: fromText(password),
  invite: z.boolean(),
  ...vehicleFields,
});
/** The email address cannot be changed, so it is not validated: older rules may have allowed it. */
const ChangedUser = z.extend(NewUser, { email: z.string() });

interface UserDialogProps {
  /** Null to create a user. */
  user: User | null;
  open: boolean;
  onClose: () => void;
  /** Called with the one-time password of a new account, which is shown only once. */
  onTemporaryPassword: (email: string, password: string) => void;
}

export function UserDialog({ user, open, onClose, onTemporaryPassword }: UserDialogProps) {
  const { permissions } = useSession();
  const save = useSaveUser(user);
  const form = useForm(user ? ChangedUser : NewUser, submit, {
    initial: {
      name: user?.name ?? '',
      email: user?.email ?? '',
      role: user?.role ?? 'owner',
      roleId: '',
      status: user?.status ?? 'active',
      password: '',
      invite: true,
      ...typedVehicle(user),
    },
    refusal: save.error,
    draft: `user ${user?.id ?? 'new'}`,
    open,
    unsaved: false,
  });
  const { data: policy } = useQuery({ ...signUpPolicyQuery, enabled: open && user === null });
  /** Whether a link by email can take the place of a password. */
  const canInvite = user === null && policy?.byMail === true;
  function submit({
    vehicleInfo,
    startPlace,
    endPlace,
    invite: wantsInvitation,
    ...content
  }: z.output<typeof NewUser>) {
    const invite = canInvite && wantsInvitation;
    if (!reassignment.validate()) return;
    const driving = user?.role === 'driver' ? { vehicleInfo, startPlace, endPlace } : undefined;
    save.mutate(
      { ...content, ...(invite && { invite, password: null }), deliveries: reassignment.input, driving },
      {
        onSuccess: (temporaryPassword) => {
          form.saved({ password: '' });
          toast({
            title: 'Success',
            description: user
              ? 'User updated successfully'
              : invite
                ? `An invitation goes to ${content.email}.`
                : 'User created successfully.',
          });
          onClose();
          if (temporaryPassword !== null) onTemporaryPassword(content.email, temporaryPassword);
        },
        onError: (error) =>
          toast({ title: 'Error', description: error.message || 'Failed to save user', variant: 'destructive' }),
      },
    );
  }
  const { register } = form;
  const { errors } = form.formState;
  const [typedName, typedEmail, role, roleId, status, invites] = form.watch([
    'name',
    'email',
    'role',
    'roleId',
    'status',
    'invite',
  ]);
  const roles = useRoles();
  const assignableRoles = permissions.includes('users.manage_roles')
    ? roles.filter(({ isBuiltIn, isActive }) => !isBuiltIn && isActive)
    : [];
  const customRole = user && nameOfCustomRole(user, roles);
  const stopsDriving =
    user?.role === 'driver' && user.status === 'active' && (role !== 'driver' || status !== 'active');
  const reassignment = useReassignment(user, open && stopsDriving);
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      title={user ? 'Edit User' : 'Create New User'}
      unsaved={form.changed}
      footer={
        <>
          <DialogClose />
          <Button
            type="submit"
            form={formId}
            size="lg"
            disabled={typedName.trim() === '' || typedEmail.trim() === '' || reassignment.isCounting}
            loading={save.isPending}
            loadingText="Saving..."
          >
            {user ? 'Save Changes' : 'Create User'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field label="Name" error={errors.name?.message}>
          <Input {...register('name')} maxLength={120} autoComplete="off" />
        </Field>
        <Field
          label="Email"
          error={errors.email?.message}
          hint={user ? 'The email of an account cannot be changed' : undefined}
        >
          <Input {...register('email')} type="email" readOnly={user !== null} maxLength={254} autoComplete="off" />
        </Field>
        <div className="grid grid-cols-2 gap-3 sm:gap-5">
          <Field
            label="Role"
            error={errors.role?.message}
            disabled={user !== null && !permissions.includes('users.manage_roles')}
          >
            <Select {...register('role')} options={roleOptions} />
          </Field>
          <Field label="Status" error={errors.status?.message}>
            <Select {...register('status')} options={statusOptions} />
          </Field>
        </div>
        {!user && assignableRoles.length > 0 && (
          <Field
            label="Custom Role"
            error={errors.roleId?.message}
            hint="Its permissions replace those of the role; the screens stay the same"
          >
            <Select
              options={[
                { value: '', label: 'None' },
                ...assignableRoles.map(({ id, name: label }) => ({ value: id, label })),
              ]}
              value={roleId}
              onValueChange={(chosen) => form.choose('roleId', chosen)}
            />
          </Field>
        )}
        {user && <ReassignmentChoice name={user.name} reassignment={reassignment} />}
        {user?.role === 'driver' && (
          <FormProvider {...(form as unknown as UseFormReturn<TypedVehicle>)}>
            <VehicleFields words={accountTexts('en').vehicle} />
          </FormProvider>
        )}
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
        {canInvite && (
          <Checkbox
            {...register('invite')}
            label="Send an invitation"
            hint="An email with a link that sets a password, once, for seven days"
          />
        )}
        {!user && !(canInvite && invites) && (
          <Field
            label="Password"
            optional
            error={errors.password?.message}
            hint="If left blank, the account gets a one-time password, shown to you once"
          >
            <PasswordInput {...register('password')} autoComplete="new-password" />
          </Field>
        )}
      </form>
    </Dialog>
  );
}
