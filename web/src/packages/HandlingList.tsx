import type { Handling } from '@waybill/contract';
import { handlingLabels } from './handling.ts';

/** Special handling as a list of chips; renders nothing without any. */
export function HandlingList({ handling }: { handling: Handling }) {
  const words = handlingLabels(handling);
  if (words.length === 0) return null;
  return (
    <ul aria-label="Special handling" className="flex flex-wrap gap-1.5">
      {words.map((word) => (
        <li
          key={word}
          className="rounded-control border border-line bg-sunken px-2 py-0.5 text-table font-medium text-ink-2 wrap-anywhere"
        >
          {word}
        </li>
      ))}
    </ul>
  );
}
