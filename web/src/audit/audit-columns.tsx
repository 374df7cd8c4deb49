import type { AuditEntry, ContactView } from '@waybill/contract';
import { formatCount } from '../platform/formats.ts';
import { Badge } from '../ui/Badge.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { DayWords } from '../ui/DayWords.tsx';
import { nameOfBrowser } from '../platform/browser-name.ts';
import { actorOf, actTexts, detailsOf, subjectOf } from './audit-texts.ts';

/** The columns of the audit log. */
export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    id: 'what',
    title: 'What',
    className: 'md:w-[15%] md:max-w-0 md:min-w-34',
    phone: 'title',
    cell: (entry) => (
      <span className="flex items-center gap-2">
        <span className="truncate font-medium text-ink max-md:text-[0.9375rem]">{actTexts[entry.act]}</span>
        {entry.times > 1 && (
          <Badge size="xs" tone="yellow">
            {formatCount(entry.times)} times
          </Badge>
        )}
      </span>
    ),
  },
  {
    id: 'who',
    title: 'Who',
    className: 'md:w-[11%] md:max-w-0 md:min-w-27',
    phone: 'detail',
    cell: (entry) => {
      const subject = subjectOf(entry);
      return (
        <span className="block truncate">
          {actorOf(entry)}
          {subject !== null && <span className="text-ink-2 md:hidden"> · {subject}</span>}
        </span>
      );
    },
  },
  {
    id: 'whom',
    title: 'Whom',
    className: 'md:w-[11%] md:max-w-0 md:min-w-27',
    cell: (entry) => <span className="block truncate text-ink-2">{subjectOf(entry)}</span>,
  },
  {
    id: 'from',
    title: 'Where from',
    className: 'md:w-[18%] md:max-w-0 @max-[52rem]:hidden',
    cell: ({ address, device }) => (
      <span className="block truncate text-ink-2">
        {address !== null && <span className="code">{address}</span>}
        {device !== null && <span className="text-meta text-ink-3"> {nameOfBrowser(device)}</span>}
      </span>
    ),
  },
  {
    id: 'when',
    title: 'When',
    className: 'md:w-30',
    phone: 'end',
    cell: ({ at }) => (
      <span className="text-ink-2">
        <DayWords value={at} />
      </span>
    ),
  },
  {
    id: 'details',
    title: 'Details',
    className: 'md:max-w-0',
    cell: (entry) => {
      const details = detailsOf(entry).join(' · ');
      return (
        <span className="block truncate text-ink-2" title={details}>
          {details}
        </span>
      );
    },
  },
];

/** The columns of the contact views: one row per viewer, package and hour. */
export const contactViewColumns: readonly Column<ContactView>[] = [
  {
    id: 'viewer',
    title: 'Seen by',
    className: 'md:w-[34%] md:max-w-0',
    phone: 'title',
    cell: ({ viewerName }) => (
      <span className="block truncate font-medium text-ink max-md:text-[0.9375rem]">
        {viewerName ?? 'Account deleted'}
      </span>
    ),
  },
  {
    id: 'package',
    title: 'Package',
    phone: 'detail',
    cell: ({ trackingId }) =>
      trackingId === null ? (
        <span className="text-ink-3">No longer there</span>
      ) : (
        <span className="code whitespace-nowrap text-ink-2">{trackingId}</span>
      ),
  },
  {
    id: 'first',
    title: 'First',
    className: 'md:w-40',
    // The rows are in its order.
    phone: 'end',
    cell: ({ firstAt }) => (
      <span className="text-ink-2">
        <DayWords value={firstAt} />
      </span>
    ),
  },
  {
    id: 'last',
    title: 'Last',
    className: 'md:w-40',
    cell: ({ lastAt }) => (
      <span className="text-ink-2">
        <DayWords value={lastAt} />
      </span>
    ),
  },
  {
    id: 'times',
    title: 'Times',
    numeric: true,
    className: 'md:w-20',
    phone: 'end detail',
    cell: ({ times }) => (
      <span className="text-ink-2">
        {formatCount(times)}
        <span className="md:sr-only">{times === 1 ? ' time' : ' times'}</span>
      </span>
    ),
  },
];
