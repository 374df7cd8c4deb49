import type { RoleDefinition, User } from '@waybill/contract';
import { UserRound } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { nameOfCustomRole } from './custom-roles.ts';
import { Initials } from './Initials.tsx';
import { roleTones, shortRoleNames } from './role-names.ts';
import { UserStatusBadge, userStatusNames } from './UserStatusBadge.tsx';

/** The columns of the list of accounts, without the actions. */
export const userColumns = (roles: readonly RoleDefinition[]): readonly Column<User>[] => [
  {
    id: 'picture',
    title: 'Picture',
    untitled: true,
    className: 'md:w-10 md:pr-0!',
    phone: 'picture',
    cell: (user) => <Initials name={user.name} size="sm" />,
  },
  {
    id: 'name',
    title: 'Name',
    sort: 'name',
    className: 'md:w-[26%] md:max-w-0',
    phone: 'title',
    cell: (user) => (
      <>
        <span className="block truncate font-medium text-ink max-md:text-[0.9375rem]" title={user.name}>
          {user.name}
        </span>
        {user.passwordResetRequestedAt && (
          <span className="block truncate text-meta leading-[1.17] font-normal text-yellow-ink">
            Asked for a new password <RelativeTime value={user.passwordResetRequestedAt} />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'email',
    title: 'Email',
    sort: 'email',
    className: 'md:w-[30%] md:max-w-0',
    phone: 'detail',
    cell: (user) => (
      <span className="block truncate text-ink-2" title={user.email}>
        {user.email}
      </span>
    ),
  },
  {
    id: 'role',
    title: 'Role',
    sort: 'role',
    className: 'md:w-40 md:max-w-40',
    phone: 'end',
    cell: (user) => {
      const rights = [nameOfCustomRole(user, roles), user.permissions && 'own permissions'].filter(Boolean).join(', ');
      return (
        <span className="flex min-w-0 items-center gap-2">
          <Badge size="xs" tone={roleTones[user.role]} variant="outlined" icon={<UserRound aria-hidden="true" />}>
            {shortRoleNames[user.role]}
          </Badge>
          {/* The permissions do not come from the built-in role alone. */}
          {rights && (
            <span className="truncate text-meta text-ink-3 max-md:sr-only first-letter:uppercase" title={rights}>
              {rights}
            </span>
          )}
        </span>
      );
    },
  },
  {
    id: 'status',
    title: 'Status',
    sort: 'status',
    className: 'md:w-34',
    phone: 'end detail',
    cell: (user) => (
      <>
        <span className="flex">
          {/* What almost all are is said quietly, so that the others are seen. */}
          {user.status === 'active' ? (
            <span className="text-meta text-ink-2">{userStatusNames.active}</span>
          ) : (
            <UserStatusBadge status={user.status} size="xs" />
          )}
        </span>
        {user.awaitsApproval && (
          <span className="block px-2 text-meta leading-[1.17] whitespace-nowrap text-ink-3 max-md:sr-only">
            Awaits approval
          </span>
        )}
      </>
    ),
  },
  {
    id: 'lastLogin',
    title: 'Last Login',
    sort: 'lastLogin',
    className: 'md:w-36 max-lg:hidden',
    cell: (user) => (
      <span className="whitespace-nowrap text-ink-2">
        {user.lastLogin ? <LocalTime value={user.lastLogin} format="day" /> : 'Never'}
      </span>
    ),
  },
];
