import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { ApiError, isFinal, isOnTheRoad } from '@waybill/contract';
import { ArrowLeft, CircleX, TriangleAlert, Undo2 } from 'lucide-react';
import { CarrierStrip } from '../deliveries/CarrierStrip.tsx';
import { ProofTiles } from '../deliveries/ProofTiles.tsx';
import { ArrivalLine } from '../packages/ArrivalLine.tsx';
import { DeliveredBanner } from '../packages/DeliveredBanner.tsx';
import { FailedAttempt } from '../packages/FailedAttempt.tsx';
import { FailedAttemptList } from '../packages/FailedAttemptList.tsx';
import { PackageDetailSkeleton } from '../packages/PackageDetailSkeleton.tsx';
import { PackageDetails } from '../packages/PackageDetails.tsx';
import { PackageHistory } from '../packages/PackageHistory.tsx';
import { PackageImages } from '../packages/PackageImages.tsx';
import { PackageSteps } from '../packages/PackageSteps.tsx';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { packageQuery, useLivePackages } from '../packages/queries.ts';
import { usePageTitle } from '../platform/page-title.ts';
import { useSession } from '../platform/session.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { useDelayedPending } from '../ui/useDelayedPending.ts';
import { dashboardOf } from '../users/dashboards.ts';
import { PackageActions } from './parts/PackageActions.tsx';
import { PackageFrame } from '../app/PackageFrame.tsx';

/** One package, for its owner and for administrators. */
export function PackageDetailPage() {
  const { id = '' } = useParams({ strict: false });
  const { role } = useSession();
  const { history } = useRouter();
  const navigate = useNavigate();
  useLivePackages();
  const { data: pkg, error, isPending } = useQuery(packageQuery(id));
  const pending = useDelayedPending(isPending);
  usePageTitle(pkg?.name ?? 'Package');
  // Opened by an external link, there is no history to go back to.
  const goBack = () => (history.canGoBack() ? history.back() : void navigate({ href: dashboardOf(role) }));
  const goBackButton = (
    <Button variant="secondary" onClick={goBack}>
      Go Back
    </Button>
  );

  if (pending) {
    return (
      <PackageFrame>
        <h1 className="sr-only">Package</h1>
        <PackageDetailSkeleton />
      </PackageFrame>
    );
  }
  if (!pkg) {
    const missing = error instanceof ApiError && error.status === 404;
    return (
      <PackageFrame>
        <h1 className="sr-only">Package</h1>
        <Card>
          {missing || !error ? (
            <EmptyState drawing={<ParcelDrawing kind="missing" />} title="No package found" action={goBackButton} />
          ) : (
            <ErrorState
              message={`Error: ${error.message}`}
              requestId={error instanceof ApiError ? error.requestId : null}
            >
              {goBackButton}
            </ErrorState>
          )}
        </Card>
      </PackageFrame>
    );
  }
  return (
    <PackageFrame>
      <PageTitle
        before={
          <span className="-ml-4 flex">
            <Button variant="ghost" icon={<ArrowLeft aria-hidden="true" className="size-4" />} onClick={goBack}>
              Back to Dashboard
            </Button>
          </span>
        }
        title={pkg.name}
        beside={<StatusBadge status={pkg.status} />}
        subtitle={<span className="whitespace-pre-line wrap-anywhere">{pkg.description}</span>}
      />
      {/* On phones the actions come before the details; on wide screens they are in a column of their own. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex flex-col gap-6">
          {pkg.status === 'delivered' && <DeliveredBanner pkg={pkg} />}
          {pkg.returnedAt && (
            <Banner tone="grey" icon={<Undo2 />} title="This package went back to its sender">
              <LocalTime value={pkg.returnedAt} />
              {pkg.receivedBy && ` · Received by ${pkg.receivedBy}`}
            </Banner>
          )}
          {pkg.status === 'cancelled' && !pkg.returnedAt && (
            <Banner tone="red" icon={<CircleX />} title="This package was cancelled" />
          )}
          {pkg.status === 'inactive' && <Banner tone="grey" icon={<CircleX />} title="This package was deleted" />}
          <FailedAttempt pkg={pkg} />
          <FailedAttemptList pkg={pkg} />
          {pkg.issue && pkg.status !== 'delivered' && (
            <Banner tone="yellow" icon={<TriangleAlert />} title="Issue reported">
              <span className="wrap-anywhere">{pkg.issue}</span>
            </Banner>
          )}
          {pkg.status === 'delivered' && (
            <Card title="Proof of delivery">
              <ProofTiles packageId={pkg.id} />
            </Card>
          )}
          <Card title="Delivery Progress">
            {!isFinal(pkg.status) && <ArrivalLine pkg={pkg} />}
            <PackageSteps pkg={pkg} />
            {isOnTheRoad(pkg.status) && (
              <div className="mt-5 border-t border-line pt-4">
                <CarrierStrip packageId={pkg.id} />
              </div>
            )}
          </Card>
        </div>
        <div className="print:hidden lg:sticky lg:top-20 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <PackageActions pkg={pkg} />
        </div>
        <div className="flex flex-col gap-6">
          <Card title="Package Details">
            {/* Facts first; the picture beside them, as small as it is important. */}
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 sm:grid-cols-[minmax(0,1fr)_15rem]">
              <PackageDetails pkg={pkg} />
              <PackageImages images={pkg.images} name={pkg.name} />
            </div>
          </Card>
          <PackageHistory id={pkg.id} />
          <p className="text-ui print:hidden">
            <TextLink href={dashboardOf(role)}>Back to Dashboard</TextLink>
          </p>
        </div>
      </div>
    </PackageFrame>
  );
}
