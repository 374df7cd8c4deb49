import { useQuery } from '@tanstack/react-query';
import { permissionForRows } from '@waybill/contract';
import type { Stats } from '@waybill/contract';
import { Package, TriangleAlert, Truck, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatCountOf } from '../platform/formats.ts';
import { StatCard } from '../ui/StatCard.tsx';
import type { Tone } from '../ui/tone.ts';
import { useSession } from '../platform/session.ts';
import { cardFigures, cardNames } from './figures.ts';
import type { CardFigure } from './figures.ts';
import { statsQuery } from './queries.ts';

const styles: Record<CardFigure, { icon: ReactNode; tone: Tone }> = {
  activePackages: { icon: <Package />, tone: 'yellow' },
  activeDrivers: { icon: <Truck />, tone: 'blue' },
  totalUsers: { icon: <UsersRound />, tone: 'purple' },
  openIssues: { icon: <TriangleAlert />, tone: 'red' },
};

/** The comparison shown under a figure. */
const hints: Record<CardFigure, (stats: Stats) => string> = {
  activePackages: ({ pendingDeliveries }) => `${formatCount(pendingDeliveries)} waiting for a driver`,
  activeDrivers: ({ totalDrivers }) => `of ${formatCountOf(totalDrivers, 'driver')}`,
  totalUsers: ({ packageOwners, totalDrivers }) =>
    `${formatCountOf(packageOwners, 'owner')}, ${formatCountOf(totalDrivers, 'driver')}`,
  openIssues: ({ resolvedIssues }) => `${formatCount(resolvedIssues)} resolved`,
};

interface AdminCardsProps {
  chosen: CardFigure | undefined;
  onChoose: (figure: CardFigure | undefined) => void;
}

/** Current figures; pressing one lists its rows, if the reader has the permission. */
export function AdminCards({ chosen, onChoose }: AdminCardsProps) {
  const { data, isError } = useQuery(statsQuery());
  const { permissions } = useSession();
  return (
    <div className="pairs gap-3 md:gap-4 lg:grid-cols-4">
      {cardFigures.map((figure) => (
        <StatCard
          key={figure}
          label={cardNames[figure]}
          value={data?.[figure] ?? (isError ? null : undefined)}
          // Reserve the line: avoids a layout shift when the data arrives.
          hint={data ? hints[figure](data) : '\u00a0'}
          {...styles[figure]}
          pressed={chosen === figure}
          {...(permissions.includes(permissionForRows(figure)) && {
            onPress: () => onChoose(chosen === figure ? undefined : figure),
          })}
        />
      ))}
    </div>
  );
}
