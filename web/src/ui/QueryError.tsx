import { ApiError } from '@waybill/contract';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';

interface QueryErrorProps {
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown };
  title?: string;
  /** In place of the error's own. */
  message?: ReactNode;
}

/** A query that failed, in the place of what it would have shown. */
export function QueryError({ query, title, message = query.error?.message ?? 'An error occurred' }: QueryErrorProps) {
  return (
    <ErrorState
      title={title}
      message={message}
      requestId={query.error instanceof ApiError ? query.error.requestId : null}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}
