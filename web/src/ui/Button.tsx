import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { buttonClasses } from './button-classes.ts';
import type { ButtonSize, ButtonVariant } from './button-classes.ts';
import { Spinner } from './Spinner.tsx';

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  fullWidth?: boolean;
  /** Shows a spinner and refuses clicks, but keeps the focus. */
  loading?: boolean;
  /** Replaces the children while loading: 'Creating...'. */
  loadingText?: ReactNode;
  icon?: ReactNode;
}

export function Button({
  variant,
  size,
  fullWidth,
  loading = false,
  loadingText,
  icon,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  // `disabled` would drop the focus. Preventing the click also prevents the submit.
  const preventClick = (event: MouseEvent) => event.preventDefault();
  const state = loading ? { 'aria-disabled': true, 'aria-busy': true, onClick: preventClick } : { onClick };
  return (
    <button {...rest} {...state} type={type} className={buttonClasses({ variant, size, fullWidth })}>
      {loading ? <Spinner size="sm" /> : icon}
      {loading && loadingText !== undefined ? loadingText : children}
    </button>
  );
}
