import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '@waybill/contract';
import type { Absence, Shift } from '@waybill/contract';
import { CalendarOff, CalendarPlus, ChevronLeft, ChevronRight, Copy } from 'lucide-react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { localDay } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { replacesHistory } from '../platform/search-params.ts';
import { usePages } from '../platform/usePages.ts';
import { weekAbsencesQuery } from '../shifts/absence-queries.ts';
import { driverRowsQuery, useLiveShifts, weekQuery } from '../shifts/queries.ts';
import { rowsOf } from '../shifts/schedule-rows.ts';
import type { ScheduleSearch } from '../shifts/search.ts';
import { ShiftDialog, type NewShift } from '../shifts/ShiftDialog.tsx';
import { addDays, formatWeek, mondayOf } from '../shifts/week.ts';
import { WeekDays } from '../shifts/WeekDays.tsx';
import { WeekTable } from '../shifts/WeekTable.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { LoadMore } from '../ui/LoadMore.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { reachableWhenScrolling } from '../ui/scrollable.ts';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { useCan } from '../users/useCan.ts';
import { AdminPage } from '../app/AdminPage.tsx';

const AbsenceDialog = lazyComponent(async () => {
  const { AbsenceDialog: Loaded, loadAbsenceTexts } = await importWithRetry(
    () => import('../shifts/AbsenceDialog.tsx'),
  );
  await loadAbsenceTexts('planner');
  return Loaded;
});

const DeleteShiftDialog = lazyComponent(() =>
  importWithRetry(() => import('../shifts/DeleteShiftDialog.tsx')).then((module) => module.DeleteShiftDialog),
);
const CopyWeekDialog = lazyComponent(() =>
  importWithRetry(() => import('../shifts/CopyWeekDialog.tsx')).then((module) => module.CopyWeekDialog),
);

export function AdminSchedulePage() {
  useLiveShifts();
  const search = usePageSearch('adminSchedule');
  const navigate = useNavigate();
  const monday = mondayOf(search.week);
  const editing = useDialogState<{ shift: Shift | null; start: NewShift }>();
  const deleting = useDialogState<Shift>();
  const absent = useDialogState<{ absence: Absence | null }>();
  const copying = useDialogState<string>();
  const change = (next: ScheduleSearch) =>
    void navigate({
      to: '/admin/schedule',
      search: { ...search, pages: undefined, ...next },
      replace: replacesHistory(next),
      resetScroll: false,
    });
  const showWeek = (day: string) => change({ week: mondayOf(day) === mondayOf(undefined) ? undefined : mondayOf(day) });
  const add = (day: string, driverId?: string) => editing.show({ shift: null, start: { day, driverId } });
  /** Today if it is in the shown week, otherwise the week's first day. */
  const defaultDay = mondayOf(localDay()) === monday ? localDay() : monday;

  return (
    <AdminPage>
      <PageTitle
        title="Schedule"
        subtitle="Who drives when, and who is on duty"
        actions={
          <>
            <span className="contents max-sm:[&>button]:grow">
              <Button
                variant="secondary"
                icon={<Copy aria-hidden="true" className="size-4" />}
                onClick={() => copying.show(monday)}
              >
                Copy Week
              </Button>
              <Button
                variant="secondary"
                icon={<CalendarOff aria-hidden="true" className="size-4" />}
                onClick={() => absent.show({ absence: null })}
              >
                Add Absence
              </Button>
            </span>
            <span className="max-sm:w-full max-sm:[&_button]:w-full">
              <Button
                aria-keyshortcuts="c"
                icon={<CalendarPlus aria-hidden="true" className="size-4" />}
                onClick={() => add(defaultDay)}
              >
                Add Shift
              </Button>
            </span>
          </>
        }
      />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-center gap-1 max-sm:-mr-3 max-sm:grow sm:-ml-3">
          <IconButton
            label="Previous week"
            icon={<ChevronLeft aria-hidden="true" />}
            onClick={() => showWeek(addDays(monday, -7))}
          />
          <IconButton
            label="Next week"
            icon={<ChevronRight aria-hidden="true" />}
            onClick={() => showWeek(addDays(monday, 7))}
          />
          <h2
            aria-live="polite"
            className="px-2 text-body font-semibold figures max-sm:order-first max-sm:grow max-sm:px-0"
          >
            {formatWeek(monday)}
          </h2>
          {monday !== mondayOf(undefined) && (
            <Button variant="ghost" size="sm" onClick={() => change({ week: undefined })}>
              This week
            </Button>
          )}
        </div>
        <search className="w-full sm:w-64 md:pointer-fine:[&_input]:min-h-9 md:pointer-fine:[&_input]:text-ui">
          <SearchInput
            label="Search drivers"
            placeholder="Search drivers..."
            value={search.q ?? ''}
            onSearch={(q) => change({ q: q || undefined })}
          />
        </search>
      </div>
      <Week
        monday={monday}
        q={search.q}
        pages={search.pages}
        onPages={(pages) => change({ pages })}
        onClearSearch={() => change({ q: undefined })}
        onAdd={add}
        onEdit={(shift) => editing.show({ shift, start: { day: monday } })}
        onEditAbsence={(absence) => absent.show({ absence })}
      />
      {editing.shown && (
        <ShiftDialog
          key={`edit ${editing.opening}`}
          {...editing.shown}
          open={editing.open}
          onClose={editing.close}
          onDelete={(shift) => {
            editing.close();
            deleting.show(shift);
          }}
        />
      )}
      {deleting.shown && (
        <DeleteShiftDialog
          key={`delete ${deleting.opening}`}
          shift={deleting.shown}
          open={deleting.open}
          onClose={deleting.close}
        />
      )}
      {absent.shown && (
        <AbsenceDialog
          key={`absence ${absent.opening}`}
          absence={absent.shown.absence}
          start={{ day: defaultDay }}
          open={absent.open}
          onClose={absent.close}
        />
      )}
      {copying.shown && (
        <CopyWeekDialog
          key={`copy ${copying.opening}`}
          monday={copying.shown}
          open={copying.open}
          onClose={copying.close}
          onShow={showWeek}
        />
      )}
    </AdminPage>
  );
}

