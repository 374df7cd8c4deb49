import { Spinner } from '../ui/Spinner.tsx';

/** Shown while a page's code is loading. */
export function PendingPage() {
  return (
    <div className="flex grow items-center justify-center py-24 text-ink-3">
      <Spinner size="lg" label="Loading" />
    </div>
  );
}
