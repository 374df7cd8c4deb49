import {
  incidentActionTo,
  type Delivery,
  type Incident,
  type IncidentAction,
  type IncidentExportQuery,
  type IncidentListQuery,
  type IssueInput,
  type MoveIncidentInput,
  type Package,
  type PackageEventType,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { findOwnDelivery, lockOwnDelivery } from '../deliveries/service.ts';
import { asDelivery } from '../deliveries/view.ts';
import { processUpload, attachImages } from '../images/service.ts';
import { recordPackage } from '../packages/package-event.ts';
import { asPackage, lockPackage, type PackageRow } from '../packages/row.ts';
import { findAccessiblePackage, lockOwnPackage, setPackageIssue } from '../packages/service.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList, type Count, type ListFilter } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import {
  asIncident,
  findIncident,
  findUnresolvedIssue,
  fromIncidents,
  insertIncident,
  isAccessibleTo,
  listIncidents,
  scopeOf,
  searchIncidents,
  setIncidentStatus,
  type IncidentRow,
  type NewIncident,
} from './queries.ts';

export async function reportOnPackage(ctx: Ctx, owner: Actor, id: string, input: IssueInput): Promise<Package> {
  // Authorize before the expensive re-encoding of the photo.
  if (input.photo) await findAccessiblePackage(ctx, owner, id);
  const report = await prepareReport(ctx, owner, input);
  return ctx.db.transaction(async (tx) =>
    asPackage(ctx, await openIncident(ctx, tx, owner, await lockOwnPackage(tx, owner, id), report)),
  );
}

export async function reportOnDelivery(ctx: Ctx, driver: Actor, id: string, input: IssueInput): Promise<Delivery> {
  if (input.photo) await findOwnDelivery(ctx, driver, id);
  const report = await prepareReport(ctx, driver, input);
  return ctx.db.transaction(async (tx) =>
    asDelivery(await openIncident(ctx, tx, driver, await lockOwnDelivery(tx, driver, id), report)),
  );
}

type Report = Pick<NewIncident, 'id' | 'type' | 'description' | 'photo' | 'at'>;

async function prepareReport(ctx: Ctx, actor: Actor, input: IssueInput): Promise<Report> {
  const at = ctx.now();
  const id = uuid({ msecs: at.getTime() });
  const sent = input.photo ?? null;
  const photo = sent === null ? null : await processUpload(ctx, actor, sent, 'incidents', `incident:${id}`, 'photo');
  const type = input.type ?? (actor.role === 'driver' ? 'Delivery issue' : 'Package issue');
  return { id, type, description: input.issue, photo, at };
}

/** Opens an incident about a locked package that the system noticed, such as a parcel that is not where it should be. */
export const reportOnPackages = async (
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  packages: PackageRow[],
  description: string,
): Promise<void> => {
  const at = ctx.now();
  for (const pkg of packages)
    await openIncident(ctx, tx, actor, pkg, {
      id: uuid({ msecs: at.getTime() }),
      type: 'Delivery issue',
      description,
      photo: null,
      at,
    });
};

async function openIncident(ctx: Ctx, tx: Tx, actor: Actor, pkg: PackageRow, report: Report): Promise<PackageRow> {
  const incidentNumber = await insertIncident(tx, {
    ...report,
    packageId: pkg.id,
    reporterId: actor.id,
    location: pkg.location,
  });
  if (report.photo) await attachImages(tx, actor, `incident:${report.id}`, [report.photo], 'photo');
  const changed = await setPackageIssue(ctx, tx, pkg, report.description);
  await recordPackage(tx, ctx, 'issue.reported', changed, actor.id, { note: report.description, incidentNumber });
  return changed;
}

/** The filter that the list and its export share. */
export function filterIncidents(actor: Actor, query: IncidentListQuery | IncidentExportQuery): ListFilter {
  const filter = filterList({ q: searchIncidents(actor), day: 'i.created_at', id: 'i.number' }, query);
  const userId = scopeOf(actor);
  if (userId !== null) filter.where(isAccessibleTo(filter.value(userId)));
  if (query.status) filter.where(`i.status = any(${filter.value(query.status)})`);
  if (query.type) filter.where(`i.type = any(${filter.value(query.type)})`);
  return filter;
}

export async function listAccessibleIncidents(
  ctx: Ctx,
  actor: Actor,
  query: IncidentListQuery,
): Promise<Page<Incident>> {
  const filter = filterIncidents(actor, query);
  const rows = await listIncidents(ctx.db, filter.page(), filter.values());
  const count = query.count ? await filter.count(ctx.db, fromIncidents) : null;
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => String(row.number),
    (row) => asIncident(ctx, actor, row),
  );
}

/** The newest incidents that are not resolved, and how many there are. For those who see all incidents. */
export async function findOpenIncidents(ctx: Ctx, actor: Actor, limit: number): Promise<Count & { items: Incident[] }> {
  const filter = filterList({ id: 'i.number' }, { limit });
  // A literal, as in the partial index.
  filter.where("i.status <> 'Resolved'");
  const rows = await listIncidents(ctx.reads, filter.page(), filter.values());
  const count = await filter.count(ctx.reads, 'incidents i');
  return { ...count, items: rows.slice(0, limit).map((row) => asIncident(ctx, actor, row)) };
}

async function getIncident(db: Queryable, number: number, userId: string | null): Promise<IncidentRow> {
  const incident = await findIncident(db, number, userId);
  if (!incident) throw notFound('incident');
  return incident;
}

export const readIncident = async (ctx: Ctx, actor: Actor, number: number): Promise<Incident> =>
  asIncident(ctx, actor, await getIncident(ctx.db, number, scopeOf(actor)));

const eventOf: Record<IncidentAction, PackageEventType> = {
  investigate: 'incident.investigating',
  resolve: 'incident.resolved',
  reopen: 'incident.reopened',
};

export async function moveIncident(
  ctx: Ctx,
  admin: Actor,
  number: number,
  { status, note = null }: MoveIncidentInput,
): Promise<Incident> {
  return ctx.db.transaction(async (tx) => {
    const { package_id } = await getIncident(tx, number, null);
    // The package's row lock serializes its incidents as well, because their events carry the package's status.
    const pkg = await lockPackage(tx, package_id);
    if (!pkg) throw notFound('incident');
    const incident = await getIncident(tx, number, null);
    if (incident.status === status) return asIncident(ctx, admin, incident);
    const action = incidentActionTo(status, incident.status);
    if (!action)
      throw new AppError('illegal_step', `This incident is ${incident.status}: it cannot become ${status} here`);

    await setIncidentStatus(tx, number, { status, note, at: ctx.now() });
    const changed = await setPackageIssue(ctx, tx, pkg, await findUnresolvedIssue(tx, pkg.id));
    await recordPackage(tx, ctx, eventOf[action], changed, admin.id, { note, incidentNumber: number });
    return asIncident(ctx, admin, await getIncident(tx, number, null));
  });
}
