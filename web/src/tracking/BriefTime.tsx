import { useNow } from '../platform/clock.ts';
import { formatBrief, formatDayTime, formatShortDay } from '../platform/formats.ts';

interface BriefTimeProps {
  value: string;
  /** The sentence that it stands in. */
  text?: (time: string) => string;
  /** The server draws the day alone. */
  narrow?: boolean;
}

/**
 * '14:05', 'Fri 14:05' or '14 Nov', with the whole time as its title and in print. The server does not know the viewer's zone and
 * draws UTC.
 */
export function BriefTime({ value, text = asIs, narrow = false }: BriefTimeProps) {
  const now = useNow();
  if (now === null)
    return (
      <time dateTime={value} className="relative whitespace-nowrap figures">
        {text(
          narrow ? formatShortDay(value.slice(0, 10)) : `${formatShortDay(value.slice(0, 10))} ${value.slice(11, 16)}`,
        )}
        {!narrow && <span className="text-[0.6875rem]"> UTC</span>}
      </time>
    );
  return (
    <time dateTime={value} title={formatDayTime(value)} className="whitespace-nowrap figures">
      <span className="print:hidden">{text(formatBrief(value, new Date(now)))}</span>
      <span className="hidden print:inline">{formatDayTime(value)}</span>
    </time>
  );
}

const asIs = (time: string) => time;
