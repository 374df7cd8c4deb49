import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { arrivalItem, arrivalOf, expectation } from './arrival.ts';

const now = new Date('2026-11-21T12:00:00');
beforeAll(() => void vi.useFakeTimers({ now }));
afterAll(() => void vi.useRealTimers());

const at = (text: string) => new Date(text).toISOString();
const view = {
  status: 'in transit',
  eta: '2026-11-24',
  estimatedDeliveryTime: null as string | null,
  arrivalWindow: null as { from: string; to: string } | null,
  completedAt: null as string | null,
  lastUpdate: at('2026-11-20T08:00:00'),
  failed: false,
};
const soon = { estimatedDeliveryTime: at('2026-11-21T16:45:00') };
const expected = { arrivalWindow: { from: at('2026-11-21T16:15:00'), to: at('2026-11-21T17:15:00') } };
const waiting = { status: 'processing' };
const recipient = { now, isRecipient: true };

test.each([
  [waiting, 'Arriving Tuesday 24 November'],
  [{ ...waiting, eta: '2026-11-21' }, 'Arriving today'],
  [{ ...waiting, eta: '2026-11-22' }, 'Arriving tomorrow'],
  [{ ...waiting, eta: '2026-11-18' }, 'Was expected Wednesday 18 November'],
  [{ ...waiting, eta: null }, 'Getting ready to ship'],
  [soon, 'Arriving today, by 16:45'],
  [{ ...soon, ...expected }, 'Arriving today, 16:15 – 17:15'],
  [{ estimatedDeliveryTime: at('2026-11-22T05:40:00') }, 'Arriving tomorrow, by 05:40'],
  [{ estimatedDeliveryTime: at('2026-11-25T08:00:00') }, 'Arriving Wednesday 25 November, by 08:00'],
  [{ estimatedDeliveryTime: at('2026-11-21T11:59:00') }, 'Was expected today, by 11:59'],
  [{ status: 'delivered', completedAt: at('2026-11-21T09:05:00') }, 'Delivered today at 09:05'],
  [{ status: 'delivered' }, 'Delivered yesterday at 08:00'],
  [{ status: 'cancelled' }, 'This delivery was cancelled'],
])('%o reads: %s', (change, headline) => {
  expect(arrivalOf({ ...view, ...change }, recipient)).toEqual({ headline, detail: null });
});

test('the next stop has a headline for recipient and owner, with the estimate as its detail', () => {
  const next = { ...view, ...soon, status: 'out for delivery' };
  const detail = 'Today, by 16:45';
  expect(arrivalOf(next, recipient)).toEqual({ headline: "You are the driver's next stop", detail });
  expect(arrivalOf(next, { now })).toEqual({ headline: "Your package is the driver's next stop", detail });
  const late = { ...next, estimatedDeliveryTime: at('2026-11-21T11:00:00') };
  expect(arrivalOf(late, recipient).detail).toBe('Was expected today, by 11:00');
});

test('after a failed attempt no arrival is promised, whatever the ETA', () => {
  const failed = { ...view, ...waiting, failed: true };
  expect(arrivalOf(failed, recipient)).toEqual({
    headline: 'The last attempt failed',
    detail: 'A new one is being arranged.',
  });
  expect(arrivalItem(failed, recipient)?.text).toBe('Being arranged');
});

test('no arrival is promised while the driver who has it is unavailable', () => {
  for (const status of ['in transit', 'out for delivery']) {
    const stranded = { ...view, status };
    expect(arrivalOf(stranded, recipient)).toEqual({
      headline: 'A new delivery is being arranged',
      detail: 'The driver who has it is no longer available.',
    });
    expect(arrivalItem(stranded, { now })).toEqual({ name: 'Estimated Arrival', at: null, text: 'Being arranged' });
  }
});

test('the description item shows the ETA, the estimate of the driver, then the delivery time, and nothing after an end', () => {
  const item = (change: object) => arrivalItem({ ...view, ...change }, { now });
  const name = 'Estimated Arrival';
  expect(item(waiting)).toEqual({ name, at: '2026-11-24', text: null });
  expect(item({ ...waiting, eta: null })).toEqual({ name, at: null, text: 'Not specified' });
  expect(item(soon)).toEqual({ name, at: soon.estimatedDeliveryTime, text: 'Today, by 16:45' });
  expect(item({ ...soon, status: 'out for delivery' })?.text).toBe('Today, by 16:45');
  expect(item({ ...soon, ...expected })?.text).toBe('Today, 16:15 – 17:15');
  const later = at('2026-11-25T08:00:00');
  expect(item({ estimatedDeliveryTime: later })).toEqual({ name, at: later, text: null });
  const completedAt = at('2026-11-21T09:05:00');
  expect(item({ status: 'delivered', completedAt })).toEqual({ name: 'Delivered', at: completedAt, text: null });
  expect(item({ status: 'cancelled' })).toBeNull();
  expect(item({ status: 'inactive' })).toBeNull();
});

test('without the day of the viewer (server-side rendering) no day is called today, and times name their zone', () => {
  const without = (change: object, zone?: string) => arrivalOf({ ...view, ...change }, { now: null, zone }).headline;
  expect(without({ ...waiting, eta: '2026-12-31' })).toBe('Arriving Thursday 31 December');
  expect(without({ ...waiting, eta: '2051-11-21' })).toBe('Arriving Tuesday 21 November 2051');
  expect(without({ status: 'delivered' })).toBe('Delivered');
  expect(without({ ...waiting, eta: '2001-11-21' })).toBe('Was expected Wednesday 21 November 2001');
  const expected = { estimatedDeliveryTime: '2026-11-25T15:45:00.000Z' };
  expect(without(expected)).toBe('Arriving Wednesday 25 November, by 15:45 UTC');
  expect(without(expected, 'Asia/Tokyo')).toBe('Arriving Thursday 26 November, by 00:45 GMT+9');
  const saturday = { ...waiting, eta: '2026-11-21' };
  vi.setSystemTime('2026-11-22T05:00:00Z');
  expect(without(saturday, 'UTC')).toBe('Was expected Saturday 21 November');
  expect(without(saturday, 'America/Los_Angeles')).toBe('Arriving Saturday 21 November');
  const headlineIn = (dayZone: string) => arrivalOf({ ...view, ...saturday }, { now: null, dayZone }).headline;
  expect(headlineIn('America/Los_Angeles')).toBe('Arriving Saturday 21 November');
  expect(headlineIn('Asia/Tokyo')).toBe('Was expected Saturday 21 November');
  vi.setSystemTime(now);
});

test('what is expected is a window on a round, and was expected only once that is over', () => {
  const { estimatedDeliveryTime: by } = soon;
  expect(expectation(by, { now })).toBe('Expected today, by 16:45');
  expect(expectation(at('2026-11-21T11:00:00'), { now })).toBe('Was expected today, by 11:00');
  expect(expectation(by, { now }, expected.arrivalWindow)).toBe('Expected today, 16:15 – 17:15');
  const over = { from: at('2026-11-21T11:00:00'), to: at('2026-11-21T11:40:00') };
  expect(expectation(at('2026-11-21T11:20:00'), { now }, over)).toBe('Was expected today, 11:00 – 11:40');
});