interface WeekProps {
  monday: string;
  q: string | undefined;
  pages: number | undefined;
  onPages: (pages: number) => void;
  onClearSearch: () => void;
  onAdd: (day: string, driverId?: string) => void;
  onEdit: (shift: Shift) => void;
  onEditAbsence: (absence: Absence) => void;
}

function Week({ monday, q, pages, onPages, onClearSearch, onAdd, onEdit, onEditAbsence }: WeekProps) {
  const drivers = useInfiniteQuery(driverRowsQuery(q));
  const more = usePages(drivers, pages, onPages);
  const shifts = useQuery(weekQuery(monday));
  const absences = useQuery(weekAbsencesQuery(monday));
  const mayManageUsers = useCan({ permissions: ['admin.manage_users'] });
  const pending = useDelayedPending(drivers.isPending || shifts.isPending || absences.isPending);
  const failed = [drivers, shifts, absences].find(({ data, isError }) => isError && data === undefined);
  if (pending && !failed) {
    return (
      <Card>
        <SkeletonGroup label="Loading shifts">
          <div className="flex flex-col gap-3">
            {['a', 'b', 'c', 'd', 'e'].map((name) => (
              <Skeleton key={name} height="h-14" />
            ))}
          </div>
        </SkeletonGroup>
      </Card>
    );
  }
  if (failed || !drivers.data || !shifts.data || !absences.data) {
    return (
      <Card>
        <ErrorState
          title="The schedule could not be loaded"
          message={failed?.error?.message ?? 'An error occurred'}
          requestId={failed?.error instanceof ApiError ? failed.error.requestId : null}
          retrying={drivers.isFetching || shifts.isFetching || absences.isFetching}
          onRetry={() => {
            void drivers.refetch();
            void shifts.refetch();
            void absences.refetch();
          }}
        />
      </Card>
    );
  }
  const loadedDrivers = drivers.data.pages.flatMap((page) => page.items);
  const rows = rowsOf(loadedDrivers, shifts.data, !q && !drivers.hasNextPage);
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState
          drawing={<ParcelDrawing kind="missing" />}
          title={q ? 'No drivers found' : 'There are no drivers yet'}
          description={q ? undefined : 'Drivers appear here when they have an account.'}
          action={
            q ? (
              <Button variant="secondary" onClick={onClearSearch}>
                Clear Search
              </Button>
            ) : (
              mayManageUsers && <LinkButton href="/admin/users">Manage Users</LinkButton>
            )
          }
        />
      </Card>
    );
  }
  const shown = { monday, rows, shifts: shifts.data, absences: absences.data, onAdd, onEdit, onEditAbsence };
  return (
    <Card flush>
      <div ref={reachableWhenScrolling} className="@container overflow-x-auto max-md:hidden">
        <WeekTable {...shown} />
      </div>
      <div className="md:hidden">
        <WeekDays {...shown} />
      </div>
      {drivers.hasNextPage && <LoadMore shown={loadedDrivers.length} {...more} />}
    </Card>
  );
}
