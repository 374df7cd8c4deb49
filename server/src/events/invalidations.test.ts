import { rolePermissions, type LiveInvalidation } from '@waybill/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { FeedEvent } from './outbox.ts';
import { openInvalidations, type Invalidations, type Recipient } from './invalidations.ts';

const nothing = {
  id: '1',
  type: '',
  package_id: null,
  tracking_id: null,
  owner_id: null,
  driver_id: null,
  previous_driver_id: null,
  incident_number: null,
  reporter_id: null,
  user_id: null,
  session_id: null,
  import_id: null,
} satisfies FeedEvent;
const event = (fields: Partial<FeedEvent>): FeedEvent => ({ ...nothing, ...fields });
const started = event({ type: 'delivery.started', package_id: 'p1', owner_id: 'owner', driver_id: 'driver' });

const person = (id: string, role: Recipient['role']): Recipient => ({ id, role, permissions: rolePermissions[role] });
const people = {
  owner: person('owner', 'owner'),
  'other owner': person('other owner', 'owner'),
  driver: person('driver', 'driver'),
  'other driver': person('other driver', 'driver'),
  admin: person('admin', 'admin'),
};

let open: Invalidations | undefined;
afterEach(() => {
  open?.close();
  vi.useRealTimers();
});

/** Subscribes everybody. @returns the hints that each has received, as 'type id' */
function listenAll() {
  const invalidations = (open = openInvalidations());
  const received: Record<string, string[]> = {};
  for (const [name, actor] of Object.entries(people))
    invalidations.subscribe(actor, ({ type, id }: LiveInvalidation) =>
      (received[name] ??= []).push(`${type} ${id ?? '-'}`),
    );
  return { invalidations, received };
}

describe('an event is sent to the users it concerns, and to nobody else', () => {
  test.each<[Partial<FeedEvent>, Record<string, string[]>]>([
    [
      started,
      {
        owner: ['package p1'],
        driver: ['delivery p1', 'deliveries -'],
        'other driver': ['deliveries -'],
        admin: ['package p1', 'delivery p1', 'sent -', 'deliveries -'],
      },
    ],
    [
      { ...started, type: 'delivery.assigned', driver_id: 'other driver', previous_driver_id: 'driver' },
      {
        owner: ['package p1'],
        driver: ['delivery p1', 'deliveries -'],
        'other driver': ['delivery p1', 'deliveries -'],
        admin: ['package p1', 'delivery p1', 'sent -', 'deliveries -'],
      },
    ],
    [
      { ...started, type: 'incident.reported', incident_number: 7, reporter_id: 'owner' },
      {
        owner: ['package p1', 'incident 7'],
        driver: ['delivery p1', 'incident 7'],
        admin: ['package p1', 'delivery p1', 'incident 7'],
      },
    ],
    [
      { ...started, type: 'package.rated' },
      { owner: ['package p1'], driver: ['delivery p1'], admin: ['package p1', 'delivery p1', 'sent -'] },
    ],
    [{ type: 'notification.read', user_id: 'owner' }, { owner: ['notification -'] }],
    [
      { type: 'notification.created', user_id: 'owner' },
      { owner: ['notification -'], admin: ['sent -'] },
    ],
    [{ type: 'import.progressed', user_id: 'owner', import_id: 'i1' }, { owner: ['import i1'] }],
    [
      { type: 'user.changed', user_id: 'driver' },
      { driver: ['user driver'], admin: ['user driver'] },
    ],
    [
      { type: 'shift.created', user_id: 'driver' },
      { driver: ['shift -'], admin: ['shift -'] },
    ],
    [{ type: 'session.ended', user_id: 'driver', session_id: 's' }, {}],
    [{ type: 'role.changed' }, { admin: ['role -'] }],
    [{ type: 'message.received' }, { admin: ['message -', 'sent -'] }],
    [{ type: 'shifts.copied' }, { driver: ['shift -'], 'other driver': ['shift -'], admin: ['shift -'] }],
    [{ type: 'settings.changed' }, Object.fromEntries(Object.keys(people).map((name) => [name, ['settings -']]))],
  ])('%j', (fields, reached) => {
    const { invalidations, received } = listenAll();
    invalidations.publish([event(fields)]);
    expect(received).toEqual(reached);
  });

  test('an unsubscribed listener receives nothing', () => {
    const invalidations = (open = openInvalidations());
    const received: LiveInvalidation[] = [];
    const leave = invalidations.subscribe(people.owner, (hint) => received.push(hint));
    leave();
    invalidations.publish([started]);
    expect(received).toEqual([]);
  });

  test('duplicates in one poll are coalesced, and many of a type are collapsed into one without an id', () => {
    const { invalidations, received } = listenAll();
    invalidations.publish([started, started]);
    expect(received.owner).toEqual(['package p1']);
    invalidations.publish(Array.from({ length: 21 }, (_, index) => ({ ...started, package_id: `q${index}` })));
    expect(received.owner).toEqual(['package p1', 'package -']);
  });
});

