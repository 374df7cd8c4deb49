import type { AuditAct } from '@waybill/contract';

/** The events that stand in the audit log as well. A change of an account is one where rights or status changed. */
export const audited: ReadonlySet<string> = new Set<AuditAct>([
  'session.started',
  'second-factor.enabled',
  'second-factor.removed',
  'recovery-codes.made',
  'user.created',
  'user.changed',
  'user.deleted',
  'password.link-made',
  'sessions.ended',
  'role.created',
  'role.changed',
  'role.deleted',
  'settings.changed',
  'shift.created',
  'shift.changed',
  'shift.deleted',
  'shifts.copied',
]);
