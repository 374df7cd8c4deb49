import type { PublicView } from '@waybill/contract';
import { arrivalOf } from '../packages/arrival.ts';
import type { Reader } from '../packages/arrival.ts';

/** The public view has no `failedAttempt`: a waiting package with a 'delivery.failed' event came back from a failed attempt. */
export const arrivalOfView = (view: PublicView) => ({
  ...view,
  failed: view.status === 'processing' && view.events.some(({ type }) => type === 'delivery.failed'),
});

/** Page title: the headline first, so that a browser tab shows it. */
export const titleOf = (view: PublicView, reader: Reader): string =>
  `${arrivalOf(arrivalOfView(view), { ...reader, isRecipient: true }).headline} · ${view.trackingId}`;
