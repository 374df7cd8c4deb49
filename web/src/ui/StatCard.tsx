import type { ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';
import { classes } from './classes.ts';
import { Skeleton } from './Skeleton.tsx';
import type { Tone } from './tone.ts';
import { toneIconClasses } from './tone.ts';

export interface StatCardProps {
  label: string;
  /** undefined: still loading. null: failed to load, shown as a dash. */
  value: number | string | null | undefined;
  icon?: ReactNode;
  tone?: Tone;
  /** One small line under the figure. */
  hint?: ReactNode;
  /** Makes the card a toggle button; `pressed` is its state. */
  onPress?: () => void;
  pressed?: boolean;
}

/** A figure with its label; optionally a toggle button that filters a list. */
export function StatCard({ label, value, icon, tone = 'grey', hint, onPress, pressed = false }: StatCardProps) {
  const content = (
    <>
      <span className="mb-auto flex items-start justify-between gap-2">
        <span className="text-ui font-medium text-ink-2">{label}</span>
        {icon && (
          <span aria-hidden="true" className={classes('shrink-0 [&_svg]:size-5', toneIconClasses[tone])}>
            {icon}
          </span>
        )}
      </span>
      <span className="mt-2 block text-stat font-semibold figures text-ink">
        {value === undefined ? (
          <Skeleton width="w-14" height="h-[2.375rem]" />
        ) : typeof value === 'number' ? (
          formatCount(value)
        ) : (
          (value ?? '–')
        )}
      </span>
      {hint && <span className="mt-1 block text-table text-ink-3">{hint}</span>}
    </>
  );
  const box = 'flex h-full w-full flex-col rounded-card border p-4 text-left md:p-5';
  if (!onPress) return <div className={classes(box, 'border-line bg-surface')}>{content}</div>;
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={classes(
        box,
        'transition-[background-color,border-color,box-shadow]',
        pressed
          ? 'border-brand bg-brand-soft shadow-[inset_0_0_0_1px_var(--color-brand)]'
          : 'border-line bg-surface hover:border-control',
      )}
    >
      {content}
    </button>
  );
}
