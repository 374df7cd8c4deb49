import type { NotificationParameter, NotificationParameters } from './notification-parameters.ts';
import type { Permission, Role } from './permissions.ts';

/** Who can be notified of an event, each with the permissions or roles of which its members have at least one. */
export const audiences = {
  owner: ['packages.create'],
  driver: ['driver'],
  /** The driver of the delivery before this event, or who offers stops to a colleague. */
  formerDriver: ['driver'],
  /** Who reported the incident. */
  reporter: ['packages.create', 'driver'],
  admins: ['admin.access'],
  /** Who may assign deliveries. */
  dispatchers: ['deliveries.assign'],
  /** Administrators who may change accounts. */
  accountAdmins: ['users.update'],
  /** The user of the account. */
  account: ['owner', 'driver', 'admin'],
  /** Who gets the package: without an account, by the addresses of the package alone. */
  recipient: [],
} as const satisfies Record<string, readonly (Permission | Role)[]>;
export type Audience = keyof typeof audiences;

/** What a hint of the signed-in stream can invalidate: see LiveInvalidation. */
export const invalidationTypes = [
  'package',
  'delivery',
  'deliveries',
  'notification',
  'sent',
  'user',
  'role',
  'incident',
  'message',
  'shift',
  'settings',
  'import',
  'depot',
  'route',
  'map',
] as const;
export type InvalidationType = (typeof invalidationTypes)[number];

/** The declaration of an event type. */
export interface EventRule {
  /** The subject, which determines the shape: see server/src/events/event-types.ts. */
  about: 'package' | 'account' | 'role' | 'message' | 'shifts' | 'settings' | 'depot' | 'route';
  /** Transient: sent to open screens and other processes through the outbox, never stored as history. */
  signal?: true;
  /** All events of a package are on its timeline. `public`: on the public tracker as well. */
  timeline?: 'public' | 'private';
  /**
   * The notification: its kind, which users turn on and off, and its audiences. Kinds are listed to users in the order of their first
   * occurrence in the table. `with`: the parameters of the text, stored with it and rendered on reading.
   */
  notifies?: { kind: string; to: readonly Audience[]; with: readonly NotificationParameter[] };
  /** Other jobs that it enqueues, by name. */
  enqueues?: readonly string[];
  /** Also written to the audit log. For `user.changed` only if rights or status changed. */
  audited?: true;
  /** The figure that it counts towards, as defined in server/src/events/figures.ts. */
  counts?: string;
  /** The screens' cached data that it invalidates. Events with `notifies` also invalidate `sent`. */
  invalidates?: readonly InvalidationType[];
  /** The server caches that every process clears. `sessions`: with their user and permissions. */
  clears?: readonly ('sessions' | 'settings' | 'public views')[];
  /** The driver's other stops on a started route are expected at another time after it. */
  movesStops?: true;
  /** Which signed-in streams it closes: those of the session, or all of the account, which reconnect with the current permissions. */
  closes?: 'session' | 'account';
}

type Fact = EventRule & { signal?: never };
/** Jobs load their event from the stored history, so a signal cannot cause any. */
type Signal = EventRule & { signal: true; notifies?: never; enqueues?: never };

const packageScreens = ['package', 'delivery', 'deliveries'] as const;
const incidentScreens = ['package', 'delivery', 'incident'] as const;
const security = { kind: 'security', to: ['account'], with: [] } as const;

/**
 * Every event type. Lists, types and reactions are derived from this table; after a new row the compiler reports which texts are missing.
 * The names are on the wire and in databases, so they never change.
 */
