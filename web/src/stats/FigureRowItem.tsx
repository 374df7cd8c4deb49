import { incidentStatuses, userStatuses } from '@waybill/contract';
import type { FigureRow } from '@waybill/contract';
import { ClockAlert } from 'lucide-react';
import { IncidentBadge } from '../incidents/IncidentBadge.tsx';
import { Destination } from '../packages/Destination.tsx';
import { packageHref } from '../packages/links.ts';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useSession } from '../platform/session.ts';
import type { Session } from '../platform/session.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchMenu } from '../shifts/DispatchMenu.tsx';
import { Badge } from '../ui/Badge.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { useCan } from '../users/useCan.ts';
import { UserStatusBadge } from '../users/UserStatusBadge.tsx';
import { packageOf } from './rows.ts';

interface FigureRowItemProps {
  row: FigureRow;
  /** Label of its time: 'Registered'. */
  timeLabel: string;
  onDispatch: (dispatch: Dispatch) => void;
  onIncident: (id: number) => void;
}

/** A row of a figure (package, attempt, issue, rating or account) with its next action. */
export function FigureRowItem({ row, timeLabel, onDispatch, onIncident }: FigureRowItemProps) {
  const maySeeUsers = useCan({ permissions: ['admin.manage_users'] });
  const { issue } = row;
  const pkg = packageOf(row);
  const href = hrefOf(row, useSession(), maySeeUsers);
  const more = [
    row.driver && `Driver: ${row.driver}`,
    row.attempt !== null && `Attempt ${row.attempt}`,
    row.minutes !== null && `${Math.round(row.minutes)} min`,
    row.onTime && 'On time',
    issue && `#${issue.id}`,
    row.stars !== null && `${row.stars} of 5 stars`,
  ].filter((part) => typeof part === 'string' && part !== '');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3">
      <div className="min-w-0">
        <p className="text-ui font-medium wrap-anywhere">
          {href ? (
            <a href={href} className="mr-2 hover:underline">
              {row.name}
            </a>
          ) : (
            row.name
          )}
          {row.trackingId && (
            <span className="font-normal text-ink-3">
              <TrackingId id={row.trackingId} />
            </span>
          )}
        </p>
        {row.packageId && (
          <p className="text-table text-ink-2">
            <Destination {...row} />
          </p>
        )}
        <p className="figures text-table text-ink-3 wrap-anywhere">
          {timeLabel} <LocalTime value={row.at} format="moment" />
          {more.map((part) => ` · ${part}`)}
        </p>
      </div>
      <div className="flex items-center gap-2">
        {issue ? (
          <>
            <IssueBadge status={issue.status} />
            <PermissionButton
              permissions={['admin.access']}
              size="sm"
              variant="secondary"
              aria-label={`View incident ${issue.id}`}
              onClick={() => onIncident(issue.id)}
            >
              View
            </PermissionButton>
          </>
        ) : (
          <>
            {row.onTime === false && (
              <Badge tone="red" icon={<ClockAlert aria-hidden="true" />}>
                Late
              </Badge>
            )}
            {/* What was completed is delivered: a pill in every row would say nothing. */}
            {row.onTime === null &&
              (row.packageId ? <StatusBadge status={row.status} /> : <AccountBadge status={row.status} />)}
            {pkg && <DispatchMenu pkg={pkg} onAction={onDispatch} />}
          </>
        )}
      </div>
    </li>
  );
}

function hrefOf({ trackingId, packageId, name }: FigureRow, session: Session, maySeeUsers: boolean): string | null {
  if (trackingId && packageId) return packageHref({ id: packageId, trackingId }, session);
  return packageId === null && maySeeUsers ? `/admin/users?q=${encodeURIComponent(name)}` : null;
}

// `status` is that of the row's subject: a package, an incident or an account.

function IssueBadge({ status }: { status: string }) {
  const match = incidentStatuses.find((one) => one === status);
  return match ? <IncidentBadge status={match} /> : null;
}

function AccountBadge({ status }: { status: string }) {
  const match = userStatuses.find((one) => one === status);
  return match ? <UserStatusBadge status={match} /> : null;
}
