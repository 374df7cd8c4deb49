import { CircleCheck, Box, SearchX, Truck } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import type { DeliveryListName } from './queries.ts';
import { texts } from './texts.ts';

const icons = { mine: <Truck />, pending: <Box />, completed: <CircleCheck />, allDone: <CircleCheck /> };

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
        title={texts.empty.notFound}
        action={
          <Button variant="secondary" onClick={onClearSearch}>
            {texts.empty.clearSearch}
          </Button>
        }
      />
    );
  }
  const state = onlyDone ? 'allDone' : list;
  return (
    <EmptyState
      icon={icons[state]}
      title={texts.empty[state]}
      description={texts.empty[`${state}Hint`]}
      action={
        list === 'mine' && (
          <Button variant="secondary" size="lg" onClick={onShowPending}>
            {texts.seePending}
          </Button>
        )
      }
    />
  );
}
