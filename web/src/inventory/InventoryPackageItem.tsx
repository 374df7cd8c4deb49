import { statusAfter } from '@waybill/contract';
import type { InventoryPackage } from '@waybill/contract';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { useNow } from '../platform/clock.ts';
import { formatDayTime } from '../platform/formats.ts';
import { LocalTime } from '../ui/LocalTime.tsx';
import { PermissionButton } from '../users/PermissionButton.tsx';
import { noLocation } from './columns.ts';
import { formatWait } from './waiting.ts';

interface InventoryPackageItemProps {
  pkg: InventoryPackage;
  onAssign: (pkg: InventoryPackage) => void;
}

/** A package with what somebody who looks after it asks: where, since when, with whom; and the way to a driver. */
export function InventoryPackageItem({ pkg, onAssign }: InventoryPackageItemProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3">
      <div className="min-w-0">
        <p className="text-ui font-medium wrap-anywhere">
          {pkg.name}{' '}
          <a href={`/track/${pkg.trackingId}`} className="code text-table text-ink-3 hover:underline">
            {pkg.trackingId}
          </a>
        </p>
        <p className="text-table text-ink-3 wrap-anywhere">
          {pkg.location ?? noLocation}
          {pkg.driver && ` · Driver: ${pkg.driver}`}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {pkg.waitingSince ? (
          <WaitingTime since={pkg.waitingSince} />
        ) : (
          <span className="flex flex-wrap items-center gap-3 text-table text-ink-3">
            <LocalTime value={pkg.lastUpdate} />
            <StatusBadge status={pkg.status} />
          </span>
        )}
        {statusAfter('assign', pkg.status) && (
          <PermissionButton
            permissions={['deliveries.assign']}
            size="sm"
            variant="secondary"
            aria-label={`Assign driver: ${pkg.name}`}
            onClick={() => onAssign(pkg)}
          >
            Assign
          </PermissionButton>
        )}
      </div>
    </li>
  );
}

function WaitingTime({ since }: { since: string }) {
  const now = useNow();
  return (
    <time dateTime={since} title={`Since ${formatDayTime(since)}`} className="text-table figures text-ink-2">
      waiting {formatWait(since, now ?? undefined)}
    </time>
  );
}
