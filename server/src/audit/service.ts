import { randomBytes } from 'node:crypto';
import type { AuditAct, AuditEntry, AuditExportQuery, AuditQuery } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import type { Db, Queryable } from '../platform/database/db.ts';
import { pageOf, type Page } from '../platform/http/http.ts';
import { filterList, type ListFilter } from '../platform/database/keyset-lists.ts';
import { currentOrigin, type Origin } from '../platform/origin/request-origin.ts';
import { asEntry, findPeople, selectEntries, type AuditRow } from './queries.ts';

interface NewEntry {
  act: AuditAct;
  actorId: string | null;
  /** The account or package that was affected. */
  subjectId?: string | null;
  /** No personal data: the audit log cannot be erased. */
  details?: object;
  /** Address and device, if not those of the current request. */
  origin?: Origin | null;
}

/**
 * Appends an entry to the hash chain. Call it in the transaction of the act or, for reads, before the data is sent.
 * @returns the entry's position in the chain
 */
export async function audit(
  on: Queryable,
  { act, actorId, subjectId = null, details = {}, origin = currentOrigin() }: NewEntry,
): Promise<string> {
  const [entry] = await on.query<{ id: string }>(
    `with entry as (
       insert into audit (act, actor_id, subject_id, details, origin_hash)
       values ($1, $2, $3, $4, case when $5::bytea is not null then audit_origin_hash($5, $6, $7) end) returning id
     ), origin as (
       insert into audit_origins (audit_id, salt, address, device) select id, $5, $6, $7 from entry where $5::bytea is not null
       -- An orphan, left behind where the end of the log was cut off: it must not block new entries.
       on conflict (audit_id) do update set salt = excluded.salt, address = excluded.address, device = excluded.device
     )
     select id from entry`,
    [
      act,
      actorId,
      subjectId,
      JSON.stringify(details),
      origin && randomBytes(16),
      origin?.address ?? null,
      origin?.device ?? null,
    ],
  );
  if (!entry) throw new Error('the audit log took no entry');
  return entry.id;
}

/**
 * For acts that a client can cause at will, such as refusals: the first within the window is an entry of the chain, repeats only
 * increment a counter outside it, so that a flood adds one row per window.
 *
 * @param key identifies repeats, together with the act
 */
export async function auditCounted(db: Db, entry: NewEntry, window: 'minute' | 'hour', key: string): Promise<void> {
  const where = `act = $1 and key = $2 and since = date_trunc('${window}', now(), 'UTC')`;
  const repeated = await db.query(`update audit_repeats set times = times + 1 where ${where} returning 1`, [
    entry.act,
    key,
  ]);
  if (repeated.length > 0) return;
  await db.transaction(async (tx) => {
    const [counted] = await tx.query<{ times: number }>(
      `insert into audit_repeats (act, key, since) values ($1, $2, date_trunc('${window}', now(), 'UTC'))
       on conflict (act, key, since) do update set times = audit_repeats.times + 1 returning times`,
      [entry.act, key],
    );
    if (counted?.times !== 1) return;
    const id = await audit(tx, entry);
    await tx.query(`update audit_repeats set audit_id = $3 where ${where}`, [entry.act, key, id]);
  });
}

/** The filters that the list and its export share. */
export async function filterAudit(db: Queryable, query: AuditQuery | AuditExportQuery): Promise<ListFilter> {
  const filter = filterList({ q: 'act', day: 'at' }, query);
  if (query.act) filter.where(`act = ${filter.value(query.act)}`);
  if (query.actor) filter.where(`actor_id = ${filter.value(query.actor)}`);
  if (query.subject) filter.where(`subject_id = ${filter.value(query.subject)}`);
  if (query.person) {
    const people = filter.value(await findPeople(db, query.person));
    filter.where(`(actor_id = any(${people}) or subject_id = any(${people}))`);
  }
  return filter;
}

export async function listAudit(ctx: Ctx, query: AuditQuery): Promise<Page<AuditEntry>> {
  const filter = await filterAudit(ctx.db, query);
  const rows = await ctx.db.query<AuditRow>(selectEntries(filter.page()), filter.values());
  const count = query.count ? await filter.count(ctx.db, 'audit') : null;
  return pageOf(rows, query.limit, count, (row) => row.id, asEntry);
}

/** The retention of an entry's address and device. */
export const originDays = 90;

/**
 * Verifies the whole hash chain. An origin (address and device) must match its hash, and may be missing only if it is older than its
 * retention.
 * @returns the number of rows, and the id of the first invalid one, or null
 */
export async function verifyAudit(on: Queryable): Promise<{ rows: number; brokenAt: number | null }> {
  const [result] = await on.query<{ rows: string; broken: string | null }>(
    `select count(*) as rows,
            min(id) filter (where hash <> expected or previous_hash <> before or id <> place or not origin_fits) as broken
     from (select id, hash, previous_hash, audit_hash(audit) as expected,
                  lag(hash, 1, '') over (order by id) as before, row_number() over (order by id) as place,
                  case when o.audit_id is not null
                    then origin_hash is not distinct from audit_origin_hash(o.salt, o.address, o.device)
                    else origin_hash is null or audit.at < now() - interval '${originDays} days'
                  end as origin_fits
           from audit left join audit_origins o on o.audit_id = audit.id) chain`,
  );
  return { rows: Number(result?.rows ?? 0), brokenAt: result?.broken ? Number(result.broken) : null };
}

/** The hash of the entry at a position, in hexadecimal digits, or null if there is none. */
export async function findAuditHash(on: Queryable, position: string): Promise<string | null> {
  const [row] = await on.query<{ hash: string }>("select encode(hash, 'hex') as hash from audit where id = $1", [
    position,
  ]);
  return row?.hash ?? null;
}
