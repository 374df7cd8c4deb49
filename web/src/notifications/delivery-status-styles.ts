import type { SentState } from '@waybill/contract';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';

export const deliveryStatusStyles = {
  waiting: { label: 'Waiting', tone: 'yellow', icon: Clock },
  delivered: { label: 'Delivered', tone: 'green', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'red', icon: CircleAlert },
} as const satisfies Record<SentState, object>;
