import { useState } from 'react';
import { Funnel, X } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Select } from '../ui/Select.tsx';
import { formatShortDay } from '../platform/formats.ts';
import { kilogramsOf } from './checked-search.ts';
import type { CheckedSearch } from './checked-search.ts';
import { FilterText } from './FilterText.tsx';

const any = 'any';
const windowOptions = [
  { value: any, label: 'Any window' },
  { value: 'morning', label: 'Morning (before 12)' },
  { value: 'afternoon', label: 'Afternoon (12 to 17)' },
  { value: 'evening', label: 'Evening (from 17)' },
  { value: 'none', label: 'Without a window' },
] as const;
const attemptOptions = [
  { value: any, label: 'Any number' },
  { value: '0', label: 'None yet' },
  { value: '1', label: 'At least one' },
  { value: '2', label: 'Two or more' },
] as const;

const weightInput = { type: 'number', inputMode: 'decimal', min: 0, max: 999, step: 'any' } as const;

function weightText(from: string | undefined, to: string | undefined): string {
  if (from && to) return `${from} to ${to} kg`;
  return from ? `From ${from} kg` : `Up to ${to} kg`;
}

type Change = (next: Partial<CheckedSearch>) => void;

interface WaitingFiltersProps {
  day: string;
  search: CheckedSearch;
  ownerName: string | null;
  onSearch: Change;
}

/** The filters of what waits. All of them are in the URL; those in force are chips that take them off. */
export function WaitingFilters({ day, search, ownerName, onSearch }: WaitingFiltersProps) {
  const [open, setOpen] = useState(false);
  const chips: [string, Partial<CheckedSearch>][] = [
    ...(search.due ? ([[`Due by ${formatShortDay(day)}`, { due: undefined }]] as const) : []),
    ...(search.place ? ([[`Place ${search.place}`, { place: undefined }]] as const) : []),
    ...(search.window
      ? ([[windowOptions.find(({ value }) => value === search.window)?.label ?? '', { window: undefined }]] as const)
      : []),
    ...(search.owner ? ([[ownerName ?? 'One owner', { owner: undefined }]] as const) : []),
    ...(search.ownedBy ? ([[`Owner ${search.ownedBy}`, { ownedBy: undefined }]] as const) : []),
    ...(search.kgFrom || search.kgTo
      ? ([[weightText(search.kgFrom, search.kgTo), { kgFrom: undefined, kgTo: undefined }]] as const)
      : []),
    ...(search.reference ? ([[`Reference ${search.reference}`, { reference: undefined }]] as const) : []),
    ...(search.attempts
      ? ([
          [
            `Attempts: ${attemptOptions.find(({ value }) => value === search.attempts)?.label.toLowerCase()}`,
            { attempts: undefined },
          ],
        ] as const)
      : []),
  ].map(([label, off]) => [label, off]);
  return (
    <div className="flex flex-col gap-2 border-b border-line px-4 py-2">
      <div className="flex items-center gap-2">
        <search className="min-w-0 grow md:pointer-fine:[&_input]:min-h-9 md:pointer-fine:[&_input]:text-ui">
          <SearchInput
            label="Search what waits"
            placeholder="Name, street, ID..."
            value={search.q ?? ''}
            onSearch={(q) => onSearch({ q: q || undefined })}
          />
        </search>
        <span className="[&_button]:min-h-11 md:pointer-fine:[&_button]:min-h-9">
          <Button
            variant="secondary"
            size="sm"
            icon={<Funnel aria-hidden="true" className="size-4" />}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            Filter
          </Button>
        </span>
      </div>
      {chips.length > 0 && (
        <ul aria-label="Filters in force" className="flex flex-wrap gap-1.5">
          {chips.map(([label, off]) => (
            <li key={label}>
              <button
                type="button"
                aria-label={`${label}: remove this filter`}
                onClick={() => onSearch(off)}
                className="inline-flex min-h-7 items-center gap-1 rounded-control border border-brand bg-brand-soft px-2 text-meta font-medium text-brand pointer-coarse:min-h-11"
              >
                {label}
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {open && (
        <div className="grid grid-cols-2 gap-3 pb-1">
          <Field label="Postcode or town">
            <FilterText value={search.place} placeholder="227" onFilter={(place) => onSearch({ place })} />
          </Field>
          <Field label="Reference">
            <FilterText value={search.reference} onFilter={(reference) => onSearch({ reference })} />
          </Field>
          <Field label="Owner">
            <FilterText
              value={search.ownedBy}
              placeholder="A part of the name"
              onFilter={(ownedBy) => onSearch({ ownedBy })}
            />
          </Field>
          <div className="grid grid-cols-2 gap-2">
            <Field label="From kg">
              <FilterText
                {...weightInput}
                value={search.kgFrom}
                parse={kilogramsOf}
                onFilter={(kgFrom) => onSearch({ kgFrom })}
              />
            </Field>
            <Field label="To kg">
              <FilterText
                {...weightInput}
                value={search.kgTo}
                parse={kilogramsOf}
                onFilter={(kgTo) => onSearch({ kgTo })}
              />
            </Field>
          </div>
          <Field label="Window">
            <Select
              options={windowOptions}
              value={search.window ?? any}
              onValueChange={(window) => onSearch({ window: window === any ? undefined : window })}
            />
          </Field>
          <Field label="Failed attempts">
            <Select
              options={attemptOptions}
              value={search.attempts ?? any}
              onValueChange={(attempts) => onSearch({ attempts: attempts === any ? undefined : attempts })}
            />
          </Field>
          <Field label="Day">
            <Select
              options={[
                { value: any, label: 'Any day' },
                { value: 'day', label: `Due by ${formatShortDay(day)}` },
              ]}
              value={search.due ?? any}
              onValueChange={(due) => onSearch({ due: due === 'day' ? 'day' : undefined })}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