export const eventRules = {
  'delivery.started': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.started', to: ['owner', 'recipient'], with: ['packageName'] },
    counts: 'started',
    invalidates: packageScreens,
    movesStops: true,
  },
  'delivery.next': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.next', to: ['owner', 'recipient'], with: ['packageName'] },
    invalidates: packageScreens,
    movesStops: true,
  },
  /** Another stop of the route became the next one, so it is in transit again. */
  'delivery.deferred': { about: 'package', timeline: 'public', invalidates: packageScreens, movesStops: true },
  /** The driver is at the door. */
  'delivery.arrived': { about: 'package', timeline: 'public', invalidates: packageScreens, movesStops: true },
  /** Not at the door after all: what the driver or their position said of the arrival was wrong. */
  'delivery.arrival-retracted': {
    about: 'package',
    timeline: 'public',
    invalidates: packageScreens,
    movesStops: true,
  },
  'delivery.located': { about: 'package', timeline: 'public', invalidates: packageScreens },
  'delivery.completed': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.completed', to: ['owner', 'recipient'], with: ['packageName'] },
    enqueues: ['chain-proofs'],
    counts: 'completed',
    invalidates: packageScreens,
    movesStops: true,
  },
  'delivery.failed': {
    about: 'package',
    timeline: 'public',
    notifies: {
      kind: 'delivery.failed',
      to: ['owner', 'formerDriver', 'recipient'],
      with: ['packageName', 'note', 'goesBack'],
    },
    counts: 'failed',
    invalidates: packageScreens,
    movesStops: true,
  },
  'delivery.assigned': {
    about: 'package',
    timeline: 'public',
    notifies: {
      kind: 'delivery.assigned',
      to: ['owner', 'driver', 'formerDriver', 'recipient'],
      with: ['packageName', 'hadDriver'],
    },
    counts: 'started',
    invalidates: packageScreens,
    movesStops: true,
  },
  /** Unassigned from its driver without a failed attempt: it waits for a driver again. */
  'delivery.released': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.released', to: ['owner', 'formerDriver', 'recipient'], with: ['packageName'] },
    invalidates: packageScreens,
    movesStops: true,
  },
  /** It is expected at another time, after a step of another stop of the route. Each process derives it, so nothing records it. */
  'delivery.nearer': { about: 'route', signal: true, invalidates: ['package'] },
  /** Its driver was suspended or deleted and still has it. */
  'delivery.stranded': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'delivery.released', to: ['owner'], with: ['packageName'] },
    invalidates: packageScreens,
  },
  /** That driver is active again and still has it. */
  'delivery.resumed': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'delivery.released', to: ['owner'], with: ['packageName'] },
    invalidates: packageScreens,
  },
  'package.created': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.created', to: ['recipient'], with: ['packageName'] },
    counts: 'created',
    invalidates: packageScreens,
  },
  'package.cancelled': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.cancelled', to: ['owner', 'recipient'], with: ['packageName'] },
    enqueues: ['move-images'],
    counts: 'withdrawn',
    invalidates: packageScreens,
  },
  'package.deleted': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.deleted', to: ['owner', 'recipient'], with: ['packageName'] },
    enqueues: ['move-images'],
    counts: 'deleted',
    invalidates: packageScreens,
  },
  /** By the link of its recipient; the note says what, or what was taken back. */
  'package.changed-by-recipient': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.updated', to: ['owner', 'driver', 'recipient'], with: ['packageName', 'note', 'wish'] },
    invalidates: packageScreens,
  },
  /** Its driver took note of what the recipient changed. */
  'package.change-acknowledged': { about: 'package', timeline: 'private', invalidates: packageScreens },
  /** Too many wrong PINs: the driver cannot complete it until a dispatcher releases it. */
  'package.pin-locked': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.pin', to: ['owner', 'admins'], with: ['packageName'] },
    invalidates: packageScreens,
  },
  /** The note says if it is not asked any more. */
  'package.pin-released': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.pin', to: ['driver'], with: ['packageName'] },
    invalidates: packageScreens,
  },
  /** What its owner decided after a failed attempt; the note says it. */
  'package.next-step': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.updated', to: ['recipient'], with: ['packageName'] },
    invalidates: packageScreens,
  },
  /** Brought back to its owner: cancelled. */
  'package.returned': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.cancelled', to: ['owner', 'recipient'], with: ['packageName'] },
    enqueues: ['move-images', 'chain-proofs'],
    counts: 'withdrawn',
    invalidates: packageScreens,
  },
  /** Handed over at the depot. */
  'package.collected': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.completed', to: ['owner', 'recipient'], with: ['packageName'] },
    enqueues: ['chain-proofs'],
    invalidates: packageScreens,
  },
  /** Its completion was a mistake. `changes` has the proof that is void now. */
  'delivery.reopened': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.failed', to: ['owner', 'driver', 'recipient'], with: ['packageName', 'note'] },
    enqueues: ['chain-proofs'],
    counts: 'reopened',
    invalidates: packageScreens,
  },
  'package.updated': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.updated', to: ['driver', 'recipient'], with: ['packageName', 'changedFields'] },
    invalidates: packageScreens,
  },
  /** Somebody said where its address is. */
  'package.placed': { about: 'package', timeline: 'private', invalidates: packageScreens },
  /** The place of its address was found. */
  /** It came to be at risk of being late, or is no more. */
  'package.forecast': { about: 'package', signal: true, invalidates: ['package', 'delivery'] },
  'package.located': { about: 'package', signal: true, invalidates: ['package', 'delivery'] },
  'package.rated': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.rated', to: ['driver'], with: ['packageName', 'stars', 'comment'] },
    counts: 'rated',
    invalidates: ['package', 'delivery'],
  },
  /** The note says the stars. */
  'package.rated-by-recipient': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.rated', to: ['driver'], with: ['packageName', 'stars'] },
    counts: 'rated',
    invalidates: ['package', 'delivery'],
  },
  /** Somebody who holds the tracking ID wrote to the sender. The note is the text; `changes.replyTo.to` is the address for the answer. */
  'package.messaged': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.messaged', to: ['owner'], with: ['packageName'] },
    invalidates: ['package'],
  },
  /** Emails to its recipient come back. */
  'package.unreachable': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.unreachable', to: ['owner'], with: ['packageName'] },
    invalidates: ['package'],
  },
  /** Text messages to its recipient cannot be delivered. */
  'package.number-unreachable': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.unreachable', to: ['owner'], with: ['packageName'] },
    invalidates: ['package'],
  },
  'issue.reported': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'incident', to: ['owner', 'admins'], with: ['packageName', 'incidentNumber', 'incidentType'] },
    counts: 'issue opened',
    invalidates: incidentScreens,
  },
  'incident.investigating': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'incident', to: ['owner', 'admins'], with: ['packageName', 'incidentNumber', 'note'] },
    invalidates: incidentScreens,
  },
  'incident.resolved': {
    about: 'package',
    timeline: 'private',
    notifies: {
      kind: 'incident',
      to: ['owner', 'admins', 'reporter'],
      with: ['packageName', 'incidentNumber', 'note'],
    },
    counts: 'issue resolved',
    invalidates: incidentScreens,
  },
  'incident.reopened': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'incident', to: ['owner', 'admins'], with: ['packageName', 'incidentNumber', 'note'] },
    invalidates: incidentScreens,
  },

  'message.received': {
    about: 'message',
    notifies: { kind: 'message.received', to: ['admins'], with: ['messageNumber', 'isLastOfDay'] },
    invalidates: ['message'],
  },
  'message.resolved': { about: 'message', invalidates: ['message'] },
  'message.reopened': { about: 'message', invalidates: ['message'] },

  /** Registered; an administrator must activate it first. */
  'account.waiting': {
    about: 'account',
    notifies: { kind: 'account.waiting', to: ['accountAdmins'], with: ['isLastOfDay'] },
  },
  'password.reset-requested': {
    about: 'account',
    notifies: { kind: 'password.reset-requested', to: ['accountAdmins'], with: ['isLastOfDay'] },
  },
  'user.created': { about: 'account', audited: true, invalidates: ['user'] },
  /** Every change of a user's rights emits this event: session caches and streams rely on it. */
  'user.changed': { about: 'account', audited: true, invalidates: ['user'], clears: ['sessions'], closes: 'account' },
  /** Its sessions emit `session.ended`. */
  'user.deleted': {
    about: 'account',
    enqueues: ['cancel-packages', 'erase-words', 'end-shifts'],
    audited: true,
    invalidates: ['user'],
    clears: ['sessions'],
  },
  /** Another user has changed role, rights or status of the account. */
  'rights.changed': { about: 'account', notifies: { ...security, with: ['changedParts'] } },
  'password.link-made': { about: 'account', notifies: security, audited: true },
  /** With a link by email that sets a password. */
  'password.link-sent': { about: 'account', notifies: security },
  /** Made by an administrator: as above. */
  'account.invited': { about: 'account', notifies: security, audited: true },
  /** Emails to the account come back. */
  'account.unreachable': { about: 'account', notifies: security },
  /** Text messages to its number cannot be delivered. */
  'account.number-unreachable': { about: 'account', notifies: security },
  /** Signed up, where there is a mail server: confirms it to the address. */
  'account.registered': { about: 'account', notifies: security },
  /** An administrator has activated an account that waited for approval. */
  'account.approved': { about: 'account', notifies: security },
  'password.changed': { about: 'account', notifies: security },
  'second-factor.enabled': { about: 'account', notifies: security, audited: true },
  'second-factor.removed': { about: 'account', notifies: { ...security, with: ['byThemselves'] }, audited: true },
  'recovery-codes.made': { about: 'account', notifies: security, audited: true },

  'session.started': { about: 'account', signal: true, audited: true },
  'session.ended': { about: 'account', signal: true, clears: ['sessions'], closes: 'session' },
  /** A sign-in from an IP address that is new for the account. */
  'session.unfamiliar': { about: 'account', notifies: security },
  /** Another user has ended sessions of the account. */
  'sessions.ended': { about: 'account', notifies: security, audited: true },
  /** A sign-in over the maximum of sessions per account ended the session that was idle longest. */
  'sessions.displaced': { about: 'account', notifies: security },

  'notification.created': { about: 'account', signal: true, invalidates: ['notification', 'sent'] },
  /** Messages by slow channels have a new state. */
  'notification.progressed': { about: 'account', signal: true, invalidates: ['sent'] },
  'notification.read': { about: 'account', signal: true, invalidates: ['notification'] },
  'import.progressed': { about: 'account', signal: true, invalidates: ['import'] },

  'positions.agreed': { about: 'account', audited: true },
  'positions.revoked': { about: 'account', audited: true },

  'shift.created': { about: 'account', audited: true, invalidates: ['shift'] },
  'shift.changed': { about: 'account', audited: true, invalidates: ['shift'] },
  'shift.deleted': { about: 'account', audited: true, invalidates: ['shift'] },
  'absence.created': { about: 'account', audited: true, invalidates: ['shift'] },
  'absence.changed': { about: 'account', audited: true, invalidates: ['shift'] },
  'absence.deleted': { about: 'account', audited: true, invalidates: ['shift'] },
  /** A driver has entered or changed an absence themselves, which dispatchers do not expect. */
  'absence.reported': {
    about: 'account',
    notifies: { kind: 'absence.reported', to: ['dispatchers'], with: ['leavesStops'] },
  },
  /** Bulk planning: shifts of many drivers at once. */
  'shifts.copied': { about: 'shifts', audited: true, invalidates: ['shift'] },

  'depot.created': { about: 'depot', audited: true, invalidates: ['depot'] },
  'depot.changed': { about: 'depot', audited: true, invalidates: ['depot'] },
  /** The place of its address was found. */
  'depot.placed': { about: 'depot', signal: true, invalidates: ['depot'] },
  'depot.deleted': { about: 'depot', audited: true, invalidates: ['depot'] },

  /** A planned package is not offered, so that lists of waiting deliveries change as well. */
  'route.created': { about: 'route', invalidates: ['route'] },
  'route.changed': { about: 'route', invalidates: ['route', 'deliveries'], movesStops: true },
  'route.deleted': { about: 'route', invalidates: ['route', 'deliveries'] },
  'route.started': { about: 'route', invalidates: ['route'] },
  'route.finished': { about: 'route', enqueues: ['measure-routes'], invalidates: ['route', 'deliveries'] },

  /** Stops of a started route that its driver offers to a colleague. */
  'offer.made': { about: 'route', invalidates: ['route'] },
  'offer.accepted': { about: 'route', invalidates: ['route'] },
  'offer.declined': {
    about: 'route',
    notifies: { kind: 'offer.declined', to: ['formerDriver'], with: [] },
    invalidates: ['route'],
  },
  'offer.withdrawn': { about: 'route', invalidates: ['route'] },
  /** Nobody has answered in time, and some of its stops are still open. */
  'offer.expired': {
    about: 'route',
    notifies: { kind: 'offer.declined', to: ['formerDriver'], with: [] },
    invalidates: ['route'],
  },

  /** The users of a changed role get a `user.changed` each. */
  'role.created': { about: 'role', audited: true, invalidates: ['role'] },
  'role.changed': { about: 'role', audited: true, invalidates: ['role'] },
  'role.deleted': { about: 'role', audited: true, invalidates: ['role'] },
  'settings.changed': {
    about: 'settings',
    audited: true,
    invalidates: ['settings'],
    clears: ['sessions', 'settings', 'public views'],
  },
  /** The text of a kind of message in one language. */
  'template.changed': { about: 'settings', audited: true, invalidates: ['settings'] },
  /** An extract of OpenStreetMap became the map, or was taken away. */
  'map.imported': { about: 'settings', audited: true, invalidates: ['map'] },
  'map.removed': { about: 'settings', audited: true, invalidates: ['map'] },
  /** The upload or import of an extract began or ended otherwise. */
  'map.uploading': { about: 'settings', audited: true, invalidates: ['map'] },
  'map.progressed': { about: 'settings', signal: true, invalidates: ['map'] },
} as const satisfies Record<string, Fact | Signal>;

