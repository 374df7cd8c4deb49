import type { LiveHint, Permission } from '@waybill/contract';
import type { Actor } from '../platform/sessions.ts';
import type { FedEvent } from './feed.ts';
import { reactions } from './reactions.ts';
import type { AnyEvent } from './record.ts';

/** Those whom a hint is for. Listeners stand under every one that they belong to, so that an event finds its listeners and tries no other. */
type Audience = `user ${string}` | `may ${Permission}` | 'drivers' | 'everybody';

export type Told = Pick<Actor, 'id' | 'role' | 'permissions'>;

interface Listener {
  actor: Told;
  send(hint: LiveHint): void;
}

export interface Hints {
  /** @returns the way to leave */
  add(actor: Told, send: (hint: LiveHint) => void): () => void;
  tell(events: FedEvent[]): void;
  close(): void;
}

/** An import changes thousands at once. Past this many of a type, one hint without an id stands for all of them. */
const mostHints = 20;

/** The lists of what waits for a driver are on every driver's screen, and each hint makes each of them ask twice. */
const deliveriesEveryMs = 1000;

/** Written to so many streams in a row; others get their turn between. */
const sliceSize = 500;

/** Tells each listener what changed that concerns them. */
export function openHints({ everyMs = deliveriesEveryMs }: { everyMs?: number } = {}): Hints {
  const audiences = new Map<Audience, Set<Listener>>();
  let gathering: NodeJS.Timeout | null = null;
  let gathered = false;

  const tellDeliveries = () => {
    const listeners = new Set(deliveryAudiences.flatMap((audience) => [...(audiences.get(audience) ?? [])]));
    sendInSlices([...listeners], { type: 'deliveries', id: null });
  };

  /** The first goes out at once, what comes within a second of it as one at its end. */
  const gatherDeliveries = () => {
    if (gathering) {
      gathered = true;
      return;
    }
    tellDeliveries();
    gathering = setTimeout(() => {
      gathering = null;
      if (!gathered) return;
      gathered = false;
      gatherDeliveries();
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
      const told = new Map<Listener, Map<string, LiveHint>>();
      for (const event of events) {
        for (const { hint, to } of hintsOf(event)) {
          const key = `${hint.type} ${hint.id}`;
          for (const audience of to) {
            for (const listener of audiences.get(audience) ?? []) {
              const hints = told.get(listener) ?? new Map<string, LiveHint>();
              told.set(listener, hints.set(key, hint));
            }
          }
        }
      }
      for (const [{ send }, hints] of told) for (const hint of few([...hints.values()])) send(hint);
      if (events.some(changesDeliveries)) gatherDeliveries();
    },
    close() {
      if (gathering) clearTimeout(gathering);
    },
  };
}

function sendInSlices(listeners: Listener[], hint: LiveHint): void {
  for (const { send } of listeners.slice(0, sliceSize)) send(hint);
  if (listeners.length > sliceSize) setImmediate(() => sendInSlices(listeners.slice(sliceSize), hint));
}

function few(hints: LiveHint[]): LiveHint[] {
  if (hints.length <= mostHints) return hints;
  const byType = Map.groupBy(hints, (hint) => hint.type);
  return [...byType].flatMap(([type, alike]) => (alike.length > mostHints ? [{ type, id: null }] : alike));
}

const audiencesOf = ({ id, role, permissions }: Told): Audience[] => [
  'everybody',
  `user ${id}`,
  ...(role === 'driver' ? (['drivers'] as const) : []),
  ...permissions.map((permission) => `may ${permission}` as const),
];

const deliveryAudiences: Audience[] = ['may deliveries.claim', 'may deliveries.view_all'];

/** What is said about a package changes no list of unclaimed ones. */
const changesDeliveries = (event: FedEvent): boolean =>
  event.package_id !== null && event.incident_number === null && event.type !== 'package.rated';

const users = (...ids: (string | null)[]): Audience[] =>
  ids.flatMap((id) => (id === null ? [] : [`user ${id}` as const]));

/** Something is to be told to somebody, or has reached them. */
const changesSent = ({ type }: FedEvent): boolean =>
  type === 'notification.created' ||
  (reactions[type as AnyEvent['type']] ?? []).some((job) => job.startsWith('notify-'));

function hintsOf(event: FedEvent): { hint: LiveHint; to: Audience[] }[] {
  const hints = hintsOfItself(event);
  return changesSent(event) ? [...hints, { hint: { type: 'sent', id: null }, to: ['may admin.access'] }] : hints;
}

/** What an event means, and to whom; but for the lists of unclaimed deliveries, which are told to all drivers, gathered. */
function hintsOfItself(event: FedEvent): { hint: LiveHint; to: Audience[] }[] {
  const { type, package_id: packageId, user_id: userId } = event;
  if (packageId !== null) {
    const hints: { hint: LiveHint; to: Audience[] }[] = [
      { hint: { type: 'package', id: packageId }, to: [...users(event.owner_id), 'may packages.view_all'] },
      {
        hint: { type: 'delivery', id: packageId },
        to: [...users(event.driver_id, event.previous_driver_id), 'may deliveries.view_all'],
      },
    ];
    if (event.incident_number !== null) {
      hints.push({
        hint: { type: 'incident', id: String(event.incident_number) },
        to: [...users(event.owner_id, event.driver_id, event.reporter_id), 'may admin.access'],
      });
    }
    return hints;
  }
  if (userId !== null) {
    const own = users(userId);
    if (type.startsWith('notification.')) return [{ hint: { type: 'notification', id: null }, to: own }];
    if (type === 'import.progressed') return [{ hint: { type: 'import', id: event.import_id }, to: own }];
    if (type.startsWith('user.'))
      return [{ hint: { type: 'user', id: userId }, to: [...own, 'may admin.manage_users'] }];
    if (type.startsWith('shift.'))
      return [{ hint: { type: 'shift', id: null }, to: [...own, 'may deliveries.assign'] }];
    return [];
  }
  if (type.startsWith('role.')) return [{ hint: { type: 'role', id: null }, to: ['may roles.read'] }];
  if (type.startsWith('message.')) return [{ hint: { type: 'message', id: null }, to: ['may admin.access'] }];
  if (type === 'settings.changed') return [{ hint: { type: 'settings', id: null }, to: ['everybody'] }];
  if (type === 'shifts.copied')
    return [{ hint: { type: 'shift', id: null }, to: ['drivers', 'may deliveries.assign'] }];
  return [];
}
