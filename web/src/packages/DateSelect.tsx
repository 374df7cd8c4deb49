import { Select } from '../ui/Select.tsx';
import { dateOptions } from './filters.ts';
import { dateRanges } from './search.ts';
import type { DateRange } from './search.ts';

interface DateSelectProps {
  /** Which date is filtered, such as 'Last update'. */
  label: string;
  /** Undefined: all time. */
  value: DateRange | undefined;
  onSearch: (change: { date: DateRange | undefined }) => void;
}

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
