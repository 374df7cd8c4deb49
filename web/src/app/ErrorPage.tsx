import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorState } from '../ui/ErrorState.tsx';

/** A page that broke while it was drawn, or whose code could not be loaded. */
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
