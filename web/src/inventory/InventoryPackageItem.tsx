import type { InventoryPackage } from '@waybill/contract';
import { Destination } from '../packages/Destination.tsx';
import { locationOf } from '../packages/formats.ts';
import { packageHref } from '../packages/links.ts';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useSession } from '../platform/session.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchMenu } from '../shifts/DispatchMenu.tsx';
import { classes } from '../ui/classes.ts';
import { DottedParts } from '../ui/DottedParts.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { noLocation } from './columns.ts';

interface InventoryPackageItemProps {
  pkg: InventoryPackage;
  onDispatch: (dispatch: Dispatch) => void;
}

/** A package with location, waiting time and driver, and its dispatch actions. */
export function InventoryPackageItem({ pkg, onDispatch }: InventoryPackageItemProps) {
  const waits = pkg.waitingSince !== null;
  return (
    <li
      className={classes(
        '@container flex items-center justify-between gap-x-6 gap-y-2 px-5 py-3',
        !waits && 'flex-wrap',
      )}
    >
      <div className="min-w-0">
        <p className="text-ui font-medium wrap-anywhere">
          <a href={packageHref(pkg, useSession())} className="mr-2 hover:underline">
            {pkg.name}
          </a>
          {/* Narrow: always on its own line, so that rows align whatever the length of the name. */}
          <span className="block font-normal text-ink-3 @lg:inline">
            <TrackingId id={pkg.trackingId} />
          </span>
        </p>
        <p className="text-table text-ink-2">
          <Destination {...pkg} />
        </p>
        <p className="text-table text-ink-3">
          <DottedParts
            parts={[
              locationOf(pkg) ?? noLocation,
              pkg.driver && `Driver: ${pkg.driver}`,
              pkg.waitingSince && (
                <>
                  queued <RelativeTime value={pkg.waitingSince} />
                </>
              ),
            ]}
          />
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2">
        {!waits && (
          <span className="flex flex-wrap items-center gap-3 text-table text-ink-3">
            <LocalTime value={pkg.lastUpdate} />
            <StatusBadge status={pkg.status} />
          </span>
        )}
        <DispatchMenu pkg={pkg} onAction={onDispatch} />
      </div>
    </li>
  );
}
