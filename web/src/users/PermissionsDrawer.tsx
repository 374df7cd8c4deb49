import type { User } from '@waybill/contract';
import { Check } from 'lucide-react';
import { Dialog } from '../ui/Dialog.tsx';
import { permissionTexts, roleDescriptions } from './permission-texts.ts';
import { RoleBadge } from './RoleBadge.tsx';

interface PermissionsDrawerProps {
  user: User;
  open: boolean;
  onClose: () => void;
}

/** What a user may do, and by what: a list of their own, or their role. */
export function PermissionsDrawer({ user, open, onClose }: PermissionsDrawerProps) {
  const own = user.permissions ?? [];
  return (
    <Dialog open={open} onOpenChange={onClose} placement="bottom" size="lg" title="User Role & Permissions">
      <p className="text-body font-semibold wrap-anywhere">{user.name}</p>
      <div className="mt-2">
        <RoleBadge role={user.role} />
      </div>
      <p className="mt-2 text-ui text-ink-2">{roleDescriptions[user.role]}</p>
      <h3 className="mt-6 mb-2 text-ui font-semibold">Permissions</h3>
      {own.length === 0 && (
        <p className="mb-3 text-ui text-ink-2">No specific permissions assigned. Using default role permissions.</p>
      )}
      <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {(own.length > 0 ? own : user.permissionsInForce).map((permission) => (
          <li key={permission} className="flex gap-2.5">
            <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-green-dot" />
            <span className="min-w-0">
              <span className="code block text-table">{permission}</span>
              <span className="block text-ui text-ink-2">{permissionTexts[permission]}</span>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
