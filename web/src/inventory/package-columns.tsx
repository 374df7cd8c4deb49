import type { InventoryPackage } from '@waybill/contract';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { formatWindow, locationOf } from '../packages/formats.ts';
import type { Column } from '../ui/DataTable.tsx';
import { DayWords } from '../ui/DayWords.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { noLocation } from './columns.ts';
import type { InventorySearch } from './search.ts';

/** The columns of the packages behind a count, without those that would say the same in each row, or nothing. */
export function packageColumnsOf({ place, status }: InventorySearch): Column<InventoryPackage>[] {
  const hasPlace = place === undefined;
  // 'Out for Delivery' is two statuses.
  const hasStatus = status === undefined || status.includes(',');
  return [
    {
      id: 'name',
      title: 'Package',
      className: hasStatus ? 'md:w-[24%] md:max-w-0' : 'md:w-[30%] md:max-w-0',
      phone: 'title',
      cell: (pkg) => (
        <>
          <span className="block truncate font-medium text-ink max-md:text-[0.9375rem]" title={pkg.name}>
            {pkg.name}
          </span>
          <span className="code block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">
            {pkg.trackingId}
          </span>
        </>
      ),
    },
    {
      id: 'destination',
      title: 'Destination',
      className: hasStatus ? 'md:w-[28%] md:max-w-0' : 'md:w-[36%] md:max-w-0 max-md:col-end-5',
      phone: 'detail',
      cell: (pkg) => {
        const { recipientAddress, window, owner } = pkg;
        const more = [window && formatWindow(window), owner && `From: ${owner}`].filter(Boolean).join(' · ');
        return (
          <>
            <span className="block truncate text-ink-2" title={recipientAddress ?? undefined}>
              {recipientAddress ?? 'No address given'}
            </span>
            <span className="figures block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">
              {hasPlace && (
                <span className="@min-[60rem]:hidden">
                  {locationOf(pkg) ?? noLocation}
                  {more && ' · '}
                </span>
              )}
              {more}
            </span>
          </>
        );
      },
    },
    ...(hasPlace ? [placeColumn] : []),
    ...(status === 'processing' ? [] : [driverColumn]),
    ...(hasStatus ? [statusColumn] : []),
    {
      id: 'since',
      title: 'Since',
      className: 'md:w-36 @min-[60rem]:pr-5',
      phone: 'end',
      cell: ({ waitingSince, lastUpdate }) => (
        <span className="whitespace-nowrap text-ink-2">
          {waitingSince ? <RelativeTime value={waitingSince} /> : <DayWords value={lastUpdate} />}
        </span>
      ),
    },
  ];
}

/** Where there is no room for it, the place is said below the destination. */
const placeColumn: Column<InventoryPackage> = {
  id: 'place',
  title: 'Place',
  className: 'w-[16%] max-w-0 @max-[60rem]:hidden',
  cell: (pkg) => (
    <span className="block truncate text-ink-2" title={locationOf(pkg) ?? undefined}>
      {locationOf(pkg) ?? noLocation}
    </span>
  ),
};

const driverColumn: Column<InventoryPackage> = {
  id: 'driver',
  title: 'Driver',
  className: 'w-[14%] max-w-0 max-lg:hidden @max-[44rem]:hidden',
  cell: ({ driver }) => <span className="block truncate text-ink-2">{driver}</span>,
};

const statusColumn: Column<InventoryPackage> = {
  id: 'status',
  title: 'Status',
  className: 'md:w-37',
  phone: 'end detail',
  cell: ({ status }) => (
    <span className="flex">
      <StatusBadge status={status} size="xs" />
    </span>
  ),
};
