import type { IncidentStatus } from '@waybill/contract';
import { CircleAlert, CircleCheck, SearchCheck } from 'lucide-react';
import { Badge } from '../ui/Badge.tsx';

const looks = {
  Open: { tone: 'red', icon: CircleAlert },
  Investigating: { tone: 'yellow', icon: SearchCheck },
  Resolved: { tone: 'green', icon: CircleCheck },
} as const;

export function IncidentBadge({ status }: { status: IncidentStatus }) {
  const { tone, icon: Icon } = looks[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {status}
    </Badge>
  );
}
