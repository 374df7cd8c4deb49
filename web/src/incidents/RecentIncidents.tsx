import type { Incident } from '@waybill/contract';
import { ShieldCheck } from 'lucide-react';
import { DottedParts } from '../ui/DottedParts.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { IncidentBadge } from './IncidentBadge.tsx';
import { IncidentDialog } from './LazyIncidentDialog.tsx';

/** Recent incidents; each opens in a dialog. */
export function RecentIncidents({ incidents }: { incidents: readonly Incident[] }) {
  const dialog = useDialogState<Incident>();
  if (incidents.length === 0) return <EmptyState icon={<ShieldCheck />} title="No incidents reported" />;
  // Prefer the live list's version: another administrator may have changed it meanwhile.
  const shown = dialog.shown && (incidents.find(({ id }) => id === dialog.shown?.id) ?? dialog.shown);
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <button
              type="button"
              onClick={() => dialog.show(incident)}
              className="flex w-full flex-col gap-1.5 px-5 py-3.5 text-left transition-colors hover:bg-sunken focus-visible:-outline-offset-2"
            >
              <span className="flex flex-wrap items-center justify-between gap-2">
                <span className="text-ui font-medium">
                  <span className="figures text-ink-3">#{incident.id}</span> {incident.type}
                </span>
                <IncidentBadge status={incident.status} />
              </span>
              <span className="line-clamp-3 text-ui text-ink-2 wrap-anywhere">{incident.description}</span>
              <span className="flex justify-between gap-x-3 text-table text-ink-3">
                <DottedParts
                  parts={[
                    <span key="package" className="code">
                      {incident.package}
                    </span>,
                    incident.location,
                  ]}
                />
                <span className="shrink-0">
                  <RelativeTime value={incident.time} inControl align="end" />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <IncidentDialog key={dialog.opening} incident={shown} open={dialog.open} onClose={dialog.close} />}
    </>
  );
}
