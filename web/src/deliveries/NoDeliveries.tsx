import { CircleCheck, Box, SearchX, Truck } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import type { DeliveryListName } from './queries.ts';

const emptyStates = {
  mine: {
    icon: <Truck />,
    title: 'No deliveries of yours yet',
    description: 'Start one of the pending deliveries, and it appears here.',
  },
  pending: {
    icon: <Box />,
    title: 'No pending deliveries',
    description: 'New packages appear here by themselves.',
  },
  completed: {
    icon: <CircleCheck />,
    title: 'No completed deliveries yet',
    description: 'What you have delivered is kept here.',
  },
};

const allDone = {
  icon: <CircleCheck />,
  title: 'No open deliveries',
  description: 'Everything you had is delivered. Start one of the pending deliveries, and it appears here.',
};

interface NoDeliveriesProps {
  list: DeliveryListName;
  searching: boolean;
  /** Nothing is open, but there are completed deliveries. */
  onlyDone: boolean;
  onClearSearch: () => void;
  onShowPending: () => void;
}

export function NoDeliveries({ list, searching, onlyDone, onClearSearch, onShowPending }: NoDeliveriesProps) {
  if (searching) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No deliveries found"
        action={
          <Button variant="secondary" onClick={onClearSearch}>
            Clear search
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      {...(onlyDone ? allDone : emptyStates[list])}
      action={
        list === 'mine' && (
          <Button variant="secondary" size="lg" onClick={onShowPending}>
            See pending deliveries
          </Button>
        )
      }
    />
  );
}
