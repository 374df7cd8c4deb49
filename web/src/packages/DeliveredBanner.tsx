import type { Package } from '@waybill/contract';
import { CircleCheck } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';

type Delivered = Pick<Package, 'completedAt' | 'lastUpdate' | 'recipientName' | 'receivedBy' | 'location'>;

/** When, to whom and where. If somebody else received it, the banner names them and does not claim delivery to the recipient. */
export function DeliveredBanner({ pkg: { receivedBy, recipientName, location, ...pkg } }: { pkg: Delivered }) {
  const toSomebodyElse = receivedBy !== null && receivedBy.toLowerCase() !== recipientName.toLowerCase();
  return (
    <Banner tone="green" icon={<CircleCheck />} title="Package Delivered" live>
      Delivered on <LocalTime value={pkg.completedAt ?? pkg.lastUpdate} />{' '}
      {toSomebodyElse ? `for ${recipientName} · Received by ${receivedBy}` : `to ${recipientName}`}
      {location && ` · ${location}`}
    </Banner>
  );
}
