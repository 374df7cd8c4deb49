import { useOrganisation } from '../platform/organisation.ts';

const zoneOfViewer = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Names the organisation's time zone, which figures use, where it differs from the viewer's. */
export function ZoneNote() {
  const { timeZone } = useOrganisation();
  if (timeZone === zoneOfViewer()) return null;
  return <p className="mb-4 text-meta text-ink-3">Days and on time in the zone {timeZone}</p>;
}
