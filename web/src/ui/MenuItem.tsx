import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface MenuItemProps {
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  /** Turns the item into a link. */
  href?: string;
  target?: '_blank';
  rel?: string;
  onSelect?: () => void;
  children: ReactNode;
}

/** A line between what does harm and what does not. */
const ruled =
  '[:not(.text-danger)+&]:relative [:not(.text-danger)+&]:mt-2.25 [:not(.text-danger)+&]:before:absolute [:not(.text-danger)+&]:before:-inset-x-1 [:not(.text-danger)+&]:before:-top-1.25 [:not(.text-danger)+&]:before:border-t [:not(.text-danger)+&]:before:border-line';

export function MenuItem({ icon, danger, disabled, href, target, rel, onSelect, children }: MenuItemProps) {
  const className = classes(
    'flex min-h-11 w-full cursor-pointer items-center gap-2.5 rounded-control px-3 text-left text-ui select-none',
    'hover:bg-sunken focus:bg-sunken focus-visible:-outline-offset-2',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
    danger ? classes('text-danger', ruled) : 'text-ink',
  );
  if (href !== undefined)
    return (
      <a role="menuitem" tabIndex={-1} href={href} target={target} rel={rel} onClick={onSelect} className={className}>
        {icon}
        {children}
      </a>
    );
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onSelect}
      className={className}
    >
      {icon}
      {children}
    </button>
  );
}
