import { useInfiniteQuery } from '@tanstack/react-query';
import type { User } from '@waybill/contract';
import { UsersRound } from 'lucide-react';
import { useEffect } from 'react';
import { toast } from '../platform/toasts.ts';
import { usePages } from '../platform/usePages.ts';
import { Card } from '../ui/Card.tsx';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { useLiveUsers, userListQuery } from './admin-queries.ts';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import type { UserSearch } from './filters.ts';
import { PermissionsDrawer } from './PermissionsDrawer.tsx';
import { RemoveSecondFactorDialog } from './RemoveSecondFactorDialog.tsx';
import { ResetLinkDialog } from './ResetLinkDialog.tsx';
import { UserSessionsDialog } from './UserSessionsDialog.tsx';
import { UserTable } from './UserTable.tsx';

interface UserListProps {
  search: UserSearch;
  onPages: (pages: number) => void;
  onEdit: (user: User) => void;
}

export function UserList({ search, onPages, onEdit }: UserListProps) {
  useLiveUsers();
  const list = useInfiniteQuery(userListQuery(search));
  const pending = useDelayedPending(list.isPending);
  const more = usePages(list, search.pages, onPages);
  const permissions = useDialogState<User>();
  const linking = useDialogState<User>();
  const sessions = useDialogState<User>();
  const removing = useDialogState<User>();
  const deleting = useDialogState<User>();
  const shown = list.data?.pages.flatMap((page) => page.items) ?? [];

  const failed = list.isError && !list.data;
  useEffect(() => {
    if (failed) toast({ title: 'Error', description: 'Failed to load users', variant: 'destructive' });
  }, [failed]);

  if (pending) {
    return (
      <Card>
        <div className="flex justify-center py-16 text-ink-3">
          <Spinner size="lg" label="Loading users" />
        </div>
      </Card>
    );
  }
  if (failed) {
    return (
      <Card>
        <QueryError query={list} title="Failed to load users" />
      </Card>
    );
  }
  return (
    <Card flush>
      {shown.length === 0 ? (
        <EmptyState icon={<UsersRound />} title="No users found" description="Nobody matches these filters." />
      ) : (
        <div aria-busy={list.isPlaceholderData} className={classes(list.isPlaceholderData && 'opacity-60')}>
          <UserTable
            users={shown}
            onShowPermissions={permissions.show}
            onEdit={onEdit}
            onMakeLink={linking.show}
            onShowSessions={sessions.show}
            onRemoveSecondFactor={removing.show}
            onDelete={deleting.show}
          />
          <div className="border-t border-line">
            <LoadMore shown={shown.length} {...more} />
          </div>
        </div>
      )}
      {permissions.shown && (
        <PermissionsDrawer user={permissions.shown} open={permissions.open} onClose={permissions.close} />
      )}
      {linking.shown && (
        <ResetLinkDialog key={linking.opening} user={linking.shown} open={linking.open} onClose={linking.close} />
      )}
      {sessions.shown && (
        <UserSessionsDialog
          key={sessions.opening}
          user={sessions.shown}
          open={sessions.open}
          onClose={sessions.close}
        />
      )}
      {removing.shown && (
        <RemoveSecondFactorDialog
          key={removing.opening}
          user={removing.shown}
          open={removing.open}
          onClose={removing.close}
        />
      )}
      {deleting.shown && (
        <DeleteUserDialog key={deleting.opening} user={deleting.shown} open={deleting.open} onClose={deleting.close} />
      )}
    </Card>
  );
}
