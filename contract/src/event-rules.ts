import type { NotificationParameter, NotificationParameters } from './notification-parameters.ts';
import type { Permission, Role } from './permissions.ts';

/** Who is told of an event, and who can ever be among them: holders of a permission, or a role. */
export const audiences = {
  owner: ['packages.create'],
  driver: ['driver'],
  /** Whose delivery it was until this event. */
  formerDriver: ['driver'],
  /** Who reported the incident. */
  reporter: ['packages.create', 'driver'],
  admins: ['admin.access'],
  /** Administrators who can do something about an account. */
  accountAdmins: ['users.update'],
  /** Whoever has the account. */
  account: ['owner', 'driver', 'admin'],
} as const satisfies Record<string, readonly (Permission | Role)[]>;
export type Audience = keyof typeof audiences;

/** What the signed-in stream can say has changed: see `LiveHint`. */
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
] as const;
export type InvalidationType = (typeof invalidationTypes)[number];

/** What there is to know about a type of event. */
export interface EventRule {
  /** What it happened to: which of the shapes in server/src/events/record.ts it has. */
  about: 'package' | 'account' | 'role' | 'message' | 'shifts' | 'settings';
  /** Told to open screens and other processes, and kept nowhere. */
  signal?: true;
  /** Every event of a package is on its timeline. `public`: whoever holds the tracking ID sees it as well. */
  timeline?: 'public' | 'private';
  /**
   * Who is told, and as which kind: what people turn on and off. Kinds are offered in the order in which they first stand here.
   * `with`: what the text is made of, which is kept until it is read.
   */
  notifies?: { kind: string; to: readonly Audience[]; with: readonly NotificationParameter[] };
  /** Other jobs that it puts into the queue, by name. */
  causes?: readonly string[];
  /** It stands in the chain of the audit log as well. Of `user.changed` only those where rights or status changed. */
  audited?: true;
  /** The figure that it adds to, by its rule in server/src/events/figures.ts. */
  counts?: string;
  /** What screens show and is no longer true. Whoever looks after notifications is told besides of all that notifies somebody. */
  stale?: readonly InvalidationType[];
  /** What processes remember and have to read again. `callers`: who a token belongs to, and what they may do. */
  forgets?: readonly ('callers' | 'settings' | 'public views')[];
  /** Which signed-in streams it ends: that of the session, or all of the account, to come back with the rights of now. */
  ends?: 'session' | 'account';
}

type Fact = EventRule & { signal?: never };
/** Jobs find their event where it is kept: none can follow from a signal. */
type Signal = EventRule & { signal: true; notifies?: never; causes?: never };

const ofPackage = ['package', 'delivery', 'deliveries'] as const;
const ofIncident = ['package', 'delivery', 'incident'] as const;
const security = { kind: 'security', to: ['account'], with: [] } as const;

/**
 * Every event there is. Lists, types and reactions derive from this table: whoever adds a row is told by the compiler which
 * wording is missing. The names are on the wire and in databases: they stay.
 */
