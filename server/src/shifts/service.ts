import {
  shiftLimits,
  type CopiedWeek,
  type CopyWeekInput,
  type DriverListQuery,
  type DriverOnDuty,
  type Shift,
  type ShiftInput,
  type ShiftListQuery,
  type ShiftUpdateInput,
} from '@waybill/contract';
import { v7 as uuid } from 'uuid';
import type { Ctx } from '../ctx.ts';
import { findAccountEvent } from '../events/history.ts';
import { record } from '../events/record.ts';
import type { Changes } from '../events/event-types.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { AppError, notFound, sqlState } from '../platform/errors.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList, keysOf, type ListOrder } from '../platform/database/keyset-lists.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { assertCurrent, type EditedVersion } from '../platform/http/optimistic-lock.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import {
  asDriverOnDuty,
  countStops,
  asShift,
  deleteShift,
  dutyColumns,
  endShiftsOf,
  findShift,
  insertShift,
  insertShifts,
  listWeekCopies,
  listWorkingDays,
  lockSchedules,
  lockShift,
  runningShift,
  setShift,
  shiftColumns,
  type DutyRow,
  type ShiftRow,
} from './queries.ts';
import { requireActiveDriver } from '../users/active-driver.ts';
import { deleteAbsencesOf } from './absence-queries.ts';

const hourMs = 3_600_000;

/** The cursor contains the sort keys themselves, because the shift may be deleted before the next page is read. */
const soonestFirst: ListOrder = {
  keys: ['s.starts_at', 's.id'],
  last(cursor, value) {
    const [ms, id] = cursor.split('~');
    return `(${value(new Date(Number(ms)))}, ${value(id)})`;
  },
};

/** Lists the shifts of a period, soonest first. @param driverId null for all drivers */
export async function listShifts(ctx: Ctx, driverId: string | null, query: ShiftListQuery): Promise<Page<Shift>> {
  const now = ctx.now();
  const from = query.from ? new Date(query.from) : now;
  // No shift is longer than `maxHours`, so none that starts earlier reaches into the period. This bound lets the index be used.
  const filter = filterList({}, { cursor: query.cursor, limit: query.limit });
  filter.where(`s.ends_at > ${filter.value(from)}`);
  filter.where(`s.starts_at > ${filter.value(new Date(from.getTime() - shiftLimits.maxHours * hourMs))}`);
  if (query.to) filter.where(`s.starts_at < ${filter.value(new Date(query.to))}`);
  if (driverId !== null) filter.where(`s.driver_id = ${filter.value(driverId)}`);
  const rows = await ctx.db.query<ShiftRow>(
    `select ${shiftColumns} from shifts s join users u on u.id = s.driver_id ${filter.page(soonestFirst)}`,
    filter.values(),
  );
  const count = query.count ? await filter.count(ctx.db, 'shifts s') : null;
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => `${row.starts_at.getTime()}~${row.id}`,
    (row) => asShift(row, now),
  );
}

/** Lists all drivers with their duty status at present. */
export async function listDrivers(ctx: Ctx, query: DriverListQuery): Promise<Page<DriverOnDuty>> {
  const filter = filterList({ q: 'lower(u.name)' }, query, [ctx.now()]);
  // Always refer to $1: PostgreSQL has to infer the type of every parameter.
  filter.where("$1::timestamptz is not null and u.role = 'driver' and u.deleted_at is null");
  if (query.status) filter.where(`u.status = ${filter.value(query.status)}`);
  const keys = [...(query.order === 'duty' ? [`not exists (${runningShift})`] : []), 'lower(u.name)', 'u.id'];
  const rows = await ctx.db.query<DutyRow>(
    `select ${dutyColumns} from users u ${filter.page({ keys, last: keysOf(keys, 'users u', 'u.id') })}`,
    filter.values(),
  );
  const count = query.count ? await filter.count(ctx.db, 'users u') : null;
  const stops = await countStops(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return pageOf(
    rows,
    query.limit,
    count,
    (row) => row.id,
    (row) => asDriverOnDuty(row, stops.get(row.id) ?? 0),
  );
}

export async function createShift(ctx: Ctx, actor: Actor, input: ShiftInput): Promise<Shift> {
  const id = uuid();
  return withOverlapError(() =>
    ctx.db.transaction(async (tx) => {
      await lockSchedules(tx, [input.driverId]);
      await requireActiveDriver(tx, input.driverId);
      await insertShift(tx, id, input, ctx.now());
      return recordShift(ctx, tx, actor, 'shift.created', null, await findShift(tx, id));
    }),
  );
}

export async function updateShift(
  ctx: Ctx,
  actor: Actor,
  id: string,
  { version, ...input }: ShiftUpdateInput,
  ifMatch: EditedVersion['ifMatch'],
): Promise<Shift> {
  return withOverlapError(() =>
    ctx.db.transaction(async (tx) => {
      const before = await lockShift(tx, id);
      if (!before) throw notFound('shift');
      assertCurrent(
        before.version,
        { version, ifMatch },
        'This shift was changed in the meantime. Please load it again.',
      );
      await lockSchedules(tx, [input.driverId]);
      // An unchanged driver is not checked, so that shifts of a suspended driver can be shortened.
      if (input.driverId !== before.driver_id) await requireActiveDriver(tx, input.driverId);
      await setShift(tx, id, input, ctx.now());
      return recordShift(ctx, tx, actor, 'shift.changed', before, await findShift(tx, id));
    }),
  );
}

export async function removeShift(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const shift = await lockShift(tx, id);
    if (!shift) throw notFound('shift');
    await deleteShift(tx, id);
    await recordShift(ctx, tx, actor, 'shift.deleted', shift, null);
  });
}

