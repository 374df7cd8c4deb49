import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';

/** Loading skeleton of the package's page. */
export function PackageDetailSkeleton() {
  return (
    <SkeletonGroup label="Loading package">
      <div className="mb-6 flex flex-col gap-3">
        <Skeleton width="w-40" />
        <Skeleton width="w-72" height="h-8" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex flex-col gap-6">
          <Card>
            <Skeleton height="h-20" />
          </Card>
          <Card>
            <Skeleton height="h-40" shape="card" />
            <div className="mt-6 grid gap-6 sm:grid-cols-2">
              {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((place) => (
                <div key={place} className="flex flex-col gap-2">
                  <Skeleton width="w-24" height="h-3.5" />
                  <Skeleton width="w-36" height="h-5" />
                </div>
              ))}
            </div>
          </Card>
        </div>
        <Card>
          <div className="flex flex-col gap-3">
            <Skeleton height="h-11" />
            <Skeleton height="h-11" />
            <Skeleton height="h-11" />
          </div>
        </Card>
      </div>
    </SkeletonGroup>
  );
}
