import { fill } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { arrivalItem, momentOf, timesWithin } from '../packages/arrival.ts';
import type { ArrivalItem, Reader } from '../packages/arrival.ts';
import { texts } from '../platform/texts.ts';

/** The public view has no `failedAttempt`: a waiting package with a 'delivery.failed' event came back from a failed attempt. */
export const arrivalOfView = (view: PublicView) => ({
  ...view,
  failed: view.status === 'processing' && view.events.some(({ type }) => type === 'delivery.failed'),
});

/** The arrival for the facts: English of the owner's pages, in the reader's language. */
export function itemOfView(view: PublicView, reader: Reader): ArrivalItem | null {
  const { track } = texts;
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
