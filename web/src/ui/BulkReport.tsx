import type { ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';

export interface BulkOutcome<T> {
  done: number;
  refused: { item: T; message: string }[];
  /** Not reached, because the act was stopped or failed. */
  left: T[];
  /** Why it ended early; null if it was stopped by the user, or not at all. */
  failure: string | null;
}

interface BulkReportProps<T> {
  outcome: BulkOutcome<T>;
  /** '3 packages cancelled'. */
  done: string;
  idOf: (item: T) => string;
  /** The item that was refused, with a link where it has a page. */
  renderItem: (item: T) => ReactNode;
}

const maxShown = 50;

/** What an act on many rows did, what was refused and why, and what is left. */
export function BulkReport<T>({ outcome, done, idOf, renderItem }: BulkReportProps<T>) {
  const { refused, left, failure } = outcome;
  return (
    <>
      <p className="font-medium">
        {done}
        {refused.length > 0 && `, ${formatCount(refused.length)} refused`}
        {left.length > 0 && `, ${formatCount(left.length)} not reached`}.
      </p>
      {failure && <p className="text-danger">It ended early: {failure}</p>}
      {refused.length > 0 && (
        <ul aria-label="Refused" className="divide-y divide-line border-y border-line">
          {refused.slice(0, maxShown).map(({ item, message }) => (
            <li key={idOf(item)} className="py-2">
              {renderItem(item)}
              <span className="block text-table text-ink-2">{message}</span>
            </li>
          ))}
          {refused.length > maxShown && (
            <li className="py-2 text-ink-2">and {formatCount(refused.length - maxShown)} more</li>
          )}
        </ul>
      )}
    </>
  );
}
