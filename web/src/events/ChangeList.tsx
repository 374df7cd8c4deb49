import type { TrackingEvent } from '@waybill/contract';
import { describeChanges } from './change-texts.ts';

/** The changes of an edit, old and new value each. */
export function ChangeList({ changes }: { changes: NonNullable<TrackingEvent['changes']> }) {
  return (
    <ul className="mt-1 flex flex-col gap-1 text-ui text-ink-2">
      {describeChanges(changes).map(({ field, from, to }) => (
        <li key={field} className="whitespace-pre-line wrap-anywhere">
          {from === null ? (
            `${field} changed`
          ) : (
            <>
              {field}: <s className="text-ink-3">{from}</s> → {to}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
