import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import type { DeliveryListName } from './queries.ts';
import { texts } from './texts.ts';

const drawings = { mine: 'open', pending: 'done', completed: 'open', allDone: 'done' } as const;

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
        drawing={<ParcelDrawing kind="missing" />}
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
      drawing={<ParcelDrawing kind={drawings[state]} />}
      title={texts.empty[state]}
      description={texts.empty[`${state}Hint`]}
      action={
        list === 'mine' && (
          <Button size="lg" onClick={onShowPending}>
            {texts.seePending}
          </Button>
        )
      }
    />
  );
}
