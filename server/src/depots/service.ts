import { maxDepots, type Depot, type DepotInput, type DepotUpdateInput } from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Changes } from '../events/event-types.ts';
import { findPlaces } from '../places/find-places.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, isUniqueViolation, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { assertCurrent, type EditedVersion } from '../platform/http/optimistic-lock.ts';
import {
  asDepot,
  claimDepotsToPlace,
  hideDepot,
  insertDepot,
  insertFirstDepot,
  isInUse,
  listDepotRows,
  lockDepot,
  lockDepots,
  placeDepot,
  setDepot,
  type DepotRow,
} from './queries.ts';

export const listDepots = async (ctx: { db: Queryable }): Promise<Depot[]> =>
  (await listDepotRows(ctx.db)).map(asDepot);

/** Creates a depot of the organisation's name and zone where there has never been one. Idempotent, also among servers that start at once. */
export async function createFirstDepot(ctx: Pick<Ctx, 'db' | 'settings' | 'now'>): Promise<void> {
  const { organisationName, timeZone } = await ctx.settings.find();
  await insertFirstDepot(ctx.db, organisationName, timeZone, ctx.now());
}

export async function createDepot(ctx: Ctx, actor: Actor, input: DepotInput): Promise<Depot> {
  return withNameError(() =>
    ctx.db.transaction(async (tx) => {
      const all = await lockDepots(tx);
      if (all.length >= maxDepots) throw new AppError('conflict', `There can be at most ${maxDepots} depots`);
      return recordDepot(ctx, tx, actor, 'depot.created', null, await insertDepot(tx, uuid(), input, ctx.now()));
    }),
  );
}

export async function updateDepot(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { version, ...input }: DepotUpdateInput,
  ifMatch: EditedVersion['ifMatch'],
): Promise<Depot> {
  return withNameError(() =>
    ctx.db.transaction(async (tx) => {
      const before = (await lockDepots(tx)).find((depot) => depot.id === id.toLowerCase());
      if (!before) throw notFound('depot');
      assertCurrent(
        before.version,
        { version, ifMatch },
        'This depot was changed in the meantime. Please load it again.',
      );
      return recordDepot(
        ctx,
        tx,
        actor,
        'depot.changed',
        before,
        await setDepot(tx, before.id, withKept(before, input), ctx.now()),
      );
    }),
  );
}

/** The change with what it leaves out of the present depot: of hours both. Without a place, that of the address is kept or looked up. */
function withKept(before: DepotRow, change: Omit<DepotUpdateInput, 'version'>): DepotInput {
  const { id: _, ...input } = change;
  const { address, opensAt, closesAt } = asDepot(before);
  const keepsHours = input.opensAt === undefined && input.closesAt === undefined;
  return {
    ...input,
    address: input.address === undefined ? address : input.address,
    ...(keepsHours && { opensAt, closesAt }),
  };
}

export async function removeDepot(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const all = await lockDepots(tx);
    const depot = all.find((one) => one.id === id.toLowerCase());
    if (!depot) throw notFound('depot');
    if (all.length === 1) throw new AppError('conflict', 'The last depot cannot be deleted');
    if (await isInUse(tx, depot.id))
      throw new AppError('conflict', 'Routes begin at this depot. Please finish or delete them first.');
    await hideDepot(tx, depot.id, ctx.now());
    await recordDepot(ctx, tx, actor, 'depot.deleted', depot, null);
  });
}

async function recordDepot(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  type: 'depot.created' | 'depot.changed' | 'depot.deleted',
  before: DepotRow | null,
  after: DepotRow | null,
): Promise<Depot> {
  const depot = after ?? before;
  if (!depot) throw notFound('depot');
  const changes: Changes = { depot: [before && asAuditValue(before), after && asAuditValue(after)] };
  await record(tx, { type, at: ctx.now(), actorId: actor.id, changes });
  return asDepot(depot);
}

/** Looks up the places of the depots' addresses that are not known. Idempotent. */
export async function placeDepots(ctx: Pick<Ctx, 'config' | 'db' | 'log' | 'now'>): Promise<void> {
  const due = (await claimDepotsToPlace(ctx.db)).flatMap((row) => {
    const { address } = asDepot(row);
    return address ? [{ row, ownerId: null, address }] : [];
  });
  const outcomes = await findPlaces(ctx, due);
  for (const [n, { row }] of due.entries()) {
    const place = outcomes[n]?.place;
    if (!place) continue;
    await ctx.db.transaction(async (tx) => {
      if (await placeDepot(tx, row, place))
        await record(tx, { type: 'depot.placed', at: ctx.now(), actorId: null, changes: {} });
    });
  }
}

const asAuditValue = (row: DepotRow) => {
  const { version: _, ...depot } = asDepot(row);
  return depot;
};

async function withNameError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, 'depots_name')) throw error;
    const message = 'There is already a depot of this name';
    throw new AppError('conflict', message, { fields: { name: message } });
  }
}

/** The name of a depot, which is not deleted until the transaction ends; null without it. */
export async function findDepotName(tx: Tx, id: string): Promise<string | null> {
  return (await lockDepot(tx, id))?.name ?? null;
}
