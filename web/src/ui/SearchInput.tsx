import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconButton } from './IconButton.tsx';
import { Input } from './Input.tsx';

const debounceMs = 250;

interface SearchInputProps {
  /** The current search text. */
  value: string;
  /** Called after a debounce of 250 ms, and at once on Enter. */
  onSearch: (text: string) => void;
  label: string;
  placeholder?: string;
}

/** A search field that searches while typing, without a button. */
export function SearchInput({ value, onSearch, label, placeholder }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const submitted = useRef(value);
  const input = useRef<HTMLInputElement>(null);
  const submit = useEffectEvent((text: string) => {
    submitted.current = text;
    onSearch(text);
  });

  // The value was changed from outside: by a button, or Back.
  useEffect(() => {
    if (value === submitted.current) return;
    submitted.current = value;
    setTyped(value);
  }, [value]);

  useEffect(() => {
    const text = typed.trim();
    if (text === submitted.current) return;
    const timer = setTimeout(() => submit(text), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <Input
      ref={input}
      type="text"
      role="searchbox"
      inputMode="search"
      enterKeyHint="search"
      autoComplete="off"
      maxLength={120}
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder ?? label}
      icon={<Search />}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') submit(typed.trim());
        if (event.key === 'Escape') setTyped('');
      }}
      end={
        typed !== '' && (
          <IconButton
            size="sm"
            label="Clear search"
            icon={<X aria-hidden="true" />}
            onClick={() => {
              setTyped('');
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}
