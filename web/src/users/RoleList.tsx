import type { RoleDefinition } from '@waybill/contract';
import { CirclePause, Eye, Lock, Pencil, Trash2 } from 'lucide-react';
import { useSession } from '../platform/session.ts';
import { Badge } from '../ui/Badge.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { DeleteRoleDialog } from './DeleteRoleDialog.tsx';
import { PermissionList } from './PermissionList.tsx';
import { countUsers, nameOfRole } from './role-names.ts';

interface RoleListProps {
  roles: readonly RoleDefinition[];
  onEdit: (role: RoleDefinition) => void;
}

/** Built-in roles are read-only; custom roles can be edited and deleted. */
export function RoleList({ roles, onEdit }: RoleListProps) {
  const { permissions } = useSession();
  const viewing = useDialogState<RoleDefinition>();
  const deleting = useDialogState<RoleDefinition>();
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {roles.map((role) => (
          <li key={role.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-4">
            <div className="min-w-0 flex-[1_1_10rem]">
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <span className="text-ui font-semibold wrap-anywhere">{nameOfRole(role)}</span>
                {role.isBuiltIn && <Badge icon={<Lock aria-hidden="true" />}>Built-in</Badge>}
                {!role.isActive && (
                  <Badge tone="yellow" icon={<CirclePause aria-hidden="true" />}>
                    Not active
                  </Badge>
                )}
              </p>
              {role.description && (
                <p className="mt-0.5 text-ui text-ink-2 wrap-anywhere first-letter:uppercase">{role.description}</p>
              )}
              <p className="figures mt-1 text-table text-ink-3">
                {countUsers(role.userCount)} this role, {role.permissions.length}{' '}
                {role.permissions.length === 1 ? 'permission' : 'permissions'}
              </p>
            </div>
            <span className="-mr-2 ml-auto flex">
              <IconButton
                size="sm"
                label={`View permissions of ${nameOfRole(role)}`}
                icon={<Eye aria-hidden="true" />}
                onClick={() => viewing.show(role)}
              />
              {!role.isBuiltIn && permissions.includes('roles.update') && (
                <IconButton
                  size="sm"
                  label={`Edit ${role.name}`}
                  icon={<Pencil aria-hidden="true" />}
                  onClick={() => onEdit(role)}
                />
              )}
              {!role.isBuiltIn && permissions.includes('roles.delete') && (
                <IconButton
                  size="sm"
                  label={`Delete ${role.name}`}
                  icon={<Trash2 aria-hidden="true" />}
                  onClick={() => deleting.show(role)}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
      {viewing.shown && (
        <Dialog
          open={viewing.open}
          onOpenChange={viewing.close}
          placement="bottom"
          size="lg"
          title={nameOfRole(viewing.shown)}
          description={viewing.shown.isBuiltIn ? 'Built-in roles cannot be changed.' : viewing.shown.description}
        >
          {viewing.shown.permissions.length === 0 ? (
            <p className="text-ui text-ink-2">It gives no permissions.</p>
          ) : (
            <PermissionList permissions={viewing.shown.permissions} />
          )}
        </Dialog>
      )}
      {deleting.shown && (
        <DeleteRoleDialog key={deleting.opening} role={deleting.shown} open={deleting.open} onClose={deleting.close} />
      )}
    </>
  );
}
