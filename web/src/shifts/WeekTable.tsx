import type { Absence, Shift } from '@waybill/contract';
import { Plus } from 'lucide-react';
import { localDay } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { AbsenceChip } from './AbsenceChip.tsx';
import { moveByArrows } from './grid-navigation.ts';
import { DutyBadge } from './DutyBadge.tsx';
import type { ScheduleRow } from './schedule-rows.ts';
import { ShiftChip } from './ShiftChip.tsx';
import { dayOf, daysOf, formatHead } from './week.ts';

export interface WeekProps {
  monday: string;
  rows: readonly ScheduleRow[];
  shifts: readonly Shift[];
  absences: readonly Absence[];
  onAdd: (day: string, driverId?: string) => void;
  onEdit: (shift: Shift) => void;
  onEditAbsence: (absence: Absence) => void;
}

/** Those of a driver that include a day: one at most. */
export const absenceOn = (absences: readonly Absence[] | undefined, day: string): Absence[] =>
  (absences ?? []).filter(({ from, to }) => from <= day && day <= to);

/** The names stay where the days scroll sideways. */
const pinned = 'max-lg:sticky max-lg:left-0 max-lg:z-10';

/** Today is seen first where the week is wider than its box: when it is shown, and whenever the width of the box changes. */
function scrollIntoRow(head: HTMLTableCellElement) {
  const row = head.closest('table')?.parentElement;
  const names = head.parentElement?.firstElementChild;
  let width = 0;
  const sizes = new ResizeObserver(() => {
    if (!row || !names || row.clientWidth === width) return;
    width = row.clientWidth;
    row.scrollLeft = head.offsetLeft - names.clientWidth;
  });
  if (row) sizes.observe(row);
  return () => sizes.disconnect();
}

/** Grid of drivers by days. Arrow keys move between cells, Tab within them. */
export function WeekTable({ monday, rows, shifts, absences, onAdd, onEdit, onEditAbsence }: WeekProps) {
  const days = daysOf(monday);
  const today = localDay();
  const byCell = Map.groupBy(shifts, (shift) => `${shift.driverId} ${dayOf(shift, monday)}`);
  const absencesOf = Map.groupBy(absences, ({ driverId }) => driverId);
  const shiftsIn = ({ id }: ScheduleRow, day: string) => byCell.get(`${id} ${day}`) ?? [];
  return (
    <table
      aria-label="Shifts of the week"
      // Where it scrolls, whole days fit beside the names, so that neither end cuts one.
      className="w-full table-fixed border-collapse text-left [--fitting:4] @min-[50rem]:[--fitting:5] max-lg:w-[calc(11rem+7*(100cqw-11rem)/var(--fitting))]"
    >
      <thead>
        <tr className="border-b border-line text-table text-ink-3">
          <th
            scope="col"
            className={classes(pinned, 'w-52 rounded-tl-card bg-surface px-5 py-3 font-medium max-lg:w-44 max-lg:px-3')}
          >
            Driver
          </th>
          {days.map((day) => (
            <th
              key={day}
              scope="col"
              ref={day === today ? scrollIntoRow : undefined}
              aria-current={day === today ? 'date' : undefined}
              className={classes('px-1.5 py-3 font-medium', day === today && 'text-brand')}
            >
              {formatHead(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <tr key={row.id} className={classes(!row.active && 'bg-sunken')}>
            <th
              scope="row"
              className={classes(
                pinned,
                'px-5 py-3 align-top text-ui font-medium in-last:rounded-bl-card max-lg:px-3',
                row.active ? 'bg-surface' : 'bg-sunken',
              )}
            >
              <span className={classes('block wrap-anywhere', !row.active && 'text-ink-3')}>{row.name}</span>
              <span className="mt-1 block">
                {row.active ? (
                  <DutyBadge onDuty={row.onDuty} until={row.until} absence={row.absence} />
                ) : (
                  <span className="text-table font-normal text-ink-3">Not active</span>
                )}
              </span>
            </th>
            {days.map((day) => (
              <td key={day} className={classes('p-1.5 align-top', day === today && 'bg-brand-soft/60')}>
                <div className="flex flex-col gap-1">
                  {absenceOn(absencesOf.get(row.id), day).map((absence) => (
                    <AbsenceChip key={absence.id} absence={absence} day={day} onEdit={onEditAbsence} />
                  ))}
                  {shiftsIn(row, day).map((shift) => (
                    <ShiftChip key={shift.id} shift={shift} day={day} onEdit={onEdit} />
                  ))}
                  {row.active && (
                    <button
                      type="button"
                      data-in-grid
                      onKeyDown={moveByArrows}
                      onClick={() => onAdd(day, row.id)}
                      aria-label={`Add a shift: ${row.name}, ${formatHead(day)}`}
                      className={classes(
                        'flex w-full items-center justify-center rounded-control text-ink-3 transition-colors hover:bg-sunken hover:text-ink',
                        shiftsIn(row, day).length > 0 ? 'min-h-6' : 'min-h-14',
                      )}
                    >
                      <Plus aria-hidden="true" className="size-4 opacity-60" />
                    </button>
                  )}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
