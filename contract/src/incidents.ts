import * as z from 'zod/mini';
import { ById, ByNumber, Instant, ListQuery, blankToNull, invalidCursor, paging, severalOf, text } from './common.ts';
import { Delivery } from './deliveries.ts';
import { group } from './endpoint.ts';
import { ImageInput } from './images.ts';
import { Package, PackageStatus } from './packages.ts';
import { Role } from './permission-schemas.ts';

/** The default is 'Delivery issue' for a driver and 'Package issue' for an owner. */
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

/** The state machine of an incident. The server enforces it, the web offers its legal actions, a test covers it. */
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

/** A reported issue. `id` is its number, starting at 12345. */
export const Incident = z.object({
  id: z.int(),
  type: IncidentType,
  status: IncidentStatus,
  /** The package's tracking ID. */
  package: z.string(),
  packageId: z.string(),
  packageName: z.string(),
  /** The current status. */
  packageStatus: PackageStatus,
  /** The current driver of the package; visible to its owner, to this driver and to administrators. */
  driver: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Where the package was when it was reported. */
  location: z.nullable(z.string()),
  /** When it was reported. */
  time: Instant,
  updatedAt: Instant,
  /** What was reported, in the reporter's words. */
  description: z.string(),
  /** A URL that expires after an hour. */
  photo: z.nullable(z.string()),
  /** The note of the latest change of status. */
  note: z.nullable(z.string()),
  /** Null if the account is deleted. */
  reporter: z.nullable(z.object({ name: z.string(), role: Role })),
  version: z.int(),
});
export type Incident = z.output<typeof Incident>;

export const IssueInput = z.strictObject({
  issue: text('Issue', { min: 3, max: 2000, tooShort: 'Issue must be at least 3 characters', multiline: true }),
  type: z.optional(IncidentType),
  photo: z.nullish(ImageInput),
});
export type IssueInput = z.output<typeof IssueInput>;

/** Read-only fields: accepted from clients that send the whole incident back, and ignored. */
const serverOwned = {
  id: z.optional(z.unknown()),
  type: z.optional(z.unknown()),
  package: z.optional(z.unknown()),
  packageId: z.optional(z.unknown()),
  packageName: z.optional(z.unknown()),
  packageStatus: z.optional(z.unknown()),
  driver: z.optional(z.unknown()),
  location: z.optional(z.unknown()),
  time: z.optional(z.unknown()),
  updatedAt: z.optional(z.unknown()),
  description: z.optional(z.unknown()),
  photo: z.optional(z.unknown()),
  reporter: z.optional(z.unknown()),
  version: z.optional(z.unknown()),
};

export const MoveIncidentInput = z.extend(z.strictObject(serverOwned), {
  status: IncidentStatus,
  /** Shown to everybody who is notified of the change of status. */
  note: z.optional(blankToNull(text('Note', { max: 500, multiline: true }))),
});
export type MoveIncidentInput = z.output<typeof MoveIncidentInput>;

/** `status` and `type` take one or more values, separated by commas; `from` and `to` filter by the time of the report. */
export const IncidentListQuery = z.extend(ListQuery, {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, invalidCursor))),
  status: z.optional(severalOf(incidentStatuses)),
  type: z.optional(severalOf(incidentTypes)),
});
export type IncidentListQuery = z.output<typeof IncidentListQuery>;
export const IncidentExportQuery = z.omit(IncidentListQuery, paging);
export type IncidentExportQuery = z.output<typeof IncidentExportQuery>;

/** Administrators reach every incident; owners those of their packages; drivers those they reported and those of their deliveries. */
const incidentAccess = {
  access: { anyOf: ['packages.read', 'deliveries.read', 'admin.access'] },
  scope: 'own incidents',
} as const;

/** A report opens an incident; the package's status does not change. */
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
    load: 'actions',
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
    ...incidentAccess,
    query: IncidentListQuery,
    reply: z.array(Incident),
    list: true,
  },
  exportReachable: {
    method: 'GET',
    path: '/incidents/export',
    ...incidentAccess,
    query: IncidentExportQuery,
    reply: 'csv',
  },
  read: {
    method: 'GET',
    path: '/incidents/:id',
    failure: 'Failed to fetch incident details.',
    ...incidentAccess,
    params: ByNumber,
    reply: Incident,
  },
  /** Changes the status. Setting the current status is a no-op. */
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
