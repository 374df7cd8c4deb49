import type { PublicView } from '@waybill/contract';
import type { Reader } from '../packages/arrival.ts';
import { texts } from '../platform/texts.ts';
import { answerOf } from './answer.ts';

/** Page title: the answer first, so that a browser tab shows it. */
export function titleOf(view: PublicView, reader: Reader): string {
  const { track } = texts;
  const isNext = view.status === 'out for delivery' && view.estimatedDeliveryTime !== null && !view.nextStep;
  const { lead, main } = answerOf(view, { ...reader, isRecipient: true, shortDay: false });
  const known = isNext
    ? track.nextStopTitle
    : view.status === 'delivered' && reader.now === null
      ? track.deliveredTitle
      : lead === track.lastAttempt
        ? track.failedTitle
        : `${lead} ${main}`;
  return `${known} · ${view.trackingId}`;
}
