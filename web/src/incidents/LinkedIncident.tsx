import { useQuery } from '@tanstack/react-query';
import { IncidentDialog } from './LazyIncidentDialog.tsx';
import { incidentQuery } from './queries.ts';

interface LinkedIncidentProps {
  id: number;
  open?: boolean;
  onClosed: () => void;
}

/** Opens the incident of a link or row in a dialog. */
export function LinkedIncident({ id, open = true, onClosed }: LinkedIncidentProps) {
  const { data } = useQuery(incidentQuery(id));
  return data ? <IncidentDialog incident={data} open={open} onClose={onClosed} /> : null;
}
