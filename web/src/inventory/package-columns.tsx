import type { InventoryPackage } from '@waybill/contract';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { formatWindow } from '../packages/formats.ts';
import type { Column } from '../ui/DataTable.tsx';
import { DayWords } from '../ui/DayWords.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { noLocation } from './columns.ts';

/** The columns of the packages behind a count. */
export const inventoryPackageColumns: readonly Column<InventoryPackage>[] = [
  {
    id: 'name',
    title: 'Package',
    className: 'md:w-[24%] md:max-w-0',
    phone: 'title',
    cell: (pkg) => (
      <>
        <span className="block truncate font-medium text-ink max-md:text-[0.9375rem]" title={pkg.name}>
          {pkg.name}
        </span>
        <span className="code block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">{pkg.trackingId}</span>
      </>
    ),
  },
  {
    id: 'destination',
    title: 'Destination',
    className: 'md:w-[28%] md:max-w-0',
    phone: 'detail',
    cell: ({ recipientAddress, window, owner }) => {
      const more = [window && formatWindow(window), owner && `From: ${owner}`].filter(Boolean).join(' · ');
      return (
        <>
          <span className="block truncate text-ink-2" title={recipientAddress ?? undefined}>
            {recipientAddress ?? 'No address given'}
          </span>
          <span className="figures block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">{more}</span>
        </>
      );
    },
  },
  {
    id: 'place',
    title: 'Place',
    className: 'w-[16%] max-w-0 max-xl:hidden @max-[60rem]:hidden',
    cell: ({ location }) => (
      <span className="block truncate text-ink-2" title={location ?? undefined}>
        {location ?? noLocation}
      </span>
    ),
  },
  {
    id: 'driver',
    title: 'Driver',
    className: 'w-[14%] max-w-0 max-lg:hidden @max-[44rem]:hidden',
    cell: ({ driver }) => <span className="block truncate text-ink-2">{driver}</span>,
  },
  {
    id: 'status',
    title: 'Status',
    className: 'md:w-37',
    phone: 'end detail',
    cell: ({ status }) => (
      <span className="flex">
        <StatusBadge status={status} size="xs" />
      </span>
    ),
  },
  {
    id: 'since',
    title: 'Since',
    className: 'md:w-36',
    phone: 'end',
    cell: ({ waitingSince, lastUpdate }) => (
      <span className="whitespace-nowrap text-ink-2">
        {waitingSince ? <RelativeTime value={waitingSince} /> : <DayWords value={lastUpdate} />}
      </span>
    ),
  },
];
