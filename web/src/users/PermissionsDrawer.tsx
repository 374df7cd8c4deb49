import type { User } from '@waybill/contract';
import { ShieldCheck } from 'lucide-react';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { accessDenial } from './access.ts';
import { useRoles } from './custom-roles.ts';
import { roleDescriptions } from './permission-texts.ts';
import { PermissionList } from './PermissionList.tsx';
import { RightsDialog } from './RightsDialog.tsx';
import { RoleBadge } from './RoleBadge.tsx';

interface PermissionsDrawerProps {
  user: User;
  open: boolean;
  onClose: () => void;
}

/** A user's permissions, and where they come from: the user's own list, a custom role, or the built-in role. */
export function PermissionsDrawer({ user, open, onClose }: PermissionsDrawerProps) {
  const session = useSession();
  const roles = useRoles();
  const rights = useDialogState<User>();
  const own = user.permissions ?? [];
  const custom = roles.find((role) => role.id === user.roleId && !role.isBuiltIn);
  const mayChange = !accessDenial(session, { permissions: ['users.update', 'users.manage_roles'], requireAll: true });
  return (
    <>
      <Dialog
        // Hidden while the rights dialog is open; shown again if that is cancelled.
        open={open && !rights.open}
        onOpenChange={onClose}
        placement="bottom"
        size="lg"
        title="User Role & Permissions"
        footer={
          mayChange && (
            <Button
              variant="secondary"
              size="lg"
              icon={<ShieldCheck aria-hidden="true" className="size-5" />}
              onClick={() => rights.show(user)}
            >
              Change Role & Permissions
            </Button>
          )
        }
      >
        <p className="text-body font-semibold wrap-anywhere">{user.name}</p>
        <div className="mt-2">
          <RoleBadge role={user.role} />
        </div>
        <p className="mt-2 text-ui text-ink-2">{roleDescriptions[user.role]}</p>
        {custom && (
          <p className="mt-2 text-ui text-ink-2 wrap-anywhere">
            Custom role: <span className="font-medium text-ink">{custom.name}</span>
            {custom.description && `. ${custom.description}`}
            {!custom.isActive && ' (not active: it gives no permissions)'}
          </p>
        )}
        <h3 className="mt-6 mb-2 text-ui font-semibold">Permissions</h3>
        {own.length === 0 && (
          <p className="mb-3 text-ui text-ink-2">
            {custom
              ? 'No specific permissions assigned. Using the permissions of the custom role.'
              : 'No specific permissions assigned. Using default role permissions.'}
          </p>
        )}
        <PermissionList permissions={own.length > 0 ? own : user.permissionsInForce} />
      </Dialog>
      {rights.shown && (
        <RightsDialog
          key={rights.opening}
          user={rights.shown}
          roles={roles}
          open={rights.open}
          onClose={rights.close}
          onSaved={() => {
            rights.close();
            onClose();
          }}
        />
      )}
    </>
  );
}
