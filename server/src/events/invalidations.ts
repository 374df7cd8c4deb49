import { ruleOf, type InvalidationType, type LiveInvalidation, type Permission } from '@waybill/contract';
import type { Actor } from '../platform/auth/sessions.ts';
import type { FeedEvent } from './outbox.ts';

/** Those whom a hint is for. Listeners stand under every one that they belong to, so that an event finds its listeners and tries no other. */
type Audience = `user ${string}` | `may ${Permission}` | 'drivers' | 'everybody';

export type Recipient = Pick<Actor, 'id' | 'role' | 'permissions'>;

interface Listener {
  actor: Recipient;
  send(hint: LiveInvalidation): void;
}

export interface Invalidations {
  /** @returns the way to leave */
  add(actor: Recipient, send: (hint: LiveInvalidation) => void): () => void;
  tell(events: FeedEvent[]): void;
  close(): void;
}

/** An import changes thousands at once. Past this many of a type, one hint without an id stands for all of them. */
const maxPerType = 20;

/** The lists of what waits for a driver are on every driver's screen, and each hint makes each of them ask twice. */
const deliveriesEveryMs = 1000;

/** Written to so many streams in a row; others get their turn between. */
const sliceSize = 500;

/** Tells each listener what changed that concerns them. */
export function openInvalidations({ everyMs = deliveriesEveryMs }: { everyMs?: number } = {}): Invalidations {
  const audiences = new Map<Audience, Set<Listener>>();
  let gathering: NodeJS.Timeout | null = null;
  let gathered = false;

  const sendDeliveries = () => {
    const listeners = new Set(deliveryAudiences.flatMap((audience) => [...(audiences.get(audience) ?? [])]));
    sendInSlices([...listeners], { type: 'deliveries', id: null });
  };

  /** The first goes out at once, what comes within a second of it as one at its end. */
  const throttleDeliveries = () => {
    if (gathering) {
      gathered = true;
      return;
    }
    sendDeliveries();
    gathering = setTimeout(() => {
      gathering = null;
      if (!gathered) return;
      gathered = false;
      throttleDeliveries();
    }, everyMs);
  };

  return {
    add(actor, send) {
      const listener = { actor, send };
      const own = audiencesOf(actor);
      for (const audience of own) {
        const known = audiences.get(audience) ?? new Set();
        audiences.set(audience, known.add(listener));
      }
      return () => {
        for (const audience of own) {
          const known = audiences.get(audience);
          known?.delete(listener);
          if (known?.size === 0) audiences.delete(audience);
        }
      };
    },
    tell(events) {
      const told = new Map<Listener, Map<string, LiveInvalidation>>();
      for (const event of events) {
        for (const { hint, to } of invalidationsOf(event)) {
          const key = `${hint.type} ${hint.id}`;
          for (const audience of to) {
            for (const listener of audiences.get(audience) ?? []) {
              const hints = told.get(listener) ?? new Map<string, LiveInvalidation>();
              told.set(listener, hints.set(key, hint));
            }
          }
        }
      }
      for (const [{ send }, hints] of told) for (const hint of collapse([...hints.values()])) send(hint);
      if (events.some(changesDeliveries)) throttleDeliveries();
    },
    close() {
      if (gathering) clearTimeout(gathering);
    },
  };
}

function sendInSlices(listeners: Listener[], hint: LiveInvalidation): void {
  for (const { send } of listeners.slice(0, sliceSize)) send(hint);
  if (listeners.length > sliceSize) setImmediate(() => sendInSlices(listeners.slice(sliceSize), hint));
}

function collapse(hints: LiveInvalidation[]): LiveInvalidation[] {
  if (hints.length <= maxPerType) return hints;
  const byType = Map.groupBy(hints, (hint) => hint.type);
  return [...byType].flatMap(([type, alike]) => (alike.length > maxPerType ? [{ type, id: null }] : alike));
}

const audiencesOf = ({ id, role, permissions }: Recipient): Audience[] => [
  'everybody',
  `user ${id}`,
  ...(role === 'driver' ? (['drivers'] as const) : []),
  ...permissions.map((permission) => `may ${permission}` as const),
];

const deliveryAudiences: Audience[] = ['may deliveries.claim', 'may deliveries.view_all'];

const users = (...ids: (string | null)[]): Audience[] =>
  ids.flatMap((id) => (id === null ? [] : [`user ${id}` as const]));

/** Of each type of hint: which thing it names, and to whom it is told; the lists of unclaimed deliveries are told gathered. */
const invalidationRules: Record<
  Exclude<InvalidationType, 'deliveries'>,
  { id(event: FeedEvent): string | null; to(event: FeedEvent): Audience[] }
> = {
  package: {
    id: (event) => event.package_id,
    to: (event) => [...users(event.owner_id), 'may packages.view_all'],
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
  sent: { id: () => null, to: () => ['may admin.access'] },
};

/** What an event makes stale. Of a package also where only a newer version of the server knows the type. */
function staleAfter(event: FeedEvent): readonly InvalidationType[] {
  const rule = ruleOf(event.type);
  if (rule) return rule.notifies ? [...(rule.invalidates ?? []), 'sent'] : (rule.invalidates ?? []);
  if (event.package_id === null) return [];
  return ['package', 'delivery', event.incident_number === null ? 'deliveries' : 'incident'];
}

const changesDeliveries = (event: FeedEvent): boolean => staleAfter(event).includes('deliveries');

const invalidationsOf = (event: FeedEvent): { hint: LiveInvalidation; to: Audience[] }[] =>
  staleAfter(event).flatMap((type) => {
    if (type === 'deliveries') return [];
    const { id, to } = invalidationRules[type];
    return [{ hint: { type, id: id(event) }, to: to(event) }];
  });
