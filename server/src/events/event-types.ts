import type { PackageStatus, TypesWhere } from '@waybill/contract';

/** How an attempt to deliver ended, and what it is judged by. */
export interface Attempt {
  /** The how-manieth of its package, from 1. */
  number: number;
  startedAt: Date;
  endedAt: Date;
  /** What is completed by then is on time. */
  dueAt: Date;
}

/** What happened to a package. The ids say whom it concerns; `status` is the one after it. */
export interface PackageEvent {
  type: TypesWhere<{ about: 'package' }>;
  at: Date;
  actorId: string;
  packageId: string;
  status: string;
  location: string | null;
  note?: string | null;
  ownerId: string;
  driverId: string | null;
  previousDriverId?: string | null;
  /** The incident it is about. */
  incidentNumber?: number;
  /** The status before it, where the figures depend on it. */
  previousStatus?: PackageStatus;
  /** The attempt that ended with it. */
  attempt?: Attempt;
  /** Of a rating. */
  stars?: number;
  /** Field -> what it was and became; what is personal in them goes when the recipient's or user's data go. */
  changes?: Record<string, { from: unknown; to: unknown }>;
  /** Of an edit: whether the public page shows any of it. */
  shown?: boolean;
}

/** What happened to an account, or to what is the user's own. */
export interface UserEvent {
  type: TypesWhere<{ about: 'account' }>;
  at: Date;
  actorId: string | null;
  userId: string;
  sessionId?: string;
  importId?: string;
  changes?: Changes;
}

/** Field -> [before, after], for the record. No personal data: it outlives the account. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** What happened to a custom role; whom it concerns is told by a `user.changed` of each. */
export interface RoleEvent {
  type: TypesWhere<{ about: 'role' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

/** What happened to a visitor's message; nobody has sent it as far as we know. */
export interface MessageEvent {
  type: TypesWhere<{ about: 'message' }>;
  at: Date;
  actorId: string | null;
  messageNumber: number;
}

/** Shifts of many drivers were planned at once. */
export interface ShiftsEvent {
  type: TypesWhere<{ about: 'shifts' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

/** What administrators changed about the product itself. */
export interface SettingsEvent {
  type: TypesWhere<{ about: 'settings' }>;
  at: Date;
  actorId: string;
  changes: Changes;
}

export type AnyEvent = PackageEvent | UserEvent | RoleEvent | MessageEvent | ShiftsEvent | SettingsEvent;
