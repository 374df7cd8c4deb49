import { texts } from './texts.ts';
import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';

/** Loading skeleton of a list of deliveries. */
export function DeliveryListSkeleton() {
  return (
    <Card flush>
      <SkeletonGroup label={texts.loadingDeliveries}>
        <div className="divide-y divide-line">
          {['a', 'b', 'c'].map((place) => (
            <div key={place} className="flex flex-col gap-3 px-4 py-4 sm:px-5">
              <Skeleton width="w-56" height="h-6" />
              <Skeleton width="w-28" />
              <Skeleton width="w-72" />
              <Skeleton height="h-12" />
            </div>
          ))}
        </div>
      </SkeletonGroup>
    </Card>
  );
}
