import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes.ts';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field-context.ts';

/** A multi-line text input; grows with its text where the browser supports `field-sizing`. */
export function Textarea({ rows = 4, ...rest }: Omit<ComponentPropsWithRef<'textarea'>, 'className' | 'style'>) {
  const field = useFieldControl();
  return (
    <textarea
      {...field}
      {...rest}
      rows={rows}
      className={classes(controlClasses, 'field-sizing-content min-h-24 py-2.5')}
    />
  );
}
