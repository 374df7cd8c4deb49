import { useInfiniteQuery } from '@tanstack/react-query';
import { Timeline } from '../events/Timeline.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { packageEventsQuery } from './queries.ts';

/** All events of a package, with actor and note. */
export function PackageHistory({ id }: { id: string }) {
  const events = useInfiniteQuery(packageEventsQuery(id));
  return (
    <Card title="History">
      {events.isPending && (
        <SkeletonGroup label="Loading history">
          <div className="flex flex-col gap-4">
            <Skeleton width="w-56" />
            <Skeleton width="w-44" />
          </div>
        </SkeletonGroup>
      )}
      {events.isError && !events.data && <QueryError query={events} />}
      {events.data && <Timeline events={events.data.pages.flatMap((page) => page.items)} />}
      {events.hasNextPage && (
        <div className="mt-5">
          <Button
            variant="secondary"
            size="sm"
            loading={events.isFetchingNextPage}
            onClick={() => void events.fetchNextPage()}
          >
            Load more
          </Button>
        </div>
      )}
    </Card>
  );
}
