import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconButton } from './IconButton.tsx';
import { Input } from './Input.tsx';

const pauseMs = 250;

interface SearchInputProps {
  /** What is searched for now. */
  value: string;
  /** Told when the typing pauses. */
  onSearch: (text: string) => void;
  label: string;
  placeholder?: string;
}

/** A field that asks by itself, without a button. */
export function SearchInput({ value, onSearch, label, placeholder }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const input = useRef<HTMLInputElement>(null);
  const tell = useEffectEvent((text: string) => {
    told.current = text;
    onSearch(text);
  });

  // Cleared or changed from elsewhere: a button, the browser's back.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);

  useEffect(() => {
    const text = typed.trim();
    if (text === told.current) return;
    const timer = setTimeout(() => tell(text), pauseMs);
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
        if (event.key === 'Enter') tell(typed.trim());
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
