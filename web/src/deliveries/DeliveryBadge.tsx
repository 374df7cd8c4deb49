import type { Delivery } from '@waybill/contract';
import { Navigation, Box } from 'lucide-react';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { Badge } from '../ui/Badge.tsx';

/** The status as drivers call it: waiting is Pending, and one stop is the next. */
export function DeliveryBadge({ delivery: { status, next } }: { delivery: Pick<Delivery, 'status' | 'next'> }) {
  if (status === 'pending') {
    return (
      <Badge tone="yellow" icon={<Box aria-hidden="true" />}>
        Pending
      </Badge>
    );
  }
  if (next && status === 'in transit') {
    return (
      <Badge tone="blue" icon={<Navigation aria-hidden="true" />}>
        Next stop
      </Badge>
    );
  }
  return <StatusBadge status={status} />;
}
