import { Spinner } from '../ui/Spinner.tsx';

/** Says that the page's data may be stale. The live region is always mounted, so that screen readers announce its text when it appears. */
export function ReconnectingNote({ shown }: { shown: boolean }) {
  return (
    <span role="status" className="inline-flex">
      {shown && (
        <span
          title="Reconnecting…"
          className="inline-flex animate-appear items-center gap-2 rounded-full bg-yellow-bg px-3 py-1.5 text-meta font-medium text-yellow-ink max-sm:px-1.5"
        >
          <Spinner size="sm" />
          {/* Hidden on phones, to leave space for the organisation's name. */}
          <span className="max-sm:sr-only">Reconnecting…</span>
        </span>
      )}
    </span>
  );
}
