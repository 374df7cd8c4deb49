import { dayIn } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findOwnDelivery } from '../deliveries/service.ts';
import { failedAttemptsOf, findPackage } from '../packages/row.ts';
import { findAccessiblePackage } from '../packages/service.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable } from '../platform/database/db.ts';
import { notFound } from '../platform/errors.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { findWorkingDays } from '../shifts/service.ts';
import { lastScheduledDay, proposeDay, scheduleDays } from './proposed-day.ts';
import { isWaiting } from './waiting-condition.ts';

/**
 * SQL condition: the package has failed, or was counted back in the last weeks. What came back before then is due today.
 * @param now a placeholder
 */
export const wasTried = (now: string): string => `(packages.failed_at is not null or packages.id = any(array(
  select unnest(routes.left_ids) from routes where routes.left_ids <> '{}' and routes.finished_at > ${now}::timestamptz - interval '${scheduleDays} days')))`;

interface TriedRow {
  id: string;
  since: Date;
  return_due: boolean;
  weight: number;
  next_day: string | null;
  window_from: Date | null;
  window_to: Date | null;
  depot_id: string | null;
  time_zone: string | null;
}

const triedColumns = `packages.id, packages.return_due, packages.weight::float8 as weight, packages.next_day, packages.window_from,
  packages.window_to, packages.depot_id, (select depots.time_zone from depots where depots.id = packages.depot_id) as time_zone`;

const findTried = (db: Queryable, ids: string[]) =>
  db.query<TriedRow>(
    `select * from (
       select ${triedColumns}, greatest(packages.failed_at, (
         select max(routes.finished_at) from routes where routes.left_ids <> '{}' and routes.left_ids @> array[packages.id]
       )) as since
       from packages where packages.id = any($1::uuid[]) and ${isWaiting}
     ) tried where since is not null`,
    [ids],
  );

const findOnTheRoad = (db: Queryable, id: string, now: Date) =>
  db.query<TriedRow>(
    `select ${triedColumns}, $2::timestamptz as since from packages
     where packages.id = $1 and packages.status in ('in transit', 'out for delivery')`,
    [id, now],
  );

/** The proposed days of those packages that wait after a failed attempt, or were counted back at the end of a route. */
export async function findProposedDays(ctx: Ctx, db: Queryable, ids: string[]): Promise<Map<string, string>> {
  return ids.length === 0 ? new Map<string, string>() : daysOf(ctx, db, await findTried(db, ids));
}

async function daysOf(ctx: Ctx, db: Queryable, tried: TriedRow[]): Promise<Map<string, string>> {
  const days = new Map<string, string>();
  const now = ctx.now();
  const zone = await zoneOf(ctx.settings, {});
  const byPlace = Map.groupBy(tried, (row) => `${row.depot_id} ${row.time_zone ?? zone}`);
  for (const rows of byPlace.values()) {
    const { depot_id: depotId, time_zone: depotZone } = rows[0] ?? { depot_id: null, time_zone: null };
    const timeZone = depotZone ?? zone;
    const today = dayIn(timeZone, now);
    const workingDays = await findWorkingDays(db, { depotId, timeZone, from: today, to: lastScheduledDay(today), now });
    for (const { id, since, return_due: returns, next_day: wish, weight, ...row } of rows) {
      const window = row.window_from && row.window_to ? { from: row.window_from, to: row.window_to } : null;
      days.set(id, proposeDay({ since, returns, wish, window, weight }, { now, timeZone, workingDays }));
    }
  }
  return days;
}

/** @throws not_found also for another owner's package */
export async function readProposedDay(ctx: Ctx, actor: Actor, id: string): Promise<{ day: string | null }> {
  const pkg = await findAccessiblePackage(ctx, actor, id);
  return { day: (await findProposedDays(ctx, ctx.db, [pkg.id])).get(pkg.id) ?? null };
}

/** @throws not_found for another driver's delivery, illegal_step for one that the driver could claim */
export async function readDayAfterFailing(
  ctx: Ctx,
  actor: Actor,
  id: string,
): Promise<{ day: string | null; returns: boolean }> {
  const pkg = actor.permissions.includes('deliveries.assign')
    ? await findPackage(ctx.db, id, null)
    : await findOwnDelivery(ctx, actor, id);
  if (!pkg) throw notFound('delivery');
  const returns = pkg.return_due || failedAttemptsOf(pkg) + 1 >= ctx.config.MAX_ATTEMPTS;
  const tried = (await findOnTheRoad(ctx.db, pkg.id, ctx.now())).map((row) => ({ ...row, return_due: returns }));
  return { day: (await daysOf(ctx, ctx.db, tried)).get(pkg.id) ?? null, returns };
}
