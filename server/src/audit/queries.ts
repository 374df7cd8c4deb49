import type { AuditAct, AuditEntry } from '@waybill/contract';
import type { Queryable } from '../platform/database/db.ts';
import { likeContains } from '../platform/database/keyset-lists.ts';

export interface AuditRow {
  id: string;
  at: Date;
  act: AuditAct;
  actor_id: string | null;
  actor_name: string | null;
  subject_id: string | null;
  user_name: string | null;
  tracking_id: string | null;
  address: string | null;
  device: string | null;
  times: number;
  details: Record<string, unknown>;
}

/**
 * Names come from scalar subqueries, whose plan does not depend on statistics: a page has at most 200 rows, and an export is streamed.
 * @param filtered `where … order by … limit …` on the audit table
 */
export const selectEntries = (filtered: string): string =>
  `select a.id, a.at, a.act, a.actor_id, a.subject_id, a.details,
          (select name from users where id = a.actor_id) as actor_name,
          (select name from users where id = a.subject_id) as user_name,
          (select tracking_id from packages where id = a.subject_id) as tracking_id,
          o.address, o.device, coalesce(r.times, 1) as times
   from (select * from audit ${filtered}) a
     left join audit_origins o on o.audit_id = a.id
     left join audit_repeats r on r.audit_id = a.id
   order by a.id desc`;

export const asEntry = (row: AuditRow): AuditEntry => ({
  id: Number(row.id),
  at: row.at.toISOString(),
  act: row.act,
  actorId: row.actor_id,
  actorName: row.actor_name,
  subjectId: row.subject_id,
  subjectName: row.user_name ?? row.tracking_id,
  address: row.address,
  device: row.device,
  times: row.times,
  details: row.details,
});

/** The maximum number of accounts that a filter by person can match. */
const maxPeople = 200;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The ids of the accounts that match a text: an id (also of a deleted account), or a part of the name or email address. */
export async function findPeople(db: Queryable, text: string): Promise<string[]> {
  if (uuid.test(text)) return [text.toLowerCase()];
  const rows = await db.query<{ id: string }>(
    `select id from users where deleted_at is null and lower(name || ' ' || email) like $1 order by id limit ${maxPeople}`,
    [likeContains(text.toLowerCase())],
  );
  return rows.map(({ id }) => id);
}
