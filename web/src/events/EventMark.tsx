import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { classes } from '../ui/classes.ts';
import { toneFillClasses } from '../ui/tone.ts';
import { toneOfEvent } from './event-tones.ts';

/** Thirty icons that no page needs at once. */
const EventIcon = lazyComponent(() =>
  importWithRetry(() => import('./EventIcon.tsx')).then((module) => module.EventIcon),
);

interface EventMarkProps {
  type: string;
  /** In the colour of what it led to. */
  coloured: boolean;
  size?: 'sm' | 'md';
}

/** The icon of an event, in a disc; decorative, as its name stands beside it. */
export const EventMark = ({ type, coloured, size = 'sm' }: EventMarkProps) => (
  <span
    aria-hidden="true"
    className={classes(
      'flex shrink-0 items-center justify-center rounded-full',
      size === 'sm' ? 'size-6' : 'size-8',
      coloured ? toneFillClasses[toneOfEvent(type)] : 'text-ink-3',
    )}
  >
    <EventIcon type={type} />
  </span>
);
