import { Skeleton } from './Skeleton.tsx';
import { SkeletonGroup } from './SkeletonGroup.tsx';

/** The outline of a page while its code or the session is loading: a title, a strip of figures, rows. */
export function PageSkeleton() {
  return (
    <div className="page py-6 md:py-8">
      <SkeletonGroup label="Loading">
        <Skeleton width="w-56" height="h-8" />
        <div className="mt-6 grid grid-cols-2 gap-3 md:grid-cols-4">
          {['a', 'b', 'c', 'd'].map((place) => (
            <Skeleton key={place} height="h-16" shape="card" />
          ))}
        </div>
        <div className="mt-6 flex flex-col gap-5">
          {['w-11/12', 'w-4/5', 'w-full', 'w-3/4', 'w-11/12', 'w-5/6'].map((width, place) => (
            // oxlint-disable-next-line react/no-array-index-key
            <div key={place} className="flex items-center gap-4">
              <span className="w-8 shrink-0">
                <Skeleton height="h-8" shape="round" />
              </span>
              <span className="grow">
                <Skeleton width={width} />
              </span>
            </div>
          ))}
        </div>
      </SkeletonGroup>
    </div>
  );
}
