import { formatDay, formatDayTime, formatMoment } from '../platform/formats.ts';
import { useNow } from '../platform/clock.ts';

const formats = { day: formatDay, 'day time': formatDayTime, moment: formatMoment };

interface LocalTimeProps {
  /** An instant (ISO 8601) or a calendar day `YYYY-MM-DD`. */
  value: string;
  /** `day` 31/01/2026, `day time` 31/01/2026 14:05, `moment` Jan 31, 2026 14:05. */
  format?: keyof typeof formats;
}

/** A time in the viewer's zone. The server, which does not know it, draws UTC and says so. */
export function LocalTime({ value, format = 'day time' }: LocalTimeProps) {
  const inBrowser = useNow() !== null;
  const zoneless = value.length === 10;
  return (
    <time dateTime={value} className="figures">
      {inBrowser || zoneless ? formats[format](value) : `${value.slice(0, 16).replace('T', ' ')} UTC`}
    </time>
  );
}
