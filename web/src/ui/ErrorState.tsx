import { fill } from '@waybill/contract';
import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts, translated } from '../platform/texts.ts';
import { Button } from './Button.tsx';

interface ErrorStateProps {
  title?: ReactNode;
  message: ReactNode;
  onRetry?: () => void;
  retryLabel?: string;
  retrying?: boolean;
  /** The request ID, for support. */
  requestId?: string | null;
  /** The line with it, in a language other than English. */
  requestLabel?: string;
  /** Further buttons: 'Go Back'. */
  children?: ReactNode;
}

/** An error, shown in place of the content that failed to load. */
export function ErrorState({
  title,
  message,
  onRetry,
  retryLabel = translated('Retry'),
  retrying,
  requestId,
  requestLabel = requestId ? fill(texts.track.request, { id: requestId }) : undefined,
  children,
}: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center px-4 py-12 text-center">
      <span
        aria-hidden="true"
        className="mb-4 flex size-14 items-center justify-center rounded-full bg-red-bg text-red-ink"
      >
        <CircleAlert className="size-6" />
      </span>
      {title && <p className="text-body font-semibold text-ink">{title}</p>}
      <p className="max-w-prose text-ui text-balance text-ink-2 wrap-anywhere">{message}</p>
      {(onRetry || children) && (
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          {onRetry && (
            <Button
              variant="secondary"
              onClick={onRetry}
              loading={retrying}
              icon={<RotateCw aria-hidden="true" className="size-4" />}
            >
              {retryLabel}
            </Button>
          )}
          {children}
        </div>
      )}
      {requestLabel && <p className="mt-4 text-meta text-ink-3 code">{requestLabel}</p>}
    </div>
  );
}
