import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { ListCard } from '../ui/ListCard.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { MessageItem } from './MessageItem.tsx';
import { messageListQuery, useMoveMessage } from './queries.ts';
import type { MessageSearch } from './search.ts';

const skeleton = (
  <SkeletonGroup label="Loading messages">
    <div className="divide-y divide-line">
      {['a', 'b', 'c'].map((place) => (
        <div key={place} className="flex flex-col gap-3 px-5 py-4">
          <Skeleton width="w-48" />
          <Skeleton height="h-16" />
        </div>
      ))}
    </div>
  </SkeletonGroup>
);

interface MessageListProps {
  search: MessageSearch;
  onPages: (pages: number) => void;
  onClear: () => void;
}

export function MessageList({ search, onPages, onClear }: MessageListProps) {
  const list = useInfiniteQuery(messageListQuery(search));
  const isFiltered = Boolean(search.q || search.status || search.date);
  const move = useMoveMessage();
  const moving = move.isPending ? move.variables?.id : undefined;
  return (
    <ListCard
      list={list}
      pages={search.pages}
      onPages={onPages}
      skeleton={skeleton}
      empty={
        <EmptyState
          drawing={<ParcelDrawing kind={isFiltered ? 'missing' : 'open'} />}
          title="No messages found"
          description={
            isFiltered ? 'Nothing matches these filters.' : 'What visitors write on the contact page appears here.'
          }
          action={
            isFiltered && (
              <Button variant="secondary" onClick={onClear}>
                Clear filters
              </Button>
            )
          }
        />
      }
    >
      {(shown) => (
        <ul aria-label="Messages" className="divide-y divide-line">
          {shown.map((message) => (
            <MessageItem
              key={message.id}
              message={message}
              moving={moving === message.id}
              onMove={(status) => move.mutate({ id: message.id, status })}
            />
          ))}
        </ul>
      )}
    </ListCard>
  );
}
