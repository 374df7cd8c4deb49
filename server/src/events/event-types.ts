import type { PackageStatus, TypesWhere } from '@waybill/contract';

/** A delivery attempt that ended. */
export interface Attempt {
  /** Counts the package's attempts, from 1. */
  number: number;
  startedAt: Date;
  endedAt: Date;
  /** Completed by then counts as on time. */
  dueAt: Date;
}

/** An event of a package. The ids are those of the users and objects it concerns; `status` is the status after it. */
export interface PackageEvent {
  type: TypesWhere<{ about: 'package' }>;
  /** When it happened, perhaps by a driver's device. */
  at: Date;
  /** When the server got to know of it, if `at` is the time of a device. */
  recordedAt?: Date | null;
  /** Null for a visitor. */
  actorId: string | null;
  packageId: string;
  status: string;
  location: string | null;
  note?: string | null;
  ownerId: string;
  driverId: string | null;
  previousDriverId?: string | null;
  /** The number of its incident. */
  incidentNumber?: number;
  /** The status before it, if the figures depend on it. */
  previousStatus?: PackageStatus;
  /** The attempt that it ended, or that a reopened delivery loses. */
  attempt?: Attempt;
  /** For a rating. */
  stars?: number;
  /** What a delivery that is reopened loses, with the time when figures counted it. */
  lostRatings?: { stars: number; at: Date }[];
  /** Field -> old and new value. Personal data in them is erased with the recipient's or user's data. */
  changes?: Record<string, { from: unknown; to: unknown }>;
  /** For an edit: whether the public page shows any of it. */
  shown?: boolean;
  /** Whether the package has an address by which its recipient can be told. */
  reachesRecipient?: boolean;
}

/** An event of an account, or of an object that belongs to its user. */
export interface UserEvent {
  type: TypesWhere<{ about: 'account' }>;
  at: Date;
  actorId: string | null;
  userId: string;
  sessionId?: string;
  importId?: string;
  changes?: Changes;
}

/** Field -> [before, after]. Must not contain personal data: it outlives the account. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** An event of a custom role. Its users get a `user.changed` each. */
export interface RoleEvent {
  type: TypesWhere<{ about: 'role' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

/** An event of a contact message. `actorId` is null when it is received: visitors are anonymous. */
export interface MessageEvent {
  type: TypesWhere<{ about: 'message' }>;
  at: Date;
  actorId: string | null;
  messageNumber: number;
}

/** Shifts of many drivers were planned in bulk. */
export interface ShiftsEvent {
  type: TypesWhere<{ about: 'shifts' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

/** A change of the settings. */
export interface SettingsEvent {
  type: TypesWhere<{ about: 'settings' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

/** A change of a depot. */
export interface DepotEvent {
  type: TypesWhere<{ about: 'depot' }>;
  at: Date;
  /** Null for what was looked up. */
  actorId: string | null;
  changes: Changes;
}

/** A change of a route, with its driver and the one before. */
export interface RouteEvent {
  type: TypesWhere<{ about: 'route' }>;
  at: Date;
  /** Null for the recipient of a stop. */
  actorId: string | null;
  driverId: string | null;
  previousDriverId: string | null;
  changes: Changes;
}

export type AnyEvent =
  | PackageEvent
  | UserEvent
  | RoleEvent
  | MessageEvent
  | ShiftsEvent
  | SettingsEvent
  | DepotEvent
  | RouteEvent;
