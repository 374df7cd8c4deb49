import type { SentNotification } from '@waybill/contract';
import { RotateCw } from 'lucide-react';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { labelOf } from './sent-columns.tsx';
import { useRetryNotification } from './sent-queries.ts';

/** Whether it can be sent again: all attempts have failed, or earlier ones to its address came back. */
export const canRetry = ({ state, reason }: SentNotification): boolean => state === 'failed' || reason === 'bounced';

/** Sends it again. */
export function RetryButton({ sent }: { sent: SentNotification }) {
  const retry = useRetryNotification();
  return (
    <Button
      size="sm"
      variant="secondary"
      icon={<RotateCw aria-hidden="true" className="size-4" />}
      aria-label={`Retry ${labelOf(sent)}`}
      loading={retry.isPending}
      onClick={() =>
        retry.mutate(sent.id, {
          onSuccess: () => toast({ title: 'Notification retried', description: 'It is on its way again.' }),
          onError: (error) => toast({ title: 'Not retried', description: error.message, variant: 'destructive' }),
        })
      }
    >
      Retry
    </Button>
  );
}
