import type { ReactNode } from 'react';
import { SearchInput } from './SearchInput.tsx';

interface FilterBarProps {
  /** The label of the search field: 'Search users'. */
  label: string;
  placeholder?: string;
  /** The current search text; undefined without a search. */
  q: string | undefined;
  onSearch: (change: { q: string | undefined }) => void;
  /** Right beside the search field. */
  beside?: ReactNode;
  /** Further filters. */
  children: ReactNode;
}

/** Search field and filters above a list. */
export function FilterBar({ label, placeholder = `${label}...`, q = '', onSearch, beside, children }: FilterBarProps) {
  return (
    // On wide screens its controls are as high as the rows below, and the field keeps its width when 'Clear Filter' appears.
    <search className="flex flex-wrap items-center gap-2 md:pointer-fine:[&_:is(input,select,button)]:min-h-9 md:pointer-fine:[&_:is(input,select)]:text-ui">
      <div className="flex min-w-full grow items-center gap-1 sm:min-w-56 md:w-72 md:min-w-0 md:grow-0 xl:w-80">
        <SearchInput
          label={label}
          placeholder={placeholder}
          value={q}
          onSearch={(text) => onSearch({ q: text || undefined })}
        />
        {beside}
      </div>
      {children}
    </search>
  );
}
