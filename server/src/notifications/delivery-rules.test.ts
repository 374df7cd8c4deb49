import { dayIn, type QuietHours } from '@waybill/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, endOfLife, endOfQuietHours, isQuiet, nextTimeOfDay, type DeliveryFacts } from './delivery-rules.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const quietHours: fc.Arbitrary<QuietHours> = fc.record({
  from: time,
  to: time,
  timeZone: fc.constantFrom(...zones),
});
// With the changes of clocks in spring and autumn, of both hemispheres.
const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });

const facts: fc.Arbitrary<DeliveryFacts> = fc.record({
  channel: fc.constantFrom('email' as const, 'sms' as const, 'push' as const),
  kind: fc.constantFrom('delivery.next' as const, 'delivery.completed' as const, null),
  enabled: fc.constantFrom(true, false, null),
  address: fc.constantFrom('anna@example.com', null),
  quietHours: fc.option(quietHours),
  endsAt: instant,
  sent: fc.integer({ min: 0, max: 8 }),
  now: instant,
});

test('nobody is told what they did not want, nor at night, nor too late', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const decision = decide(given);
      const { channel, kind, enabled, address, endsAt, now, sent } = given;
      if (channel === 'email' && address !== null && kind !== null && enabled === false)
        expect(decision).toEqual({ is: 'suppressed', reason: 'opted_out' });
      if (decision.is !== 'send') return;
      // Nobody gets a text message they have not asked for.
      const isDefault =
        channel !== 'sms' &&
        (kind === null || (enabled === null && (channel === 'push' || kind === 'delivery.completed')));
      expect((kind !== null && enabled === true) || isDefault).toBe(true);
      expect(address).not.toBeNull();
      expect(sent).toBeLessThan(6);
      expect(decision.at >= now && decision.at < endsAt).toBe(true);
      if (kind !== null && given.quietHours) expect(isQuiet(given.quietHours, decision.at)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('quiet hours end at the first minute that is not quiet', () => {
  fc.assert(
    fc.property(quietHours, instant, (quiet, at) => {
      const end = endOfQuietHours(quiet, at);
      expect(isQuiet(quiet, end)).toBe(false);
      if (!isQuiet(quiet, at)) {
        expect(end).toEqual(at);
        return;
      }
      expect(end.getTime() % 60_000).toBe(0);
      expect(isQuiet(quiet, new Date(end.getTime() - 60_000))).toBe(true);
      // Within a day, unless the only minutes that are not quiet are skipped by clocks that are put forward.
      const waits = end.getTime() - at.getTime();
      for (let passed = 0; waits > 25 * 3_600_000 && passed < waits; passed += 60_000)
        expect(isQuiet(quiet, new Date(at.getTime() + passed))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('an hour that is not quiet is not missed on the day clocks are put forward', () => {
  const almostAlways = { from: '18:00', to: '17:01', timeZone: 'America/St_Johns' };
  expect(endOfQuietHours(almostAlways, new Date('2026-03-07T21:30:00Z'))).toEqual(new Date('2026-03-08T19:31:00Z'));
});

test('what is true for a day ends with the day in the zone of the organisation', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), instant, (zone, at) => {
      const end = endOfLife('delivery.started', at, zone);
      const day = dayIn(zone, at);
      expect(dayIn(zone, new Date(end.getTime() - 1))).toBe(day);
      expect(dayIn(zone, end) > day).toBe(true);
    }),
  );
  const at = new Date('2026-11-22T12:00:00Z');
  expect(endOfLife('delivery.next', at, 'UTC')).toEqual(new Date('2026-11-22T12:30:00Z'));
  expect(endOfLife('delivery.completed', at, 'UTC')).toEqual(new Date('2026-11-29T12:00:00Z'));
});

test('the next time of a day is within a day, and shows the time that was asked for unless clocks skip it', () => {
  const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(time, fc.constantFrom(...zones), instant, (at, timeZone, after) => {
      const next = nextTimeOfDay({ at, timeZone }, after);
      const waits = next.getTime() - after.getTime();
      expect(waits > 0 && waits <= 26 * 3_600_000).toBe(true);
      const shown = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short', hourCycle: 'h23' }).format(next);
      const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
      const off = (minutes(shown) - minutes(at) + 1440) % 1440;
      expect(Math.min(off, 1440 - off)).toBeLessThanOrEqual(60);
    }),
  );
  const berlin = { at: '18:00', timeZone: 'Europe/Berlin' };
  for (const [after, next] of [
    ['2026-06-10T15:59:59.000Z', '2026-06-10T16:00:00.000Z'],
    ['2026-06-10T16:00:00.000Z', '2026-06-11T16:00:00.000Z'],
    ['2026-10-24T17:00:00.000Z', '2026-10-25T17:00:00.000Z'],
    ['2026-03-28T18:00:00.000Z', '2026-03-29T16:00:00.000Z'],
  ] as const)
    expect(nextTimeOfDay(berlin, new Date(after)).toISOString()).toBe(next);
});
