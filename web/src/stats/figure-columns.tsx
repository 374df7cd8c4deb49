import { incidentStatuses, userStatuses } from '@waybill/contract';
import type { FigureRow } from '@waybill/contract';
import { ClockAlert, PackageX } from 'lucide-react';
import { IncidentBadge } from '../incidents/IncidentBadge.tsx';
import { formatWindow } from '../packages/formats.ts';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { formatCount } from '../platform/formats.ts';
import { Badge } from '../ui/Badge.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { DayWords } from '../ui/DayWords.tsx';
import { UserStatusBadge } from '../users/UserStatusBadge.tsx';

const rest = 'md:w-24 @max-[48rem]:hidden';

/** The columns that the rows of a figure fill; a state only where it differs, since in a list of delivered packages it says nothing. */
export function figureColumns(
  rows: readonly FigureRow[],
  timeLabel: string,
  isOfOneDriver: boolean,
): Column<FigureRow>[] {
  const has = (field: 'driver' | 'attempt' | 'minutes' | 'outcome' | 'onTime' | 'stars') =>
    rows.some((row) => row[field] !== null);
  const hasStates = rows.some((row) => row.issue !== null) || new Set(rows.map(({ status }) => status)).size > 1;
  const isOfAttempts = has('outcome');
  const hasEnds = isOfAttempts || has('onTime');
  const columns: (Column<FigureRow> | false)[] = [
    {
      id: 'name',
      title: 'Name',
      className: 'md:w-[26%] md:max-w-0 md:@max-[56rem]:w-[40%]',
      phone: 'title',
      cell: ({ name, trackingId, issue }) => (
        <>
          <span className="block truncate font-medium text-ink max-md:text-[0.9375rem]" title={name}>
            {name}
            {issue && <span className="figures font-normal text-ink-3"> #{issue.id}</span>}
          </span>
          {trackingId && (
            <span className="code block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">{trackingId}</span>
          )}
        </>
      ),
    },
    rows.some(({ packageId }) => packageId !== null) && {
      id: 'destination',
      title: 'Destination',
      className: 'md:w-[28%] md:max-w-0 md:max-lg:hidden md:@max-[56rem]:hidden',
      phone: 'detail',
      cell: ({ recipientAddress, window, owner }) => (
        <>
          <span className="block truncate text-ink-2" title={recipientAddress ?? undefined}>
            {recipientAddress ?? 'No address given'}
          </span>
          <span className="figures block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">
            {[window && formatWindow(window), owner && `From: ${owner}`].filter(Boolean).join(' · ')}
          </span>
        </>
      ),
    },
    !isOfOneDriver &&
      has('driver') && {
        id: 'driver',
        title: 'Driver',
        className: 'md:w-[18%] md:max-w-0 @max-[36rem]:hidden',
        cell: ({ driver }) => <span className="block truncate text-ink-2">{driver}</span>,
      },
    has('attempt') && {
      id: 'attempt',
      title: 'Attempt',
      numeric: true,
      className: rest,
      cell: ({ attempt }) => <span className="text-ink-2">{attempt}</span>,
    },
    has('minutes') && {
      id: 'minutes',
      title: 'Minutes',
      numeric: true,
      className: rest,
      cell: ({ minutes }) => <span className="text-ink-2">{minutes !== null && formatCount(Math.round(minutes))}</span>,
    },
    has('stars') && {
      id: 'stars',
      title: 'Stars',
      numeric: true,
      className: 'md:w-24',
      phone: 'end detail',
      cell: ({ stars }) => <span className="text-ink-2">{stars !== null && `${stars} of 5`}</span>,
    },
    hasEnds && {
      id: 'end',
      title: isOfAttempts ? 'Outcome' : 'On time',
      className: 'md:w-24',
      phone: 'end detail',
      cell: (row) => <End row={row} />,
    },
    hasStates && {
      id: 'state',
      title: isOfAttempts ? 'Package now' : 'Status',
      className: 'md:w-37',
      ...(!hasEnds && { phone: 'end detail' as const }),
      cell: (row) => <StateBadge row={row} />,
    },
    {
      id: 'time',
      title: timeLabel,
      className: 'md:w-36',
      phone: 'end',
      cell: ({ at }) => (
        <span className="text-ink-2">
          <DayWords value={at} />
        </span>
      ),
    },
  ];
  return columns.filter((column) => column !== false);
}

/** How the delivery ended: on time, late, or not at all. Where the time is not known, an attempt was at least completed. */
function End({ row: { outcome, onTime } }: { row: FigureRow }) {
  if (outcome === 'failed') {
    return (
      <Badge size="xs" tone="red" icon={<PackageX aria-hidden="true" />}>
        Failed
      </Badge>
    );
  }
  if (onTime === false) {
    return (
      <Badge size="xs" tone="red" icon={<ClockAlert aria-hidden="true" />}>
        Late
      </Badge>
    );
  }
  return <span className="text-ink-2">{onTime ? 'On time' : outcome && 'Delivered'}</span>;
}

/** The status of the row's subject: an incident, a package or an account. */
function StateBadge({ row: { issue, packageId, status } }: { row: FigureRow }) {
  const incident = incidentStatuses.find((one) => one === issue?.status);
  if (incident) return <IncidentBadge status={incident} />;
  if (packageId !== null) return <StatusBadge status={status} size="xs" />;
  const account = userStatuses.find((one) => one === status);
  return account ? <UserStatusBadge status={account} size="xs" /> : null;
}