type Rules = typeof eventRules;
export type EventType = keyof Rules;

/** The event types whose rule matches: `TypesWhere<{ timeline: 'public' }>`. */
export type TypesWhere<Match extends object> = {
  [Type in EventType]: Rules[Type] extends Match ? Type : never;
}[EventType];

/** The event types that notify an audience. */
export type TypesNotifying<To extends Audience> = {
  [Type in EventType]: Rules[Type] extends { notifies: { to: readonly (infer Notified)[] } }
    ? To extends Notified
      ? Type
      : never
    : never;
}[EventType];

/** The parameters of a notification of this type. */
export type ParametersOf<Type extends EventType> = Rules[Type] extends {
  notifies: { with: readonly (infer Name extends NotificationParameter)[] };
}
  ? Pick<NotificationParameters, Name>
  : never;

/** All values of an optional field of the rules. */
type ValueOf<Field extends string> = {
  [Type in EventType]: Rules[Type] extends Record<Field, infer Value> ? Value : never;
}[EventType];
type Kind = ValueOf<'notifies'>['kind'];
export type FigureCount = ValueOf<'counts'>;
export type EnqueuedJob = ValueOf<'enqueues'>[number];

const rules: Record<string, EventRule> = eventRules;

/** Undefined for an unknown type: during a rolling update, servers of a newer version may write its event types. */
export const ruleOf = (type: string): EventRule | undefined => (Object.hasOwn(rules, type) ? rules[type] : undefined);

