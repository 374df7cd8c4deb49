import { formatDay, formatDayTime, formatMoment } from '../platform/formats.ts';
import { useNow } from '../platform/clock.ts';

const formats = { day: formatDay, 'day time': formatDayTime, moment: formatMoment };

interface LocalTimeProps {
  /** An instant (ISO 8601) or a calendar day `YYYY-MM-DD`. */
  value: string;
  /** `day` 31/01/2026, `day time` 31/01/2026 14:05, `moment` Jan 31, 2026 14:05. */
  format?: keyof typeof formats;
}

/** A time in the viewer's time zone. The server does not know the zone and renders UTC with a suffix. */
export function LocalTime({ value, format = 'day time' }: LocalTimeProps) {
  const inBrowser = useNow() !== null;
  const zoneless = value.length === 10;
  if (inBrowser || zoneless) {
    return (
      <time dateTime={value} className="figures">
        {formats[format](value)}
      </time>
    );
  }
  return (
    <time dateTime={value} className="relative whitespace-nowrap figures">
      {value.slice(0, 16).replace('T', ' ')}
      {/* Absolutely positioned, so that the line keeps its width when hydration replaces it with the local time. */}
      <span className="absolute left-full ml-0.5 text-[0.6875rem]"> UTC</span>
    </time>
  );
}
