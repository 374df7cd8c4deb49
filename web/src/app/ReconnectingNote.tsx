import { texts } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';
import { Spinner } from '../ui/Spinner.tsx';

interface ReconnectingNoteProps {
  shown: boolean;
  /** In the administrators' navigation, which has no room for words below 1200 px. */
  inRail?: boolean;
}

/** Says that the page's data may be stale. The live region is always mounted, so that screen readers announce its text when it appears. */
export function ReconnectingNote({ shown, inRail = false }: ReconnectingNoteProps) {
  return (
    <span role="status" className="inline-flex">
      {shown && (
        <span
          title={texts.frame.reconnecting}
          className={classes(
            'inline-flex animate-appear items-center gap-2 rounded-full bg-yellow-bg px-3 py-1.5 text-meta font-medium text-yellow-ink',
            inRail ? 'max-frame:px-1.5' : 'max-sm:px-1.5',
          )}
        >
          <Spinner size="sm" />
          {/* Hidden on phones, to leave space for the organisation's name. */}
          <span className={inRail ? 'max-frame:sr-only' : 'max-sm:sr-only'}>{texts.frame.reconnecting}</span>
        </span>
      )}
    </span>
  );
}
