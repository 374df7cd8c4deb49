import { z } from 'zod';
import { ById, ByNumber, Instant, ListQuery, blankToNull, notACursor, paging, severalOf, text } from './common.ts';
import { Delivery } from './deliveries.ts';
import { group } from './endpoint.ts';
import { ImageInput } from './images.ts';
import { Package, PackageStatus } from './packages.ts';
import { Role } from './permissions.ts';

/** Who names none gets 'Delivery issue' as a driver and 'Package issue' as an owner. */
export const incidentTypes = [
  'Delay',
  'Damage',
  'Lost',
  'Wrong address',
  'Recipient unavailable',
  'Vehicle',
  'Delivery issue',
  'Package issue',
  'Other',
] as const;
export const IncidentType = z.enum(incidentTypes);
export type IncidentType = z.output<typeof IncidentType>;

export const incidentStatuses = ['Open', 'Investigating', 'Resolved'] as const;
export const IncidentStatus = z.enum(incidentStatuses);
export type IncidentStatus = z.output<typeof IncidentStatus>;

/** The whole life of an incident, like a package's: the server enforces it, the web offers what it allows, a test walks it. */
export const incidentLifecycle = {
  investigate: { from: ['Open'], to: 'Investigating' },
  resolve: { from: ['Open', 'Investigating'], to: 'Resolved' },
  reopen: { from: ['Resolved'], to: 'Investigating' },
} as const satisfies Record<string, { from: readonly IncidentStatus[]; to: IncidentStatus }>;
export type IncidentAction = keyof typeof incidentLifecycle;

/** The action that leads from one status to another, or null when none does. */
export function incidentActionTo(to: IncidentStatus, from: IncidentStatus): IncidentAction | null {
  const steps: [string, { from: readonly IncidentStatus[]; to: IncidentStatus }][] = Object.entries(incidentLifecycle);
  const step = steps.find(([, action]) => action.to === to && action.from.includes(from));
  return step ? (step[0] as IncidentAction) : null;
}

/** A reported issue. `id` is its number, from 12345 on. */
export const Incident = z.object({
  id: z.int(),
  type: IncidentType,
  status: IncidentStatus,
  /** The package's tracking ID. */
  package: z.string(),
  packageId: z.string(),
  packageName: z.string(),
  /** At present. */
  packageStatus: PackageStatus,
  /** Who brings the package at present; told to its owner, to this driver and to administrators. */
  driver: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Where the package was when it was reported. */
  location: z.string().nullable(),
  /** When it was reported. */
  time: Instant,
  updatedAt: Instant,
  /** What was reported, in the reporter's words. */
  description: z.string(),
  /** An address that is good for an hour. */
  photo: z.string().nullable(),
  /** What was said at the latest move. */
  note: z.string().nullable(),
  /** Null where the account is gone. */
  reporter: z.object({ name: z.string(), role: Role }).nullable(),
  version: z.int(),
});
export type Incident = z.output<typeof Incident>;

export const IssueInput = z.strictObject({
  issue: text('Issue', { min: 3, max: 2000, tooShort: 'Issue must be at least 3 characters', multiline: true }),
  type: IncidentType.optional(),
  photo: ImageInput.nullish(),
});
export type IssueInput = z.output<typeof IssueInput>;

/** Declared by the server alone: accepted from clients that send the whole incident back, and ignored. */
const serverOwned = {
  id: z.unknown().optional(),
  type: z.unknown().optional(),
  package: z.unknown().optional(),
  packageId: z.unknown().optional(),
  packageName: z.unknown().optional(),
  packageStatus: z.unknown().optional(),
  driver: z.unknown().optional(),
  location: z.unknown().optional(),
  time: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
  description: z.unknown().optional(),
  photo: z.unknown().optional(),
  reporter: z.unknown().optional(),
  version: z.unknown().optional(),
};

export const MoveIncidentInput = z.strictObject({
  ...serverOwned,
  status: IncidentStatus,
  /** Told to whoever is told of the move. */
  note: blankToNull(text('Note', { max: 500, multiline: true })).optional(),
});
export type MoveIncidentInput = z.output<typeof MoveIncidentInput>;

/** `status` and `type` take one or several, separated by commas; `from` and `to` bound the time it was reported. */
export const IncidentListQuery = ListQuery.extend({
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, notACursor)
    .optional(),
  status: severalOf(incidentStatuses).optional(),
  type: severalOf(incidentTypes).optional(),
});
export type IncidentListQuery = z.output<typeof IncidentListQuery>;
export const IncidentExportQuery = IncidentListQuery.omit(paging);
export type IncidentExportQuery = z.output<typeof IncidentExportQuery>;

/** Administrators reach every incident; owners those of their packages; drivers those they reported and those of their deliveries. */
const readers = {
  access: { anyOf: ['packages.read', 'deliveries.read', 'admin.access'] },
  scope: 'own incidents',
} as const;

/** A report opens an incident; the package's status stays as it is. */
export const incidents = group({
  reportOnPackage: {
    method: 'POST',
    path: '/packages/:id/issue',
    limit: 'create',
    access: { role: 'owner', anyOf: ['packages.read'] },
    scope: 'own packages',
    params: ById,
    body: IssueInput,
    reply: Package,
  },
  reportOnDelivery: {
    method: 'POST',
    path: '/deliveries/:id/issue',
    limit: 'claim',
    access: { role: 'driver', anyOf: ['deliveries.update'] },
    scope: 'own deliveries',
    params: ById,
    body: IssueInput,
    reply: Delivery,
    errors: ['illegal_step'],
  },
  list: {
    method: 'GET',
    path: '/incidents',
    failure: 'Failed to fetch incidents.',
    ...readers,
    query: IncidentListQuery,
    reply: z.array(Incident),
    list: true,
  },
  exportReachable: {
    method: 'GET',
    path: '/incidents/export',
    ...readers,
    query: IncidentExportQuery,
    reply: 'csv',
  },
  read: {
    method: 'GET',
    path: '/incidents/:id',
    failure: 'Failed to fetch incident details.',
    ...readers,
    params: ByNumber,
    reply: Incident,
  },
  /** Moves it to another status; the status it has already changes nothing. */
  move: {
    method: 'PUT',
    path: '/incidents/:id',
    failure: 'Failed to update incident.',
    access: { anyOf: ['admin.access'] },
    scope: 'everything',
    params: ByNumber,
    body: MoveIncidentInput,
    reply: Incident,
    errors: ['illegal_step'],
  },
});
