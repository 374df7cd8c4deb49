import { api } from '../platform/api.ts';
import { saveResponse } from '../platform/download.ts';
import { pagedQuery } from '../platform/paged-query.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import type { AuditSearch } from './search.ts';
import { isAct } from './audit-texts.ts';

/** Converts a day in the viewer's zone to an instant; undefined for an invalid one. */
const instantAt = (day: string | undefined, time: string): string | undefined => {
  const at = day === undefined ? NaN : new Date(`${day}T${time}`).getTime();
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

const whenOf = ({ from, to }: AuditSearch) => ({
  from: instantAt(from, '00:00:00.000'),
  to: instantAt(to, '23:59:59.999'),
});

const filtersOf = (search: AuditSearch) => ({
  person: search.q?.trim() || undefined,
  act: search.act !== undefined && isAct(search.act) ? search.act : undefined,
  ...whenOf(search),
});

export const auditQuery = (search: AuditSearch) =>
  pagedQuery(['audit', filtersOf(search)], (page, signal) =>
    api.audit.list({ query: { ...filtersOf(search), ...page }, signal }),
  );

export function contactViewsQuery(search: AuditSearch) {
  const filters = { person: search.q?.trim() || undefined, package: search.package?.trim() || undefined };
  const query = { ...filters, ...whenOf(search) };
  return pagedQuery(['contact-views', query], (page, signal) =>
    api.audit.contactViews({ query: { ...query, ...page }, signal }),
  );
}

export const useExportAudit = () =>
  useSingleMutation({
    mutationFn: async (search: AuditSearch) =>
      saveResponse(await api.audit.exportAll({ query: filtersOf(search) }), 'audit.csv'),
  });
