import { RefreshCw } from 'lucide-react';
import { translated } from '../platform/texts.ts';
import { Banner } from './Banner.tsx';
import { Button } from './Button.tsx';

interface QueryNoteProps {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** What failed: 'The figures could not be loaded.' */
  title: string;
}

/** A one-line error of a query that has no data yet; nothing otherwise. For content that is too small for an error state of its own. */
export function QueryNote({ query, title }: QueryNoteProps) {
  if (query.data !== undefined || query.error === null) return null;
  return (
    <div className="my-3" role="alert">
      <Banner
        tone="red"
        title={title}
        action={
          <Button
            variant="secondary"
            size="sm"
            icon={<RefreshCw aria-hidden="true" className="size-4" />}
            loading={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {translated('Retry')}
          </Button>
        }
      >
        {translated(query.error.message || 'An error occurred')}
      </Banner>
    </div>
  );
}
