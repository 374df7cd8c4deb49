import type { AuditAct, AuditEntry, AuditQuery } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Queryable } from '../platform/db.ts';
import { pageOf, type Listed } from '../platform/http.ts';
import { filterList } from '../platform/lists.ts';

interface Act {
  act: AuditAct;
  actorId: string | null;
  /** The account or package that it was done to. */
  subjectId?: string | null;
  /** No personal data: what is here cannot be erased. */
  details?: object;
}

/** Writes it down where it happens: in the transaction of the act, or before what is looked at is handed out. */
export async function audit(on: Queryable, { act, actorId, subjectId = null, details = {} }: Act): Promise<void> {
  await on.query('insert into audit (act, actor_id, subject_id, details) values ($1, $2, $3, $4)', [
    act,
    actorId,
    subjectId,
    JSON.stringify(details),
  ]);
}

interface AuditRow {
  id: string;
  at: Date;
  act: AuditAct;
  actor_id: string | null;
  subject_id: string | null;
  details: Record<string, unknown>;
}

const asEntry = (row: AuditRow): AuditEntry => ({
  id: Number(row.id),
  at: row.at.toISOString(),
  act: row.act,
  actorId: row.actor_id,
  subjectId: row.subject_id,
  details: row.details,
});

export async function listAudit(ctx: Ctx, query: AuditQuery): Promise<Listed<AuditEntry>> {
  const filter = filterList({ q: 'act', day: 'at' }, query);
  if (query.act) filter.where(`act = ${filter.value(query.act)}`);
  if (query.actor) filter.where(`actor_id = ${filter.value(query.actor)}`);
  if (query.subject) filter.where(`subject_id = ${filter.value(query.subject)}`);
  const rows = await ctx.db.query<AuditRow>(
    `select id, at, act, actor_id, subject_id, details from audit ${filter.page()}`,
    filter.values(),
  );
  const total = query.count ? await filter.count(ctx.db, 'audit') : null;
  return pageOf(rows, query.limit, total, (row) => row.id, asEntry);
}

/** Recomputes the whole chain: how many rows it has, and the first that does not fit, or null. */
export async function verifyAudit(on: Queryable): Promise<{ rows: number; brokenAt: number | null }> {
  const [result] = await on.query<{ rows: string; broken: string | null }>(
    `select count(*) as rows,
            min(id) filter (where hash <> expected or previous_hash <> before or id <> place) as broken
     from (select id, hash, previous_hash, audit_hash(audit) as expected,
                  lag(hash, 1, '') over (order by id) as before, row_number() over (order by id) as place
           from audit) chain`,
  );
  return { rows: Number(result?.rows ?? 0), brokenAt: result?.broken ? Number(result.broken) : null };
}

/** The hash of the entry at a place, in hexadecimal digits, or null where there is none. */
export async function findAuditHash(on: Queryable, place: string): Promise<string | null> {
  const [row] = await on.query<{ hash: string }>("select encode(hash, 'hex') as hash from audit where id = $1", [
    place,
  ]);
  return row?.hash ?? null;
}
