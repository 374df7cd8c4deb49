import type { IncidentStatus } from '@waybill/contract';
import { CircleAlert, CircleCheck, SearchCheck } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';

const styles = {
  Open: { tone: 'red', icon: CircleAlert },
  Investigating: { tone: 'yellow', icon: SearchCheck },
  Resolved: { tone: 'green', icon: CircleCheck },
} as const;

export function IncidentBadge({ status }: { status: IncidentStatus }) {
  const { tone, icon: Icon } = styles[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {status}
    </Badge>
  );
}
