import { withTheDriver } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { MapPin } from 'lucide-react';
import { DeliveryLine } from './DeliveryLine.tsx';

/** Where the driver has told everybody that it is; nothing while it is with them. */
export function ReportedLocation({ delivery: { status, location } }: { delivery: Delivery }) {
  if (status !== 'in transit' || location === null || location === withTheDriver) return null;
  return (
    <DeliveryLine icon={<MapPin />} name="Current Location">
      Now at {location}
    </DeliveryLine>
  );
}
