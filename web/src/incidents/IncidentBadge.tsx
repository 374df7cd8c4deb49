import type { IncidentStatus } from '@waybill/contract';
import { CircleAlert, CircleCheck, SearchCheck } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';

const styles = {
  Open: { tone: 'red', icon: CircleAlert },
  Investigating: { tone: 'yellow', icon: SearchCheck },
  Resolved: { tone: 'green', icon: CircleCheck },
} as const;

interface IncidentBadgeProps {
  status: IncidentStatus;
  /** In the language of the page; administrators read English. */
  names?: Record<IncidentStatus, string>;
}

export function IncidentBadge({ status, names }: IncidentBadgeProps) {
  const { tone, icon: Icon } = styles[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {names?.[status] ?? status}
    </Badge>
  );
}
