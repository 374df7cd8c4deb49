import { useQuery } from '@tanstack/react-query';
import type { RoleDefinition } from '@waybill/contract';
import { ShieldPlus } from 'lucide-react';
import { Panel } from '../ui/Panel.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { PermissionButton } from './PermissionButton.tsx';
import { RoleDialog } from './RoleDialog.tsx';
import { RoleList } from './RoleList.tsx';
import { rolesQuery, useLiveRoles } from './role-queries.ts';

export function RolesPanel() {
  const roles = useQuery(rolesQuery());
  useLiveRoles();
  const editing = useDialogState<{ role: RoleDefinition | null }>();
  return (
    <>
      <Panel
        title="Roles"
        query={roles}
        loadingHeight="h-72"
        flush
        actions={
          <PermissionButton
            permissions={['roles.create']}
            icon={<ShieldPlus aria-hidden="true" className="size-5" />}
            onClick={() => editing.show({ role: null })}
          >
            Add Role
          </PermissionButton>
        }
      >
        {(list) => <RoleList roles={list} onEdit={(role) => editing.show({ role })} />}
      </Panel>
      {editing.shown && (
        <RoleDialog key={editing.opening} role={editing.shown.role} open={editing.open} onClose={editing.close} />
      )}
    </>
  );
}
