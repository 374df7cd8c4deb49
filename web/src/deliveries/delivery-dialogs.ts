import type { Delivery } from '@waybill/contract';

export type DeliveryAction = 'start' | 'location' | 'complete' | 'fail' | 'issue' | 'details';

/** Opens the dialog of an action. */
export type OnAction = (action: DeliveryAction, delivery: Delivery) => void;
