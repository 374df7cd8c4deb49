import { WifiOff } from 'lucide-react';
import { useStore } from '../platform/store.ts';
import { unsentNotice } from '../platform/upload-errors.ts';

/** Beside the buttons of a form whose act got no answer: whether it was sent. The toast goes, this stays until it is tried again. */
export function UnsentNote() {
  const note = useStore(unsentNotice);
  if (note === null) return null;
  return (
    <p role="alert" className="flex items-start gap-2 text-ui text-danger">
      <WifiOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {note}
    </p>
  );
}
