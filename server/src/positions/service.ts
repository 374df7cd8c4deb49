import {
  positionTolerance,
  type DriverPosition,
  type PositionConsent,
  type PositionsInput,
  type PositionsReply,
} from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { record } from '../events/record.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable, Tx } from '../platform/database/db.ts';
import { openGroupCommit, type BatchResults } from '../platform/database/group-commit.ts';
import { AppError } from '../platform/errors.ts';
import {
  deleteConsent,
  findConsent,
  insertConsent,
  insertPositions,
  listLastPositions,
  type Report,
  type ReportRow,
} from './queries.ts';

/** Older positions of drivers at work are not shown: they say nothing any more. */
export const shownMs = 12 * 3_600_000;

/** Stores reports of different drivers. */
async function store(ctx: Pick<Ctx, 'now'>, db: Queryable, reports: readonly Report[]): Promise<ReportRow[]> {
  const now = ctx.now();
  const { aheadMs, behindMs } = positionTolerance;
  const from = new Date(now.getTime() - behindMs);
  return insertPositions(db, reports, { now, from, to: new Date(now.getTime() + aheadMs) });
}

/** Stores the reports of a batch in one statement. Of a driver with several the others are left out, as each has a transaction of its own. */
async function storeTogether(ctx: Ctx, tx: Tx, reports: Report[]): Promise<BatchResults<ReportRow | undefined>> {
  const first = new Map(reports.toReversed().map((report) => [report.driverId, report]));
  const rows = await store(ctx, tx, [...first.values()]);
  const rowOf = new Map(rows.map((row) => [row.driver_id, row]));
  return reports.map((report) =>
    first.get(report.driverId) === report ? { result: rowOf.get(report.driverId) } : null,
  );
}

/**
 * Stores what drivers' phones report; concurrent reports share transactions. The last position only ever gets newer, whatever the order in
 * which batches come.
 *
 * @throws no_consent when the driver has not agreed, or not any more
 * @throws off_duty when the driver neither carries packages nor is on duty, and none of the points is from before that
 */
export function openReports(shared: Ctx) {
  const reports = openGroupCommit(shared, (tx, given: Report[]) => storeTogether(shared, tx, given));
  return async (ctx: Ctx, actor: Actor, { positions }: PositionsInput): Promise<PositionsReply> => {
    await ctx.rateLimits.take('positions', actor.id);
    const report = { driverId: actor.id, points: positions };
    const stored = await reports.run(report, async () => (await store(ctx, ctx.db, [report]))[0]);
    if (!stored?.agreed) throw new AppError('no_consent', 'You have not agreed to share your position');
    const { works, accepted, late } = stored;
    if (!works && accepted + late === 0)
      throw new AppError('off_duty', 'You are off duty, so your position is not used any more');
    return { accepted, late, refused: positions.length - accepted - late };
  };
}

export async function listPositions(ctx: Ctx): Promise<DriverPosition[]> {
  const now = ctx.now();
  const rows = await listLastPositions(ctx.db, new Date(now.getTime() - shownMs), now);
  return rows.map((row) => ({
    driverId: row.driver_id,
    name: row.name,
    lon: row.lon,
    lat: row.lat,
    at: row.at.toISOString(),
    ageSeconds: Math.max(0, Math.round((now.getTime() - row.at.getTime()) / 1000)),
    accuracy: row.accuracy,
    speed: row.speed,
    heading: row.heading,
    carrying: row.carrying,
    routeId: row.route_id,
    next:
      row.next_id !== null && row.next_tracking_id !== null && row.next_name !== null
        ? { packageId: row.next_id, trackingId: row.next_tracking_id, name: row.next_name }
        : null,
  }));
}

export async function readConsent(ctx: Ctx, db: Queryable, actor: Actor): Promise<PositionConsent> {
  const agreedAt = await findConsent(db, actor.id);
  return { agreedAt: agreedAt?.toISOString() ?? null, keptDays: ctx.config.RETENTION_POSITIONS_DAYS };
}

/** Stores that the driver agrees, with the time; taken back, it deletes what was stored. */
export const setConsent = (ctx: Ctx, actor: Actor, agreed: boolean): Promise<PositionConsent> =>
  ctx.db.transaction(async (tx) => {
    const at = ctx.now();
    const hasChanged = agreed ? await insertConsent(tx, actor.id, at) : await deleteConsent(tx, actor.id);
    const type = agreed ? 'positions.agreed' : 'positions.revoked';
    if (hasChanged) await record(tx, { type, at, actorId: actor.id, userId: actor.id });
    return readConsent(ctx, tx, actor);
  });
