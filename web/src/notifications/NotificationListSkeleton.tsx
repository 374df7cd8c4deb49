import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';

export function NotificationListSkeleton() {
  return (
    <Card flush>
      <SkeletonGroup label="Loading notifications">
        <div className="divide-y divide-line">
          {['a', 'b', 'c', 'd', 'e'].map((place) => (
            <div key={place} className="flex flex-col gap-2.5 px-5 py-4">
              <Skeleton width="w-32" />
              <Skeleton width="w-72" />
            </div>
          ))}
        </div>
      </SkeletonGroup>
    </Card>
  );
}
