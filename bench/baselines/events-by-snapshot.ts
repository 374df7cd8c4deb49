import type { Queryable } from '../../server/src/platform/database/db.ts';

/** Checks the visibility of each event since the oldest open transaction in the previous snapshot. */
export function openEventsBySnapshot(pool: Queryable): { poll(): Promise<void> } {
  let lastSnapshot: string | null = null;
  return {
    async poll() {
      const [first] = await pool.query<{ snapshot: string }>(
        `select now.snapshot::text as snapshot, e.id, e.type, e.package_id, p.tracking_id, e.owner_id, e.driver_id,
                e.previous_driver_id, e.incident_number, i.reporter_id, e.user_id, e.session_id, e.import_id
         from (select pg_current_snapshot() as snapshot) now
         left join outbox e on e.xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(e.xid, $1::pg_snapshot)
           and e.xid < pg_snapshot_xmax(now.snapshot)
         left join packages p on p.id = e.package_id
         left join incidents i on i.number = e.incident_number
         order by e.id`,
        [lastSnapshot ?? '1:1:'],
      );
      lastSnapshot = first?.snapshot ?? null;
    },
  };
}
