import { statusAfter } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { MapPin, Share2, Trash2, UserRound } from 'lucide-react';
import { useToday } from '../platform/clock.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { Menu } from '../ui/Menu.tsx';
import { ProgressBar } from '../ui/ProgressBar.tsx';
import { useCan } from '../users/useCan.ts';
import { arrivalItem, toArrival } from './arrival.ts';
import { ArrivalTime } from './ArrivalTime.tsx';
import { trackerLink } from './links.ts';
import { PackageThumbnail } from './PackageThumbnail.tsx';
import { ShareItems } from './ShareButtons.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { statusStyle } from './status.ts';
import { TrackingId } from './TrackingId.tsx';

/** One package in the owner's list. The whole row is a link; the buttons lie above it. */
export function PackageRow({ pkg, onDelete }: { pkg: Package; onDelete: () => void }) {
  const { label, tone, ownerProgress } = statusStyle(pkg.status);
  const link = pkg.status === 'inactive' ? null : trackerLink(pkg.trackingId);
  const arrival = arrivalItem(toArrival(pkg), { now: useToday() });
  const mayDelete = useCan({ permissions: ['packages.update', 'packages.delete'], requireAll: true });
  return (
    <li className="relative flex gap-4 px-4 py-4 transition-colors hover:bg-sunken/50 sm:px-5">
      <PackageThumbnail image={pkg.images[0]} category={pkg.category} />
      <div className="min-w-0 grow">
        <div className="flex items-start gap-2">
          <div className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="min-w-0 text-body font-semibold text-ink wrap-anywhere">
              <a href={`/owner/package/${pkg.id}`} className="after:absolute after:inset-0 after:content-['']">
                {pkg.name}
              </a>
            </h3>
            <StatusBadge status={pkg.status} />
            {pkg.status === 'inactive' && <span className="text-table text-ink-2">Deleted</span>}
          </div>
          {link && (
            <span className="relative -my-1.5 -mr-2">
              <Menu trigger={<IconButton size="sm" label={`Share ${pkg.name}`} icon={<Share2 aria-hidden="true" />} />}>
                <ShareItems pkg={pkg} link={link} />
              </Menu>
            </span>
          )}
          {mayDelete && statusAfter('remove', pkg.status) && (
            <span className="relative -my-1.5 -mr-2">
              <IconButton
                size="sm"
                label={`Delete ${pkg.name}`}
                icon={<Trash2 aria-hidden="true" />}
                onClick={onDelete}
              />
            </span>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 text-table text-ink-2">
          <TrackingId id={pkg.trackingId} />
          {pkg.reference && (
            <span className="min-w-0 wrap-anywhere">
              <span className="sr-only">Reference:</span> {pkg.reference}
            </span>
          )}
          <span className="flex min-w-0 items-center gap-1.5">
            <MapPin aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
            <span className="sr-only">Location:</span>
            <span className="min-w-0 wrap-anywhere">{pkg.location ?? 'Not specified'}</span>
          </span>
          <span className="flex min-w-0 items-center gap-1.5">
            <UserRound aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
            <span className="sr-only">Recipient:</span>
            <span className="min-w-0 wrap-anywhere">
              {[pkg.recipientName, pkg.address?.city].filter(Boolean).join(', ')}
            </span>
          </span>
        </div>
        <dl className="mt-1 mb-3 flex flex-wrap gap-x-6 gap-y-0.5 text-table">
          {arrival && (
            <div className="flex flex-wrap gap-x-1.5">
              <dt className="text-ink-3">{arrival.name}</dt>
              <dd className="text-ink-2">
                <ArrivalTime item={arrival} />
              </dd>
            </div>
          )}
          <div className="flex flex-wrap gap-x-1.5">
            <dt className="text-ink-3">Last Update</dt>
            <dd className="text-ink-2">
              <LocalTime value={pkg.lastUpdate} />
            </dd>
          </div>
        </dl>
        <ProgressBar
          size="sm"
          tone={tone}
          value={ownerProgress}
          label={`Delivery progress of ${pkg.name}`}
          valueText={`${label}, ${ownerProgress}%`}
        />
      </div>
    </li>
  );
}
