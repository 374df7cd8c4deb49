import type { AnyEvent } from './record.ts';

export const jobNames = [
  'notify-owner',
  'notify-driver',
  'notify-former-driver',
  'notify-admins',
  'notify-reporter',
  'notify-account',
  'request-password-reset',
  'cancel-packages',
  'erase-words',
  'end-shifts',
  'move-images',
] as const;
export type JobName = (typeof jobNames)[number];

/** The whole reaction map: event -> the jobs it causes. Each job gets `{ eventId }` and may run more than once. */
export const reactions: Partial<Record<AnyEvent['type'], readonly JobName[]>> = {
  'delivery.started': ['notify-owner'],
  'delivery.next': ['notify-owner'],
  'delivery.completed': ['notify-owner'],
  'delivery.failed': ['notify-owner', 'notify-former-driver'],
  'delivery.assigned': ['notify-owner', 'notify-driver', 'notify-former-driver'],
  'delivery.released': ['notify-owner', 'notify-former-driver'],
  'delivery.stranded': ['notify-owner'],
  'package.updated': ['notify-driver'],
  'package.cancelled': ['notify-owner', 'move-images'],
  'package.deleted': ['notify-owner', 'move-images'],
  'issue.reported': ['notify-owner', 'notify-admins'],
  'incident.investigating': ['notify-owner', 'notify-admins'],
  'incident.resolved': ['notify-owner', 'notify-admins', 'notify-reporter'],
  'incident.reopened': ['notify-owner', 'notify-admins'],
  'package.rated': ['notify-driver'],
  'account.waiting': ['notify-admins'],
  'password.reset-requested': ['notify-admins'],
  'session.unfamiliar': ['notify-account'],
  'password.changed': ['notify-account'],
  'second-factor.enabled': ['notify-account'],
  'second-factor.removed': ['notify-account'],
  'recovery-codes.made': ['notify-account'],
  'password.link-made': ['notify-account'],
  'rights.changed': ['notify-account'],
  'sessions.ended': ['notify-account'],
  'sessions.displaced': ['notify-account'],
  'message.received': ['notify-admins'],
  'user.deleted': ['cancel-packages', 'erase-words', 'end-shifts'],
};
