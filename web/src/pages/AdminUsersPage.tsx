import { useNavigate } from '@tanstack/react-router';
import type { User } from '@waybill/contract';
import { Download, Hourglass, UserPlus } from 'lucide-react';
import { useOpenRow } from '../app/useOpenRow.ts';
import { usePageSearch } from '../app/usePageSearch.ts';
import { replacesHistory } from '../platform/search-params.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useExportUsers } from '../users/admin-queries.ts';
import type { UserSearch } from '../users/filters.ts';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { TemporaryPasswordDialog } from '../users/TemporaryPasswordDialog.tsx';
import { UserDialog } from '../users/LazyUserDialog.tsx';
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
  const clear = () => change({ q: undefined, role: undefined, status: undefined, awaitsApproval: undefined });
  const row = useOpenRow(
    (open, step) => void navigate({ to: '/admin/users', search: { ...search, open }, resetScroll: false, ...step }),
  );
  const save = useExportUsers();
  const editing = useDialogState<{ user: User | null }>();
  const temporary = useDialogState<{ email: string; password: string }>();
  return (
    <AdminPage>
      <PageTitle
        title="User Management"
        subtitle="Manage users and control their permissions within the system"
        actions={
          <>
            <Button
              variant="secondary"
              icon={<Download aria-hidden="true" className="size-4" />}
              loading={save.isPending}
              onClick={() => save.mutate(search)}
            >
              Export CSV
            </Button>
            <PermissionButton
              permissions={['users.create']}
              aria-keyshortcuts="c"
              icon={<UserPlus aria-hidden="true" className="size-5" />}
              onClick={() => editing.show({ user: null })}
            >
              Add User
            </PermissionButton>
          </>
        }
      />
      <div className="flex flex-col gap-3">
        {search.awaitsApproval && (
          <Banner
            icon={<Hourglass />}
            action={
              <Button variant="secondary" size="sm" onClick={() => change({ awaitsApproval: undefined })}>
                Show all users
              </Button>
            }
          >
            Only accounts that await approval are shown.
          </Banner>
        )}
        <UserFilters search={search} onSearch={change} onClear={clear} />
        <UserList
          search={search}
          onPages={(pages) => change({ pages })}
          onSort={(sort) => change({ sort })}
          onClearFilters={clear}
          onEdit={(user) => editing.show({ user })}
          onOpen={row.open}
          onClose={row.close}
        />
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
