import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';

export function CarrierSkeleton() {
  return (
    <SkeletonGroup label="Loading carrier information">
      <div className="flex items-center gap-4">
        <Skeleton width="w-16" height="h-16" shape="round" />
        <div className="flex flex-col gap-2">
          <Skeleton width="w-40" height="h-6" />
          <Skeleton width="w-24" />
        </div>
      </div>
      <div className="mt-6 grid grid-cols-2 gap-5">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
          <div key={place} className="flex flex-col gap-2">
            <Skeleton width="w-20" height="h-3.5" />
            <Skeleton width="w-28" height="h-5" />
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