test('hints of the pending lists are throttled: the first at once, then one per second', () => {
  vi.useFakeTimers();
  const { invalidations, received } = listenAll();
  const sentCount = () => (received['other driver'] ?? []).length;
  invalidations.publish([started]);
  expect(sentCount()).toBe(1);
  for (let tenth = 0; tenth < 30; tenth++) {
    invalidations.publish([started]);
    vi.advanceTimersByTime(100);
  }
  expect(sentCount()).toBe(4);
  // The trailing edge sends the last change, with its age, and then nothing more.
  const ages: (number | undefined)[] = [];
  invalidations.subscribe(people.driver, ({ type, age }) => type === 'deliveries' && ages.push(age));
  invalidations.publish([started]);
  vi.advanceTimersByTime(300);
  invalidations.publish([started]);
  vi.advanceTimersByTime(10_000);
  expect(sentCount()).toBe(5);
  expect(ages).toEqual([700]);
  invalidations.publish([started]);
  expect(sentCount()).toBe(6);
});

test('of 1,000 drivers 20 hear at a time that the pending lists changed, all within half a second, and staff first', () => {
  vi.useFakeTimers();
  const { invalidations, received } = listenAll();
  let heard = 0;
  for (let index = 0; index < 997; index++)
    invalidations.subscribe(
      person(`driver ${index}`, 'driver'),
      ({ type }) => (heard += Number(type === 'deliveries')),
    );
  invalidations.publish([{ ...started, driver_id: null }]);
  expect(received.admin).toContain('deliveries -');
  expect(heard).toBe(17);
  vi.advanceTimersByTime(10);
  expect(heard).toBe(37);
  vi.advanceTimersByTime(490);
  expect(heard).toBe(997);
});

describe('what an actor has missed', () => {
  const texts = (hints: LiveInvalidation[] | null) => hints?.map(({ type, id }) => `${type} ${id ?? '-'}`).toSorted();

  test('is what it would have been sent, each hint once', () => {
    vi.useFakeTimers();
    const { invalidations } = listenAll();
    vi.advanceTimersByTime(120_000);
    invalidations.publish([{ ...started, package_id: 'long ago' }]);
    vi.advanceTimersByTime(40_000);
    invalidations.publish([started, started]);
    vi.advanceTimersByTime(10_000);
    const missed = (who: keyof typeof people, ms: number) => texts(invalidations.missed(people[who], ms));
    expect(missed('owner', 5000)).toEqual(['package p1']);
    expect(missed('driver', 5000)).toEqual(['deliveries -', 'delivery p1']);
    expect(missed('other owner', 5000)).toEqual([]);
    expect(missed('owner', 45_000)).toEqual(['package long ago', 'package p1']);
    // The network's delay: another 10 s.
    vi.advanceTimersByTime(6000);
    expect(missed('owner', 5000)).toEqual([]);
    expect(missed('owner', 7000)).toEqual(['package p1']);
  });

  test('says how long ago the last change was, but for what is fetched from caches', () => {
    vi.useFakeTimers();
    const { invalidations } = listenAll();
    vi.advanceTimersByTime(120_000);
    const step = (id: string) => invalidations.publish([{ ...started, package_id: id }]);
    step('p1');
    invalidations.publish([event({ type: 'settings.changed' })]);
    vi.advanceTimersByTime(3000);
    step('p2');
    vi.advanceTimersByTime(2000);
    step('p1');
    vi.advanceTimersByTime(500);
    expect(
      invalidations.missed(people.owner, 1000)?.toSorted((a, b) => String(a.id).localeCompare(String(b.id))),
    ).toEqual([
      { type: 'settings', id: null },
      { type: 'package', id: 'p1', age: 500 },
      { type: 'package', id: 'p2', age: 2500 },
    ]);
    for (let index = 0; index < 25; index++) step(`q${index}`);
    vi.advanceTimersByTime(1500);
    expect(invalidations.missed(people.owner, 1000)).toContainEqual({ type: 'package', id: null, age: 1500 });
  });

  test('is not known from before the start, after lost events, after more than a minute, or when there were too many', () => {
    vi.useFakeTimers();
    const { invalidations } = listenAll();
    const missed = (ms: number) => texts(invalidations.missed(people.owner, ms));
    expect(missed(0)).toBeUndefined();
    vi.advanceTimersByTime(200_000);
    expect(missed(60_000)).toEqual([]);
    expect(missed(60_001)).toBeUndefined();
    invalidations.publish(Array.from({ length: 25 }, (_, index) => ({ ...started, package_id: `p${index}` })));
    expect(missed(60_000)).toEqual(['package -']);
    invalidations.publish(Array.from({ length: 10_000 }, () => started));
    expect(missed(0)).toBeUndefined();
    vi.advanceTimersByTime(20_000);
    invalidations.publish([started]);
    expect(missed(30_000)).toBeUndefined();
    expect(missed(5000)).toEqual(['package p1']);
    invalidations.forget();
    expect(missed(5000)).toBeUndefined();
  });
});

test('the cost of an event depends on its recipients, not on the number of listeners', () => {
  const invalidations = (open = openInvalidations());
  let accesses = 0;
  for (let index = 0; index < 2000; index++) {
    const actor = person(`driver ${index}`, 'driver');
    invalidations.subscribe(
      {
        get id() {
          accesses++;
          return actor.id;
        },
        role: actor.role,
        get permissions() {
          accesses++;
          return actor.permissions;
        },
      },
      () => {},
    );
  }
  accesses = 0;
  for (let index = 0; index < 100; index++) invalidations.publish([{ ...started, driver_id: `driver ${index}` }]);
  expect(accesses).toBe(0);
});
