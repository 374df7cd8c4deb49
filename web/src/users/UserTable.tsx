import type { User } from '@waybill/contract';
import { KeyRound, Link, MonitorSmartphone, Pencil, SmartphoneNfc, Trash2, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../platform/session.ts';
import { Badge } from '../ui/Badge.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { nameOfCustomRole, useRoles } from './custom-roles.ts';
import { roleTones, shortRoleNames } from './role-names.ts';
import { UserStatusBadge } from './UserStatusBadge.tsx';

interface UserTableProps {
  users: readonly User[];
  onShowPermissions: (user: User) => void;
  onEdit: (user: User) => void;
  onMakeLink: (user: User) => void;
  onShowSessions: (user: User) => void;
  onRemoveSecondFactor: (user: User) => void;
  onDelete: (user: User) => void;
}

/** On a phone each row becomes a card, with column names before the values. */
export function UserTable({
  users,
  onShowPermissions,
  onEdit,
  onMakeLink,
  onShowSessions,
  onRemoveSecondFactor,
  onDelete,
}: UserTableProps) {
  const { permissions } = useSession();
  const roles = useRoles();
  return (
    <table aria-label="Users" className="w-full border-collapse text-left max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-table text-ink-3">
          {['Name', 'Email', 'Role', 'Status', 'Last Login', 'Actions'].map((name) => (
            <th key={name} scope="col" className="px-5 py-3 font-medium last:text-right">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-md:block">
        {users.map((user) => (
          <tr
            key={user.id}
            className="text-ui max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-4 max-md:gap-y-1.5 max-md:px-5 max-md:py-4 md:hover:bg-sunken/50"
          >
            <th scope="row" className="font-medium wrap-anywhere text-ink md:px-5 md:py-3">
              {user.name}
              {user.passwordResetRequestedAt && (
                <span className="mt-0.5 block text-table font-normal text-yellow-ink">
                  Asked for a new password <RelativeTime value={user.passwordResetRequestedAt} />
                </span>
              )}
            </th>
            <Cell placement="email">
              <span className="text-ink-2 wrap-anywhere">{user.email}</span>
            </Cell>
            <Cell placement="role">
              <Badge tone={roleTones[user.role]} variant="outlined" icon={<UserRound aria-hidden="true" />}>
                {shortRoleNames[user.role]}
              </Badge>
              <OtherRights user={user} customRole={nameOfCustomRole(user, roles)} />
            </Cell>
            <Cell placement="status">
              <UserStatusBadge status={user.status} />
              {user.awaitsApproval && <span className="mt-1 block text-table text-ink-3">Awaits approval</span>}
            </Cell>
            <Cell placement="login">
              <span className="text-ink-2">
                <span className="md:hidden">Last login: </span>
                {user.lastLogin ? <LocalTime value={user.lastLogin} format="day" /> : 'Never'}
              </span>
            </Cell>
            <Cell placement="actions">
              <span className="-mx-2 flex md:justify-end">
                <IconButton
                  size="sm"
                  label={`View permissions of ${user.name}`}
                  icon={<KeyRound aria-hidden="true" />}
                  onClick={() => onShowPermissions(user)}
                />
                {permissions.includes('users.update') && (
                  <IconButton
                    size="sm"
                    label={`Edit ${user.name}`}
                    icon={<Pencil aria-hidden="true" />}
                    onClick={() => onEdit(user)}
                  />
                )}
                {permissions.includes('users.update') && (
                  <IconButton
                    size="sm"
                    label={`Reset link for ${user.name}`}
                    icon={<Link aria-hidden="true" />}
                    onClick={() => onMakeLink(user)}
                  />
                )}
                {permissions.includes('users.update') && (
                  <IconButton
                    size="sm"
                    label={`Sessions of ${user.name}`}
                    icon={<MonitorSmartphone aria-hidden="true" />}
                    onClick={() => onShowSessions(user)}
                  />
                )}
                {user.secondFactor && permissions.includes('users.update') && (
                  <IconButton
                    size="sm"
                    label={`Remove second factor of ${user.name}`}
                    icon={<SmartphoneNfc aria-hidden="true" />}
                    onClick={() => onRemoveSecondFactor(user)}
                  />
                )}
                {permissions.includes('users.delete') && (
                  <IconButton
                    size="sm"
                    label={`Delete ${user.name}`}
                    icon={<Trash2 aria-hidden="true" />}
                    onClick={() => onDelete(user)}
                  />
                )}
              </span>
            </Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shown beside the role if the permissions do not come from the built-in role alone. */
function OtherRights({ user, customRole }: { user: User; customRole: string | null }) {
  const rights = [customRole, user.permissions && 'own permissions'].filter((part) => part !== null);
  if (rights.length === 0) return null;
  return (
    <span className="mt-1 block text-table text-ink-3 wrap-anywhere first-letter:uppercase">{rights.join(', ')}</span>
  );
}

/** The grid placement of each cell in the card layout of phones. */
const placements = {
  email: 'max-md:col-span-full',
  role: '',
  status: 'max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end',
  login: 'max-md:justify-self-end max-md:text-table',
  actions: 'max-md:col-span-full',
};

const Cell = ({ placement, children }: { placement: keyof typeof placements; children: ReactNode }) => (
  <td className={classes(placements[placement], 'md:px-5 md:py-3')}>{children}</td>
);
