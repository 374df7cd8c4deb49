import { useQuery } from '@tanstack/react-query';
import type { PackageSummary } from '@waybill/contract';
import { Bell, CircleCheck, Package, Truck } from 'lucide-react';
import { formatCount } from '../platform/formats.ts';
import { QueryNote } from '../ui/QueryNote.tsx';
import { StatSegment, StatStrip } from '../ui/StatStrip.tsx';
import type { StatusFilter } from './search.ts';
import { packageSummaryQuery } from './queries.ts';

interface PackageCardsProps {
  ownerId: string;
  status: StatusFilter | undefined;
  onStatus: (status: StatusFilter | undefined) => void;
}

/** What the specified figure holds besides packages that wait or are on their way. */
function cancelledHint({ active, cancelled }: PackageSummary): string | undefined {
  if (cancelled === 0) return undefined;
  return `${formatCount(active - cancelled)} open, ${formatCount(cancelled)} cancelled`;
}

/** The owner's four figures; three of them filter the list. */
export function PackageCards({ ownerId, status, onStatus }: PackageCardsProps) {
  const summary = useQuery(packageSummaryQuery(ownerId));
  const { data, isError } = summary;
  const figure = (value: number | undefined) => value ?? (isError ? null : undefined);
  const filter = (wanted: StatusFilter) => ({
    pressed: status === wanted,
    onPress: () => onStatus(status === wanted ? undefined : wanted),
  });
  return (
    <>
      <StatStrip>
        <StatSegment
          label="Active Packages"
          value={figure(data?.active)}
          icon={<Package />}
          hint={data && cancelledHint(data)}
          {...filter('active')}
        />
        <StatSegment
          label="Delivered"
          value={figure(data?.delivered)}
          icon={<CircleCheck />}
          {...filter('delivered')}
        />
        <StatSegment
          label="Out for Delivery"
          value={figure(data?.outForDelivery)}
          icon={<Truck />}
          {...filter('in transit')}
        />
        <div data-card="notifications">
          <StatSegment label="Notifications" value={figure(data?.unreadNotifications)} icon={<Bell />} />
        </div>
      </StatStrip>
      <QueryNote query={summary} title="The figures could not be loaded" />
    </>
  );
}
