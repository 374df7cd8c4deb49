import { LocalTime } from '../ui/LocalTime.tsx';
import type { ArrivalItem } from './arrival.ts';

export function ArrivalTime({ item: { at, text } }: { item: ArrivalItem }) {
  if (at === null) return text;
  if (text === null) return <LocalTime value={at} format={at.length === 10 ? 'day' : 'day time'} />;
  return (
    <time dateTime={at} className="figures">
      {text}
    </time>
  );
}
