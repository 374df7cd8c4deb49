import { roles, userStatuses } from '@waybill/contract';
import { FilterX } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { DensityButton } from '../ui/DensityButton.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { Select } from '../ui/Select.tsx';
import type { UserSearch } from './filters.ts';
import { isFiltered } from './is-filtered.ts';

const roleOptions = [
  { value: 'all', label: 'All Roles' },
  { value: 'admin', label: 'Admin' },
  { value: 'owner', label: 'Owner' },
  { value: 'driver', label: 'Driver' },
] as const;

const statusOptions = [
  { value: 'all', label: 'All Status' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'suspended', label: 'Suspended' },
] as const;

interface UserFiltersProps {
  search: UserSearch;
  onSearch: (change: UserSearch) => void;
  onClear: () => void;
}

export function UserFilters({ search, onSearch, onClear }: UserFiltersProps) {
  return (
    <FilterBar label="Search users" q={search.q} onSearch={onSearch}>
      <div className="pairs min-w-full grow gap-2 sm:flex sm:min-w-0 sm:grow-0">
        <Select
          aria-label="Role"
          options={roleOptions}
          value={search.role ?? 'all'}
          onValueChange={(value) => onSearch({ role: roles.find((role) => role === value) })}
        />
        <Select
          aria-label="Status"
          options={statusOptions}
          value={search.status ?? 'all'}
          onValueChange={(value) => onSearch({ status: userStatuses.find((status) => status === value) })}
        />
      </div>
      {isFiltered(search) && (
        <Button variant="ghost" icon={<FilterX aria-hidden="true" className="size-4" />} onClick={onClear}>
          Clear Filter
        </Button>
      )}
      <span className="ml-auto max-md:hidden">
        <DensityButton />
      </span>
    </FilterBar>
  );
}
