import { notificationKindOf } from '@waybill/contract';
import type { SentNotification } from '@waybill/contract';
import { Badge } from '../ui/Badge.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { DayWords } from '../ui/DayWords.tsx';
import { roleNames, shortRoleNames } from '../users/role-names.ts';
import { channelTexts } from './channel-texts.ts';
import { deliveryStatusStyles, reasonTexts } from './delivery-status-styles.ts';
import { nameOfNotificationKind } from './kinds.ts';

export function nameOfKind({ type }: SentNotification): string {
  if (type === 'digest') return 'Daily summary';
  const kind = notificationKindOf(type);
  return kind ? nameOfNotificationKind(kind) : type;
}

export const recipientOf = ({ recipient: { id, name, role } }: SentNotification) =>
  name ?? (role === 'recipient' ? 'Recipient' : id === null ? 'Administrators' : 'Account deleted');

/** Of somebody in particular. */
export function roleOf({ recipient: { id, role } }: SentNotification): Record<'name' | 'short', string> | null {
  if (role === 'recipient') return { name: 'Recipient of the package', short: 'Recipient' };
  return id === null ? null : { name: roleNames[role], short: shortRoleNames[role] };
}

export const labelOf = (sent: SentNotification) => `“${nameOfKind(sent)}” to ${recipientOf(sent)}`;

export function SentStateBadge({ state }: Pick<SentNotification, 'state'>) {
  const { label, tone, icon: Icon } = deliveryStatusStyles[state];
  return (
    <Badge size="xs" tone={tone} icon={<Icon aria-hidden="true" />}>
      {label}
    </Badge>
  );
}

/** The columns of the notifications that were sent. */
export const sentColumns: readonly Column<SentNotification>[] = [
  {
    id: 'kind',
    title: 'Kind',
    className: 'md:w-[28%] md:max-w-0',
    phone: 'title',
    cell: (sent) => (
      <>
        <span className="block truncate font-medium text-ink max-md:text-[0.9375rem]">
          {nameOfKind(sent)}
          {sent.incidentId !== null && <span className="figures font-normal text-ink-3"> #{sent.incidentId}</span>}
        </span>
        {sent.reason && (
          <span className="block truncate text-meta leading-[1.17] text-ink-3" title={reasonTexts[sent.reason]}>
            {reasonTexts[sent.reason]}
          </span>
        )}
        {sent.error && (
          <span className="block truncate text-meta leading-[1.17] text-danger" title={sent.error}>
            {sent.error}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'to',
    title: 'To',
    className: 'md:w-[36%] md:max-w-0 lg:w-[24%]',
    phone: 'detail',
    cell: (sent) => (
      <span className="block truncate text-ink-2">
        {/* Where the column of the channel is hidden. */}
        <span className="text-ink lg:hidden">{channelTexts[sent.channel].label} to </span>
        {recipientOf(sent)}
        {roleOf(sent) && <span className="text-meta text-ink-3 @max-[48rem]:hidden"> {roleOf(sent)?.short}</span>}
      </span>
    ),
  },
  {
    id: 'package',
    title: 'Package',
    className: 'md:w-36 max-lg:hidden @max-[48rem]:hidden',
    cell: ({ trackingId }) => <span className="code text-meta whitespace-nowrap text-ink-2">{trackingId}</span>,
  },
  {
    id: 'when',
    title: 'When',
    className: 'md:w-36',
    phone: 'end',
    cell: ({ at }) => (
      <span className="text-ink-2">
        <DayWords value={at} />
      </span>
    ),
  },
  {
    id: 'channel',
    title: 'Channel',
    className: 'md:w-28 max-lg:hidden @max-[48rem]:hidden',
    cell: ({ channel }) => <span className="whitespace-nowrap text-ink-2">{channelTexts[channel].label}</span>,
  },
  {
    id: 'state',
    title: 'State',
    className: 'md:w-32',
    phone: 'end detail',
    cell: ({ state }) => (
      <span className="flex">
        {/* What almost all are is said quietly, so that the others are seen. */}
        {state === 'sent' || state === 'delivered' ? (
          <span className="text-meta text-ink-2">{deliveryStatusStyles[state].label}</span>
        ) : (
          <SentStateBadge state={state} />
        )}
      </span>
    ),
  },
  {
    id: 'attempts',
    title: 'Attempts',
    numeric: true,
    className: 'md:w-20 md:pr-5 max-lg:hidden @max-[48rem]:hidden',
    // What was never tried has no number.
    cell: ({ attempts }) => <span className="text-ink-2">{attempts || null}</span>,
  },
];
