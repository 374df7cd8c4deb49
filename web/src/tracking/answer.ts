import type { PublicView } from '@waybill/contract';
import { momentOf, nameOfDay } from '../packages/arrival.ts';
import type { Reader } from '../packages/arrival.ts';
import { dayIn } from '@waybill/contract';
import { localDay } from '../platform/formats.ts';
import { arrivalOfView } from './arrival.ts';
import { trackTexts } from './texts.ts';

/** The answer to 'When does it come?': one sentence in two lines, the second the largest thing on the page, and a line under it. */
export interface Answer {
  lead: string;
  main: string;
  detail: { text: string; tone: 'live' | 'done' | 'plain' } | null;
}

/** Hours only where the driver's estimate or the event says one. */
export function answerOf(view: PublicView, reader: Reader): Answer {
  const { eta, completedAt, lastUpdate, estimatedDeliveryTime: expected, carrier, location } = view;
  const short = { ...reader, shortDay: true };
  switch (view.status) {
    case 'delivered': {
      const { day, time } = momentOf(completedAt ?? lastUpdate, short);
      const text = location === null ? trackTexts.handedOver : trackTexts.deliveredIn(location);
      return { lead: trackTexts.deliveredOn(day), main: time, detail: { text, tone: 'done' } };
    }
    case 'in transit':
    case 'out for delivery': {
      if (expected === null)
        return {
          lead: trackTexts.newDelivery,
          main: trackTexts.beingArranged,
          detail: { text: trackTexts.driverGone, tone: 'plain' },
        };
      const { day, time } = momentOf(expected, short);
      const late = Date.parse(expected) < Date.now();
      const isNext = view.status === 'out for delivery';
      const name = carrier?.firstName ?? null;
      return {
        lead: late ? trackTexts.wasExpectedOn(day) : trackTexts.arrivingOn(day),
        main: trackTexts.byTime(time),
        detail: late
          ? { text: isNext ? trackTexts.lateNextStop(name) : trackTexts.late, tone: isNext ? 'live' : 'plain' }
          : { text: isNext ? trackTexts.nextStop(name) : trackTexts.onTheWay, tone: 'live' },
      };
    }
    case 'processing': {
      if (arrivalOfView(view).failed) {
        const text = location === null ? trackTexts.backSafe : trackTexts.backAt(location);
        return { lead: trackTexts.lastAttempt, main: trackTexts.newAttempt, detail: { text, tone: 'plain' } };
      }
      if (eta === null)
        return {
          lead: trackTexts.gettingReady,
          main: trackTexts.toShip,
          detail: { text: trackTexts.noDayYet, tone: 'plain' },
        };
      const today = reader.now ? localDay(reader.now) : dayIn(reader.dayZone ?? 'UTC', new Date());
      const past = eta < today;
      return {
        lead: past ? trackTexts.wasExpected : trackTexts.arriving,
        main: nameOfDay(eta, short),
        detail: { text: past ? trackTexts.overdue : trackTexts.noHourYet, tone: 'plain' },
      };
    }
    case 'cancelled':
      return {
        lead: trackTexts.thisDelivery,
        main: trackTexts.cancelled,
        detail: { text: trackTexts.notComing, tone: 'plain' },
      };
    default:
      return { lead: trackTexts.noLonger, main: trackTexts.tracked, detail: null };
  }
}
