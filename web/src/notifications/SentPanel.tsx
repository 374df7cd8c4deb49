import { useQuery } from '@tanstack/react-query';
import type { SentNotification } from '@waybill/contract';
import { SearchX } from 'lucide-react';
import { packageHref } from '../packages/links.ts';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useSession } from '../platform/session.ts';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { neighboursOf } from '../ui/neighbours.ts';
import { PanelSteps } from '../ui/PanelSteps.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { SidePanel } from '../ui/SidePanel.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { channelTexts } from './channel-texts.ts';
import { canRetry, RetryButton } from './RetryButton.tsx';
import { reasonTexts, stateHints } from './delivery-status-styles.ts';
import { nameOfKind, recipientOf, roleOf, SentStateBadge } from './sent-columns.tsx';
import { sentMessageQuery } from './sent-queries.ts';

interface SentPanelProps {
  id: string;
  /** The loaded rows. */
  rows: readonly SentNotification[];
  total: number | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** A sent notification beside its list, with all that a row has no room for. */
export function SentPanel({ id, rows, total, onOpen, onClose }: SentPanelProps) {
  const session = useSession();
  const sent = rows.find((row) => row.id === id);
  const neighbours = neighboursOf(
    id,
    rows.map((row) => row.id),
    total,
  );
  return (
    <SidePanel
      label="Notification"
      onClose={onClose}
      head={sent && <h2 className="truncate text-body font-semibold">Notification</h2>}
      tools={<PanelSteps noun="notification" neighbours={neighbours} onOpen={onOpen} />}
      footer={sent && canRetry(sent) && <RetryButton sent={sent} />}
    >
      {sent ? (
        <dl className="grid gap-x-6 gap-y-4 px-5 py-4 sm:grid-cols-2">
          <DescriptionItem name="Kind" wide>
            {nameOfKind(sent)}
          </DescriptionItem>
          <DescriptionItem name="To">
            {recipientOf(sent)}
            {roleOf(sent) && <span className="block font-normal text-ink-2">{roleOf(sent)?.name}</span>}
          </DescriptionItem>
          <DescriptionItem name="State">
            <SentStateBadge state={sent.state} />
            {(sent.reason || stateHints[sent.state]) && (
              <span className="mt-1 block font-normal text-ink-2">
                {sent.reason ? reasonTexts[sent.reason] : stateHints[sent.state]}
              </span>
            )}
          </DescriptionItem>
          <DescriptionItem name="When">
            <LocalTime value={sent.at} />
          </DescriptionItem>
          <DescriptionItem name="Channel">{channelTexts[sent.channel].label}</DescriptionItem>
          {sent.attempts > 0 && (
            <DescriptionItem name="Attempts">
              <span className="figures">{sent.attempts}</span>
            </DescriptionItem>
          )}
          {sent.incidentId !== null && (
            <DescriptionItem name="Incident">
              <span className="figures">#{sent.incidentId}</span>
            </DescriptionItem>
          )}
          {sent.trackingId && (
            <DescriptionItem name="Package">
              <TrackingId
                id={sent.trackingId}
                href={
                  sent.packageId ? packageHref({ id: sent.packageId, trackingId: sent.trackingId }, session) : undefined
                }
              />
            </DescriptionItem>
          )}
          {sent.error && (
            <DescriptionItem name="Error of the latest attempt" wide>
              <span className="whitespace-pre-line text-danger">{sent.error}</span>
            </DescriptionItem>
          )}
          <SentText sent={sent} />
        </dl>
      ) : (
        <EmptyState icon={<SearchX />} title="Not in this list" description="It does not match the filters." />
      )}
    </SidePanel>
  );
}

/** The words as they were sent, or as they would be sent now. */
function SentText({ sent }: { sent: SentNotification }) {
  const message = useQuery(sentMessageQuery(sent.id));
  const name = sent.state === 'sent' || sent.state === 'delivered' ? 'What it says' : 'What it would say';
  if (message.data?.text === null) return null;
  return (
    <DescriptionItem name={name} wide>
      {message.data ? (
        <div className="mt-1 rounded-control border border-line bg-sunken px-4 py-3">
          {message.data.subject && <p className="mb-2 font-semibold">{message.data.subject}</p>}
          <p className="font-normal whitespace-pre-line text-ink-2">{message.data.text}</p>
        </div>
      ) : message.error ? (
        <QueryError query={message} />
      ) : (
        <SkeletonGroup label="Loading the text">
          <Skeleton width="w-4/5" />
        </SkeletonGroup>
      )}
    </DescriptionItem>
  );
}
