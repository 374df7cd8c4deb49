import { formatDayTime, formatRelative } from '../platform/formats.ts';
import { useNow } from '../platform/clock.ts';

/** '5 minutes ago', kept up to date, with the exact time in its title. */
export function RelativeTime({ value }: { value: string }) {
  const now = useNow();
  return (
    <time dateTime={value} title={now === null ? undefined : formatDayTime(value)} className="figures">
      {now === null ? `${value.slice(0, 16).replace('T', ' ')} UTC` : formatRelative(value, now)}
    </time>
  );
}
