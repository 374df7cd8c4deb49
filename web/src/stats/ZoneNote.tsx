import { useOrganisation } from '../platform/organisation.ts';

const zoneOfViewer = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Figures are of the organisation's days: said where those are not the viewer's. */
export function ZoneNote() {
  const { timeZone } = useOrganisation();
  if (timeZone === zoneOfViewer()) return null;
  return <p className="mb-4 text-meta text-ink-3">Days and on time in the zone {timeZone}</p>;
}
