import { RefreshCw } from 'lucide-react';
import { Banner } from './Banner.tsx';
import { Button } from './Button.tsx';

interface QueryNoteProps {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** What is missing: 'The figures could not be loaded.' */
  title: string;
}

/** In one line, what could not be read for the first time; nothing while all is well. For what is too small to fail in its own place. */
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
            Retry
          </Button>
        }
      >
        {query.error.message || 'An error occurred'}
      </Banner>
    </div>
  );
}
