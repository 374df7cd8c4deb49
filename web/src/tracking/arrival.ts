import type { PublicView } from '@waybill/contract';
import { arrivalOf } from '../packages/arrival.ts';
import type { Reader } from '../packages/arrival.ts';

/** What the public page knows of it: what was on the road and waits again has come back from a failed attempt. */
export const arrivalOfView = (view: PublicView) => ({
  ...view,
  failed: view.status === 'processing' && view.events.some(({ type }) => type === 'delivery.failed'),
});

/** The answer first, so that a tab says it too. */
export const titleOf = (view: PublicView, reader: Reader): string =>
  `${arrivalOf(arrivalOfView(view), { ...reader, isRecipient: true }).headline} · ${view.trackingId}`;
