import { maxMissedMs, ruleOf, type InvalidationType, type LiveInvalidation, type Permission } from '@waybill/contract';
import type { Actor } from '../platform/auth/sessions.ts';
import type { FeedEvent } from './outbox.ts';

/** The recipients of an invalidation. Listeners are indexed by all their audiences, so an event visits no other listeners. */
type Audience = `user ${string}` | `may ${Permission}` | 'drivers' | 'everybody';

export type Recipient = Pick<Actor, 'id' | 'role' | 'permissions'>;

interface Listener {
  actor: Recipient;
  send(hint: LiveInvalidation): void;
}

export interface Invalidations {
  /** @returns the function that unsubscribes */
  subscribe(actor: Recipient, send: (hint: LiveInvalidation) => void): () => void;
  publish(events: FeedEvent[]): void;
  /** Returns what the actor was sent, or would have been, in the last `ms`; null if that is not known any more. */
  missed(actor: Recipient, ms: number): LiveInvalidation[] | null;
  /** Called when events may have been lost: nothing from before is known. */
  forget(): void;
  close(): void;
}

/** An import changes thousands of objects at once. Above this number per type, one hint without an id replaces them. */
const maxPerType = 20;

/** Throttle: the lists of waiting deliveries are on many drivers' screens, and each hint causes a request per screen. */
const deliveriesEveryMs = 1000;

/**
 * What they say is fetched from a cache of the process that answers, which may hear of the change later than this one. So their age does not
 * say that somebody who fetched it since has the change.
 */
const fromCaches = new Set<InvalidationType>(['user', 'role', 'settings', 'map']);

/** Recent invalidations are kept for this long, which is longer than callers may have missed: the network delays both directions. */
const keptMs = maxMissedMs + 10_000;
const maxKept = 5000;

/**
 * Streams to which the same hint is written at once, and the pause before the next ones: the requests that a hint causes come over half a
 * second, so that others are served in between. Beyond 1,000 streams the slices are larger, not more.
 */
const sliceSize = 20;
const slicePauseMs = 10;
const maxSlices = 50;

/** Sends each listener the invalidations that concern them. */
export function openInvalidations({ everyMs = deliveriesEveryMs }: { everyMs?: number } = {}): Invalidations {
  const audiences = new Map<Audience, Set<Listener>>();
  let kept: { at: number; hint: LiveInvalidation; to: Audience[] }[] = [];
  /** After this time none is missing in `kept`. */
  let keptSince = performance.now();
  let throttle: NodeJS.Timeout | null = null;
  /** When the last change came that is not sent yet. */
  let lastPendingAt: number | null = null;

  const sendDeliveries = (age?: number) => {
    const listeners = new Set(deliveryAudiences.flatMap((audience) => [...(audiences.get(audience) ?? [])]));
    sendInSlices([...listeners], { type: 'deliveries', id: null, age });
  };

  /** Leading and trailing edge: the first is sent at once, those within the next second are coalesced into one at its end. */
  const throttleDeliveries = (age?: number) => {
    if (throttle) {
      lastPendingAt = performance.now();
      return;
    }
    sendDeliveries(age);
    throttle = setTimeout(() => {
      throttle = null;
      if (lastPendingAt === null) return;
      const waited = performance.now() - lastPendingAt;
      lastPendingAt = null;
      throttleDeliveries(Math.floor(waited));
    }, everyMs);
  };

  const dropOld = (before: number) => {
    const surplus = kept.length > 2 * maxKept ? kept[kept.length - maxKept] : undefined;
    const until = Math.max(before, surplus?.at ?? before);
    if ((kept[0]?.at ?? Infinity) > until) return;
    keptSince = Math.max(keptSince, until);
    kept = kept.filter(({ at }) => at > until);
  };

  return {
    subscribe(actor, send) {
      const listener = { actor, send };
      const own = audiencesOf(actor);
      for (const audience of own) {
        const listeners = audiences.get(audience) ?? new Set();
        audiences.set(audience, listeners.add(listener));
      }
      return () => {
        for (const audience of own) {
          const listeners = audiences.get(audience);
          listeners?.delete(listener);
          if (listeners?.size === 0) audiences.delete(audience);
        }
      };
    },
    publish(events) {
      const pending = new Map<Listener, Map<string, LiveInvalidation>>();
      const at = performance.now();
      const nearerFor = new Set<string | null>();
      for (const event of events) {
        for (const { hint, to } of invalidationsOf(event)) {
          // A step of a driver brings hundreds of stops nearer: one entry for each of their owners is kept.
          if (event.type !== 'delivery.nearer') kept.push({ at, hint, to });
          else if (!nearerFor.has(event.owner_id)) {
            nearerFor.add(event.owner_id);
            kept.push({ at, hint: { type: hint.type, id: null }, to });
          }
          const key = `${hint.type} ${hint.id}`;
          for (const audience of to) {
            for (const listener of audiences.get(audience) ?? []) {
              const hints = pending.get(listener) ?? new Map<string, LiveInvalidation>();
              pending.set(listener, hints.set(key, hint));
            }
          }
        }
      }
      for (const [{ send }, hints] of pending) for (const hint of collapse([...hints.values()])) send(hint);
      if (events.some(changesDeliveries)) {
        kept.push({ at, hint: { type: 'deliveries', id: null }, to: deliveryAudiences });
        throttleDeliveries();
      }
      dropOld(at - keptMs);
    },
    missed(actor, ms) {
      const now = performance.now();
      const since = now - ms - (keptMs - maxMissedMs);
      if (ms > maxMissedMs || since <= keptSince) return null;
      const own = new Set(audiencesOf(actor));
      const hints = new Map<string, LiveInvalidation>();
      for (let index = kept.length - 1; index >= 0; index--) {
        const one = kept[index];
        if (!one || one.at < since) break;
        const key = `${one.hint.type} ${one.hint.id}`;
        // The last of equal ones counts.
        if (hints.has(key) || !one.to.some((audience) => own.has(audience))) continue;
        hints.set(key, fromCaches.has(one.hint.type) ? one.hint : { ...one.hint, age: Math.floor(now - one.at) });
      }
      return collapse([...hints.values()]);
    },
    forget() {
      kept = [];
      keptSince = performance.now();
    },
    close() {
      if (throttle) clearTimeout(throttle);
    },
  };
}

