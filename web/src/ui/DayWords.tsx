import { useToday } from '../platform/clock.ts';
import { formatDay, formatDayTime, formatDayWord, formatTime } from '../platform/formats.ts';

/**
 * 'Today 14:05', 'Wed 25 Nov', with the exact date as title. Not for pages that the server renders: it does not know the viewer's day.
 * @param value an instant (ISO 8601) or a calendar day `YYYY-MM-DD`
 */
export function DayWords({ value }: { value: string }) {
  const today = useToday();
  const isDay = value.length === 10;
  return (
    <time
      dateTime={value}
      title={isDay ? formatDay(value) : formatDayTime(value)}
      className="relative z-1 figures whitespace-nowrap"
    >
      {formatDayWord(value, today)}
      {!isDay && ` ${formatTime(value)}`}
    </time>
  );
}
