import { useNavigate } from '@tanstack/react-router';
import type { User } from '@waybill/contract';
import { Hourglass, UserPlus } from 'lucide-react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import type { UserSearch } from '../users/filters.ts';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { TemporaryPasswordDialog } from '../users/TemporaryPasswordDialog.tsx';
import { UserDialog } from '../users/UserDialog.tsx';
import { UserFilters } from '../users/UserFilters.tsx';
import { UserList } from '../users/UserList.tsx';
import { AdminPage } from '../app/AdminPage.tsx';

export function AdminUsersPage() {
  const search = usePageSearch('adminUsers');
  const navigate = useNavigate();
  const change = (next: UserSearch) =>
    void navigate({
      to: '/admin/users',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });
  const editing = useDialogState<{ user: User | null }>();
  const temporary = useDialogState<{ email: string; password: string }>();
  return (
    <AdminPage>
      <PageTitle
        title="User Management"
        subtitle="Manage users and control their permissions within the system"
        actions={
          <PermissionButton
            permissions={['users.create']}
            aria-keyshortcuts="c"
            icon={<UserPlus aria-hidden="true" className="size-5" />}
            onClick={() => editing.show({ user: null })}
          >
            Add User
          </PermissionButton>
        }
      />
      <div className="flex flex-col gap-4">
        {search.awaitsApproval && (
          <Banner
            icon={<Hourglass />}
            action={
              <Button variant="secondary" size="sm" onClick={() => change({ awaitsApproval: undefined })}>
                Show all users
              </Button>
            }
          >
            Only accounts that await approval are shown. To let somebody in, edit the account and choose Active.
          </Banner>
        )}
        <UserFilters search={search} onSearch={change} />
        <UserList search={search} onPages={(pages) => change({ pages })} onEdit={(user) => editing.show({ user })} />
      </div>
      {editing.shown && (
        <UserDialog
          key={editing.opening}
          user={editing.shown.user}
          open={editing.open}
          onClose={editing.close}
          onTemporaryPassword={(email, password) => temporary.show({ email, password })}
        />
      )}
      {temporary.shown && (
        <TemporaryPasswordDialog {...temporary.shown} open={temporary.open} onClose={temporary.close} />
      )}
    </AdminPage>
  );
}
