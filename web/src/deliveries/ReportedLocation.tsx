import { texts } from './texts.ts';
import { fill, withTheDriver } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { MapPin } from 'lucide-react';
import { DeliveryLine } from './DeliveryLine.tsx';

/** The location that the driver last reported; nothing while the package is simply with the driver. */
export function ReportedLocation({ delivery: { status, location } }: { delivery: Delivery }) {
  if (status !== 'in transit' || location === null || location === withTheDriver) return null;
  return (
    <DeliveryLine icon={<MapPin />} name={texts.names.location}>
      {fill(texts.nowAt, { place: location })}
    </DeliveryLine>
  );
}
