import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorState } from '../ui/ErrorState.tsx';

/** Shown when a page throws while rendering. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="page py-12">
      <ErrorState
        title="This page could not be shown"
        message={(error instanceof Error && error.message) || 'An error occurred'}
        retryLabel="Refresh Page"
        onRetry={() => {
          reset();
          location.reload();
        }}
      />
    </div>
  );
}
