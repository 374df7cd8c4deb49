import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './classes.ts';

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style' | 'aria-label'> {
  /** What the button does: its accessible name and its tooltip. */
  label: string;
  icon: ReactNode;
  /** `sm` 36 px for dense rows, `md` 44 px. */
  size?: 'sm' | 'md';
}

export function IconButton({ label, icon, size = 'md', type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex shrink-0 print:hidden items-center justify-center rounded-control text-ink-2 transition-colors',
        'hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-5',
        // The small size has a touch target of 44 px, too.
        size === 'sm' ? 'relative size-9 pointer-coarse:after:absolute pointer-coarse:after:-inset-1' : 'size-11',
      )}
    >
      {icon}
    </button>
  );
}
