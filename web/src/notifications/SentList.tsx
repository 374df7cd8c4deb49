import { useInfiniteQuery } from '@tanstack/react-query';
import type { SentNotification } from '@waybill/contract';
import { SendHorizontal } from 'lucide-react';
import { toast } from '../platform/toasts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ListCard } from '../ui/ListCard.tsx';
import { NotificationListSkeleton } from './NotificationListSkeleton.tsx';
import type { AdminNotificationSearch } from './search.ts';
import { sentListQuery, useLiveSent, useRetryNotification } from './sent-queries.ts';
import { SentTable } from './SentTable.tsx';

interface SentListProps {
  search: AdminNotificationSearch;
  onPages: (pages: number) => void;
}

export function SentList({ search, onPages }: SentListProps) {
  useLiveSent();
  const list = useInfiniteQuery(sentListQuery(search));
  const retry = useRetryNotification();
  const send = ({ id }: SentNotification) =>
    retry.mutate(id, {
      onSuccess: () => toast({ title: 'Notification retried', description: 'It is on its way again.' }),
      onError: (error) => toast({ title: 'Not retried', description: error.message, variant: 'destructive' }),
    });
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      skeleton={<NotificationListSkeleton />}
      empty={
        <EmptyState
          icon={<SendHorizontal />}
          title="No notifications found"
          description="Nothing was sent that matches these filters."
        />
      }
    >
      {(shown) => (
        <SentTable sent={shown} retrying={retry.isPending ? (retry.variables ?? null) : null} onRetry={send} />
      )}
    </ListCard>
  );
}
