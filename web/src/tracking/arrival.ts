import { dayIn, fill } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { arrivalItem, momentOf, timesWithin } from '../packages/arrival.ts';
import type { ArrivalItem, Reader } from '../packages/arrival.ts';
import { localDay } from '../platform/formats.ts';
import { texts } from '../platform/texts.ts';

/** The public view has no `failedAttempt`: a waiting package with a 'delivery.failed' event came back from a failed attempt. */
export const arrivalOfView = (view: PublicView) => ({
  ...view,
  failed: view.status === 'processing' && view.events.some(({ type }) => type === 'delivery.failed'),
});

/** What day it is for the reader; without a clock of theirs, for the organisation. */
export const todayOf = ({ now, dayZone }: Reader): string =>
  now ? localDay(now) : dayIn(dayZone ?? 'UTC', new Date());

/** The day of the next attempt after a failed one, unless it has passed. */
export function nextAttemptOn(view: PublicView, reader: Reader): string | null {
  const day = arrivalOfView(view).failed && view.nextStep?.kind === 'again' ? view.nextStep.day : null;
  return day !== null && day >= todayOf(reader) ? day : null;
}

/** The arrival for the facts: English of the owner's pages, in the reader's language. */
export function itemOfView(view: PublicView, reader: Reader): ArrivalItem | null {
  const { track } = texts;
  const kind = view.nextStep?.kind;
  if (kind === 'collect' || kind === 'return') return null;
  const again = nextAttemptOn(view, reader);
  if (again !== null) return { name: track.estimatedArrival, at: again, text: null };
  const item = arrivalItem(arrivalOfView(view), reader);
  if (!item || view.status === 'delivered') return item && { ...item, name: track.delivered };
  const { at, text } = item;
  const words =
    at === null
      ? view.status === 'processing' && !arrivalOfView(view).failed
        ? track.notSpecified
        : track.arranging
      : null;
  const { day, time } = at === null || text === null ? { day: '', time: '' } : momentOf(at, reader);
  const near = `${day}, ${view.arrivalWindow ? timesWithin(view.arrivalWindow, reader) : fill(track.byTime, { time })}`;
  return {
    name: track.estimatedArrival,
    at,
    text: words ?? (text === null ? null : near.charAt(0).toUpperCase() + near.slice(1)),
  };
}
