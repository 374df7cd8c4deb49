import type { ReactNode } from 'react';
import { Card } from './Card.tsx';
import { classes } from './classes.ts';
import { QueryError } from './QueryError.tsx';
import { Skeleton } from './Skeleton.tsx';
import { SkeletonGroup } from './SkeletonGroup.tsx';
import { useDelayedPending } from './useDelayedPending.ts';

interface PanelProps<T> {
  title: string;
  /** Beside the title: how many there are. */
  count?: number | undefined;
  actions?: ReactNode;
  /** The data of the panel, with a loading and error state of its own. */
  query: { data: T | undefined; error: Error | null; isPending: boolean; isFetching: boolean; refetch: () => unknown };
  /** The expected height of the content: `h-56`. */
  loadingHeight: string;
  flush?: boolean;
  children: (data: T) => ReactNode;
}

/** Rows of different lengths, like those that will stand there. */
const rows = [
  'w-3/5',
  'w-4/5',
  'w-2/5',
  'w-3/4',
  'w-1/2',
  'w-4/5',
  'w-3/5',
  'w-2/3',
  'w-2/5',
  'w-3/4',
  'w-1/2',
] as const;

/** A card of a dashboard with its own loading and error state. */
export function Panel<T>({ title, count, actions, query, loadingHeight, flush = false, children }: PanelProps<T>) {
  const pending = useDelayedPending(query.isPending);
  const shown = !pending && query.data !== undefined;
  return (
    <Card
      title={
        count ? (
          <>
            {title} <span className="figures ml-1 font-normal text-ink-3">{count}</span>
          </>
        ) : (
          title
        )
      }
      actions={actions}
      flush={flush && shown}
    >
      {pending && (
        <SkeletonGroup label={`Loading: ${title}`}>
          <div className={classes('flex flex-col gap-5 overflow-hidden', loadingHeight)}>
            {rows.map((width, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <Skeleton key={index} width={width} />
            ))}
          </div>
        </SkeletonGroup>
      )}
      {!pending && query.data === undefined && <QueryError query={query} />}
      {!pending && query.data !== undefined && children(query.data)}
    </Card>
  );
}
