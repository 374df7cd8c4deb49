import { ApiError } from '@waybill/contract';
import { CircleAlert } from 'lucide-react';
import { unsentNoteOf } from '../platform/upload-errors.ts';
import { texts } from './round-texts.ts';

/** Why a step of the round was not done, in the driver's words. */
export function faultText(error: Error | null): string | undefined {
  if (!error) return undefined;
  const known: Partial<Record<string, string>> = texts.errors;
  const said = error instanceof ApiError ? (known[error.code] ?? error.message) : error.message;
  return [said, unsentNoteOf(error) ? texts.nothingLost : null].filter(Boolean).join(' ');
}

/** Above the button that was pressed. */
export function RoundFault({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <p role="alert" className="mb-2 flex items-start gap-2 px-2 text-ui font-medium text-danger">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {faultText(error)}
    </p>
  );
}