/** Copies the shifts of a week to the next one. Overlapping shifts, and those of inactive drivers, are skipped and reported. */
export async function copyWeek(ctx: Ctx, actor: Actor, { week, ...query }: CopyWeekInput): Promise<CopiedWeek> {
  const zone = await zoneOf(ctx.settings, query);
  return ctx.db.transaction(async (tx) => {
    const planned = (await listWeekCopies(tx, week, zone)).map((row) => ({ ...row, id: uuid() }));
    const active = planned.filter((row) => row.driver_active);
    await lockSchedules(
      tx,
      active.map((row) => row.driver_id),
    );
    const copied = await insertShifts(tx, active, ctx.now());
    if (copied.size > 0)
      await record(tx, {
        type: 'shifts.copied',
        at: ctx.now(),
        actorId: actor.id,
        changes: { week: [week, null], shifts: [null, copied.size] },
      });
    return {
      copied: copied.size,
      skipped: planned
        .filter((row) => !copied.has(row.id))
        .map((row) => ({
          driverId: row.driver_id,
          driver: row.driver,
          startsAt: row.starts_at.toISOString(),
          endsAt: row.ends_at.toISOString(),
          reason: row.driver_active ? ('overlap' as const) : ('not active' as const),
        })),
    };
  });
}

/** Deletes the future shifts of a deleted driver and ends a running one. Past ones stay. Why they were absent is nobody's business then. */
export async function endShiftsOfDeletedUser(ctx: Pick<Ctx, 'db' | 'now'>, eventId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const event = await findAccountEvent(tx, eventId);
    if (!event) throw new Error(`event ${eventId} is about no user`);
    const ended = await endShiftsOf(tx, event.userId, ctx.now());
    await deleteAbsencesOf(tx, event.userId);
    const changes: Changes = { shifts: [ended, 0] };
    if (ended > 0) await record(tx, { type: 'shift.deleted', at: ctx.now(), ...event, changes });
  });
}

async function recordShift(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  type: 'shift.created' | 'shift.changed' | 'shift.deleted',
  before: ShiftRow | null,
  after: ShiftRow | null,
): Promise<Shift> {
  const shift = after ?? before;
  if (!shift) throw notFound('shift');
  // One event per driver affected: a changed shift may have moved to another driver.
  for (const driverId of new Set([before?.driver_id, after?.driver_id])) {
    if (driverId === undefined) continue;
    const changes: Changes = { shift: [before && asAuditValue(before), after && asAuditValue(after)] };
    await record(tx, { type, at: ctx.now(), actorId: actor.id, userId: driverId, changes });
  }
  return asShift(shift, ctx.now());
}

/** Leaves out the note: it may contain personal data, and audit records are kept. */
const asAuditValue = ({ id, driver_id, starts_at, ends_at }: ShiftRow) => ({
  id,
  driverId: driver_id,
  startsAt: starts_at.toISOString(),
  endsAt: ends_at.toISOString(),
});

/** Maps violations of the exclusion constraint on overlapping shifts of a driver to `conflict`. */
async function withOverlapError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== '23P01') throw error;
    const message = 'This driver already has a shift at that time';
    throw new AppError('conflict', message, { fields: { startsAt: message } });
  }
}

/**
 * The days on which an active driver is scheduled and not away, or a route of this depot is planned, with the heaviest package that still
 * fits. A shift counts while an hour of it is left. @param from and `to`: included
 */
export const findWorkingDays = (
  db: Queryable,
  days: { depotId: string | null; timeZone: string; from: string; to: string; now: Date },
): Promise<{ day: string; kilograms: number }[]> => listWorkingDays(db, days);