function sendInSlices(
  listeners: Listener[],
  hint: LiveInvalidation,
  size = Math.max(sliceSize, Math.ceil(listeners.length / maxSlices)),
): void {
  for (const { send } of listeners.slice(0, size)) send(hint);
  if (listeners.length > size) setTimeout(() => sendInSlices(listeners.slice(size), hint, size), slicePauseMs).unref();
}

function collapse(hints: LiveInvalidation[]): LiveInvalidation[] {
  if (hints.length <= maxPerType) return hints;
  const byType = Map.groupBy(hints, (hint) => hint.type);
  return [...byType].flatMap(([type, ofType]) =>
    ofType.length > maxPerType ? [{ type, id: null, age: youngest(ofType) }] : ofType,
  );
}

/** Undefined where one has no age. */
const youngest = (hints: LiveInvalidation[]): number | undefined =>
  hints.reduce<number | undefined>(
    (least, { age }) => (least !== undefined && age !== undefined ? Math.min(least, age) : undefined),
    Infinity,
  );

const audiencesOf = ({ id, role, permissions }: Recipient): Audience[] => [
  'everybody',
  `user ${id}`,
  ...(role === 'driver' ? (['drivers'] as const) : []),
  ...permissions.map((permission) => `may ${permission}` as const),
];

/** Staff hear of it first. */
const deliveryAudiences: Audience[] = ['may deliveries.view_all', 'may deliveries.claim'];

const users = (...ids: (string | null)[]): Audience[] =>
  ids.flatMap((id) => (id === null ? [] : [`user ${id}` as const]));

/** For each type of hint: the id of the changed object, and its audiences. `deliveries` is throttled separately. */
const invalidationRules: Record<
  Exclude<InvalidationType, 'deliveries'>,
  { id(event: FeedEvent): string | null; to(event: FeedEvent): Audience[] }
> = {
  package: {
    id: (event) => event.package_id,
    // Staff get the hint of the step itself, which is often enough.
    to: (event) => [
      ...users(event.owner_id),
      ...(event.type === 'delivery.nearer' ? [] : (['may packages.view_all'] as const)),
    ],
  },
  delivery: {
    id: (event) => event.package_id,
    to: (event) => [...users(event.driver_id, event.previous_driver_id), 'may deliveries.view_all'],
  },
  incident: {
    id: (event) => String(event.incident_number),
    to: (event) => [...users(event.owner_id, event.driver_id, event.reporter_id), 'may admin.access'],
  },
  notification: { id: () => null, to: (event) => users(event.user_id) },
  import: { id: (event) => event.import_id, to: (event) => users(event.user_id) },
  user: { id: (event) => event.user_id, to: (event) => [...users(event.user_id), 'may admin.manage_users'] },
  shift: {
    id: () => null,
    to: (event) => [
      ...(event.user_id === null ? (['drivers'] as const) : users(event.user_id)),
      'may deliveries.assign',
    ],
  },
  role: { id: () => null, to: () => ['may roles.read'] },
  message: { id: () => null, to: () => ['may admin.access'] },
  settings: { id: () => null, to: () => ['everybody'] },
  depot: { id: () => null, to: () => ['everybody'] },
  map: { id: () => null, to: () => ['may admin.system_config'] },
  route: {
    id: () => null,
    to: (event) => [
      ...users(event.driver_id, event.previous_driver_id),
      'may deliveries.assign',
      'may deliveries.view_all',
    ],
  },
  sent: { id: () => null, to: () => ['may admin.access'] },
};

/** What an event invalidates. Events of packages also do so if their type is unknown, because a newer version of the server wrote it. */
function invalidatedBy(event: FeedEvent): readonly InvalidationType[] {
  const rule = ruleOf(event.type);
  if (rule) return rule.notifies ? [...(rule.invalidates ?? []), 'sent'] : (rule.invalidates ?? []);
  if (event.package_id === null) return [];
  return ['package', 'delivery', event.incident_number === null ? 'deliveries' : 'incident'];
}

const changesDeliveries = (event: FeedEvent): boolean => invalidatedBy(event).includes('deliveries');

const invalidationsOf = (event: FeedEvent): { hint: LiveInvalidation; to: Audience[] }[] =>
  invalidatedBy(event).flatMap((type) => {
    if (type === 'deliveries') return [];
    const { id, to } = invalidationRules[type];
    return [{ hint: { type, id: id(event) }, to: to(event) }];
  });
