import { generateTrackingId, type CreatePackageInput, type Package } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { attachImages } from '../images/service.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { openGroupCommit, type BatchResults } from '../platform/database/group-commit.ts';
import type { Tx } from '../platform/database/db.ts';
import { keyedRequestOf, lockNewKeys, storeReplies, type KeyedRequest } from '../platform/http/idempotency.ts';
import { requireActive, whichAreActive } from '../users/service.ts';
import { asContent, type Content } from './content.ts';
import { insertPackage, insertPackages } from './content-queries.ts';
import { processPackageImages } from './images.ts';
import { referenceTakenError, rethrowReferenceTaken, trackingIdTakenError } from './package-errors.ts';
import { packageEvent, recordPackage, recordPackages } from './package-event.ts';
import { assertNotPast } from './past-dates.ts';
import { findReferences } from './queries.ts';
import { asPackage } from './row.ts';

export async function createPackage(ctx: Ctx, actor: Actor, input: CreatePackageInput): Promise<Package> {
  const at = ctx.now();
  const id = uuid({ msecs: at.getTime() });
  const { timeZone } = await ctx.settings.find();
  assertNotPast(asContent(input, []), { now: at, timeZone });
  const content = asContent(input, await processPackageImages(ctx, actor, id, input.images));
  return ctx.db.transaction(async (tx) => {
    const trackingId = input.trackingId ?? generateTrackingId();
    // Pipeline both statements. If the account is no longer active, the insert is rolled back.
    const [, pkg] = await Promise.all([
      requireActive(tx, actor.id),
      insertPackage(tx, { id, ownerId: actor.id, trackingId, at }, content).catch(rethrowReferenceTaken),
    ]);
    if (!pkg && content.reference !== null) {
      if ((await findReferences(tx, actor.id, [content.reference])).size > 0) throw referenceTakenError();
    }
    if (!pkg) throw trackingIdTakenError();
    if (content.images.length > 0) await attachImages(tx, actor, `package:${id}`, content.images);
    pkg.images = content.images;
    await recordPackage(tx, ctx, 'package.created', pkg, actor.id);
    return asPackage(ctx, pkg);
  });
}

/** A package to create in a transaction that it shares with others. It has no images. */
interface Draft {
  ownerId: string;
  trackingId: string;
  content: Content;
  /** The request, if it has an Idempotency-Key. */
  request: KeyedRequest | null;
}

/**
 * Creates packages like `createPackage`, but concurrent calls share transactions. Images are stored outside of the database, so a package
 * with images has a transaction of its own.
 */
export function openCreates(shared: Ctx): typeof createPackage {
  const creates = openGroupCommit(shared, (tx, drafts: Draft[]) => createTogether(shared, tx, drafts));
  return async (ctx, actor, input) => {
    const alone = () => createPackage(ctx, actor, input);
    if ((input.images ?? []).length > 0) return alone();
    const content = asContent(input, []);
    const { timeZone } = await ctx.settings.find();
    assertNotPast(content, { now: ctx.now(), timeZone });
    const trackingId = input.trackingId ?? generateTrackingId();
    return creates.run({ ownerId: actor.id, trackingId, content, request: keyedRequestOf(ctx.db) }, alone);
  };
}

/**
 * Leaves out everything that may be refused or must wait: owners that are not active, taken tracking IDs and references, and
 * Idempotency-Keys that are in use. `createPackage` then finds the error or the stored reply.
 */
export async function createTogether(ctx: Ctx, tx: Tx, drafts: Draft[]): Promise<BatchResults<Package>> {
  const [newKeys, active] = await Promise.all([
    lockNewKeys(
      tx,
      drafts.flatMap(({ request }) => request ?? []),
    ),
    whichAreActive(tx, [...new Set(drafts.map(({ ownerId }) => ownerId))]),
  ]);
  const at = ctx.now();
  const wanted = drafts
    .filter(({ ownerId, request }) => active.has(ownerId) && (request === null || newKeys.has(request)))
    .map((draft) => ({ draft, id: uuid({ msecs: at.getTime() }) }))
    // In one order in all transactions: otherwise two of them could wait for each other's tracking IDs.
    .toSorted((a, b) => (a.draft.trackingId < b.draft.trackingId ? -1 : 1));
  if (wanted.length === 0) return drafts.map(() => null);
  const rows = await insertPackages(
    tx,
    wanted.map(({ draft: { ownerId, trackingId, content }, id }) => ({ id, ownerId, trackingId, content, at })),
  );
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const created = new Map<Draft, Package>();
  for (const { draft, id } of wanted) {
    const row = rowOf.get(id);
    if (row) created.set(draft, asPackage(ctx, row));
  }
  await Promise.all([
    recordPackages(
      tx,
      rows.map((row) => packageEvent('package.created', at, row, row.owner_id)),
    ),
    storeReplies(
      tx,
      [...created].flatMap(([{ request }, reply]) => (request ? { request, reply } : [])),
    ),
  ]);
  return drafts.map((draft) => {
    const result = created.get(draft);
    return result ? { result } : null;
  });
}
