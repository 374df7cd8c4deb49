import { useInfiniteQuery } from '@tanstack/react-query';
import { fill } from '@waybill/contract';
import type { Incident } from '@waybill/contract';
import { packageHref } from '../packages/links.ts';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { IncidentBadge } from './IncidentBadge.tsx';
import { incidentListQuery, useLiveIncidents } from './queries.ts';
import { texts } from './texts.ts';

/** The incidents in the reader's scope, newest first. */
export function IncidentList() {
  useLiveIncidents();
  const list = useInfiniteQuery(incidentListQuery());
  const incidents = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Card flush>
      {list.isPending && (
        <SkeletonGroup label={texts.loading}>
          <div className="flex flex-col gap-4 p-5">
            <Skeleton width="w-56" />
            <Skeleton width="w-44" />
            <Skeleton width="w-56" />
          </div>
        </SkeletonGroup>
      )}
      {list.isError && !list.data && <QueryError query={list} />}
      {list.data && incidents.length === 0 && (
        <EmptyState drawing={<ParcelDrawing kind="done" />} title={texts.none} description={texts.noneText} />
      )}
      {incidents.length > 0 && (
        <ul aria-label={texts.list} className="divide-y divide-line">
          {incidents.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="border-t border-line p-4">
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </Card>
  );
}

function IncidentRow({ incident }: { incident: Incident }) {
  const session = useSession();
  // Drivers have no page for a package, and see a redacted tracking ID once it is another driver's.
  const href =
    session.role === 'owner' ? packageHref({ id: incident.packageId, trackingId: incident.package }, session) : null;
  return (
    <li className="flex flex-col gap-1.5 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-ui font-medium">
          <span className="figures text-ink-3">#{incident.id}</span> {texts.types[incident.type]}
        </span>
        <IncidentBadge status={incident.status} names={texts.statuses} />
      </div>
      <p className="text-ui whitespace-pre-line text-ink-2 wrap-anywhere">{incident.description}</p>
      {incident.note && (
        <p className="text-ui text-ink-2 wrap-anywhere">{fill(texts.latestNote, { note: incident.note })}</p>
      )}
      <p className="text-table text-ink-3 wrap-anywhere">
        {href ? <TextLink href={href}>{incident.packageName}</TextLink> : incident.packageName} ·{' '}
        <span className="code">{incident.package}</span> · <RelativeTime value={incident.time} />
      </p>
    </li>
  );
}
