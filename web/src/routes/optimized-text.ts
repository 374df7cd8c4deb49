import type { OptimizedRoute } from '@waybill/contract';
import { formatCountOf } from '../platform/formats.ts';

const kilometres = (metres: number) => (metres / 1000).toFixed(1);

/** What a better order saves, and what it could not do. Distances are estimates without a router. */
export function optimizedText(
  { before, after, withoutPlace, late, travelTimes }: OptimizedRoute['optimized'],
  isSame: boolean,
): string {
  const minutes = Math.round((before.seconds - after.seconds) / 60);
  const saved = minutes > 0 ? `, ${minutes} min less driving` : '';
  const note = travelTimes === 'estimated' ? ' (estimated)' : '';
  return [
    isSame
      ? 'This is the best order found.'
      : `${kilometres(after.metres)} km instead of ${kilometres(before.metres)}${saved}${note}.`,
    withoutPlace.length > 0 && `${formatCountOf(withoutPlace.length, 'stop')} without a place stayed.`,
    late.length > 0 && `${formatCountOf(late.length, 'stop')} will miss the window.`,
  ]
    .filter(Boolean)
    .join(' ');
}
