import type { ReactNode } from 'react';
import { Card } from './Card.tsx';
import { QueryError } from './QueryError.tsx';
import { Skeleton } from './Skeleton.tsx';
import { SkeletonGroup } from './SkeletonGroup.tsx';
import { useDelayedPending } from './useDelayedPending.ts';

interface PanelProps<T> {
  title: string;
  actions?: ReactNode;
  /** The data of the panel, with a loading and error state of its own. */
  query: { data: T | undefined; error: Error | null; isPending: boolean; isFetching: boolean; refetch: () => unknown };
  /** The expected height of the content: `h-56`. */
  loadingHeight: string;
  flush?: boolean;
  children: (data: T) => ReactNode;
}

/** A card of a dashboard with its own loading and error state. */
export function Panel<T>({ title, actions, query, loadingHeight, flush = false, children }: PanelProps<T>) {
  const pending = useDelayedPending(query.isPending);
  const shown = !pending && query.data !== undefined;
  return (
    <Card title={title} actions={actions} flush={flush && shown}>
      {pending && (
        <SkeletonGroup label={`Loading: ${title}`}>
          <Skeleton height={loadingHeight} />
        </SkeletonGroup>
      )}
      {!pending && query.data === undefined && <QueryError query={query} />}
      {!pending && query.data !== undefined && children(query.data)}
    </Card>
  );
}
