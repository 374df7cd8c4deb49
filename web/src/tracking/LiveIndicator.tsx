import { texts } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';

/** `off`: the package is final, or there is no live connection. */
export type LiveIndicatorState = 'off' | 'connecting' | 'connected' | 'offline';

/** Shows whether the page updates live. */
export function LiveIndicator({ state }: { state: LiveIndicatorState }) {
  return (
    <span role="status" className="inline-flex print:hidden">
      {/* Takes up its space while connecting: avoids a layout shift. */}
      {(state === 'connected' || state === 'connecting') && (
        <span
          className={classes(
            'inline-flex items-center gap-1.5 text-meta font-medium text-ink-3',
            state === 'connecting' && 'invisible',
          )}
        >
          <span aria-hidden="true" className="size-2 rounded-full bg-green-dot" />
          {texts.track.live}
        </span>
      )}
      {state === 'offline' && (
        <span className="inline-flex animate-appear items-center gap-1.5 text-meta font-medium text-yellow-ink">
          <span aria-hidden="true" className="size-2 rounded-full bg-yellow-dot" />
          {texts.frame.reconnecting}
        </span>
      )}
    </span>
  );
}
