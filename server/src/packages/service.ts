import {
  drawTrackingId,
  imageLimits,
  imageMessages,
  isOnTheRoad,
  mayChange,
  statusAfter,
  type AddedImage,
  type CreatePackageInput,
  type EventsQuery,
  type Package,
  type PackageContent,
  type PackageExportQuery,
  type PackageListQuery,
  type PackageStatus,
  type PackageSummary,
  type TrackingEvent,
  type UpdatePackageInput,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { z } from 'zod';
import { noteContactViews } from '../audit/contact-views.ts';
import type { Ctx } from '../ctx.ts';
import { record, type PackageEvent } from '../events/record.ts';
import { claimImages, imageUrl, keepImages, withdrawImages, withImage } from '../images/service.ts';
import type { Tx } from '../platform/db.ts';
import { AppError, forbidden, invalid, isUniqueViolation, notFound } from '../platform/errors.ts';
import { pageOf, type Listed } from '../platform/http.ts';
import { filterList, type ListFilter } from '../platform/lists.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import type { Actor } from '../platform/sessions.ts';
import { refuseStale } from '../platform/versions.ts';
import { zoneOf } from '../settings/in-force.ts';
import { requireActive } from '../users/service.ts';
import { changesOf, type ContentChanges } from './content-changes.ts';
import { faultsOfPast } from './past.ts';
import {
  asPackage,
  asTrackingEvent,
  countEvents,
  countPackages,
  findPackage,
  insertPackage,
  isOverdue,
  listEvents,
  findUserEvent,
  lockPackage,
  lockWaitingPackages,
  packageColumns,
  setContent,
  setIssue,
  setStatus,
  takenReferences,
  type Content,
  type OwnerScope,
  type PackageRow,
} from './queries.ts';
import { searchPackages } from './search.ts';

export {
  asDestination,
  asPackage,
  asWindow,
  destinationColumns,
  findPackage,
  isOverdue,
  isWithdrawnStatus,
  locationOf,
  lockPackage,
  oneLine,
  packageColumns,
  type DestinationRow,
  type PackageRow,
} from './queries.ts';
export { searchPackages } from './search.ts';

/** Whose packages the caller reaches. Somebody else's does not exist for them. */
const scopeOf = (actor: Actor): OwnerScope => (actor.permissions.includes('packages.view_all') ? null : actor.id);

const noHandling = {
  fragile: false,
  keepUpright: false,
  refrigerated: false,
  signatureRequired: false,
  safePlace: null,
};

type ContentInput = Omit<Pick<CreatePackageInput, keyof Content>, 'images'>;

/** The content as it is stored: what a form leaves out is null. */
export function asContent(input: ContentInput, images: string[]): Content {
  const { dimensions, address, window, handling } = input;
  const measured = dimensions && [dimensions.width, dimensions.height, dimensions.length].some((side) => side != null);
  return {
    reference: input.reference ?? null,
    name: input.name,
    description: input.description,
    category: input.category,
    weight: input.weight,
    dimensions: measured
      ? { width: dimensions.width ?? null, height: dimensions.height ?? null, length: dimensions.length ?? null }
      : null,
    recipientName: input.recipientName,
    recipientContact: input.recipientContact,
    location: input.location ?? null,
    eta: input.eta ?? null,
    address: address
      ? {
          street: address.street,
          postalCode: address.postalCode ?? null,
          city: address.city,
          country: address.country ?? null,
        }
      : null,
    window: window ? { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() } : null,
    handling: handling ? { ...handling, safePlace: handling.safePlace ?? null } : noHandling,
    instructions: input.instructions ?? null,
    hideRecipient: input.hideRecipient ?? false,
    showSender: input.showSender ?? false,
    images,
  };
}

/** What happened to this package, as it is now. */
export const packageEvent = (type: PackageEvent['type'], at: Date, pkg: PackageRow, actorId: string): PackageEvent => ({
  type,
  at,
  actorId,
  packageId: pkg.id,
  status: pkg.status,
  location: pkg.location,
  ownerId: pkg.owner_id,
  driverId: pkg.driver_id,
});

/** Appends what happened to this package, as it is now. */
export const recordPackage = (
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  type: PackageEvent['type'],
  pkg: PackageRow,
  actorId: string,
  more: Pick<
    PackageEvent,
    'note' | 'previousDriverId' | 'incidentNumber' | 'previousStatus' | 'attempt' | 'stars' | 'changes'
  > = {},
): Promise<string> => record(tx, { ...packageEvent(type, ctx.now(), pkg, actorId), ...more });

export const trackingIdTaken = { trackingId: 'This tracking ID is already in use' };
const referenceTaken = { reference: 'This reference is already in use' };

const refuseReference = () =>
  new AppError('reference_taken', 'Another package of yours has this reference', { fields: referenceTaken });

export async function createPackage(ctx: Ctx, actor: Actor, input: CreatePackageInput): Promise<Package> {
  const at = ctx.now();
  const id = uuid({ msecs: at.getTime() });
  refusePast(asContent(input, []), at);
  const content = asContent(input, await claimPackageImages(ctx, actor, id, input.images));
  return ctx.db.transaction(async (tx) => {
    const trackingId = input.trackingId ?? drawTrackingId();
    // Both go out at once. What was inserted for somebody who is active no more goes with the transaction.
    const [, pkg] = await Promise.all([
      requireActive(tx, actor.id),
      insertPackage(tx, { id, ownerId: actor.id, trackingId, at }, content),
    ]);
    if (!pkg && content.reference !== null) {
      if ((await takenReferences(tx, actor.id, [content.reference])).size > 0) throw refuseReference();
    }
    // A drawn ID that is taken is one in a million millions; the caller's repeat draws another.
    if (!pkg) throw new AppError('tracking_id_taken', trackingIdTaken.trackingId, { fields: trackingIdTaken });
    if (content.images.length > 0) await keepImages(tx, actor, `package:${id}`, content.images);
    await recordPackage(tx, ctx, 'package.created', pkg, actor.id);
    return asPackage(ctx, pkg);
  });
}

/** @throws invalid */
function refusePast(content: Content, now: Date, before?: Content): void {
  const faults = faultsOfPast(content, now, before);
  if (Object.keys(faults).length > 0) throw invalid(faults);
}

const claimPackageImages = (ctx: Ctx, actor: Actor, id: string, images: readonly string[] = []): Promise<string[]> =>
  claimImages(ctx, actor, images, 'packages', `package:${id}`);

/** @throws not_found also when it is somebody else's */
export async function findReachablePackage(ctx: Ctx, actor: Actor, id: string): Promise<PackageRow> {
  const pkg = await findPackage(ctx.db, id, scopeOf(actor));
  if (!pkg) throw notFound('package');
  return pkg;
}

export async function readPackage(ctx: Ctx, actor: Actor, id: string): Promise<Package> {
  const pkg = await findReachablePackage(ctx, actor, id);
  await noteContactViews(ctx.db, actor, [pkg]);
  return asPackage(ctx, pkg);
}

/** Adds the filters for what needs looking after. */
export async function filterTrouble(
  ctx: Pick<Ctx, 'now' | 'settings'>,
  filter: Pick<ListFilter, 'where' | 'value'>,
  { failed, overdue }: { failed: boolean; overdue: boolean },
): Promise<void> {
  if (failed) filter.where('failed_at is not null');
  if (overdue) filter.where(isOverdue(filter.value(ctx.now()), filter.value(await zoneOf(ctx.settings, {}))));
}

/** Adds the status filter of a list: single statuses, or `active`. */
export function filterStatus(filter: ListFilter, wanted: readonly string[] | undefined): void {
  if (!wanted) return;
  const statuses = new Set(wanted.flatMap((status) => (status === 'active' ? activeStatuses : [status])));
  const [only] = statuses;
  filter.where(statuses.size === 1 ? `status = ${filter.value(only)}` : `status = any(${filter.value([...statuses])})`);
}

const activeStatuses: PackageStatus[] = ['processing', 'in transit', 'out for delivery', 'cancelled'];

/**
 * Whose packages, and which of them. A list and its export are filtered alike.
 * @param ownerId null for everybody's
 */
export async function filterPackages(
  ctx: Pick<Ctx, 'now' | 'settings'>,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery | PackageExportQuery,
): Promise<ListFilter> {
  if (ownerId !== null && ownerId !== actor.id && !actor.permissions.includes('packages.view_all'))
    throw notFound('user');
  const filter = filterList({ q: searchPackages(ownerId), day: 'updated_at' }, query);
  if (ownerId !== null) filter.where(`owner_id = ${filter.value(ownerId)}`);
  filterStatus(filter, query.status);
  await filterTrouble(ctx, filter, query);
  return filter;
}

export async function listPackages(
  ctx: Ctx,
  actor: Actor,
  ownerId: OwnerScope,
  query: PackageListQuery,
): Promise<Listed<Package>> {
  const filter = await filterPackages(ctx, actor, ownerId, query);
  const rows = await ctx.db.query<PackageRow>(
    `select ${packageColumns} from packages ${filter.page()}`,
    filter.values(),
  );
  const total = query.count ? await filter.count(ctx.db, 'packages') : null;
  await noteContactViews(ctx.db, actor, rows.slice(0, query.limit));
  return pageOf(
    rows,
    query.limit,
    total,
    (row) => row.id,
    (row) => asPackage(ctx, row),
  );
}

export async function summarize(ctx: Ctx, actor: Actor, ownerId: string): Promise<PackageSummary> {
  if (ownerId !== actor.id && !actor.permissions.includes('packages.view_all')) throw notFound('user');
  return countPackages(ctx.db, ownerId);
}

export async function timeline(
  ctx: Ctx,
  actor: Actor,
  id: string,
  query: z.output<typeof EventsQuery>,
): Promise<Listed<TrackingEvent>> {
  const pkg = await findReachablePackage(ctx, actor, id);
  const rows = await listEvents(ctx.db, id, query.cursor ?? null, query.limit + 1);
  const total = query.count ? await countEvents(ctx.db, id) : null;
  return pageOf(
    rows,
    query.limit,
    total,
    (row) => row.id,
    (row) => asTrackingEvent(pkg, row),
  );
}

/**
 * A change by the owner or an administrator: content as the status lets it be changed, or the status to cancelled or inactive.
 * @param ifMatch the caller's `If-Match`, or null
 */
export async function updatePackage(
  ctx: Ctx,
  actor: Actor,
  id: string,
  input: UpdatePackageInput,
  ifMatch: string | null,
): Promise<Package> {
  // Looked at first, so that nobody's images are worked on for a package that is not theirs.
  if (input.images) await findReachablePackage(ctx, actor, id);
  const claimed = input.images && (await claimPackageImages(ctx, actor, id, input.images));
  return ctx.db.transaction(async (tx) => {
    const pkg = await lockPackage(tx, id, scopeOf(actor));
    if (!pkg) throw notFound('package');
    const { version } = input;
    refuseStale(pkg.version, { version, ifMatch }, 'This package was changed in the meantime. Please load it again.');
    const current = asPackage(ctx, pkg);
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const before = asContent(current as ContentInput, pkg.images);
    const content = asContent({ ...current, ...given } as ContentInput, claimed ?? pkg.images);
    const changes = changesOf(before, content);
    let changed = pkg;
    if (Object.keys(changes).length > 0) {
      refuseLate(pkg, changes);
      refusePast(content, ctx.now(), before);
      changed = (await setContent(tx, id, content, ctx.now()).catch(tellTakenReference)) ?? changed;
      if (claimed) await keepImages(tx, actor, `package:${id}`, claimed);
      await recordPackage(tx, ctx, 'package.updated', changed, actor.id, { changes });
    }
    if (input.status === 'inactive' && input.status !== pkg.status && !mayDelete(actor)) throw forbidden();
    if (input.status && input.status !== pkg.status) changed = await endPackage(ctx, tx, actor, changed, input.status);
    await noteContactViews(tx, actor, [changed]);
    return asPackage(ctx, changed);
  });
}

/** The database decides which of two that take a reference at once has it. */
function tellTakenReference(error: unknown): never {
  throw isUniqueViolation(error, 'packages_reference') ? refuseReference() : error;
}

/** @throws illegal_step where something is to change that a package of this status keeps */
function refuseLate(pkg: PackageRow, changes: ContentChanges): void {
  const fields = Object.keys(changes) as PackageContent[];
  if (fields.every((field) => mayChange(field, pkg.status))) return;
  const rest = isOnTheRoad(pkg.status) ? 'only contact, window and instructions can still be changed' : tooLate;
  throw illegalStep(pkg, rest);
}

const tooLate = 'its details can no longer be changed';

/** Deleting what is one's own is a right apart from changing it; whoever changes everybody's packages by right of office deletes, too. */
const mayDelete = ({ permissions }: Actor): boolean =>
  permissions.includes('packages.delete') || permissions.includes('packages.view_all');

/** One image more, as long as the package is processing and has room for it: of several at once the row's lock lets in as many. */
export async function addImage(ctx: Ctx, actor: Actor, id: string, file: UploadedFile): Promise<AddedImage> {
  await findReachablePackage(ctx, actor, id);
  return withImage(ctx, actor, file, 'packages', (path) =>
    ctx.db.transaction(async (tx) => {
      const pkg = await lockPackage(tx, id, scopeOf(actor));
      if (!pkg) throw notFound('package');
      if (!mayChange('images', pkg.status)) throw illegalStep(pkg, tooLate);
      if (pkg.images.length >= imageLimits.count) throw invalid({ image: imageMessages.tooMany });
      const images = [...pkg.images, path];
      const before = asPackage(ctx, pkg) as ContentInput;
      const changes = changesOf(asContent(before, pkg.images), asContent(before, images));
      const changed = await setContent(tx, id, asContent(before, images), ctx.now());
      if (!changed) throw notFound('package');
      await keepImages(tx, actor, `package:${id}`, images);
      await recordPackage(tx, ctx, 'package.updated', changed, actor.id, { changes });
      return { packageId: id, image: imageUrl(path) };
    }),
  );
}

async function endPackage(
  ctx: Pick<Ctx, 'now'>,
  tx: Tx,
  actor: Pick<Actor, 'id'>,
  pkg: PackageRow,
  status: PackageStatus,
): Promise<PackageRow> {
  const action = status === 'cancelled' ? 'cancel' : status === 'inactive' ? 'remove' : null;
  const next = action && statusAfter(action, pkg.status);
  if (!next) throw illegalStep(pkg, `it cannot become ${status} here`);
  const ended = await setStatus(tx, pkg.id, next, ctx.now());
  if (!ended) throw notFound('package');
  await withdrawImages(tx, `package:${pkg.id}`);
  await recordPackage(tx, ctx, action === 'cancel' ? 'package.cancelled' : 'package.deleted', ended, actor.id, {
    previousStatus: pkg.status,
  });
  return ended;
}

/** Nobody is left to hand these over: what a deleted user had waiting for a driver is cancelled. What is under way arrives. */
export async function cancelPackagesOfDeletedUser(ctx: Pick<Ctx, 'db' | 'now'>, eventId: string): Promise<void> {
  const event = await findUserEvent(ctx.db, eventId);
  if (!event) throw new Error(`event ${eventId} is about no user`);
  const cancelSome = () =>
    ctx.db.transaction(async (tx) => {
      const waiting = await lockWaitingPackages(tx, event.user_id, 100);
      for (const pkg of waiting) await endPackage(ctx, tx, { id: event.actor_id }, pkg, 'cancelled');
      return waiting.length;
    });
  while ((await cancelSome()) > 0);
}

/** An action that the present status does not allow; the message tells that status. */
export const illegalStep = (pkg: PackageRow, consequence: string) =>
  new AppError('illegal_step', `This package is ${pkg.status}: ${consequence}`);

/** The owner's own package, locked. */
export async function lockOwnPackage(tx: Tx, owner: Actor, id: string): Promise<PackageRow> {
  const pkg = await lockPackage(tx, id, owner.id);
  if (!pkg) throw notFound('package');
  return pkg;
}

/** Puts the latest unresolved issue on the package itself, or takes it off; the incident is the record of it. */
export async function setPackageIssue(ctx: Ctx, tx: Tx, pkg: PackageRow, issue: string | null): Promise<PackageRow> {
  if (issue === pkg.issue) return pkg;
  const changed = await setIssue(tx, pkg.id, issue, ctx.now());
  if (!changed) throw notFound('package');
  return changed;
}
