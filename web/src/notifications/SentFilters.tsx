import { notificationKinds, sentStates } from '@waybill/contract';
import { dateOptions, dateRanges } from '../packages/filters.ts';
import { Card } from '../ui/Card.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Select } from '../ui/Select.tsx';
import { kindTexts } from './kinds.ts';
import type { AdminNotificationSearch } from './search.ts';
import { sentLooks } from './sent-looks.ts';

const stateOptions = [
  { value: 'all', label: 'All States' },
  ...sentStates.map((value) => ({ value, label: sentLooks[value].label })),
];
const kindOptions = [
  { value: 'all', label: 'All Kinds' },
  ...notificationKinds.map((value) => ({ value, label: kindTexts[value].label })),
];

interface SentFiltersProps {
  search: AdminNotificationSearch;
  onSearch: (change: AdminNotificationSearch) => void;
}

export function SentFilters({ search, onSearch }: SentFiltersProps) {
  return (
    <Card>
      <search className="flex flex-wrap items-center gap-3">
        <div className="min-w-full grow sm:min-w-64">
          <SearchInput
            label="Search recipients"
            placeholder="Search recipients..."
            value={search.q ?? ''}
            onSearch={(q) => onSearch({ q: q || undefined })}
          />
        </div>
        <div className="pairs grow gap-3 sm:grid-cols-3 lg:grow-0">
          <Select
            aria-label="State"
            options={stateOptions}
            value={search.state ?? 'all'}
            onValueChange={(value) => onSearch({ state: sentStates.find((state) => state === value) })}
          />
          <Select
            aria-label="Kind"
            options={kindOptions}
            value={search.kind ?? 'all'}
            onValueChange={(value) => onSearch({ kind: notificationKinds.find((kind) => kind === value) })}
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
