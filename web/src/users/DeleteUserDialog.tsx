import type { User } from '@waybill/contract';
import { toast } from '../platform/toasts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useDeleteUser } from './admin-queries.ts';
import { ReassignmentChoice } from './ReassignmentChoice.tsx';
import { useReassignment } from './useReassignment.ts';

interface DeleteUserDialogProps {
  user: Pick<User, 'id' | 'name' | 'email' | 'role'>;
  open: boolean;
  onClose: () => void;
}

export function DeleteUserDialog({ user, open, onClose }: DeleteUserDialogProps) {
  const remove = useDeleteUser(user.id);
  const reassignment = useReassignment(user, open && user.role === 'driver');
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Delete user"
      description="Are you sure you want to delete this user?"
      confirmLabel="Delete"
      loadingText={reassignment.isCounting ? 'Delete' : 'Deleting...'}
      danger
      act={remove}
      loading={reassignment.isCounting}
      error={remove.error ? remove.error.message || 'Failed to delete user' : undefined}
      onConfirm={() => {
        if (!reassignment.validate()) return;
        remove.mutate(reassignment.input, {
          onSuccess: () => {
            toast({ title: 'Success', description: 'User deleted successfully' });
            onClose();
          },
          onError: () => toast({ title: 'Error', description: 'Failed to delete user', variant: 'destructive' }),
        });
      }}
    >
      <p className="text-ui font-medium wrap-anywhere">
        {user.name}
        <span className="block font-normal text-ink-2">{user.email}</span>
      </p>
      <p className="mt-2 text-ui text-ink-2">
        Their personal data is removed for good. The history of packages and deliveries stays, without their name.
      </p>
      <ReassignmentChoice name={user.name} isDeleted reassignment={reassignment} />
    </ConfirmDialog>
  );
}
