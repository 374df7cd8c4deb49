import { useNow } from '../platform/clock.ts';
import { formatDayTime, formatRelative } from '../platform/formats.ts';
import { classes } from './classes.ts';

interface RelativeTimeProps {
  value: string;
  /** Inside a button or a link, which has the focus itself. */
  inControl?: boolean;
  /** The edge of its place, so that the exact time does not leave the screen. */
  align?: 'start' | 'end';
}

/**
 * '5 minutes ago', kept up to date. The exact time is read out after it, and seen when it is pointed at or focused. The
 * server, which does not know the viewer's zone, draws UTC and says so.
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
      // Keys have to reach what a pointer can.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={inControl ? undefined : 0}
      className="relative inline-block rounded-control whitespace-nowrap figures"
    >
      <span className="print:hidden">{formatRelative(value, now)}</span>
      <span className={classes('exact-time', align === 'end' ? 'right-0' : 'left-0')}>{formatDayTime(value)}</span>
    </time>
  );
}
