import { ChevronRight, Plus } from 'lucide-react';
import { localDay } from '../platform/formats.ts';
import { Badge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { AbsenceChip } from './AbsenceChip.tsx';
import { ShiftChip } from './ShiftChip.tsx';
import { dayOf, daysOf, formatHead } from './week.ts';
import { absenceOn } from './WeekTable.tsx';
import type { WeekProps } from './WeekTable.tsx';

/** The week on phones: day by day. Days of this week that are over are folded, so that today is in sight. */
export function WeekDays(props: WeekProps) {
  const { monday, shifts } = props;
  const days = daysOf(monday);
  const today = localDay();
  // A night shift is listed on the day on which it began.
  const running = new Set(shifts.filter(({ onDuty }) => onDuty).map((shift) => dayOf(shift, monday)));
  const over = days.includes(today) ? days.findIndex((day) => day === today || running.has(day)) : 0;
  return (
    <>
      {over > 0 && (
        <details className="group border-b border-line">
          <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 px-5 text-ui text-ink-2 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
            <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
            Earlier this week
          </summary>
          <DayList label="Shifts earlier this week" days={days.slice(0, over)} {...props} />
        </details>
      )}
      <DayList label="Shifts of the week" days={days.slice(over)} {...props} />
    </>
  );
}

interface DayListProps extends WeekProps {
  label: string;
  days: readonly string[];
}

function DayList({ label, days, monday, rows, shifts, absences, onAdd, onEdit, onEditAbsence }: DayListProps) {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const byDay = Map.groupBy(
    shifts.filter(({ driverId }) => names.has(driverId)),
    (shift) => dayOf(shift, monday),
  );
  const absencesOn = (day: string) => absenceOn(absences, day).filter(({ driverId }) => names.has(driverId));
  return (
    <ol aria-label={label} className="divide-y divide-line group-open:border-t group-open:border-line">
      {days.map((day) => (
        <li key={day} className="px-5 py-3">
          <div className="flex items-center justify-between gap-3">
            <h3 className="flex items-center gap-2 text-ui font-semibold">
              {formatHead(day)}
              {day === localDay() && <Badge tone="blue">Today</Badge>}
            </h3>
            <span className="-mr-3">
              <IconButton
                label={`Add a shift: ${formatHead(day)}`}
                icon={<Plus aria-hidden="true" />}
                onClick={() => onAdd(day)}
              />
            </span>
          </div>
          <ul className="flex flex-col gap-2 pb-1">
            {absencesOn(day).map((absence) => (
              <li key={absence.id} className="flex flex-col gap-1">
                <span className="text-table text-ink-2 wrap-anywhere">{names.get(absence.driverId)}</span>
                <AbsenceChip absence={absence} day={day} onEdit={onEditAbsence} />
              </li>
            ))}
            {(byDay.get(day) ?? []).map((shift) => (
              <li key={shift.id} className="flex flex-col gap-1">
                <span className="text-table text-ink-2 wrap-anywhere">{names.get(shift.driverId)}</span>
                <ShiftChip shift={shift} day={day} onEdit={onEdit} />
              </li>
            ))}
            {!byDay.has(day) && absencesOn(day).length === 0 && <li className="text-table text-ink-3">No shifts</li>}
          </ul>
        </li>
      ))}
    </ol>
  );
}
