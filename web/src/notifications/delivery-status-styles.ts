import type { SentState } from '@waybill/contract';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';

export const deliveryStatusStyles = {
  waiting: { label: 'Waiting', tone: 'yellow', icon: Clock },
  // Not 'Delivered', which is a status of packages.
  delivered: { label: 'Sent', tone: 'green', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'red', icon: CircleAlert },
} as const satisfies Record<SentState, object>;
