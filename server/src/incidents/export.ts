import type { Incident, IncidentExportQuery } from '@waybill/contract';
import type { Ctx } from '../ctx.ts';
import { audit } from '../audit/service.ts';
import { csvOf, type Cell, type CsvFile } from '../platform/csv/csv.ts';
import type { Actor } from '../platform/auth/sessions.ts';
import { asIncident, selectIncidents, type IncidentRow } from './queries.ts';
import { filterIncidents } from './service.ts';

const columns: Record<string, (incident: Incident) => Cell> = {
  id: (incident) => incident.id,
  type: (incident) => incident.type,
  status: (incident) => incident.status,
  package: (incident) => incident.package,
  packageId: (incident) => incident.packageId,
  packageName: (incident) => incident.packageName,
  location: (incident) => incident.location,
  description: (incident) => incident.description,
  note: (incident) => incident.note,
  reporterName: (incident) => incident.reporter?.name ?? null,
  reporterRole: (incident) => incident.reporter?.role ?? null,
  time: (incident) => incident.time,
  updatedAt: (incident) => incident.updatedAt,
};

/** Exports all incidents of the list with these filters, newest first. */
export async function exportIncidents(ctx: Ctx, actor: Actor, query: IncidentExportQuery): Promise<CsvFile> {
  const filter = filterIncidents(actor, query);
  await ctx.rateLimits.take('exports', actor.id);
  await audit(ctx.db, { act: 'incidents.exported', actorId: actor.id });
  const sql = `${selectIncidents} ${filter.all()}`;
  return {
    name: `incidents-${ctx.now().toISOString().slice(0, 10)}.csv`,
    chunks: (signal) =>
      csvOf(
        columns,
        (row) => asIncident(ctx, actor, row),
        ctx.longRunning.streamRows<IncidentRow>(sql, filter.values(), signal),
      ),
  };
}
