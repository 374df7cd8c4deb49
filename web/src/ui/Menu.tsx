import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

interface MenuProps {
  /** The button that opens it: a Button or IconButton. */
  trigger: ReactElement;
  align?: 'start' | 'end';
  /** A heading above the items, not selectable. */
  heading?: ReactNode;
  /** MenuItem elements. */
  children: ReactNode;
}

/** A list of actions under a button, with arrow keys and type-ahead. */
export function Menu({ trigger, align = 'end', heading, children }: MenuProps) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner align={align} sideOffset={6} collisionPadding={8} className="z-50 outline-none">
          <BaseMenu.Popup className="min-w-48 max-w-[calc(100vw-1rem)] origin-(--transform-origin) rounded-card bg-surface p-1 shadow-float outline-none transition-[opacity,scale] duration-180 ease-calm data-ending-style:scale-[0.98] data-ending-style:opacity-0 data-starting-style:scale-[0.98] data-starting-style:opacity-0">
            {heading && <div className="border-b border-line px-3 pt-1.5 pb-2.5 mb-1">{heading}</div>}
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
