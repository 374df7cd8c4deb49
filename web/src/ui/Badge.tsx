import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import type { Tone } from './tone.ts';
import { toneFillClasses, toneOutlineClasses } from './tone.ts';

interface BadgeProps {
  tone?: Tone;
  /** Filled for a status, outlined for a user's role: the shape tells apart badges of the same colour. */
  variant?: 'filled' | 'outlined';
  /** `xs`: 20 px high, for rows of tables. */
  size?: 'xs' | 'sm' | 'md';
  /** Always pass one: many users cannot distinguish colours. */
  icon?: ReactNode;
  children: ReactNode;
}

const sizes = {
  xs: 'px-2.5 py-0.5 text-meta max-md:gap-1 max-md:px-1.5 [&_svg]:size-3.5',
  sm: 'px-2.5 py-1 text-meta [&_svg]:size-3.5',
  md: 'px-3 py-[5px] text-table [&_svg]:size-4',
};

export function Badge({ tone = 'grey', variant = 'filled', size = 'sm', icon, children }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex w-fit items-center gap-1.5 rounded-full font-medium whitespace-nowrap [&_svg]:shrink-0',
        sizes[size],
        variant === 'filled' ? toneFillClasses[tone] : toneOutlineClasses[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
