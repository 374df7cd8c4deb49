import { Spinner } from '../ui/Spinner.tsx';

/** Tells that what is on the screen may be old. The live region is always there, so that its text is read when it comes. */
export function ReconnectingNote({ shown }: { shown: boolean }) {
  return (
    <span role="status" className="inline-flex">
      {shown && (
        <span
          title="Reconnecting…"
          className="inline-flex animate-appear items-center gap-2 rounded-full bg-yellow-bg px-3 py-1.5 text-meta font-medium text-yellow-ink max-sm:px-1.5"
        >
          <Spinner size="sm" />
          {/* On phones the room belongs to the name of the organisation. */}
          <span className="max-sm:sr-only">Reconnecting…</span>
        </span>
      )}
    </span>
  );
}
