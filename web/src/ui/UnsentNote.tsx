import { WifiOff } from 'lucide-react';
import { useStore } from '../platform/store.ts';
import { translated } from '../platform/texts.ts';
import { unsentNotice } from '../platform/upload-errors.ts';

/** Says beside a form's buttons whether a mutation without a response was sent. Unlike the toast it stays until the next attempt. */
export function UnsentNote() {
  const note = useStore(unsentNotice);
  if (note === null) return null;
  return (
    <p role="alert" className="flex items-start gap-2 text-ui text-danger">
      <WifiOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {translated(note)}
    </p>
  );
}
