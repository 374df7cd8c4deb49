import { Spinner } from '../ui/Spinner.tsx';

/** Tells that what is on the screen may be old. The live region is always there, so that its text is read when it comes. */
export function ReconnectingNote({ shown }: { shown: boolean }) {
  return (
    <span role="status" className="inline-flex">
      {shown && (
        <span className="inline-flex animate-appear items-center gap-2 rounded-full bg-yellow-bg px-3 py-1.5 text-meta font-medium text-yellow-ink">
          <Spinner size="sm" />
          Reconnecting…
        </span>
      )}
    </span>
  );
}
