import type { Handling } from '@waybill/contract';
import { handlingLabels } from './handling.ts';
import type { HandlingWords } from './handling.ts';

/** Special handling as a list of chips; renders nothing without any. */
export function HandlingList({
  handling,
  words,
}: {
  handling: Handling;
  /** On a page in other languages. */
  words?: HandlingWords & { handling: string };
}) {
  const labels = handlingLabels(handling, words);
  if (labels.length === 0) return null;
  return (
    <ul aria-label={words?.handling ?? 'Special handling'} className="flex flex-wrap gap-1.5">
      {labels.map((label) => (
        <li
          key={label}
          className="rounded-control border border-line bg-sunken px-2 py-0.5 text-table font-medium text-ink-2 wrap-anywhere"
        >
          {label}
        </li>
      ))}
    </ul>
  );
}
