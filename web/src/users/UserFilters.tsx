import { roles, userStatuses } from '@waybill/contract';
import { Card } from '../ui/Card.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { Select } from '../ui/Select.tsx';
import type { UserSearch } from './filters.ts';

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
}

export function UserFilters({ search, onSearch }: UserFiltersProps) {
  return (
    <Card>
      <FilterBar label="Search users" q={search.q} onSearch={onSearch}>
        <div className="pairs grow gap-3 sm:grow-0 sm:grid-cols-2">
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
      </FilterBar>
    </Card>
  );
}
