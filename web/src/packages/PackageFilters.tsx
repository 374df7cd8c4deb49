import { FilterX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { DensityButton } from '../ui/DensityButton.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { Select } from '../ui/Select.tsx';
import { tellHiddenEnds } from '../ui/scrollable.ts';
import { DateSelect } from './DateSelect.tsx';
import { isFiltered } from './filters.ts';
import { statusFilters } from './search.ts';
import type { PackageSearch } from './search.ts';
import { TroubleFilters } from './TroubleFilters.tsx';

const statusOptions = [
  { value: 'all', label: 'All Statuses' },
  { value: 'processing', label: 'Processing' },
  { value: 'in transit', label: 'Out for Delivery' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'inactive', label: 'Deleted' },
] as const;

/** Set by its card only; the dropdown lists it only while it is selected. */
const activeOption = { value: 'active', label: 'Active' } as const;

interface PackageFiltersProps {
  search: PackageSearch;
  onSearch: (change: PackageSearch) => void;
  onClear: () => void;
  /** There are no packages yet: none in trouble, and no rows. */
  isNew: boolean;
  /** Beside the search: the scanner. */
  scan: ReactNode;
}

export function PackageFilters({ search, onSearch, onClear, isNew, scan }: PackageFiltersProps) {
  return (
    <FilterBar
      label="Search packages"
      placeholder="Search by name or status"
      q={search.q}
      onSearch={onSearch}
      beside={scan}
    >
      <div ref={tellHiddenEnds} className="filter-line fading-ends sm:contents">
        <div className="flex gap-2">
          <Select
            aria-label="Status"
            options={search.status === 'active' ? [...statusOptions, activeOption] : statusOptions}
            value={search.status ?? 'all'}
            onValueChange={(value) => onSearch({ status: statusFilters.find((status) => status === value) })}
          />
          <DateSelect label="Last update" value={search.date} onSearch={onSearch} />
        </div>
        {!isNew && <TroubleFilters search={search} onSearch={onSearch} />}
        {isFiltered(search) && (
          <span className="max-sm:order-first">
            <Button variant="ghost" icon={<FilterX aria-hidden="true" className="size-4" />} onClick={onClear}>
              Clear Filter
            </Button>
          </span>
        )}
      </div>
      {!isNew && (
        <span className="ml-auto max-md:hidden">
          <DensityButton />
        </span>
      )}
    </FilterBar>
  );
}
