import type { ReactNode } from 'react';
import { SearchInput } from './SearchInput.tsx';

interface FilterBarProps {
  /** The label of the search field: 'Search users'. */
  label: string;
  placeholder?: string;
  /** The current search text; undefined without a search. */
  q: string | undefined;
  onSearch: (change: { q: string | undefined }) => void;
  /** Further filters. */
  children: ReactNode;
}

/** Search field and filters above a list. */
export function FilterBar({ label, placeholder = `${label}...`, q = '', onSearch, children }: FilterBarProps) {
  return (
    <search className="flex flex-wrap items-center gap-3">
      <div className="min-w-full grow sm:min-w-64">
        <SearchInput
          label={label}
          placeholder={placeholder}
          value={q}
          onSearch={(text) => onSearch({ q: text || undefined })}
        />
      </div>
      {children}
    </search>
  );
}
