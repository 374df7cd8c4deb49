import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';

/** Loading skeleton of TrackResult. */
export function TrackSkeleton() {
  return (
    <SkeletonGroup label="Loading package">
      <Card>
        <div className="flex justify-between gap-4">
          <Skeleton width="w-36" height="h-6" />
          <Skeleton width="w-28" height="h-6" shape="round" />
        </div>
        <div className="mt-6 flex flex-col gap-3">
          <Skeleton width="w-80" height="h-10" />
          <Skeleton width="w-44" height="h-5" />
        </div>
        <div className="mt-8">
          <Skeleton height="h-2" shape="round" />
        </div>
        <div className="mt-12 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,28%)),1fr))] gap-x-6 gap-y-5 border-t border-line pt-6">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
            <div key={place} className="flex flex-col gap-2">
              <Skeleton width="w-24" height="h-3.5" />
              <Skeleton width="w-28" height="h-5" />
            </div>
          ))}
        </div>
      </Card>
    </SkeletonGroup>
  );
}
