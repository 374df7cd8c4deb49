import { useQuery } from '@tanstack/react-query';
import { Bell, CircleCheck, Package, Truck } from 'lucide-react';
import { QueryNote } from '../ui/QueryNote.tsx';
import { StatCard } from '../ui/StatCard.tsx';
import type { StatusFilter } from './filters.ts';
import { packageSummaryQuery } from './queries.ts';

interface PackageCardsProps {
  ownerId: string;
  status: StatusFilter | undefined;
  onStatus: (status: StatusFilter | undefined) => void;
}

/** The owner's four stat cards; three of them filter the list. */
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
      <div className="pairs gap-3 md:gap-4 lg:grid-cols-4">
        <StatCard
          label="Active Packages"
          value={figure(data?.active)}
          icon={<Package />}
          tone="yellow"
          {...filter('active')}
        />
        <StatCard
          label="Delivered"
          value={figure(data?.delivered)}
          icon={<CircleCheck />}
          tone="green"
          {...filter('delivered')}
        />
        <StatCard
          label="Out for Delivery"
          value={figure(data?.outForDelivery)}
          icon={<Truck />}
          tone="blue"
          {...filter('in transit')}
        />
        <div data-card="notifications">
          <StatCard label="Notifications" value={figure(data?.unreadNotifications)} icon={<Bell />} />
        </div>
      </div>
      <QueryNote query={summary} title="The figures could not be loaded" />
    </>
  );
}
