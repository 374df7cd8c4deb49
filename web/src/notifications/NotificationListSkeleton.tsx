import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';

/** Placeholder rows with a title and one line of text, for use in a card. */
export function NotificationListSkeleton({ label = 'Loading notifications' }: { label?: string }) {
  return (
    <SkeletonGroup label={label}>
      <div className="divide-y divide-line">
        {['a', 'b', 'c', 'd', 'e'].map((place) => (
          <div key={place} className="flex flex-col gap-2.5 px-5 py-4">
            <Skeleton width="w-32" />
            <Skeleton width="w-72" />
          </div>
        ))}
      </div>
    </SkeletonGroup>
  );
}
