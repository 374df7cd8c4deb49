import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './classes.ts';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field-context.ts';

export interface InputProps extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'size'> {
  /** Shown inside at the left: a magnifying glass. */
  icon?: ReactNode;
  /** Shown inside at the right: a unit or an IconButton. */
  end?: ReactNode;
  /** What is inside at the right is a word, but on a phone. */
  endIsWord?: boolean;
  /** Monospaced, for codes. */
  code?: boolean;
  size?: 'md' | 'lg';
}

/** A single-line text input. Labelled by its Field; without one it needs `aria-label`. */
export function Input({ icon, end, endIsWord = false, code, size = 'md', ...rest }: InputProps) {
  const field = useFieldControl();
  const input = (
    <input
      {...field}
      {...rest}
      className={classes(
        controlClasses,
        size === 'lg' ? 'min-h-14' : 'min-h-11',
        code && 'code',
        Boolean(icon) && 'pl-10',
        Boolean(end) && 'pr-12',
        endIsWord && 'sm:pr-28',
      )}
    />
  );
  if (!icon && !end) return input;
  return (
    <span className="relative flex w-full min-w-0 items-center">
      {icon && (
        <span aria-hidden="true" className="pointer-events-none absolute left-3 text-ink-3 [&_svg]:size-5">
          {icon}
        </span>
      )}
      {input}
      {end && (
        <span
          className={classes(
            'absolute flex items-center justify-center text-ui text-ink-3',
            typeof end === 'string' ? 'right-3' : 'right-0.5 min-w-10',
          )}
        >
          {end}
        </span>
      )}
    </span>
  );
}
