import type { Shift } from '@waybill/contract';
import { classes } from '../ui/classes.ts';
import { moveByArrows } from './grid-navigation.ts';
import { formatHead, crossesMidnight, timeOf } from './week.ts';
import { localDay } from '../platform/formats.ts';

interface ShiftChipProps {
  shift: Shift;
  /** The day of its cell. */
  day: string;
  onEdit: (shift: Shift) => void;
}

/** A shift in a cell: its times, and the other day where it crosses midnight. */
export function ShiftChip({ shift, day, onEdit }: ShiftChipProps) {
  const startDay = localDay(new Date(shift.startsAt));
  const isWorked = shift.driverActive && shift.absence === null;
  return (
    <button
      type="button"
      data-in-grid
      onKeyDown={moveByArrows}
      onClick={() => onEdit(shift)}
      title={shift.note ?? undefined}
      className={classes(
        'block w-full rounded-control border px-2 py-1.5 text-left transition-colors hover:border-current md:max-lg:px-1',
        shift.onDuty && 'border-transparent bg-green-bg text-green-ink',
        !shift.onDuty && isWorked && 'border-transparent bg-blue-bg text-blue-ink',
        !isWorked && 'border-dashed border-control bg-grey-bg text-grey-ink',
      )}
    >
      <span className="sr-only">
        Edit shift: {shift.driver ?? 'Deleted driver'}, {formatHead(startDay)},{' '}
      </span>
      <span
        className={classes('block text-meta font-medium figures whitespace-nowrap', shift.absence && 'line-through')}
      >
        {timeOf(shift.startsAt)} – {timeOf(shift.endsAt)}
      </span>
      {shift.absence && <span className="block text-meta">Not worked</span>}
      {shift.onDuty && <span className="sr-only">on duty now</span>}
      {startDay < day && <span className="block truncate text-meta">from {formatHead(startDay)}</span>}
      {startDay >= day && crossesMidnight(shift, day) && (
        <span className="block truncate text-meta">into {formatHead(localDay(new Date(shift.endsAt)))}</span>
      )}
      {shift.note && <span className="mt-0.5 block truncate text-meta">{shift.note}</span>}
    </button>
  );
}
