import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../platform/formats.ts';
import { Panel } from '../ui/Panel.tsx';
import { statsQuery } from './queries.ts';
import { ZoneNote } from './ZoneNote.tsx';

export function TodayPanel() {
  return (
    <Panel title="Today's Summary" query={useQuery(statsQuery())} loadingHeight="h-28">
      {({ today, pendingDeliveries }) => (
        <>
          <ZoneNote />
          <ul className="figures divide-y divide-line text-ui">
            {(
              [
                ['Packages registered', today.created],
                ['Deliveries started', today.started],
                ['Deliveries completed', today.completed],
                ['Attempts failed', today.failed],
                ['Waiting for a driver', pendingDeliveries],
              ] as const
            ).map(([name, count]) => (
              <li key={name} className="flex justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
                <span className="text-ink-2">{name}</span>
                <span className="font-semibold">{formatCount(count)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
