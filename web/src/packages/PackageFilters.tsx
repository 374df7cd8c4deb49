import { FilterX } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Select } from '../ui/Select.tsx';
import { dateOptions, dateRanges, isFiltered, statusFilters } from './filters.ts';
import type { PackageSearch } from './filters.ts';

const statusOptions = [
  { value: 'all', label: 'All Statuses' },
  { value: 'processing', label: 'Processing' },
  { value: 'in transit', label: 'Out for Delivery' },
  { value: 'delivered', label: 'Delivered' },
] as const;

/** Chosen by its card alone; in the dropdown only while it is in force. */
const activeOption = { value: 'active', label: 'Active' } as const;

interface PackageFiltersProps {
  search: PackageSearch;
  onSearch: (change: PackageSearch) => void;
  onClear: () => void;
}

export function PackageFilters({ search, onSearch, onClear }: PackageFiltersProps) {
  return (
    <search className="flex flex-wrap items-center gap-3">
      <div className="min-w-full grow sm:min-w-64">
        <SearchInput
          label="Search packages"
          placeholder="Search by name or status"
          value={search.q ?? ''}
          onSearch={(q) => onSearch({ q: q || undefined })}
        />
      </div>
      <div className="pairs min-w-full grow gap-3 sm:min-w-0 sm:grow-0 sm:grid-cols-2">
        <Select
          aria-label="Status"
          options={search.status === 'active' ? [...statusOptions, activeOption] : statusOptions}
          value={search.status ?? 'all'}
          onValueChange={(value) => onSearch({ status: statusFilters.find((status) => status === value) })}
        />
        <Select
          aria-label="Last update"
          options={dateOptions}
          value={search.date ?? 'all'}
          onValueChange={(value) => onSearch({ date: dateRanges.find((range) => range === value) })}
        />
      </div>
      {isFiltered(search) && (
        <Button variant="ghost" icon={<FilterX aria-hidden="true" className="size-4" />} onClick={onClear}>
          Clear Filter
        </Button>
      )}
    </search>
  );
}
