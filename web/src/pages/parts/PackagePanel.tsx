import { useQuery } from '@tanstack/react-query';
import { ApiError, isFinal, isOnTheRoad } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { CircleX, Maximize2, TriangleAlert, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { CarrierStrip } from '../../deliveries/CarrierStrip.tsx';
import { ProofTiles } from '../../deliveries/ProofTiles.tsx';
import { ArrivalLine } from '../../packages/ArrivalLine.tsx';
import { DeliveredBanner } from '../../packages/DeliveredBanner.tsx';
import { FailedAttempt } from '../../packages/FailedAttempt.tsx';
import { FailedAttemptList } from '../../packages/FailedAttemptList.tsx';
import { packageHref } from '../../packages/links.ts';
import { PackageDetails } from '../../packages/PackageDetails.tsx';
import { PackageHistory } from '../../packages/PackageHistory.tsx';
import { PackageImages } from '../../packages/PackageImages.tsx';
import { PackageSteps } from '../../packages/PackageSteps.tsx';
import { packageQuery } from '../../packages/queries.ts';
import { StatusBadge } from '../../packages/StatusBadge.tsx';
import { TrackingId } from '../../packages/TrackingId.tsx';
import { useSession } from '../../platform/session.ts';
import { Banner } from '../../ui/Banner.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ParcelDrawing } from '../../ui/ParcelDrawing.tsx';
import { LocalTime } from '../../ui/LocalTime.tsx';
import type { Neighbours } from '../../ui/neighbours.ts';
import { PanelSteps } from '../../ui/PanelSteps.tsx';
import { QueryError } from '../../ui/QueryError.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SkeletonGroup } from '../../ui/SkeletonGroup.tsx';
import { PackageScene } from './LazyPackageScene.tsx';
import { PackageActions } from './PackageActions.tsx';

interface PackagePanelProps {
  id: string;
  neighbours: Neighbours;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** A package beside its list: the answer first, then how it got there, who has it, the proof, history, facts and actions. */
export function PackagePanel({ id, neighbours, onOpen, onClose }: PackagePanelProps) {
  const session = useSession();
  const query = useQuery(packageQuery(id));
  const { data: pkg, error } = query;
  return (
    <SidePanel
      label={pkg?.name ?? 'Package'}
      onClose={onClose}
      head={pkg && <TrackingId id={pkg.trackingId} />}
      tools={
        <>
          <PanelSteps noun="package" neighbours={neighbours} onOpen={onOpen} />
          {pkg && (
            <a
              href={packageHref(pkg, session)}
              aria-label="Full page"
              title="Full page"
              className="inline-flex size-9 items-center justify-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <Maximize2 aria-hidden="true" className="size-4.5" />
            </a>
          )}
        </>
      }
    >
      {pkg ? (
        <Content key={pkg.id} pkg={pkg} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <EmptyState drawing={<ParcelDrawing kind="missing" />} title="No package found" />
      ) : error ? (
        <div className="p-5">
          <QueryError query={query} message={`Error: ${error.message}`} />
        </div>
      ) : (
        <SkeletonGroup label="Loading package">
          <div className="flex flex-col gap-4 p-5">
            <Skeleton width="w-40" />
            <Skeleton width="w-72" height="h-8" />
            <Skeleton height="h-20" />
            <Skeleton height="h-40" />
          </div>
        </SkeletonGroup>
      )}
    </SidePanel>
  );
}

function Content({ pkg }: { pkg: Package }) {
  const place = [pkg.address?.postalCode, pkg.address?.city].filter(Boolean).join(' ');
  return (
    <>
      {/* Its room is kept while its code loads. */}
      <div className="@container">
        <div className="h-[clamp(7.5rem,30cqw,13.5rem)] overflow-hidden bg-sunken">
          <PackageScene pkg={pkg} />
        </div>
      </div>
      <Part>
        <div className="flex items-start justify-between gap-3">
          <p className="min-w-0 pt-0.5 text-ui wrap-anywhere">
            <span className="block font-medium text-ink">{pkg.name}</span>
            <span className="block text-ink-2">{[pkg.recipientName, place].filter(Boolean).join(', ')}</span>
          </p>
          <StatusBadge status={pkg.status} />
        </div>
        {pkg.status !== 'inactive' && pkg.status !== 'cancelled' && (
          <div className="mt-2 [&_p:first-child]:text-[1.625rem] [&_p:first-child]:leading-8 [&_p:first-child]:tracking-[-0.02em]">
            <ArrivalLine pkg={pkg} />
          </div>
        )}
        {pkg.status === 'delivered' && <DeliveredBanner pkg={pkg} />}
        {pkg.status === 'cancelled' && (
          <div className="mt-3">
            {pkg.returnedAt ? (
              <Banner tone="grey" icon={<Undo2 />} title="This package went back to its sender">
                <LocalTime value={pkg.returnedAt} />
                {pkg.receivedBy && ` · Received by ${pkg.receivedBy}`}
              </Banner>
            ) : (
              <Banner tone="red" icon={<CircleX />} title="This package was cancelled" />
            )}
          </div>
        )}
        {pkg.status === 'inactive' && (
          <div className="mt-3">
            <Banner tone="grey" icon={<CircleX />} title="This package was deleted" />
          </div>
        )}
        <div className="mt-3 flex flex-col gap-3 empty:hidden">
          <FailedAttempt pkg={pkg} />
          <FailedAttemptList pkg={pkg} />
        </div>
        {pkg.issue && pkg.status !== 'delivered' && (
          <div className="mt-3">
            <Banner tone="yellow" icon={<TriangleAlert />} title="Issue reported">
              <span className="wrap-anywhere">{pkg.issue}</span>
            </Banner>
          </div>
        )}
        <div className="mt-5">
          <PackageSteps pkg={pkg} />
        </div>
      </Part>
      {isOnTheRoad(pkg.status) && (
        <Part title="Carrier">
          <CarrierStrip packageId={pkg.id} />
        </Part>
      )}
      {(pkg.status === 'delivered' || !isFinal(pkg.status)) && (
        <Part title="Proof of delivery">
          {pkg.status === 'delivered' ? (
            <ProofTiles packageId={pkg.id} />
          ) : (
            <p className="text-ui text-ink-2">
              {pkg.handling.signatureRequired ? 'Signature required. ' : ''}
              {pkg.handling.pin ? 'PIN at the door. ' : ''}
              {pkg.handling.age === null ? '' : `ID check: ${pkg.handling.age} or older. `}It appears here after the
              delivery.
            </p>
          )}
        </Part>
      )}
      <div className="border-b border-line [&>section]:rounded-none [&>section]:border-0">
        <PackageHistory id={pkg.id} />
      </div>
      <Part title="Package Details">
        <PackageDetails pkg={pkg} />
        {pkg.images.length > 0 && (
          <div className="mt-5 max-w-60">
            <PackageImages images={pkg.images} name={pkg.name} />
          </div>
        )}
      </Part>
      <div className="[&>section]:rounded-none [&>section]:border-0">
        <PackageActions pkg={pkg} />
      </div>
    </>
  );
}

function Part({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b border-line px-5 py-4">
      {title && <h2 className="mb-2 text-body font-semibold">{title}</h2>}
      {children}
    </section>
  );
}
