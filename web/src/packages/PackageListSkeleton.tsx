import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';

/** Loading skeleton of the package list. */
export function PackageListSkeleton() {
  return (
    <SkeletonGroup visible label="Loading packages...">
      <div className="divide-y divide-line">
        {['a', 'b', 'c', 'd'].map((place) => (
          <div key={place} className="flex gap-4 px-4 py-4 sm:px-5">
            <Skeleton width="w-14" height="h-14" />
            <div className="flex min-w-0 grow flex-col gap-3">
              <div className="flex flex-wrap gap-3">
                <Skeleton width="w-48" height="h-6" />
                <Skeleton width="w-24" height="h-6" shape="round" />
              </div>
              <Skeleton width="w-64" />
              <Skeleton width="w-72" />
              <Skeleton height="h-1.5" shape="round" />
            </div>
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
