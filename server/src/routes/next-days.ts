import { dayIn } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { findAccessiblePackage } from '../packages/service.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import type { Queryable } from '../platform/database/db.ts';
import { zoneOf } from '../settings/effective-settings.ts';
import { findWorkingDays } from '../shifts/service.ts';
import { lastScheduledDay, proposeDay } from './proposed-day.ts';
import { isWaiting } from './waiting-condition.ts';

interface TriedRow {
  id: string;
  since: Date;
  return_due: boolean;
  next_day: string | null;
  window_from: Date | null;
  window_to: Date | null;
  depot_id: string | null;
  time_zone: string | null;
}

const findTried = (db: Queryable, ids: string[]) =>
  db.query<TriedRow>(
    `select * from (
       select packages.id, greatest(packages.failed_at, (
         select max(routes.finished_at) from routes where routes.left_ids <> '{}' and routes.left_ids @> array[packages.id]
       )) as since, packages.return_due, packages.next_day, packages.window_from, packages.window_to, packages.depot_id,
         (select depots.time_zone from depots where depots.id = packages.depot_id) as time_zone
       from packages where packages.id = any($1::uuid[]) and ${isWaiting}
     ) tried where since is not null`,
    [ids],
  );

/** The proposed days of those packages that wait after a failed attempt, or were counted back at the end of a route. */
export async function findProposedDays(ctx: Ctx, db: Queryable, ids: string[]): Promise<Map<string, string>> {
  const days = new Map<string, string>();
  if (ids.length === 0) return days;
  const now = ctx.now();
  const zone = await zoneOf(ctx.settings, {});
  const byPlace = Map.groupBy(await findTried(db, ids), (row) => `${row.depot_id} ${row.time_zone ?? zone}`);
  for (const rows of byPlace.values()) {
    const { depot_id: depotId, time_zone: depotZone } = rows[0] ?? { depot_id: null, time_zone: null };
    const timeZone = depotZone ?? zone;
    const today = dayIn(timeZone, now);
    const workingDays = await findWorkingDays(db, { depotId, timeZone, from: today, to: lastScheduledDay(today) });
    for (const { id, since, return_due: returns, next_day: wish, ...row } of rows) {
      const window = row.window_from && row.window_to ? { from: row.window_from, to: row.window_to } : null;
      days.set(id, proposeDay({ since, returns, wish, window }, { now, timeZone, workingDays }));
    }
  }
  return days;
}

/** @throws not_found also for another owner's package */
export async function readProposedDay(ctx: Ctx, actor: Actor, id: string): Promise<{ day: string | null }> {
  const pkg = await findAccessiblePackage(ctx, actor, id);
  return { day: (await findProposedDays(ctx, ctx.db, [pkg.id])).get(pkg.id) ?? null };
}
