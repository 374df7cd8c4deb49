import { texts } from './texts.ts';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { QueryNote } from '../ui/QueryNote.tsx';
import { deliverySummaryQuery, useWaiting } from './queries.ts';
import type { DeliveryFilter } from './search.ts';

interface DeliveryCardsProps {
  /** Without a session: cards without figures. */
  preview?: boolean;
  /** For a phone: cards of their own. */
  compact?: boolean;
  show: DeliveryFilter | undefined;
  onShow: (show: DeliveryFilter | undefined) => void;
}

/** The driver's four figures, a strip on wide screens; each filters the lists. */
export function DeliveryCards({ preview = false, compact = false, show, onShow }: DeliveryCardsProps) {
  const summary = useQuery({ ...deliverySummaryQuery(), enabled: !preview });
  const { data } = summary;
  const cards = [
    { label: texts.cards.mine, value: data?.mine, filter: 'mine' },
    { label: texts.cards.completed, value: data?.completed, filter: 'completed' },
    { label: texts.cards.pending, value: useWaiting(data), filter: 'pending' },
    { label: texts.cards.active, value: data?.active, filter: 'active' },
  ] as const;
  return (
    <>
      <div
        className={
          compact
            ? 'grid grid-cols-[repeat(auto-fit,minmax(4.75rem,1fr))] gap-1.5'
            : 'grid grid-cols-4 divide-x divide-line overflow-hidden rounded-card border border-line'
        }
      >
        {cards.map(({ label, value, filter }) => {
          const pressed = show === filter;
          return (
            <button
              key={label}
              type="button"
              aria-pressed={pressed}
              onClick={() => onShow(pressed ? undefined : filter)}
              className={classes(
                'flex min-h-14 items-center gap-0.5 px-1 py-1.5 text-center',
                compact
                  ? 'figure flex-col rounded-card border pt-2'
                  : // The numbers on one line, however long their words.
                    'flex-col transition-colors focus-visible:-outline-offset-2 md:flex-row-reverse md:justify-between md:gap-3 md:px-4',
                pressed
                  ? classes('bg-brand-soft', compact ? 'border-brand' : 'border-line')
                  : classes('border-line bg-surface', !compact && 'hover:bg-sunken'),
                pressed && !compact && 'shadow-[inset_0_-2px_var(--color-brand)]',
              )}
            >
              <span className="text-section/6 font-semibold figures">
                {value === undefined ? '–' : formatCount(value)}
              </span>
              <span className={classes('text-meta text-ink-2', !compact && 'md:text-left md:text-ui')}>{label}</span>
            </button>
          );
        })}
      </div>
      {!preview && <QueryNote query={summary} title={texts.figuresNotLoaded} />}
    </>
  );
}
