import type { Import } from '@waybill/contract';

const maxShown = 100;

/** Skipped rows with their reasons, at most 100 rendered. */
export function SkippedRows({ rows }: { rows: Import['skippedRows'] }) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {rows.slice(0, maxShown).map(({ line, reason }) => (
        <li key={line} className="flex gap-4 px-5 py-3 text-ui">
          <span className="figures w-20 shrink-0 text-ink-3">Line {line}</span>
          <span className="min-w-0 wrap-anywhere">{reason}</span>
        </li>
      ))}
      {rows.length > maxShown && <li className="px-5 py-3 text-ui text-ink-3">and {rows.length - maxShown} more</li>}
    </ul>
  );
}
