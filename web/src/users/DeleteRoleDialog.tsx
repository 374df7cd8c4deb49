import type { RoleDefinition } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { countUsers } from './role-names.ts';
import { useDeleteRole } from './role-queries.ts';

interface DeleteRoleDialogProps {
  role: RoleDefinition;
  open: boolean;
  onClose: () => void;
}

export function DeleteRoleDialog({ role, open, onClose }: DeleteRoleDialogProps) {
  const remove = useDeleteRole(role.id);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Delete the role ${role.name}?`}
      description={
        role.userCount === 0
          ? 'No user has it.'
          : `${countUsers(role.userCount)} it. It can be deleted once they have another one.`
      }
      confirmLabel="Delete"
      loadingText="Deleting..."
      danger
      act={remove}
      error={remove.error?.message}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast({ title: 'Role deleted', description: role.name });
            onClose();
          },
        })
      }
    />
  );
}
