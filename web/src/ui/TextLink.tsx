import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes.ts';

interface TextLinkProps extends Omit<ComponentPropsWithRef<'a'>, 'className' | 'style'> {
  href: string;
  /** A touch target of 44 px. Only if there is no other link in the lines above and below. */
  roomy?: boolean;
}

/** A link inside running text. */
export function TextLink({ roomy = false, children, ...rest }: TextLinkProps) {
  return (
    <a
      {...rest}
      className={classes(
        'rounded-control font-medium text-brand underline decoration-brand/40 underline-offset-4 transition-colors hover:decoration-brand',
        roomy && 'relative pointer-coarse:after:absolute pointer-coarse:after:-inset-3.5',
      )}
    >
      {children}
    </a>
  );
}
