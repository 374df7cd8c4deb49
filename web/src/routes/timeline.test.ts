import type { Stop } from '@waybill/contract';
import { expect, test } from 'vitest';
import { hoursOf, latenessOf, percentOf, spanOf } from './timeline.ts';

const depot = { timeZone: 'Europe/Berlin' } as Parameters<typeof spanOf>[3];
const at = (time: string) => `2026-05-20T${time}:00.000Z`;
const stop = (more: object, delivery: object = {}) =>
  ({
    state: 'open',
    arrivesAt: null,
    arrivalWindow: null,
    endedAt: null,
    delivery: { window: null, eta: null, ...delivery },
    ...more,
  }) as Stop;

test('the timeline shows full hours from the first start to the last arrival window or end of a shift, and 8 at least', () => {
  const late = { arrivesAt: at('17:10'), arrivalWindow: { from: at('17:00'), to: at('18:20') } };
  const routes = [{ startsAt: at('06:40'), stops: [stop(late)] }] as unknown as Parameters<typeof spanOf>[0];
  const span = spanOf(routes, [], '2026-05-20', depot);
  expect(new Date(span.from).toISOString()).toBe(at('06:00'));
  expect(new Date(span.to).toISOString()).toBe(at('19:00'));
  expect(hoursOf(span)).toHaveLength(7);
  // The time of the present takes the place of the hours beside it.
  const shown = hoursOf(span, Date.parse(at('11:10'))).map((hour) => new Date(hour).toISOString());
  expect(shown).toEqual(['06:00', '08:00', '14:00', '16:00', '18:00'].map(at));
  const empty = spanOf([], [], '2026-05-20', depot);
  expect(new Date(empty.from).toISOString()).toBe(at('06:00'));
  expect((empty.to - empty.from) / 3_600_000).toBe(8);
  expect(percentOf(empty, empty.from - 1)).toBe(0);
  expect(percentOf(empty, (empty.from + empty.to) / 2)).toBe(50);
});

test('a stop is late before it is: when it is expected after the recipient’s window, or after its due day at the depot', () => {
  const window = { from: at('08:00'), to: at('10:00') };
  expect(latenessOf(stop({ arrivesAt: at('10:19') }, { window }), depot.timeZone)).toBe('19 min late');
  expect(latenessOf(stop({ arrivesAt: at('13:00') }, { window }), depot.timeZone)).toBe('late, window to 12:00');
  expect(latenessOf(stop({ arrivesAt: at('09:59') }, { window }), depot.timeZone)).toBeNull();
  // After midnight in Berlin, before it in UTC.
  expect(latenessOf(stop({ arrivesAt: at('22:30') }, { eta: '2026-05-20' }), depot.timeZone)).toBe('after its day');
  expect(latenessOf(stop({ arrivesAt: at('21:30') }, { eta: '2026-05-20' }), depot.timeZone)).toBeNull();
  // The recipient's due day says nothing about its return.
  const returned = { eta: '2026-05-20', returnDue: true };
  expect(latenessOf(stop({ arrivesAt: at('22:30') }, returned), depot.timeZone)).toBeNull();
  expect(latenessOf(stop({ state: 'delivered', arrivesAt: at('10:19') }, { window }), depot.timeZone)).toBeNull();
});
