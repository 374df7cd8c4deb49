import { channelNames, notificationKinds, sentStates } from '@waybill/contract';
import { DateSelect } from '../packages/DateSelect.tsx';
import { DensityButton } from '../ui/DensityButton.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { Select } from '../ui/Select.tsx';
import { channelTexts } from './channel-texts.ts';
import { nameOfNotificationKind } from './kinds.ts';
import type { AdminNotificationSearch } from './search.ts';
import { deliveryStatusStyles } from './delivery-status-styles.ts';

const stateOptions = [
  { value: 'all', label: 'All States' },
  ...sentStates.map((value) => ({ value, label: deliveryStatusStyles[value].label })),
];
const channelOptions = [
  { value: 'all', label: 'All Channels' },
  ...channelNames.map((value) => ({ value, label: channelTexts[value].label })),
];
const kindOptions = () => [
  { value: 'all', label: 'All Kinds' },
  ...notificationKinds.map((value) => ({ value, label: nameOfNotificationKind(value) })),
];

interface SentFiltersProps {
  search: AdminNotificationSearch;
  onSearch: (change: AdminNotificationSearch) => void;
}

export function SentFilters({ search, onSearch }: SentFiltersProps) {
  return (
    <FilterBar label="Search recipients" q={search.q} onSearch={onSearch}>
      <div className="pairs min-w-full grow gap-2 sm:flex sm:min-w-0 sm:grow-0">
        <Select
          aria-label="State"
          options={stateOptions}
          value={search.state ?? 'all'}
          onValueChange={(value) => onSearch({ state: sentStates.find((state) => state === value) })}
        />
        <Select
          aria-label="Channel"
          options={channelOptions}
          value={search.channel ?? 'all'}
          onValueChange={(value) => onSearch({ channel: channelNames.find((channel) => channel === value) })}
        />
        {/* Not as wide as its longest option, so that all filters have room beside a panel. */}
        <span className="min-w-0 md:w-40">
          <Select
            aria-label="Kind"
            options={kindOptions()}
            value={search.kind ?? 'all'}
            onValueChange={(value) => onSearch({ kind: notificationKinds.find((kind) => kind === value) })}
          />
        </span>
        <DateSelect label="When" value={search.date} onSearch={onSearch} />
      </div>
      <span className="ml-auto max-md:hidden">
        <DensityButton />
      </span>
    </FilterBar>
  );
}
