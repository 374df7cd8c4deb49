import type { ComponentPropsWithRef, ReactNode } from 'react';
import { buttonClasses } from './button-classes.ts';
import type { ButtonSize, ButtonVariant } from './button-classes.ts';

export interface LinkButtonProps extends Omit<ComponentPropsWithRef<'a'>, 'className' | 'style'> {
  href: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  fullWidth?: boolean;
  icon?: ReactNode;
}

/** A link that looks like a button. A plain `<a>`: the app intercepts clicks on internal links, so there is no reload. */
export function LinkButton({ variant, size, fullWidth, icon, children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} className={buttonClasses({ variant, size, fullWidth })}>
      {icon}
      {children}
    </a>
  );
}