export const eventRules = {
  'delivery.started': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.started', to: ['owner'], with: ['packageName'] },
    counts: 'started',
    stale: ofPackage,
  },
  'delivery.next': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.next', to: ['owner'], with: ['packageName'] },
    stale: ofPackage,
  },
  'delivery.located': { about: 'package', timeline: 'public', stale: ofPackage },
  'delivery.completed': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.completed', to: ['owner'], with: ['packageName'] },
    counts: 'completed',
    stale: ofPackage,
  },
  'delivery.failed': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.failed', to: ['owner', 'formerDriver'], with: ['packageName', 'note'] },
    counts: 'failed',
    stale: ofPackage,
  },
  'delivery.assigned': {
    about: 'package',
    timeline: 'public',
    notifies: {
      kind: 'delivery.assigned',
      to: ['owner', 'driver', 'formerDriver'],
      with: ['packageName', 'hadDriver'],
    },
    counts: 'started',
    stale: ofPackage,
  },
  /** Taken back from its driver without an attempt having failed: it waits again. */
  'delivery.released': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'delivery.released', to: ['owner', 'formerDriver'], with: ['packageName'] },
    stale: ofPackage,
  },
  /** Its driver was suspended or deleted, and has it still. */
  'delivery.stranded': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'delivery.released', to: ['owner'], with: ['packageName'] },
    stale: ofPackage,
  },
  /** That driver is active again, and has it still. */
  'delivery.resumed': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'delivery.released', to: ['owner'], with: ['packageName'] },
    stale: ofPackage,
  },
  'package.created': { about: 'package', timeline: 'public', counts: 'created', stale: ofPackage },
  'package.cancelled': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.cancelled', to: ['owner'], with: ['packageName'] },
    causes: ['move-images'],
    counts: 'withdrawn',
    stale: ofPackage,
  },
  'package.deleted': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.deleted', to: ['owner'], with: ['packageName'] },
    causes: ['move-images'],
    counts: 'deleted',
    stale: ofPackage,
  },
  'package.updated': {
    about: 'package',
    timeline: 'public',
    notifies: { kind: 'package.updated', to: ['driver'], with: ['packageName', 'changedFields'] },
    stale: ofPackage,
  },
  'package.rated': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'package.rated', to: ['driver'], with: ['packageName', 'stars', 'comment'] },
    counts: 'rated',
    stale: ['package', 'delivery'],
  },
  'issue.reported': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'incident', to: ['owner', 'admins'], with: ['packageName', 'incidentNumber', 'incidentType'] },
    counts: 'issue opened',
    stale: ofIncident,
  },
  'incident.investigating': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'incident', to: ['owner', 'admins'], with: ['packageName', 'incidentNumber', 'note'] },
    stale: ofIncident,
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
    stale: ofIncident,
  },
  'incident.reopened': {
    about: 'package',
    timeline: 'private',
    notifies: { kind: 'incident', to: ['owner', 'admins'], with: ['packageName', 'incidentNumber', 'note'] },
    stale: ofIncident,
  },

  'message.received': {
    about: 'message',
    notifies: { kind: 'message.received', to: ['admins'], with: ['messageNumber', 'isLastOfDay'] },
    stale: ['message'],
  },
  'message.resolved': { about: 'message', stale: ['message'] },
  'message.reopened': { about: 'message', stale: ['message'] },

  /** Registered, and cannot be used before an administrator has activated it. */
  'account.waiting': {
    about: 'account',
    notifies: { kind: 'account.waiting', to: ['accountAdmins'], with: ['isLastOfDay'] },
  },
  'password.reset-requested': {
    about: 'account',
    notifies: { kind: 'password.reset-requested', to: ['accountAdmins'], with: ['isLastOfDay'] },
  },
  'user.created': { about: 'account', audited: true, stale: ['user'] },
  /** Whatever touches somebody's rights is one of these: sessions and streams go by them. */
  'user.changed': { about: 'account', audited: true, stale: ['user'], forgets: ['callers'], ends: 'account' },
  /** Its sessions end by events of their own. */
  'user.deleted': {
    about: 'account',
    causes: ['cancel-packages', 'erase-words', 'end-shifts'],
    audited: true,
    stale: ['user'],
    forgets: ['callers'],
  },
  /** Somebody else has changed role, rights or status of an account. */
  'rights.changed': { about: 'account', notifies: { ...security, with: ['changedParts'] } },
  'password.link-made': { about: 'account', notifies: security, audited: true },
  'password.changed': { about: 'account', notifies: security },
  'second-factor.enabled': { about: 'account', notifies: security, audited: true },
  'second-factor.removed': { about: 'account', notifies: { ...security, with: ['byThemselves'] }, audited: true },
  'recovery-codes.made': { about: 'account', notifies: security, audited: true },

  'session.started': { about: 'account', signal: true, audited: true },
  'session.ended': { about: 'account', signal: true, forgets: ['callers'], ends: 'session' },
  /** A sign-in from an address where the account never was. */
  'session.unfamiliar': { about: 'account', notifies: security },
  /** Somebody else has ended sessions of an account. */
  'sessions.ended': { about: 'account', notifies: security, audited: true },
  /** One more sign-in than an account may have ended the session that was idle for longest. */
  'sessions.displaced': { about: 'account', notifies: security },

  'notification.created': { about: 'account', signal: true, stale: ['notification', 'sent'] },
  'notification.read': { about: 'account', signal: true, stale: ['notification'] },
  'import.progressed': { about: 'account', signal: true, stale: ['import'] },

  'shift.created': { about: 'account', audited: true, stale: ['shift'] },
  'shift.changed': { about: 'account', audited: true, stale: ['shift'] },
  'shift.deleted': { about: 'account', audited: true, stale: ['shift'] },
  /** Shifts of many drivers were planned at once. */
  'shifts.copied': { about: 'shifts', audited: true, stale: ['shift'] },

  /** Whom a change of a role concerns is told by a `user.changed` of each. */
  'role.created': { about: 'role', audited: true, stale: ['role'] },
  'role.changed': { about: 'role', audited: true, stale: ['role'] },
  'role.deleted': { about: 'role', audited: true, stale: ['role'] },
  'settings.changed': {
    about: 'settings',
    audited: true,
    stale: ['settings'],
    forgets: ['callers', 'settings', 'public views'],
  },
} as const satisfies Record<string, Fact | Signal>;

