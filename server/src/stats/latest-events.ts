import type { LatestEvent, PackageEventType } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { forbidden } from '../platform/errors.ts';

interface EventRow {
  id: string;
  type: PackageEventType;
  at: Date;
  package_id: string;
  tracking_id: string;
  name: string;
  town: string | null;
  actor: string | null;
  note: string | null;
}

/** Enough for a screen. In the statement as a literal: it shows the planner that few rows are joined. */
const mostEvents = 60;

/**
 * Lists the newest events of all packages, newest first: the end of the index of their ids.
 * @param limit at most 60
 * @throws forbidden without `packages.view_all`: events name packages and people
 */
export async function listLatestEvents(ctx: Ctx, actor: Actor, limit: number): Promise<LatestEvent[]> {
  if (!actor.permissions.includes('packages.view_all')) throw forbidden();
  const rows = await ctx.reads.query<EventRow>(
    `select e.id, e.type, e.at, e.package_id, p.tracking_id, p.name, p.address_city as town,
       case when e.type not in ('package.messaged', 'package.changed-by-recipient') then e.note end as note,
       (select name from users where id = e.actor_id and deleted_at is null) as actor
     from (select id, type, at, package_id, actor_id, note from package_events order by id desc limit ${mostEvents}) e
     join packages p on p.id = e.package_id
     order by e.id desc`,
  );
  return rows.slice(0, limit).map(({ package_id: packageId, tracking_id: trackingId, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    packageId,
    trackingId,
  }));
}
