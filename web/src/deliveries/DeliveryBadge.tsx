import { texts as shell } from '../platform/texts.ts';
import { texts } from './texts.ts';
import type { Delivery } from '@waybill/contract';
import { Navigation, Box } from 'lucide-react';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { Badge } from '../ui/Badge.tsx';

/** The status as drivers call it: waiting is Pending, and one stop is the next. */
export function DeliveryBadge({ delivery: { status, next } }: { delivery: Pick<Delivery, 'status' | 'next'> }) {
  if (status === 'pending') {
    return (
      <Badge tone="yellow" icon={<Box aria-hidden="true" />}>
        {texts.pending}
      </Badge>
    );
  }
  if (next && status === 'in transit') {
    return (
      <Badge tone="blue" icon={<Navigation aria-hidden="true" />}>
        {texts.nextStop}
      </Badge>
    );
  }
  return <StatusBadge status={status} label={(shell.statuses as Partial<Record<string, string>>)[status]} />;
}
