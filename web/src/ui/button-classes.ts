import { classes } from './classes.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
/** `sm` 36 px (dense tables), reached on 44 px by touch, `md` 44 px, `lg` 48 px, `xl` 56 px (the primary action on a phone), `verb` 68 px (the driver's next step). */
export type ButtonSize = 'sm' | 'md' | 'lg' | 'xl' | 'verb';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-brand text-on-brand hover:bg-brand-strong',
  secondary: 'border border-control/60 bg-surface text-ink hover:border-control hover:bg-sunken',
  ghost: 'text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'relative min-h-9 gap-1.5 rounded-control px-3 text-ui font-medium pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-1',
  md: 'min-h-11 gap-2 rounded-control px-4 text-ui font-medium',
  lg: 'min-h-12 gap-2 rounded-control px-5 text-body font-medium',
  xl: 'min-h-14 gap-2.5 rounded-control px-6 text-body font-medium',
  verb: 'min-h-17 gap-3 rounded-sheet px-6 text-section font-semibold',
};

/** The styles of a button, for `<button>` and for links that look like one. */
export function buttonClasses({
  variant = 'primary',
  size = 'md',
  fullWidth = false,
}: {
  variant?: ButtonVariant;
  size?: ButtonSize;
  fullWidth?: boolean;
}): string {
  return classes(
    // Buttons are not printed.
    'inline-flex print:hidden select-none items-center justify-center py-1.5 text-center no-underline',
    'transition-[background-color,border-color,color,scale] active:scale-[0.985] [&_svg]:shrink-0',
    'disabled:cursor-not-allowed aria-disabled:cursor-not-allowed',
    variants[variant],
    // Solid, so that the words can still be read. A busy button keeps its colours.
    'disabled:border-transparent disabled:bg-sunken disabled:text-ink-3',
    'aria-disabled:not-aria-busy:border-transparent aria-disabled:not-aria-busy:bg-sunken aria-disabled:not-aria-busy:text-ink-3',
    sizes[size],
    fullWidth && 'w-full',
  );
}
