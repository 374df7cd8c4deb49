import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface MenuItemProps {
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  /** Turns the item into a link. */
  href?: string;
  onSelect?: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, danger, disabled, href, onSelect, children }: MenuItemProps) {
  return (
    <BaseMenu.Item
      disabled={disabled}
      onClick={onSelect}
      // The link's text comes from the item's children.
      // oxlint-disable-next-line jsx-a11y/anchor-has-content
      render={href === undefined ? undefined : <a href={href} />}
      className={classes(
        'flex min-h-11 cursor-pointer select-none items-center gap-2.5 rounded-control px-3 text-ui outline-none',
        'data-highlighted:bg-sunken data-disabled:cursor-not-allowed data-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
        danger ? 'text-danger' : 'text-ink',
      )}
    >
      {icon}
      {children}
    </BaseMenu.Item>
  );
}
