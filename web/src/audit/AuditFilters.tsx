import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Select } from '../ui/Select.tsx';
import type { AuditSearch } from './search.ts';
import { actTexts, isAct } from './audit-texts.ts';

const actOptions = [
  { value: 'all', label: 'All Acts' },
  ...Object.entries(actTexts).map(([value, label]) => ({ value, label })),
];

interface AuditFiltersProps {
  search: AuditSearch;
  onSearch: (change: AuditSearch) => void;
}

/** Filters of the audit log and of contact views: person, act or package, and days. */
export function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  const contacts = search.tab === 'contacts';
  return (
    <search className="grid grid-cols-2 items-end gap-3 max-sm:[&>:nth-child(-n+2)]:col-span-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1.5fr)_minmax(10rem,1fr)_minmax(10rem,1fr)] md:pointer-fine:[&_:is(input,select)]:min-h-9 md:pointer-fine:[&_:is(input,select)]:text-ui">
      <Field label={contacts ? 'Seen by' : 'Person'}>
        <SearchInput
          label={contacts ? 'Seen by' : 'Person'}
          placeholder="Name or email address..."
          value={search.q ?? ''}
          onSearch={(text) => onSearch({ q: text || undefined })}
        />
      </Field>
      {contacts ? (
        <Field label="Package">
          <SearchInput
            label="Package"
            placeholder="Tracking ID..."
            value={search.package ?? ''}
            onSearch={(text) => onSearch({ package: text || undefined })}
          />
        </Field>
      ) : (
        <Field label="Act">
          <Select
            options={actOptions}
            value={search.act !== undefined && isAct(search.act) ? search.act : 'all'}
            onValueChange={(act) => onSearch({ act: isAct(act) ? act : undefined })}
          />
        </Field>
      )}
      <Field label="From">
        <Input
          type="date"
          max={search.to ?? '9999-12-31'}
          value={search.from ?? ''}
          onChange={(event) => onSearch({ from: event.target.value || undefined })}
        />
      </Field>
      <Field label="To">
        <Input
          type="date"
          min={search.from}
          max="9999-12-31"
          value={search.to ?? ''}
          onChange={(event) => onSearch({ to: event.target.value || undefined })}
        />
      </Field>
    </search>
  );
}
