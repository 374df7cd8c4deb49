import type { AuditAct, AuditEntry } from '@waybill/contract';
import { formatCount, formatDayTime } from '../platform/formats.ts';

/** Labels of the acts, in the order of the filter. */
export const actTexts: Record<AuditAct, string> = {
  'session.started': 'Signed in',
  'session.refused': 'Sign-in refused',
  'session.ended': 'Signed out',
  'sessions.ended': 'Sessions ended',
  'second-factor.enabled': 'Turned on a second factor',
  'second-factor.removed': 'Removed a second factor',
  'recovery-codes.made': 'Made recovery codes',
  'permission.refused': 'Permission refused',
  'password.reset-requested': 'Forgot the password',
  'password.link-made': 'Password link made',
  'password.link-used': 'Password link used',
  'user.created': 'Account created',
  'user.changed': 'Account changed',
  'account.invited': 'Invitation sent',
  'user.deleted': 'Account deleted',
  'positions.agreed': 'Agreed to share the position',
  'positions.revoked': 'Stopped sharing the position',
  'role.created': 'Role created',
  'role.changed': 'Role changed',
  'role.deleted': 'Role deleted',
  'depot.created': 'Depot added',
  'depot.changed': 'Depot changed',
  'depot.deleted': 'Depot deleted',
  'settings.changed': 'Settings changed',
  'template.changed': 'Text of a message changed',
  'map.imported': 'Extract became the map',
  'map.removed': 'Extract removed from the map',
  'map.uploading': 'Upload of an extract begun',
  'contact.viewed': 'Contacts seen',
  'packages.exported': 'Packages exported',
  'incidents.exported': 'Incidents exported',
  'users.exported': 'Users exported',
  'notifications.exported': 'Notifications exported',
  'inventory.exported': 'Inventory exported',
  'figures.exported': 'Figures exported',
  'audit.exported': 'Audit log exported',
  'job.replayed': 'Failed job run again',
  'person.searched': 'Person searched',
  'person.exported': 'Data of a person exported',
  'person.erased': 'Person erased',
  'pin.released': 'PIN of a delivery released',
  'recipient-link.read': 'Link of a recipient seen',
  'recipient-link.renewed': 'Link of a recipient renewed',
  'shift.created': 'Shift planned',
  'shift.changed': 'Shift changed',
  'shift.deleted': 'Shift deleted',
  'absence.created': 'Absence entered',
  'absence.changed': 'Absence changed',
  'absence.deleted': 'Absence deleted',
  'shifts.copied': 'Week of shifts copied',
};

export const isAct = (text: string): text is AuditAct => Object.hasOwn(actTexts, text);

/** The name of the actor. Without an account: refused sign-ins and reset requests are by nobody signed in, others by a command or job. */
export function actorOf({ act, actorId, actorName }: AuditEntry): string {
  if (actorName !== null) return actorName;
  if (actorId !== null) return 'Account deleted';
  return act === 'session.refused' || act === 'password.reset-requested' ? 'Not signed in' : 'The system';
}

/** The name of the subject; null if there is none, or it is the actor. */
export function subjectOf({ act, actorId, subjectId, subjectName }: AuditEntry): string | null {
  if (subjectId === null) return act === 'session.refused' ? 'No such account' : null;
  if (subjectId === actorId) return null;
  return subjectName ?? 'No longer there';
}

/** The details of an entry, one line each, without IDs: `idsOf` has them. */
export function detailsOf({ details }: AuditEntry): string[] {
  return inOrder(Object.keys(details)).flatMap((name) => {
    const value = details[name];
    if (isId(value)) return [];
    if (name === 'packages' && Array.isArray(value))
      return [value.length === 1 ? '1 package' : `${formatCount(value.length)} packages`];
    if (name === 'session') return value === 'another' ? ['On another device'] : [];
    if (name === 'endpoint' && typeof value === 'string') return [value];
    return isChange(value) ? changeOf(name, ...value) : [`${labelOf(name)}: ${textOf(value, name)}`];
  });
}

/** The IDs among the details, each with its name. Those of packages are only counted. */
export const idsOf = ({ details }: AuditEntry): { name: string; id: string }[] =>
  Object.entries(details).flatMap(([name, value]) => (name === 'packages' ? [] : idsIn(name, value)));

function idsIn(name: string, value: unknown): { name: string; id: string }[] {
  if (isId(value)) return [{ name: labelOf(name), id: value }];
  if (isChange(value)) return idsIn(name, value[1] ?? value[0]);
  return isRecord(value) ? Object.entries(value).flatMap(([key, one]) => idsIn(key, one)) : [];
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value);

const isChange = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2;

/** The name of the end of each start. The database hands them out by the length of their names, so ends come first. */
const ends = new Map([
  ['startsAt', 'endsAt'],
  ['opensAt', 'closesAt'],
  ['from', 'to'],
]);

/** The names as they came, but each end after its start. */
function inOrder(names: readonly string[]): string[] {
  const later = new Set(names.map((name) => ends.get(name)));
  return names.flatMap((name) => (later.has(name) ? [] : [name, ...names.filter((other) => other === ends.get(name))]));
}

function changeOf(key: string, before: unknown, after: unknown): string[] {
  const name = labelOf(key);
  if (before === 'hidden' || after === 'hidden') return [`${name} changed`];
  if (isId(after ?? before)) return [];
  if (isRecord(before) || isRecord(after)) {
    const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
    return inOrder(Object.keys({ ...old, ...now }))
      .filter((part) => JSON.stringify(old[part]) !== JSON.stringify(now[part]))
      .flatMap((part) => changeOf(part, old[part] ?? null, now[part] ?? null));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const added = after.filter((one) => !before.includes(one));
    const removed = before.filter((one) => !after.includes(one));
    return [
      ...(added.length > 0 ? [`${name} added: ${added.map((one) => textOf(one)).join(', ')}`] : []),
      ...(removed.length > 0 ? [`${name} removed: ${removed.map((one) => textOf(one)).join(', ')}`] : []),
    ];
  }
  if (before === null) return [`${name}: ${textOf(after, key)}`];
  return [`${name}: ${textOf(before, key)} → ${textOf(after, key)}`];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 'driverSignUp' -> 'Driver sign up', 'isActive' -> 'Active', 'depotId' -> 'Depot ID'. */
function labelOf(name: string): string {
  if (name === 'id') return 'ID';
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase()
    .replace(/^is /, '')
    .replace(/ id$/, ' ID');
  return capitalised(words);
}

const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** A value as people read it: roles and states as in the lists, times as everywhere. */
function textOf(value: unknown, name?: string): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length > 0 ? value.map((one) => textOf(one)).join(', ') : 'none';
  if (isRecord(value))
    return inOrder(Object.keys(value))
      .map((key) => `${labelOf(key).toLowerCase()} ${textOf(value[key], key)}`)
      .join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (name === 'role' || name === 'status') return capitalised(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(value) ? formatDayTime(value) : value;
}
