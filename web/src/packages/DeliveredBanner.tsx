import type { Package } from '@waybill/contract';
import { CircleCheck } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';

export function DeliveredBanner({
  pkg,
}: {
  pkg: Pick<Package, 'completedAt' | 'lastUpdate' | 'recipientName' | 'location'>;
}) {
  return (
    <Banner tone="green" icon={<CircleCheck />} title="Package Delivered" live>
      Delivered on <LocalTime value={pkg.completedAt ?? pkg.lastUpdate} /> to {pkg.recipientName}
      {pkg.location && ` · ${pkg.location}`}
    </Banner>
  );
}
