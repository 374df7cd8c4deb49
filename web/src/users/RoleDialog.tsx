import { RoleInput } from '@waybill/contract';
import type { RoleDefinition } from '@waybill/contract';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { PermissionChoice } from './PermissionChoice.tsx';
import { useSaveRole } from './role-queries.ts';

const formId = 'role';

interface RoleDialogProps {
  /** Null to create a role. */
  role: RoleDefinition | null;
  open: boolean;
  onClose: () => void;
}

export function RoleDialog({ role, open, onClose }: RoleDialogProps) {
  const session = useSession();
  const save = useSaveRole(role);
  const form = useForm(RoleInput, submit, {
    initial: {
      name: role?.name ?? '',
      description: role?.description ?? '',
      permissions: role?.permissions ?? [],
      isActive: role?.isActive ?? true,
    },
    refusal: save.error,
    draft: `role ${role?.id ?? 'new'}`,
    open,
    unsaved: false,
  });
  function submit(content: RoleInput) {
    save.mutate(content, {
      onSuccess: ({ name }) => {
        form.saved();
        toast({ title: role ? 'Role saved' : 'Role created', description: name });
        onClose();
      },
    });
  }
  const { errors } = form.formState;
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={save}
      unsaved={form.changed}
      size="lg"
      title={role ? 'Edit Role' : 'Create New Role'}
      description="People with this role can do what you tick here. It replaces the built-in permissions."
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
            {role ? 'Save Changes' : 'Create Role'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
        <Field label="Name" error={errors.name?.message}>
          <Input {...form.register('name')} maxLength={120} autoComplete="off" />
        </Field>
        <Field label="Description" optional error={errors.description?.message}>
          <Input {...form.register('description')} maxLength={200} autoComplete="off" />
        </Field>
        <Checkbox {...form.register('isActive')} label="Active" hint="A role that is not active gives no permissions" />
        <PermissionChoice
          value={form.watch('permissions')}
          grantable={session.permissions}
          onChange={(permissions) => form.choose('permissions', permissions)}
        />
      </form>
    </Dialog>
  );
}