/** In the order of the table. */
const typesOf = (matches: (rule: EventRule) => boolean): EventType[] =>
  (Object.keys(rules) as EventType[]).filter((type) => matches(eventRules[type]));

/** The event types whose rule matches: `typesWhere({ timeline: 'public' })`. */
export const typesWhere = /* @__NO_SIDE_EFFECTS__ */ <const Match extends Partial<EventRule>>(
  match: Match,
): TypesWhere<Match>[] =>
  typesOf((rule) =>
    Object.entries(match).every(([field, value]) => rule[field as keyof EventRule] === value),
  ) as TypesWhere<Match>[];

export const notificationKindOf = (type: string): Kind | undefined => ruleOf(type)?.notifies?.kind as Kind | undefined;

const kindsOf = (types: EventType[]): Kind[] => [...new Set(types.flatMap((type) => notificationKindOf(type) ?? []))];

/** The kinds of notifications that users can choose, in the order of the table. */
export const notificationKinds: readonly Kind[] = /* @__PURE__ */ (() => kindsOf(typesOf(() => true)))();

/** The event types of a kind. */
export const eventTypesOf = (kind: Kind): EventType[] => typesOf(({ notifies }) => notifies?.kind === kind);

/** All audiences of a kind. */
export const audiencesOf = (kind: Kind): Audience[] =>
  eventTypesOf(kind).flatMap((type) => rules[type]?.notifies?.to ?? []);

export const enqueuedJobs = (): EnqueuedJob[] =>
  typesOf(() => true).flatMap((type) => (rules[type]?.enqueues ?? []) as EnqueuedJob[]);
