import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Box, Route, Truck } from 'lucide-react';
import { QueryNote } from '../ui/QueryNote.tsx';
import { StatCard } from '../ui/StatCard.tsx';
import { deliverySummaryQuery } from './queries.ts';
import type { DeliveryFilter } from './search.ts';

interface DeliveryCardsProps {
  /** Without a session: cards without figures. */
  preview?: boolean;
  show: DeliveryFilter | undefined;
  onShow: (show: DeliveryFilter | undefined) => void;
}

/** The driver's four stat cards; each filters the lists. */
export function DeliveryCards({ preview = false, show, onShow }: DeliveryCardsProps) {
  const summary = useQuery({ ...deliverySummaryQuery(), enabled: !preview });
  const { data, isError } = summary;
  const figure = (value: number | undefined) => value ?? (isError || preview ? null : undefined);
  const filter = (wanted: DeliveryFilter) => ({
    pressed: show === wanted,
    onPress: () => onShow(show === wanted ? undefined : wanted),
  });
  return (
    <>
      <div className="pairs gap-3 md:gap-4 lg:grid-cols-4">
        <StatCard label="My Deliveries" value={figure(data?.mine)} icon={<Truck />} tone="blue" {...filter('mine')} />
        <StatCard
          label="Completed"
          value={figure(data?.completed)}
          icon={<CircleCheck />}
          tone="green"
          {...filter('completed')}
        />
        <StatCard
          label="Pending Available"
          value={figure(data?.pending)}
          icon={<Box />}
          tone="yellow"
          {...filter('pending')}
        />
        <StatCard label="Active" value={figure(data?.active)} icon={<Route />} {...filter('active')} />
      </div>
      {!preview && <QueryNote query={summary} title="The figures could not be loaded" />}
    </>
  );
}
