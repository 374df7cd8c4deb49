import type { Suggestion } from '@waybill/contract';
import { useState } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { Input } from '../ui/Input.tsx';
import type { InputProps } from '../ui/Input.tsx';

const AddressSuggestions = lazyComponent(() =>
  importWithRetry(() => import('./AddressSuggestions.tsx')).then((module) => module.AddressSuggestions),
);

/** The list that a combobox controls; null while it is closed. */
export interface OpenList {
  id: string;
  activeId: string | undefined;
}

interface StreetInputProps extends InputProps {
  onChoose: (suggestion: Suggestion) => void;
}

/** The street of an address, with suggestions while it is typed. Their code is loaded with the first focus; without it, it is an input. */
export function StreetInput({ onChoose, ...rest }: StreetInputProps) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [isUsed, setUsed] = useState(false);
  const [list, setList] = useState<OpenList | null>(null);
  // What is typed until their code is there.
  const [typed, setTyped] = useState('');
  return (
    <span
      ref={setBox}
      className="relative block"
      onFocus={() => setUsed(true)}
      onInput={({ target }) => setTyped(target instanceof HTMLInputElement ? target.value : '')}
    >
      <Input
        autoComplete="off"
        maxLength={200}
        {...rest}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={list !== null}
        aria-controls={list?.id}
        aria-activedescendant={list?.activeId}
      />
      {isUsed && box && <AddressSuggestions box={box} typedBefore={typed} onList={setList} onChoose={onChoose} />}
    </span>
  );
}
