import type { Package } from '@waybill/contract';
import { isAtRisk, isOnTheRoad } from '@waybill/contract';
import { useToday } from '../platform/clock.ts';
import { formatTime, localDay } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import type { Column } from '../ui/DataTable.tsx';
import { DayWords } from '../ui/DayWords.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';
import { arrivalItem, toArrival } from './arrival.ts';
import { locationOf } from './formats.ts';
import { PackageThumbnail } from './PackageThumbnail.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { statusStyle } from './status.ts';

/** Nothing more happens to it: its row is quieter. */
const isDone = ({ status }: Package) => status === 'delivered' || status === 'cancelled';

/** The columns of the owner's list, without the menu. */
export const packageColumns: readonly Column<Package>[] = [
  {
    id: 'image',
    title: 'Image',
    untitled: true,
    className: 'md:w-10 md:pr-0!',
    phone: 'picture',
    cell: (pkg) => <PackageThumbnail image={pkg.images[0]} category={pkg.category} size="row" />,
  },
  {
    id: 'name',
    title: 'Package',
    sort: 'name',
    className: 'md:w-[34%] md:max-w-0 @min-[68rem]:md:w-[26%]',
    phone: 'title',
    cell: (pkg) => (
      <>
        <span
          className={classes(
            'block truncate text-ui max-md:text-[0.9375rem]',
            isDone(pkg) ? 'text-ink-2' : 'font-medium text-ink',
          )}
          title={pkg.name}
        >
          {pkg.name}
        </span>
        <span className="block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">
          <span className="code">{pkg.trackingId}</span>
          {pkg.reference && ` · ${pkg.reference}`}
        </span>
      </>
    ),
  },
  {
    id: 'recipient',
    title: 'Recipient',
    sort: 'recipientName',
    className: 'md:w-[19%] md:max-w-0 @min-[68rem]:md:w-[17%]',
    phone: 'detail',
    cell: (pkg) => {
      const place = [pkg.address?.postalCode, pkg.address?.city].filter(Boolean).join(' ');
      return (
        <>
          <span className="block truncate max-md:text-ink-2">
            {pkg.recipientName}
            <span className="text-ink-3 md:hidden"> · {pkg.address?.postalCode ?? pkg.trackingId}</span>
          </span>
          <span className="block truncate text-meta leading-[1.17] text-ink-3 max-md:hidden">{place}</span>
        </>
      );
    },
  },
  {
    id: 'location',
    title: 'Location',
    className: 'max-w-0 w-[23%] max-xl:hidden @max-[68rem]:hidden',
    cell: (pkg) => (
      <span className="block truncate text-ink-2" title={locationOf(pkg) ?? undefined}>
        {locationOf(pkg) ?? 'Not specified'}
      </span>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    sort: 'status',
    className: 'md:w-37',
    phone: 'end detail',
    cell: (pkg) => {
      const { label, tone, ownerProgress } = statusStyle(pkg.status);
      return (
        <span className="block">
          <StatusBadge status={pkg.status} size="xs" />
          <span className="mt-0.5 block w-28 max-md:sr-only">
            <ProgressBar
              size="xs"
              tone={tone}
              value={ownerProgress}
              label={`Delivery progress of ${pkg.name}`}
              valueText={`${label}, ${ownerProgress}%`}
            />
          </span>
          {pkg.status === 'inactive' && <span className="sr-only">Deleted</span>}
        </span>
      );
    },
  },
  {
    id: 'arrival',
    title: 'Estimated Arrival',
    sort: 'due',
    className: 'md:w-36',
    phone: 'end',
    cell: (pkg) => <Arrival pkg={pkg} />,
  },
  {
    id: 'updated',
    title: 'Last Update',
    sort: 'lastUpdate',
    className: 'md:w-32 max-lg:hidden @max-[68rem]:hidden',
    cell: (pkg) => (
      <span className="text-ink-2">
        <DayWords value={pkg.lastUpdate} />
      </span>
    ),
  },
];

/** When it arrives, over the reason or the preferred time. */
function Arrival({ pkg }: { pkg: Package }) {
  const now = useToday();
  const item = arrivalItem(toArrival(pkg), { now });
  const remark = remarkOf(pkg, now);
  const isTrouble = remark?.isTrouble === true;
  // Phones have room for one of the two: trouble is said in place of what is not known yet.
  const isHidden = isTrouble && !item?.at;
  return (
    <>
      <span
        className={classes(
          'block whitespace-nowrap figures',
          pkg.status === 'delivered' ? 'text-ink-2' : 'font-medium text-ink',
          isTrouble && (isHidden ? 'max-md:hidden' : 'max-md:text-danger'),
        )}
      >
        {item === null ? (
          <span className="text-ink-3">–</span>
        ) : item.at === null ? (
          item.text
        ) : item.text === null ? (
          <DayWords value={item.at} />
        ) : (
          <time dateTime={item.at}>{item.text}</time>
        )}
      </span>
      {remark && (
        <span
          className={classes(
            'block truncate text-meta leading-[1.17]',
            isTrouble ? 'text-danger' : 'text-ink-3',
            isHidden ? 'max-md:text-table max-md:font-medium' : 'max-md:sr-only',
          )}
        >
          {remark.text}
        </span>
      )}
    </>
  );
}

function remarkOf(pkg: Package, now: Date): { text: string; isTrouble?: boolean } | null {
  const { status, eta, window, estimatedDeliveryTime: expected } = pkg;
  if (status === 'delivered')
    return pkg.receivedBy && pkg.receivedBy !== pkg.recipientName ? { text: `To ${pkg.receivedBy}` } : null;
  if (pkg.failedAttempt && pkg.nextStep?.kind === 'collect') return { text: 'To be collected' };
  if (pkg.failedAttempt && pkg.returnDue) return { text: 'Comes back to you', isTrouble: true };
  if (pkg.failedAttempt) return { text: 'The last attempt failed', isTrouble: true };
  if (isOnTheRoad(status) && pkg.returnDue) return { text: 'On its way back' };
  const isOver = window ? Date.parse(window.to) < now.getTime() : eta !== null && eta < localDay(now);
  if (status === 'processing' && isOver) return { text: 'Overdue', isTrouble: true };
  if (isOnTheRoad(status) && expected !== null && Date.parse(expected) < now.getTime())
    return { text: 'Late', isTrouble: true };
  const isExpectedLate =
    isOnTheRoad(status) && expected !== null && isAtRisk(Date.parse(expected), pkg, localDay, now.getTime());
  if (isExpectedLate || (status === 'processing' && pkg.atRisk)) return { text: 'At risk', isTrouble: true };
  if (status === 'out for delivery') return { text: 'Next stop' };
  if (pkg.stopsAway) return { text: pkg.stopsAway === 1 ? '1 stop before it' : `${pkg.stopsAway} stops before it` };
  if (window && status === 'processing') return { text: `${formatTime(window.from)}–${formatTime(window.to)}` };
  return null;
}
