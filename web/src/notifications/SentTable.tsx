import { channelNames, notificationKindOf } from '@waybill/contract';
import type { SentNotification } from '@waybill/contract';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { packageHref } from '../packages/links.ts';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useSession } from '../platform/session.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { LocalTime } from '../ui/LocalTime.tsx';
import { shortRoleNames } from '../users/role-names.ts';
import { channelTexts } from './channel-texts.ts';
import { kindTexts } from './kinds.ts';
import { deliveryStatusStyles } from './delivery-status-styles.ts';

interface SentTableProps {
  sent: readonly SentNotification[];
  /** The id of the one that is being retried. */
  retrying: string | null;
  onRetry: (sent: SentNotification) => void;
}

/** On a phone each row is shown as a card. */
export function SentTable({ sent, retrying, onRetry }: SentTableProps) {
  return (
    <table aria-label="Sent notifications" className="w-full border-collapse text-left max-lg:block">
      <thead className="max-lg:sr-only">
        <tr className="border-b border-line text-table text-ink-3">
          {['Kind', 'To', 'Package', 'When', 'Channel', 'State', 'Attempts', 'Actions'].map((name) => (
            <th key={name} scope="col" className="px-4 py-3 font-medium first:pl-5 last:pr-5 last:text-right">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {sent.map((one) => (
          <SentRow key={one.id} sent={one} retrying={retrying === one.id} onRetry={() => onRetry(one)} />
        ))}
      </tbody>
    </table>
  );
}

function SentRow({ sent, retrying, onRetry }: { sent: SentNotification; retrying: boolean; onRetry: () => void }) {
  const { label, tone, icon: Icon } = deliveryStatusStyles[sent.state];
  const kind = notificationKindOf(sent.type);
  const name = kind ? kindTexts[kind].label : sent.type;
  const to = recipientOf(sent);
  const { packageId, trackingId } = sent;
  const session = useSession();
  const href = packageId && trackingId ? packageHref({ id: packageId, trackingId }, session) : undefined;
  return (
    <tr className="text-ui max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-4 max-lg:gap-y-1.5 max-lg:px-5 max-lg:py-4 lg:hover:bg-sunken/50">
      <th scope="row" className="font-medium text-ink lg:py-3 lg:pr-4 lg:pl-5">
        {name}
        {sent.incidentId !== null && <span className="figures font-normal text-ink-3"> #{sent.incidentId}</span>}
        {sent.error && <p className="mt-0.5 max-w-72 text-table font-normal text-danger wrap-anywhere">{sent.error}</p>}
      </th>
      <Cell column="to">
        <span className="wrap-anywhere">{to}</span>
        {sent.recipient.id && <span className="text-table text-ink-3"> {shortRoleNames[sent.recipient.role]}</span>}
      </Cell>
      <Cell column="package">
        {sent.trackingId && (
          <span className="text-ink-2">
            <TrackingId id={sent.trackingId} href={href} />
          </span>
        )}
      </Cell>
      <Cell column="when">
        <span className="text-table whitespace-nowrap text-ink-2">
          <LocalTime value={sent.at} />
        </span>
      </Cell>
      <Cell column="channel">
        <span className="whitespace-nowrap text-ink-2">{channelTexts[sent.channel].label}</span>
      </Cell>
      <Cell column="state">
        <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
          {label}
        </Badge>
      </Cell>
      <Cell column="attempts">
        <span className="figures text-table text-ink-2">
          {sent.attempts}
          <span className="lg:sr-only">{sent.attempts === 1 ? ' attempt' : ' attempts'}</span>
        </span>
      </Cell>
      <td className="max-lg:col-span-full max-lg:empty:hidden lg:py-3 lg:pr-5 lg:pl-4 lg:text-right">
        {sent.state === 'failed' && (
          <Button
            size="sm"
            variant="secondary"
            icon={<RotateCw aria-hidden="true" className="size-4" />}
            aria-label={`Retry ${name} to ${to}`}
            loading={retrying}
            onClick={onRetry}
          >
            Retry
          </Button>
        )}
      </td>
    </tr>
  );
}

const recipientOf = ({ recipient: { id, name } }: SentNotification) =>
  name ?? (id === null ? 'Administrators' : 'Account deleted');

/** The position of each cell in a phone's card, which omits the channel while there is only one. */
const cellStyles = {
  to: 'max-lg:col-start-1 max-lg:row-start-2',
  package: 'max-lg:col-start-1 max-lg:row-start-3',
  when: 'max-lg:col-start-2 max-lg:row-start-2 max-lg:text-right',
  channel: channelNames.length === 1 ? 'max-lg:hidden' : 'max-lg:col-span-full max-lg:row-start-4',
  state: 'max-lg:col-start-2 max-lg:row-start-1 max-lg:justify-self-end',
  attempts: 'max-lg:col-start-2 max-lg:row-start-3 max-lg:text-right',
};

const Cell = ({ column, children }: { column: keyof typeof cellStyles; children: ReactNode }) => (
  <td className={classes(cellStyles[column], 'lg:px-4 lg:py-3')}>{children}</td>
);
