import { texts } from './texts.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Box, Route, Truck } from 'lucide-react';
import { formatCount } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { QueryNote } from '../ui/QueryNote.tsx';
import { StatCard } from '../ui/StatCard.tsx';
import type { StatCardProps } from '../ui/StatCard.tsx';
import { deliverySummaryQuery, useWaiting } from './queries.ts';
import type { DeliveryFilter } from './search.ts';

interface DeliveryCardsProps {
  /** Without a session: cards without figures. */
  preview?: boolean;
  /** Small, for a phone. */
  compact?: boolean;
  show: DeliveryFilter | undefined;
  onShow: (show: DeliveryFilter | undefined) => void;
}

/** The driver's four stat cards; each filters the lists. */
export function DeliveryCards({ preview = false, compact = false, show, onShow }: DeliveryCardsProps) {
  const summary = useQuery({ ...deliverySummaryQuery(), enabled: !preview });
  const { data, isError } = summary;
  const waiting = useWaiting(data);
  const figure = (value: number | undefined) => value ?? (isError || preview ? null : undefined);
  const Card = compact ? Figure : StatCard;
  const cards = [
    { label: texts.cards.mine, value: data?.mine, icon: <Truck />, tone: 'blue', filter: 'mine' },
    { label: texts.cards.completed, value: data?.completed, icon: <CircleCheck />, tone: 'green', filter: 'completed' },
    { label: texts.cards.pending, value: waiting, icon: <Box />, tone: 'yellow', filter: 'pending' },
    { label: texts.cards.active, value: data?.active, icon: <Route />, tone: undefined, filter: 'active' },
  ] as const;
  return (
    <>
      <div
        className={
          compact
            ? 'grid grid-cols-[repeat(auto-fit,minmax(4.75rem,1fr))] gap-1.5'
            : 'pairs gap-3 md:grid-cols-4 md:gap-4'
        }
      >
        {cards.map(({ label, value, icon, tone, filter }) => (
          <Card
            key={label}
            label={label}
            value={figure(value)}
            icon={icon}
            tone={tone}
            pressed={show === filter}
            onPress={() => onShow(show === filter ? undefined : filter)}
          />
        ))}
      </div>
      {!preview && <QueryNote query={summary} title={texts.figuresNotLoaded} />}
    </>
  );
}

/** A StatCard's figure over its label, without the card. */
function Figure({ label, value, pressed, onPress }: StatCardProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={classes(
        'figure flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-card border px-1 py-1.5 text-center',
        pressed ? 'border-brand bg-brand-soft' : 'border-line bg-surface',
      )}
    >
      <span className="text-section/6 font-semibold figures">
        {typeof value === 'number' ? formatCount(value) : (value ?? '–')}
      </span>
      <span className="text-meta text-ink-2">{label}</span>
    </button>
  );
}
