import { useQuery } from '@tanstack/react-query';
import { IncidentDialog } from './IncidentDialog.tsx';
import { incidentQuery } from './queries.ts';

interface LinkedIncidentProps {
  id: number;
  onClosed: () => void;
}

/** The incident that a link leads to, open over the page. */
export function LinkedIncident({ id, onClosed }: LinkedIncidentProps) {
  const { data } = useQuery(incidentQuery(id));
  return data ? <IncidentDialog incident={data} open onClose={onClosed} /> : null;
}
