import { ChevronDown } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes.ts';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field-context.ts';

export interface SelectOption<V extends string = string> {
  value: V;
  label: string;
  disabled?: boolean;
}

export interface SelectProps<V extends string> extends Omit<
  ComponentPropsWithRef<'select'>,
  'className' | 'style' | 'children' | 'multiple' | 'size'
> {
  options: readonly SelectOption<V>[];
  /** A first entry without a value: 'Select a category'. */
  placeholder?: string;
  /** `sm` 36 px for filter rows on wide screens. */
  size?: 'sm' | 'md';
  onValueChange?: (value: V) => void;
}

/** A styled native select: phones show their native picker, and it works in a plain form. */
export function Select<V extends string>({
  options,
  placeholder,
  size = 'md',
  onValueChange,
  onChange,
  ...rest
}: SelectProps<V>) {
  const field = useFieldControl();
  return (
    <span className="relative flex min-w-0 items-center">
      <select
        {...field}
        {...rest}
        onChange={(event) => {
          onChange?.(event);
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onValueChange?.(chosen.value);
        }}
        className={classes(
          controlClasses,
          'appearance-none truncate pr-9',
          size === 'sm' ? 'min-h-9 md:pointer-fine:text-ui pointer-coarse:min-h-11' : 'min-h-11',
        )}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-3 size-4 text-ink-3" />
    </span>
  );
}
