import { texts } from '../platform/texts.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { Ticket } from './Ticket.tsx';

/** Loading skeleton of TrackResult. */
export function TrackSkeleton() {
  return (
    <SkeletonGroup label={texts.track.loading}>
      <Ticket stub={<Skeleton width="w-full" height="h-12" />}>
        <div className="flex min-h-11 items-center justify-between">
          <Skeleton width="w-32" height="h-7" shape="round" />
          <Skeleton width="w-32" height="h-5" />
        </div>
        <div className="mt-3 flex flex-col gap-2">
          <Skeleton width="w-40" height="h-[22px]" />
          <Skeleton width="w-64" height="h-[46px]" />
          <Skeleton width="w-48" height="h-5" />
        </div>
        <div className="mt-6 flex justify-between">
          {['a', 'b', 'c'].map((step) => (
            <span key={step} className="flex flex-col gap-2">
              <Skeleton width="w-9" height="h-9" shape="round" />
              <Skeleton width="w-16" height="h-8" />
            </span>
          ))}
        </div>
      </Ticket>
    </SkeletonGroup>
  );
}
