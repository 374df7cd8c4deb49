import type { AuditEntry, AuditExportQuery } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { asEntry, selectEntries, type AuditRow } from './queries.ts';
import { audit, filterAudit } from './service.ts';

const columns: Record<string, (entry: AuditEntry) => Cell> = {
  id: (entry) => entry.id,
  at: (entry) => entry.at,
  act: (entry) => entry.act,
  actorId: (entry) => entry.actorId,
  actorName: (entry) => entry.actorName,
  subjectId: (entry) => entry.subjectId,
  subjectName: (entry) => entry.subjectName,
  address: (entry) => entry.address,
  device: (entry) => entry.device,
  times: (entry) => entry.times,
  details: (entry) => JSON.stringify(entry.details),
};

/** The whole list with these filters, newest first. The export itself is audited before the log is read. */
export async function exportAudit(ctx: Ctx, actor: Actor, query: AuditExportQuery): Promise<CsvFile> {
  const filter = await filterAudit(ctx.db, query);
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'audit.exported', actorId: actor.id });
  const sql = selectEntries(filter.all());
  return {
    name: `audit-${ctx.now().toISOString().slice(0, 10)}.csv`,
    chunks: (signal) => csvOf(columns, asEntry, ctx.longRunning.streamRows<AuditRow>(sql, filter.values(), signal)),
  };
}
