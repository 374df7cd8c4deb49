import { LocalTime } from '../ui/LocalTime.tsx';
import type { ArrivalItem } from './arrival.ts';

export function ArrivalTime({ item: { at, words } }: { item: ArrivalItem }) {
  if (at === null) return words;
  if (words === null) return <LocalTime value={at} format={at.length === 10 ? 'day' : 'day time'} />;
  return (
    <time dateTime={at} className="figures">
      {words}
    </time>
  );
}
