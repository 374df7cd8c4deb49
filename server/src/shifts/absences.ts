import {
  absenceMessages,
  dayIn,
  type AbandonedStops,
  type Absence,
  type AbsenceInput,
  type AbsenceListQuery,
  type AbsenceUpdateInput,
  type SavedAbsence,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import type { Changes } from '../events/event-types.ts';
import { record } from '../events/record.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Tx } from '../platform/database/db.ts';
import { filterList, type ListOrder } from '../platform/database/keyset-lists.ts';
import { AppError, notFound, sqlState } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { assertCurrent, type EditedVersion } from '../platform/http/optimistic-lock.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { requireActiveDriver } from '../users/active-driver.ts';
import {
  absenceColumns,
  asAbsence,
  deleteAbsence,
  findAbandoned,
  findAbsence,
  findAffectedRoutes,
  insertAbsence,
  lockAbsence,
  setAbsence,
  type AbsenceRow,
} from './absence-queries.ts';
import { lockSchedules } from './queries.ts';

/** The cursor contains the sort keys themselves, because the absence may be deleted before the next page is read. */
const soonestFirst: ListOrder = {
  keys: ['a.first_day', 'a.id'],
  last(cursor, value) {
    const [day, id] = cursor.split('~');
    return `(${value(day)}::date, ${value(id)}::uuid)`;
  },
};

/** Lists the absences of a period by their first day. @param driverId null for all drivers */
export async function listAbsences(ctx: Ctx, driverId: string | null, query: AbsenceListQuery): Promise<Page<Absence>> {
  const timeZone = await zoneOf(ctx.settings, {});
  const filter = filterList({}, { cursor: query.cursor, limit: query.limit });
  filter.where(`a.last_day >= ${filter.value(query.from ?? dayIn(timeZone, ctx.now()))}::date`);
  if (query.to) filter.where(`a.first_day <= ${filter.value(query.to)}::date`);
  if (driverId !== null) filter.where(`a.driver_id = ${filter.value(driverId)}`);
  const rows = await ctx.db.query<AbsenceRow>(
    `select ${absenceColumns} from absences a join users u on u.id = a.driver_id ${filter.page(soonestFirst)}`,
    filter.values(),
  );
  const count = query.count ? await filter.count(ctx.db, 'absences a') : null;
  return pageOf(rows, query.limit, count, (row) => `${row.first_day}~${row.id}`, asAbsence);
}

/** Enters an absence, and answers what the driver has in these days. @throws conflict when it overlaps another one */
export async function createAbsence(
  ctx: Ctx,
  actor: Actor,
  { driverId, ...content }: AbsenceInput,
): Promise<SavedAbsence> {
  const id = uuid();
  const timeZone = await zoneOf(ctx.settings, {});
  return withOverlapError(() =>
    ctx.db.transaction(async (tx) => {
      await lockSchedules(tx, [driverId]);
      await requireActiveDriver(tx, driverId);
      await insertAbsence(tx, { id, driverId, ...content }, timeZone, ctx.now());
      return recordAbsence(ctx, tx, actor, 'absence.created', null, await findAbsence(tx, id));
    }),
  );
}

/** Whose absences the caller may change: drivers their own, whoever plans all. */
const scopeOf = ({ id, permissions }: Actor): string | null => (permissions.includes('deliveries.assign') ? null : id);

export async function updateAbsence(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { version, ...content }: AbsenceUpdateInput,
  ifMatch: EditedVersion['ifMatch'],
): Promise<SavedAbsence> {
  const timeZone = await zoneOf(ctx.settings, {});
  return withOverlapError(() =>
    ctx.db.transaction(async (tx) => {
      const before = await lockAbsence(tx, id, scopeOf(actor));
      if (!before) throw notFound('absence');
      assertCurrent(
        before.version,
        { version, ifMatch },
        'This absence was changed in the meantime. Please load it again.',
      );
      await lockSchedules(tx, [before.driver_id]);
      await setAbsence(tx, id, content, timeZone, ctx.now());
      return recordAbsence(ctx, tx, actor, 'absence.changed', before, await findAbsence(tx, id));
    }),
  );
}

export async function removeAbsence(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const absence = await lockAbsence(tx, id, scopeOf(actor));
    if (!absence) throw notFound('absence');
    await deleteAbsence(tx, id);
    await recordAbsence(ctx, tx, actor, 'absence.deleted', absence, null);
  });
}

async function recordAbsence(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  type: 'absence.created' | 'absence.changed' | 'absence.deleted',
  before: AbsenceRow | null,
  after: AbsenceRow | null,
): Promise<SavedAbsence> {
  const absence = after ?? before;
  if (!absence) throw notFound('absence');
  const changes: Changes = { absence: [before && asAuditValue(before), after && asAuditValue(after)] };
  await record(tx, { type, at: ctx.now(), actorId: actor.id, userId: absence.driver_id, changes });
  const routes = after ? await findAffectedRoutes(tx, after.driver_id, after.first_day, after.last_day) : [];
  const isNews = type === 'absence.created' || (type === 'absence.changed' && routes.length > 0);
  if (isNews && actor.id === absence.driver_id)
    await record(tx, {
      type: 'absence.reported',
      at: ctx.now(),
      actorId: actor.id,
      userId: absence.driver_id,
      changes: routes.length > 0 ? { leavesStops: [null, true] } : {},
    });
  return { ...asAbsence(absence), routes };
}

/** The stops of today and later whose drivers are away, soonest first: somebody else has to take them. */
export async function readAbandoned(ctx: Ctx, limit: number): Promise<AbandonedStops[]> {
  const today = dayIn(await zoneOf(ctx.settings, {}), ctx.now());
  const rows = await findAbandoned(ctx.reads, today, limit);
  return rows.map(({ driver_id: driverId, depot_id: depotId, ...row }) => ({ ...row, driverId, depotId }));
}

/** Without kind and note: whether somebody was ill is nothing to keep for good. */
const asAuditValue = ({ id, first_day, last_day }: AbsenceRow) => ({ id, from: first_day, to: last_day });

/** Maps violations of the exclusion constraint on overlapping absences of a driver to `conflict`. */
async function withOverlapError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== '23P01') throw error;
    throw new AppError('conflict', absenceMessages.overlap, { fields: { from: absenceMessages.overlap } });
  }
}
