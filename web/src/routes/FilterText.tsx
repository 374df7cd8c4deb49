import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Input } from '../ui/Input.tsx';
import type { InputProps } from '../ui/Input.tsx';

const debounceMs = 250;

const trimmed = (typed: string) => typed.trim() || undefined;

interface FilterTextProps extends Omit<InputProps, 'value' | 'onChange'> {
  /** The filter in force. */
  value: string | undefined;
  /** What a typed text filters by; undefined for none. */
  parse?: (typed: string) => string | undefined;
  /** Called after a debounce of 250 ms. */
  onFilter: (value: string | undefined) => void;
}

/** A field of a filter. It follows a filter that is taken off elsewhere, by its chip or by Back. */
export function FilterText({ value, parse = trimmed, onFilter, ...rest }: FilterTextProps) {
  const [typed, setTyped] = useState(value ?? '');
  const submitted = useRef(value);
  const submit = useEffectEvent((text: string) => {
    const next = parse(text);
    if (next === submitted.current) return;
    submitted.current = next;
    onFilter(next);
  });
  useEffect(() => {
    if (value === submitted.current) return;
    submitted.current = value;
    setTyped(value ?? '');
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => submit(typed), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return <Input {...rest} value={typed} onChange={({ target }) => setTyped(target.value)} />;
}
