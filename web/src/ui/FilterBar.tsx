import type { ReactNode } from 'react';
import { SearchInput } from './SearchInput.tsx';

interface FilterBarProps {
  /** Names the field: 'Search users'. */
  label: string;
  placeholder?: string;
  /** What is searched for now; undefined for nothing. */
  q: string | undefined;
  onSearch: (change: { q: string | undefined }) => void;
  /** What narrows the list further. */
  children: ReactNode;
}

/** What stands above a list to find something in it. */
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
