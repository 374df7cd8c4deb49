import { useNow } from '../platform/clock.ts';
import { formatDayTime, formatRelative } from '../platform/formats.ts';
import { classes } from './classes.ts';

interface RelativeTimeProps {
  value: string;
  /** Inside a button or a link, which is focusable itself. */
  inControl?: boolean;
  /** The side to which the exact time is aligned, so that it stays within the screen. */
  align?: 'start' | 'end';
}

/**
 * '5 minutes ago', updated every 30 s. The exact time is read by screen readers after it, and shown on hover and focus. The
 * server does not know the viewer's time zone and renders UTC with a suffix.
 */
export function RelativeTime({ value, inControl = false, align = 'start' }: RelativeTimeProps) {
  const now = useNow();
  if (now === null) {
    return (
      <time dateTime={value} className="figures">
        {value.slice(0, 16).replace('T', ' ')} UTC
      </time>
    );
  }
  return (
    <time
      dateTime={value}
      // Focusable, so that the exact time is reachable by keyboard as well.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={inControl ? undefined : 0}
      className="relative inline-block rounded-control whitespace-nowrap figures"
    >
      <span className="print:hidden">{formatRelative(value, now)}</span>
      <span className={classes('exact-time', align === 'end' ? 'right-0' : 'left-0')}>{formatDayTime(value)}</span>
    </time>
  );
}
