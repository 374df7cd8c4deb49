import { withTheDriver } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { texts as english } from '@waybill/contract/texts/en';
import { setTexts } from '../platform/texts.ts';
import { answerOf } from './answer.ts';

setTexts(english);

const now = new Date('2026-11-21T12:00:00');
beforeAll(() => void vi.useFakeTimers({ now }));
afterAll(() => void vi.useRealTimers());

const at = (text: string) => new Date(text).toISOString();
const view: PublicView = {
  trackingId: 'PKG-7RTTSKYM',
  name: 'Espresso machine',
  status: 'processing',
  location: null,
  eta: '2026-11-24',
  estimatedDeliveryTime: null,
  arrivalWindow: null,
  stopsAway: null,
  driverPosition: null,
  completedAt: null,
  nextStep: null,
  lastUpdate: at('2026-11-20T08:00:00'),
  recipientName: null,
  sender: null,
  carrier: null,
  category: 'Electronics',
  weight: 6.4,
  events: [],
};
const onTheRoad = { status: 'in transit', estimatedDeliveryTime: at('2026-11-21T14:35:00') } as const;
const onRoute = { ...onTheRoad, arrivalWindow: { from: at('2026-11-21T14:10:00'), to: at('2026-11-21T14:35:00') } };
const next = { ...onTheRoad, status: 'out for delivery' } as const;
const late = { estimatedDeliveryTime: at('2026-11-21T11:35:00') };
const event = { at: view.lastUpdate, location: null };
const failed = { events: [{ ...event, type: 'delivery.failed' as const }] };
const collected = { events: [{ ...event, type: 'package.collected' as const }] };
const returned = { events: [{ ...event, type: 'package.returned' as const }] };
const again = { ...failed, nextStep: { kind: 'again', day: '2026-11-24' } } as const;
const collect = { nextStep: { kind: 'collect', day: null } } as const;
const goesBack = { nextStep: { kind: 'return', day: null } } as const;
const delivered = { status: 'delivered', completedAt: at('2026-11-21T09:22:00') } as const;
const carrier = { firstName: 'Dana' };

test.each<[Partial<PublicView>, string, string]>([
  [{}, 'Arriving Tue 24 Nov', 'The hour is known once the van leaves'],
  [{ eta: '2026-11-22' }, 'Arriving tomorrow', 'The hour is known once the van leaves'],
  [{ eta: '2026-11-18' }, 'Was expected Wed 18 Nov', 'It has not left yet. The new day will show here.'],
  [{ eta: null }, 'Getting ready to ship', 'The day is not known yet'],
  [onTheRoad, 'Arriving today, by 14:35', "It's on the way to you"],
  [{ ...onRoute, stopsAway: 3 }, 'Arriving today, 14:10 – 14:35', "You're 3 stops away"],
  [{ ...onRoute, stopsAway: 1 }, 'Arriving today, 14:10 – 14:35', "You're 1 stop away"],
  [{ ...onRoute, ...next, stopsAway: 0 }, 'Arriving today, 14:10 – 14:35', "You're the next stop"],
  [next, 'Arriving today, by 14:35', "You're the next stop"],
  [{ ...next, carrier }, 'Arriving today, by 14:35', "You're Dana's next stop"],
  [{ ...onTheRoad, ...late }, 'Was expected today, by 11:35', 'Later than planned, and still on its way'],
  [{ ...next, ...late }, 'Was expected today, by 11:35', "Later than planned, but you're the next stop"],
  [{ status: 'in transit' }, 'A new delivery is being arranged', 'The driver who has it is no longer available.'],
  [failed, "The last attempt failed, but we'll try again", 'Nothing is lost: a new attempt is being arranged.'],
  [
    { ...failed, location: 'Riverton depot' },
    "The last attempt failed, but we'll try again",
    'Nothing is lost: it is at Riverton depot.',
  ],
  // Until the route ends the package is still in the van.
  [{ ...failed, location: withTheDriver }, "The last attempt failed, but we'll try again", 'The driver still has it.'],
  [{ ...failed, ...collect, location: withTheDriver }, 'You can collect it at the depot', 'The driver still has it.'],
  [again, 'The next attempt is Tue 24 Nov', 'The last attempt failed'],
  [
    { ...again, location: 'Riverton depot' },
    'The next attempt is Tue 24 Nov',
    'Nothing is lost: it is at Riverton depot.',
  ],
  // A day that was not kept promises nothing any more.
  [
    { ...failed, nextStep: { kind: 'again', day: '2026-11-20' } },
    "The last attempt failed, but we'll try again",
    'Nothing is lost: a new attempt is being arranged.',
  ],
  [
    { ...failed, ...collect, location: 'Riverton depot' },
    'You can collect it at the depot',
    'It waits for you at Riverton depot.',
  ],
  [{ ...failed, ...goesBack }, 'This package goes back to its sender', 'The package will not be delivered.'],
  [{ ...next, ...goesBack }, 'This package goes back to its sender', 'The package will not be delivered.'],
  [delivered, 'Delivered today at 09:22', 'Handed over'],
  [{ ...delivered, location: 'Riverton' }, 'Delivered today at 09:22', 'Handed over in Riverton'],
  [{ ...delivered, location: 'Riverton', ...collected }, 'Delivered today at 09:22', 'Collected at the depot'],
  [{ status: 'cancelled' }, 'This delivery was cancelled', 'The package will not be delivered.'],
  [{ status: 'cancelled', ...returned }, 'This package went back to its sender', 'The package will not be delivered.'],
])('%j: %s', (part, sentence, detail) => {
  const answer = answerOf({ ...view, ...part }, { now, isRecipient: true });
  expect(`${answer.lead} ${answer.main}`).toBe(sentence);
  expect(answer.detail?.text).toBe(detail);
});

test('the server, which knows no zone, says the same sentence in UTC', () => {
  const time = { ...onTheRoad, estimatedDeliveryTime: '2026-11-21T14:35:00.000Z' };
  const { lead, main } = answerOf({ ...view, ...time }, { now: null });
  expect(`${lead} ${main}`).toBe('Arriving Sat 21 Nov, by 14:35 UTC');
  const arrivalWindow = { from: '2026-11-21T14:10:00.000Z', to: '2026-11-21T14:35:00.000Z' };
  expect(answerOf({ ...view, ...time, arrivalWindow }, { now: null }).main).toBe('14:10 – 14:35 UTC');
});
