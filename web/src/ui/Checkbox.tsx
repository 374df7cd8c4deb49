import { Check } from 'lucide-react';
import { useId } from 'react';
import type { ComponentPropsWithRef, ReactNode } from 'react';

export interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A native checkbox with its label; the whole 44 px row is the touch target. */
export function Checkbox({ label, hint, ...rest }: CheckboxProps) {
  const hintId = useId();
  return (
    <label className="group grid min-h-11 cursor-pointer grid-cols-[auto_minmax(0,1fr)] content-center items-start gap-3 py-2.5 has-disabled:cursor-not-allowed">
      <span className="relative flex size-5 shrink-0">
        <input
          {...rest}
          type="checkbox"
          aria-describedby={hint ? hintId : undefined}
          className="peer size-5 cursor-[inherit] appearance-none rounded-[4px] border border-control bg-surface transition-colors checked:border-brand checked:bg-brand enabled:group-hover:border-ink-3 disabled:border-line disabled:bg-sunken"
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute inset-0.5 size-4 text-on-brand opacity-0 peer-checked:opacity-100 peer-disabled:text-ink-3"
        />
      </span>
      <span className="min-w-0">
        <span className="block text-ui font-medium text-ink group-has-disabled:text-ink-2">{label}</span>
        {hint && (
          <span id={hintId} className="block text-table text-pretty text-ink-3">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