type Rules = typeof eventRules;
export type EventType = keyof Rules;

/** The types whose rule says so: `TypesWhere<{ timeline: 'public' }>`. */
export type TypesWhere<Said extends object> = {
  [Type in EventType]: Rules[Type] extends Said ? Type : never;
}[EventType];

/** The types that one audience is told of. */
export type TypesNotifying<To extends Audience> = {
  [Type in EventType]: Rules[Type] extends { notifies: { to: readonly (infer Told)[] } }
    ? To extends Told
      ? Type
      : never
    : never;
}[EventType];

/** What the text of a notification of this type is made of. */
export type ParametersOf<Type extends EventType> = Rules[Type] extends {
  notifies: { with: readonly (infer Name extends NotificationParameter)[] };
}
  ? Pick<NotificationParameters, Name>
  : never;

/** What rules say in a field that only some have. */
type Said<Field extends string> = {
  [Type in EventType]: Rules[Type] extends Record<Field, infer Value> ? Value : never;
}[EventType];
type Kind = Said<'notifies'>['kind'];
export type FigureCount = Said<'counts'>;
export type CausedJob = Said<'causes'>[number];

const rules: Record<string, EventRule> = eventRules;

/** Undefined for a type that only a newer version knows: its servers may write beside this one. */
export const ruleOf = (type: string): EventRule | undefined => (Object.hasOwn(rules, type) ? rules[type] : undefined);

/** In the order of the table. */
const typesOf = (says: (rule: EventRule) => boolean): EventType[] =>
  (Object.keys(rules) as EventType[]).filter((type) => says(eventRules[type]));

/** The types whose rule says so: `typesWhere({ timeline: 'public' })`. */
export const typesWhere = /* @__NO_SIDE_EFFECTS__ */ <const Said extends Partial<EventRule>>(
  said: Said,
): TypesWhere<Said>[] =>
  typesOf((rule) =>
    Object.entries(said).every(([field, value]) => rule[field as keyof EventRule] === value),
  ) as TypesWhere<Said>[];

export const notificationKindOf = (type: string): Kind | undefined => ruleOf(type)?.notifies?.kind as Kind | undefined;

const kindsOf = (types: EventType[]): Kind[] => [...new Set(types.flatMap((type) => notificationKindOf(type) ?? []))];

/** What somebody can be told, as they choose it: in the order of the table. */
export const notificationKinds: readonly Kind[] = /* @__PURE__ */ (() => kindsOf(typesOf(() => true)))();

/** The types of events that a kind stands for. */
export const eventTypesOf = (kind: Kind): EventType[] => typesOf(({ notifies }) => notifies?.kind === kind);

/** Everybody who is told of something as this kind. */
export const audiencesOf = (kind: Kind): Audience[] =>
  eventTypesOf(kind).flatMap((type) => rules[type]?.notifies?.to ?? []);

export const causedJobs = (): CausedJob[] =>
  typesOf(() => true).flatMap((type) => (rules[type]?.causes ?? []) as CausedJob[]);
