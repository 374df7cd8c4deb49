import type { PublicView } from '@waybill/contract';
import { arrivalOf } from '../packages/arrival.ts';
import type { Reader } from '../packages/arrival.ts';
import { trackTexts } from './texts.ts';

/** The public view has no `failedAttempt`: a waiting package with a 'delivery.failed' event came back from a failed attempt. */
export const arrivalOfView = (view: PublicView) => ({
  ...view,
  failed: view.status === 'processing' && view.events.some(({ type }) => type === 'delivery.failed'),
});

/** Page title: the headline first, so that a browser tab shows it. */
export function titleOf(view: PublicView, reader: Reader): string {
  const isNext = view.status === 'out for delivery' && view.estimatedDeliveryTime !== null;
  const { headline } = arrivalOf(arrivalOfView(view), { ...reader, isRecipient: true });
  return `${isNext ? trackTexts.nextStopTitle : headline} · ${view.trackingId}`;
}
