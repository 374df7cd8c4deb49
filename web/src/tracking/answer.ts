import { fill, withTheDriver } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { momentOf, nameOfDay, timesWithin } from '../packages/arrival.ts';
import type { Reader } from '../packages/arrival.ts';
import { placeName } from './texts.ts';
import { arrivalOfView, nextAttemptOn, todayOf } from './arrival.ts';
import { texts } from '../platform/texts.ts';

/** The answer to 'When does it come?': one sentence in two lines, the second the largest thing on the page, and a line under it. */
export interface Answer {
  lead: string;
  main: string;
  detail: { text: string; tone: 'live' | 'done' | 'plain' } | null;
}

function onTheWay(stopsAway: number | null): string {
  if (!stopsAway) return texts.track.onTheWay;
  return stopsAway === 1 ? texts.track.stopAway : fill(texts.track.stopsAway, { stops: stopsAway });
}

/** A sentence about the place where a package waits: after a failed attempt the driver has it until the route ends. */
const waitsAt = (text: string, place: string) =>
  place === withTheDriver ? texts.track.stillWithDriver : fill(text, { place });

/** What was decided for a package that waits; null where only the plan says when it comes. */
function nextStepOf(view: PublicView, reader: Reader): Answer | null {
  const { nextStep, location } = view;
  const { track } = texts;
  switch (nextStep?.kind) {
    case 'return':
      return { lead: track.goesBack, main: track.toSender, detail: { text: track.notComing, tone: 'plain' } };
    case 'collect': {
      const detail = location === null ? null : ({ text: waitsAt(track.waitsAt, location), tone: 'plain' } as const);
      return { lead: track.collect, main: track.atDepot, detail };
    }
    case 'again': {
      const again = nextAttemptOn(view, reader);
      if (again === null) return null;
      const text = location === null ? track.failedTitle : waitsAt(track.backAt, location);
      const day = nameOfDay(again, { shortDay: true, ...reader });
      return { lead: track.nextAttempt, main: fill(track.day, { day }), detail: { text, tone: 'plain' } };
    }
    default:
      return null;
  }
}

/** What makes a package delivered: the latest one tells how. */
const isHandedOver = new Set<string>(['delivery.completed', 'package.collected']);

/** Hours only where the driver's estimate or the event says one. */
export function answerOf(view: PublicView, reader: Reader): Answer {
  const { eta, completedAt, lastUpdate, estimatedDeliveryTime: expected, arrivalWindow, carrier, location } = view;
  const short = { shortDay: true, ...reader };
  const track = texts.track;
  const step = nextStepOf(view, reader);
  if (step) return step;
  switch (view.status) {
    case 'delivered': {
      const { day, time } = momentOf(completedAt ?? lastUpdate, short);
      const isCollected = view.events.find(({ type }) => isHandedOver.has(type))?.type === 'package.collected';
      const text = isCollected
        ? track.events['package.collected']
        : location === null
          ? track.handedOver
          : fill(track.deliveredIn, { place: placeName(location) });
      return {
        lead: fill(track.deliveredOn, { day }),
        main: fill(track.deliveredTime, { time }),
        detail: { text, tone: 'done' },
      };
    }
    case 'in transit':
    case 'out for delivery': {
      if (expected === null)
        return {
          lead: track.newDelivery,
          main: track.beingArranged,
          detail: { text: track.driverGone, tone: 'plain' },
        };
      const { day, time } = momentOf(arrivalWindow?.from ?? expected, short);
      const late = !arrivalWindow && Date.parse(expected) < (reader.now?.getTime() ?? Date.now());
      const isNext = view.status === 'out for delivery';
      const ofCarrier = (text: string, named: string) =>
        carrier === null ? text : fill(named, { carrier: carrier.firstName });
      return {
        lead: fill(late ? track.wasExpectedOn : track.arrivingOn, { day }),
        main: arrivalWindow ? timesWithin(arrivalWindow, short) : fill(track.byTime, { time }),
        detail: late
          ? {
              text: isNext ? ofCarrier(track.lateNextStop, track.lateNextStopOf) : track.late,
              tone: isNext ? 'live' : 'plain',
            }
          : { text: isNext ? ofCarrier(track.nextStop, track.nextStopOf) : onTheWay(view.stopsAway), tone: 'live' },
      };
    }
    case 'processing': {
      if (arrivalOfView(view).failed) {
        const text = location === null ? track.backSafe : waitsAt(track.backAt, location);
        return { lead: track.lastAttempt, main: track.newAttempt, detail: { text, tone: 'plain' } };
      }
      if (eta === null)
        return {
          lead: track.gettingReady,
          main: track.toShip,
          detail: { text: track.noDayYet, tone: 'plain' },
        };
      const past = eta < todayOf(reader);
      return {
        lead: past ? track.wasExpected : track.arriving,
        main: fill(track.day, { day: nameOfDay(eta, short) }),
        detail: { text: past ? track.overdue : track.noHourYet, tone: 'plain' },
      };
    }
    case 'cancelled':
      if (view.events.some(({ type }) => type === 'package.returned'))
        return { lead: track.wentBack, main: track.toSender, detail: { text: track.notComing, tone: 'plain' } };
      return {
        lead: track.thisDelivery,
        main: track.cancelled,
        detail: { text: track.notComing, tone: 'plain' },
      };
    default:
      return { lead: track.noLonger, main: track.tracked, detail: null };
  }
}
