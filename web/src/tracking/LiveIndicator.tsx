import { classes } from '../ui/classes.ts';

/** `off`: nothing more will happen, or nobody listens. */
export type LiveIndicatorState = 'off' | 'connecting' | 'connected' | 'offline';

/** Says whether what is on the screen follows by itself. */
export function LiveIndicator({ state }: { state: LiveIndicatorState }) {
  return (
    <span role="status" className="inline-flex print:hidden">
      {/* It has its place before it is there: what stands below must not move. */}
      {(state === 'connected' || state === 'connecting') && (
        <span
          className={classes(
            'inline-flex items-center gap-1.5 text-meta font-medium text-ink-3',
            state === 'connecting' && 'invisible',
          )}
        >
          <span aria-hidden="true" className="size-2 rounded-full bg-green-dot" />
          Live
        </span>
      )}
      {state === 'offline' && (
        <span className="inline-flex animate-appear items-center gap-1.5 text-meta font-medium text-yellow-ink">
          <span aria-hidden="true" className="size-2 rounded-full bg-yellow-dot" />
          Reconnecting…
        </span>
      )}
    </span>
  );
}
