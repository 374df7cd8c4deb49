import { contactStatuses } from '@waybill/contract';
import { DateSelect } from '../packages/DateSelect.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { Select } from '../ui/Select.tsx';
import type { MessageSearch } from './search.ts';

const statusOptions = [
  { value: 'all', label: 'All Statuses' },
  ...contactStatuses.map((value) => ({ value, label: value })),
];

interface MessageFiltersProps {
  search: MessageSearch;
  onSearch: (change: MessageSearch) => void;
}

export function MessageFilters({ search, onSearch }: MessageFiltersProps) {
  return (
    <FilterBar label="Search messages" q={search.q} onSearch={onSearch}>
      <div className="pairs grow gap-2 sm:grow-0 sm:grid-cols-2">
        <Select
          aria-label="Status"
          options={statusOptions}
          value={search.status ?? 'all'}
          onValueChange={(value) => onSearch({ status: contactStatuses.find((status) => status === value) })}
        />
        <DateSelect label="When" value={search.date} onSearch={onSearch} />
      </div>
    </FilterBar>
  );
}
