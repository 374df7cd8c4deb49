import { useOrganisation } from '../platform/organisation.ts';

/** Figures are of the organisation's days: said where those are not the viewer's. */
export function ZoneNote() {
  const { timeZone } = useOrganisation();
  if (timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone) return null;
  return <p className="mb-4 text-meta text-ink-3">Days and on time in the zone {timeZone}</p>;
}
