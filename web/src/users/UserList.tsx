import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { User } from '@waybill/contract';
import { Ban, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { formatCount } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { usePages } from '../platform/usePages.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { DataTable, ungrouped } from '../ui/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { BarButton, SelectionBar } from '../ui/SelectionBar.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { TableBox } from '../ui/TableBox.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { useSelection } from '../ui/useSelection.ts';
import { useLiveUsers, userListQuery, userQuery } from './admin-queries.ts';
import { useRoles } from './custom-roles.ts';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { userSorts } from './filters.ts';
import type { UserSearch } from './filters.ts';
import { isFiltered } from './is-filtered.ts';
import { RemoveSecondFactorDialog } from './RemoveSecondFactorDialog.tsx';
import { ResetLinkDialog } from './ResetLinkDialog.tsx';
import { loadAccountTexts } from './account-texts.ts';
import { useCan } from './useCan.ts';
import { UserActions } from './UserActions.tsx';
import { userColumns } from './user-columns.tsx';
import type { UserAct } from './UserStatusDialog.tsx';

// With its form, which most visits do not need.
const PermissionsDrawer = lazyComponent(() =>
  importWithRetry(() => import('./PermissionsDrawer.tsx')).then((module) => module.PermissionsDrawer),
);
const UserStatusDialog = lazyComponent(() =>
  importWithRetry(() => import('./UserStatusDialog.tsx')).then((module) => module.UserStatusDialog),
);
const UserSessionsDialog = lazyComponent(async () => {
  const [code] = await Promise.all([importWithRetry(() => import('./UserSessionsDialog.tsx')), loadAccountTexts('en')]);
  return code.UserSessionsDialog;
});

interface UserListProps {
  search: UserSearch;
  onPages: (pages: number) => void;
  onSort: (sort: UserSearch['sort']) => void;
  onClearFilters: () => void;
  onEdit: (user: User) => void;
  /** Shows the permissions of an account. `replace`: those of another one are shown already. */
  onOpen: (id: string, replace: boolean) => void;
  onClose: () => void;
}

/** The accounts; those that await approval first, until the list is sorted by a column. */
export function UserList({ search, onPages, onSort, onClearFilters, onEdit, onOpen, onClose }: UserListProps) {
  useLiveUsers();
  const list = useInfiniteQuery(userListQuery(search));
  const pinsWaiting = search.sort === undefined && !search.awaitsApproval && search.status === undefined;
  const waiting = useInfiniteQuery({
    ...userListQuery({ ...search, awaitsApproval: true }),
    enabled: pinsWaiting,
  });
  const pending = useDelayedPending(list.isPending);
  const more = usePages(list, search.pages, onPages);
  const mayUpdate = useCan({ permissions: ['users.update'] });
  const roles = useRoles();
  const linking = useDialogState<User>();
  const sessions = useDialogState<User>();
  const removing = useDialogState<User>();
  const deleting = useDialogState<User>();
  const changing = useDialogState<{ act: UserAct; users: readonly User[] }>();

  const pinned = (pinsWaiting && waiting.data?.pages.flatMap((page) => page.items)) || [];
  const pinnedIds = new Set(pinned.map(({ id }) => id));
  const others = list.data?.pages.flatMap((page) => page.items).filter(({ id }) => !pinnedIds.has(id)) ?? [];
  const shown = [...pinned, ...others];
  const selection = useSelection(
    shown.map(({ id }) => id),
    null,
    JSON.stringify({ ...search, pages: undefined, open: undefined }),
  );
  const chosen = shown.filter(({ id }) => selection.has(id));

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
  const known = Math.max(0, (more.total ?? shown.length) - pinned.length);
  const groups =
    pinned.length === 0
      ? ungrouped(shown)
      : [
          {
            id: 'waiting',
            title: 'Waiting for approval',
            count: formatCount(waiting.data?.pages[0]?.total ?? pinned.length),
            rows: pinned,
          },
          { id: 'others', title: 'Everybody', count: `${formatCount(known)}${more.isCapped ? '+' : ''}`, rows: others },
        ];
  const change = (act: UserAct, users: readonly User[]) => () => changing.show({ act, users });
  return (
    <>
      {shown.length === 0 ? (
        <Card>
          <EmptyState
            drawing={<ParcelDrawing kind="missing" />}
            title="No users found"
            description="Nobody matches these filters."
            action={
              isFiltered(search) && (
                <Button variant="secondary" onClick={onClearFilters}>
                  Clear filters
                </Button>
              )
            }
          />
        </Card>
      ) : (
        <TableBox stale={list.isPlaceholderData}>
          <DataTable
            label="Users"
            columns={userColumns(roles)}
            groups={groups}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            selection={mayUpdate ? selection : undefined}
            sort={search.sort}
            onSort={(sort) => onSort(userSorts.find((one) => one === sort))}
            onOpen={onOpen}
            titlesMenus
            renderMenu={(user) => (
              <UserActions
                user={user}
                onShowPermissions={() => onOpen(user.id, false)}
                onEdit={() => onEdit(user)}
                onActivate={change('activate', [user])}
                onSuspend={change('suspend', [user])}
                onMakeLink={() => linking.show(user)}
                onShowSessions={() => sessions.show(user)}
                onRemoveSecondFactor={() => removing.show(user)}
                onSelect={() => selection.toggle(user.id)}
                onDelete={() => deleting.show(user)}
              />
            )}
            more={{ shown: shown.length, ...more }}
          />
        </TableBox>
      )}
      <SelectionBar selection={selection} loaded={shown.length} total={null}>
        <BarButton icon={<CircleCheck aria-hidden="true" />} onClick={change('activate', chosen)}>
          Activate...
        </BarButton>
        <BarButton icon={<Ban aria-hidden="true" />} onClick={change('suspend', chosen)}>
          Suspend...
        </BarButton>
      </SelectionBar>
      <OpenUser id={search.open} users={shown} onClose={onClose} />
      {changing.shown && (
        <UserStatusDialog
          key={changing.opening}
          act={changing.shown.act}
          users={changing.shown.users}
          open={changing.open}
          onClose={changing.close}
          onDone={selection.clear}
        />
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
    </>
  );
}

interface OpenUserProps {
  id: string | undefined;
  /** The loaded accounts. */
  users: readonly User[];
  onClose: () => void;
}

/** The permissions of the account that the URL names, loaded or not. */
function OpenUser({ id, users, onClose }: OpenUserProps) {
  const listed = users.find((user) => user.id === id);
  const { data } = useQuery({ ...userQuery(id ?? ''), enabled: id !== undefined && !listed });
  const user = id === undefined ? undefined : (listed ?? data);
  // Stays while the drawer closes.
  const [last, setLast] = useState(user);
  if (user && user !== last) setLast(user);
  return last && <PermissionsDrawer user={last} open={user !== undefined} onClose={onClose} />;
}
