import { ApiError } from '@waybill/contract';
import type { ReactNode } from 'react';
import { translated } from '../platform/texts.ts';
import { ErrorState } from './ErrorState.tsx';

interface QueryErrorProps {
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown };
  title?: string;
  /** Replaces the error's own message. */
  message?: ReactNode;
}

/** A failed query, shown in place of its data, with a retry. */
export function QueryError({ query, title, message = query.error?.message ?? 'An error occurred' }: QueryErrorProps) {
  return (
    <ErrorState
      title={title}
      message={typeof message === 'string' ? translated(message) : message}
      requestId={query.error instanceof ApiError ? query.error.requestId : null}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}
