import { contactStatuses } from '@waybill/contract';
import { dateOptions, dateRanges } from '../packages/filters.ts';
import { Card } from '../ui/Card.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Select } from '../ui/Select.tsx';
import type { MessageSearch } from './queries.ts';

const statusOptions = [
  { value: 'all', label: 'All Status' },
  ...contactStatuses.map((value) => ({ value, label: value })),
];

interface MessageFiltersProps {
  search: MessageSearch;
  onSearch: (change: MessageSearch) => void;
}

export function MessageFilters({ search, onSearch }: MessageFiltersProps) {
  return (
    <Card>
      <search className="flex flex-wrap items-center gap-3">
        <div className="min-w-full grow sm:min-w-64">
          <SearchInput
            label="Search messages"
            placeholder="Search messages..."
            value={search.q ?? ''}
            onSearch={(q) => onSearch({ q: q || undefined })}
          />
        </div>
        <div className="pairs grow gap-3 sm:grow-0 sm:grid-cols-2">
          <Select
            aria-label="Status"
            options={statusOptions}
            value={search.status ?? 'all'}
            onValueChange={(value) => onSearch({ status: contactStatuses.find((status) => status === value) })}
          />
          <Select
            aria-label="When"
            options={dateOptions}
            value={search.date ?? 'all'}
            onValueChange={(value) => onSearch({ date: dateRanges.find((range) => range === value) })}
          />
        </div>
      </search>
    </Card>
  );
}
