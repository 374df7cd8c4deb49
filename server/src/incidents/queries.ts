import {
  maskTrackingId,
  type Incident,
  type IncidentStatus,
  type IncidentType,
  type PackageStatus,
  type Role,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { privateImageUrl } from '../images/service.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { likeContains, type Search } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';

export interface IncidentRow {
  number: number;
  type: IncidentType;
  status: IncidentStatus;
  description: string;
  /** Storage path. */
  photo: string | null;
  note: string | null;
  location: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
  package_id: string;
  package_name: string;
  package_status: PackageStatus;
  tracking_id: string;
  owner_id: string;
  driver_id: string | null;
  /** Null if the account no longer exists. */
  driver_name: string | null;
  reporter_name: string | null;
  reporter_role: Role | null;
}

const columns = `i.number, i.type, i.status, i.description, i.photo, i.note, i.location, i.created_at, i.updated_at, i.version,
  i.package_id, p.name as package_name, p.status as package_status, p.tracking_id, p.owner_id, p.driver_id, d.name as driver_name,
  u.name as reporter_name, u.role as reporter_role`;
export const fromIncidents = 'incidents i join packages p on p.id = i.package_id';
export const selectIncidents = `select ${columns} from ${fromIncidents}
  left join users u on u.id = i.reporter_id left join users d on d.id = p.driver_id`;

/** The user whose incidents the caller can access; null: all incidents. */
export const scopeOf = (actor: Actor): string | null => (actor.permissions.includes('admin.access') ? null : actor.id);

/** A reporter whose delivery went to another driver does not see who that is. */
const driverFor = (reader: Actor, { driver_id, driver_name, owner_id }: IncidentRow): Incident['driver'] =>
  driver_id && driver_name && [null, owner_id, driver_id].includes(scopeOf(reader))
    ? { id: driver_id, name: driver_name }
    : null;

/** A driver who gave the delivery back keeps access to their own reports, but no longer to the package's full tracking ID and place. */
const canSeePackage = (reader: Actor, { owner_id, driver_id }: IncidentRow) =>
  reader.permissions.includes('packages.view_all') || owner_id === reader.id || driver_id === reader.id;

/** Searches only what is shown: otherwise searches could confirm guesses of a masked tracking ID. */
export const searchIncidents =
  (reader: Actor): Search =>
  (term, value) => {
    const unmasked = reader.permissions.includes('packages.view_all')
      ? 'true'
      : `(p.owner_id = ${value(reader.id)} or p.driver_id = ${value(reader.id)})`;
    const id = `case when ${unmasked} then p.tracking_id else 'PKG-…' || right(p.tracking_id, 3) end`;
    return `lower(i.number || ' ' || ${id} || ' ' || p.name || ' ' || i.type || ' ' || i.description) like ${value(likeContains(term))}`;
  };

export const asIncident = (ctx: Pick<Ctx, 'urlKey' | 'now'>, reader: Actor, row: IncidentRow): Incident => ({
  id: row.number,
  type: row.type,
  status: row.status,
  package: canSeePackage(reader, row) ? row.tracking_id : maskTrackingId(row.tracking_id),
  packageId: row.package_id,
  packageName: row.package_name,
  packageStatus: row.package_status,
  driver: driverFor(reader, row),
  location: canSeePackage(reader, row) || scopeOf(reader) === null ? row.location : null,
  time: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  description: row.description,
  photo: row.photo && privateImageUrl(ctx, row.photo),
  note: row.note,
  reporter: row.reporter_name && row.reporter_role ? { name: row.reporter_name, role: row.reporter_role } : null,
  version: row.version,
});

/**
 * SQL condition: the user reported the incident, or it is about one of their packages or deliveries. With the array subquery the cost
 * grows with the user's packages; with a join PostgreSQL would scan those of all users.
 */
export const isAccessibleTo = (user: string) => `i.number in (
  select number from incidents where reporter_id = ${user}
  union all select number from incidents
    where package_id = any(array(select id from packages where owner_id = ${user} or driver_id = ${user})))`;

export const listIncidents = (db: Queryable, page: string, values: unknown[]) =>
  db.query<IncidentRow>(`${selectIncidents} ${page}`, values);

/** @param userId null for access to all incidents */
export async function findIncident(db: Queryable, number: number, userId: string | null): Promise<IncidentRow | null> {
  const [row] = await db.query<IncidentRow>(
    `${selectIncidents} where i.number = $1 and ($2::uuid is null or $2 in (i.reporter_id, p.owner_id, p.driver_id))`,
    [number, userId],
  );
  return row ?? null;
}

export interface NewIncident {
  id: string;
  packageId: string;
  reporterId: string;
  type: IncidentType;
  description: string;
  photo: string | null;
  location: string | null;
  at: Date;
}

/** @returns the incident's number */
export async function insertIncident(tx: Tx, incident: NewIncident): Promise<number> {
  const [row] = await tx.query<{ number: number }>(
    `insert into incidents (id, package_id, reporter_id, type, description, photo, location, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning number`,
    [
      incident.id,
      incident.packageId,
      incident.reporterId,
      incident.type,
      incident.description,
      incident.photo,
      incident.location,
      incident.at,
    ],
  );
  if (!row) throw new Error('the incident was not written');
  return row.number;
}

export async function setIncidentStatus(
  tx: Tx,
  number: number,
  { status, note, at }: { status: IncidentStatus; note: string | null; at: Date },
): Promise<void> {
  await tx.query(
    'update incidents set status = $2, note = $3, updated_at = $4, version = version + 1 where number = $1',
    [number, status, note, at],
  );
}

/** Returns the description of the package's latest unresolved incident, or null. */
export async function findUnresolvedIssue(tx: Tx, packageId: string): Promise<string | null> {
  const [row] = await tx.query<{ description: string }>(
    `select description from incidents where package_id = $1 and status <> 'Resolved' order by number desc limit 1`,
    [packageId],
  );
  return row?.description ?? null;
}
