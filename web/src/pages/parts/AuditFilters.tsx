import { useState } from 'react';
import { dateOptions } from '../../packages/filters.ts';
import { dateQuery } from '../../packages/search.ts';
import type { DateRange } from '../../packages/search.ts';
import { localDay } from '../../platform/formats.ts';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { Input } from '../../ui/Input.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';
import type { AuditSearch } from '../../audit/search.ts';
import { actTexts, isAct } from '../../audit/audit-texts.ts';

const actOptions = [
  { value: 'all', label: 'All Actions' },
  ...Object.entries(actTexts).map(([value, label]) => ({ value, label })),
];
const choosing = 'Choose days...';
const whenOptions = [...dateOptions, { value: choosing, label: choosing }];

const firstDayOf = (range: DateRange | 'all') => {
  const from = range === 'all' ? undefined : dateQuery(range).from;
  return from && localDay(new Date(from));
};

interface AuditFiltersProps {
  search: AuditSearch;
  onSearch: (change: AuditSearch) => void;
}

/** Filters of the audit log and of contact views: person, act or package, and days. */
export function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  const contacts = search.tab === 'contacts';
  return (
    <FilterBar
      label={contacts ? 'Seen by' : 'Person'}
      placeholder="Name or email address..."
      q={search.q}
      onSearch={onSearch}
    >
      <div className="pairs min-w-full grow gap-2 sm:flex sm:min-w-0 sm:grow-0">
        {contacts ? (
          <span className="min-w-0 md:w-48">
            <SearchInput
              label="Package"
              placeholder="Tracking ID..."
              value={search.package ?? ''}
              onSearch={(text) => onSearch({ package: text || undefined })}
            />
          </span>
        ) : (
          <span className="min-w-0 md:w-48">
            <Select
              aria-label="Action"
              options={actOptions}
              value={search.act !== undefined && isAct(search.act) ? search.act : 'all'}
              onValueChange={(act) => onSearch({ act: isAct(act) ? act : undefined })}
            />
          </span>
        )}
        <When from={search.from} to={search.to} onSearch={onSearch} />
      </div>
    </FilterBar>
  );
}

interface WhenProps {
  from: string | undefined;
  to: string | undefined;
  onSearch: (change: Pick<AuditSearch, 'from' | 'to'>) => void;
}

/** The last days, or any two: a day without the other is the first or the last. */
function When({ from, to, onSearch }: WhenProps) {
  const [choose, setChoose] = useState(false);
  const range = dateOptions.find(({ value }) => to === undefined && from === firstDayOf(value))?.value;
  const isChosen = choose || range === undefined;
  return (
    <>
      <Select
        aria-label="When"
        options={whenOptions}
        value={isChosen ? choosing : range}
        onValueChange={(value) => {
          const next = dateOptions.find((option) => option.value === value);
          setChoose(next === undefined);
          if (next) onSearch({ from: firstDayOf(next.value), to: undefined });
          else onSearch({ from: from ?? localDay(), to: localDay() });
        }}
      />
      {isChosen && (
        <>
          <Input
            type="date"
            aria-label="From"
            max={to ?? '9999-12-31'}
            value={from ?? ''}
            onChange={(event) => onSearch({ from: event.target.value || undefined })}
          />
          <Input
            type="date"
            aria-label="To"
            min={from}
            max="9999-12-31"
            value={to ?? ''}
            onChange={(event) => onSearch({ to: event.target.value || undefined })}
          />
        </>
      )}
    </>
  );
}
