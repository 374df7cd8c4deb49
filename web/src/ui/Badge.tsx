import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import type { Tone } from './tone.ts';
import { toneFillClasses, toneOutlineClasses } from './tone.ts';

interface BadgeProps {
  tone?: Tone;
  /** Filled for a status, outlined for a user's role: the shape tells apart badges of the same colour. */
  variant?: 'filled' | 'outlined';
  /** Always pass one: many users cannot distinguish colours. */
  icon?: ReactNode;
  children: ReactNode;
}

export function Badge({ tone = 'grey', variant = 'filled', icon, children }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex w-fit items-center gap-1.5 rounded-full px-2.5 py-1 text-meta font-medium whitespace-nowrap',
        '[&_svg]:size-3.5 [&_svg]:shrink-0',
        variant === 'filled' ? toneFillClasses[tone] : toneOutlineClasses[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
