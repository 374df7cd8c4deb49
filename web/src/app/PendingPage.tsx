import { Spinner } from '../ui/Spinner.tsx';

/** While a page's code is on its way. */
export function PendingPage() {
  return (
    <div className="flex grow items-center justify-center py-24 text-ink-3">
      <Spinner size="lg" label="Loading" />
    </div>
  );
}
