import type { Absence } from '@waybill/contract';
import { CalendarOff } from 'lucide-react';
import { absenceWords } from './absence-words.ts';
import { moveByArrows } from './grid-navigation.ts';
import { formatHead } from './week.ts';

interface AbsenceChipProps {
  absence: Absence;
  /** The day of its cell. */
  day: string;
  onEdit: (absence: Absence) => void;
}

/** One day of an absence in a cell. */
export function AbsenceChip({ absence, day, onEdit }: AbsenceChipProps) {
  const { kind, driver, note } = absence;
  return (
    <button
      type="button"
      data-in-grid
      onKeyDown={moveByArrows}
      onClick={() => onEdit(absence)}
      title={note ?? undefined}
      className="flex w-full items-center gap-1.5 rounded-control border border-transparent bg-yellow-bg px-2 py-1.5 text-left text-meta font-medium text-yellow-ink transition-colors hover:border-current"
    >
      <CalendarOff aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only">
        Edit absence: {driver ?? 'Deleted driver'}, {formatHead(day)},{' '}
      </span>
      <span className="truncate">{absenceWords[kind]}</span>
    </button>
  );
}
