import { Select } from '../ui/Select.tsx';
import { dateOptions, dateRanges, type DateRange } from './filters.ts';

interface DateSelectProps {
  /** What the date is of. */
  label: string;
  /** Undefined for all time. */
  value: DateRange | undefined;
  onSearch: (change: { date: DateRange | undefined }) => void;
}

/** Since when. */
export function DateSelect({ label, value, onSearch }: DateSelectProps) {
  return (
    <Select
      aria-label={label}
      options={dateOptions}
      value={value ?? 'all'}
      onValueChange={(chosen) => onSearch({ date: dateRanges.find((range) => range === chosen) })}
    />
  );
}
