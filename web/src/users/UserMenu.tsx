import type { User } from '@waybill/contract';
import { Bell, ChevronDown, Keyboard, LogOut, MessageSquareWarning, UserRoundCog } from 'lucide-react';
import type { ComponentPropsWithRef, ReactElement, ReactNode } from 'react';
import { texts } from '../platform/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { RoleBadge } from './RoleBadge.tsx';

interface UserMenuProps {
  user: Pick<User, 'name' | 'email' | 'role'>;
  onLogout: () => void;
  /** Opens the list of keyboard shortcuts; absent on pages without shortcuts. */
  onShortcuts?: () => void;
  /** The button that opens it; by default the user's name. */
  trigger?: ReactElement<ComponentPropsWithRef<'button'>>;
  align?: 'start' | 'end';
  footer?: ReactNode;
}

export function UserMenu({ user, onLogout, onShortcuts, trigger, align, footer }: UserMenuProps) {
  return (
    <Menu
      align={align}
      footer={footer}
      trigger={
        trigger ?? (
          <Button variant="ghost">
            <span className="max-w-40 truncate">{user.name}</span>
            <ChevronDown aria-hidden="true" className="size-4" />
          </Button>
        )
      }
      heading={
        <>
          <p className="truncate text-ui text-ink-2">{user.email}</p>
          <div className="mt-2">
            <RoleBadge role={user.role} />
          </div>
        </>
      }
    >
      <MenuItem icon={<UserRoundCog aria-hidden="true" />} href="/account">
        {texts.frame.account}
      </MenuItem>
      <MenuItem icon={<Bell aria-hidden="true" />} href="/notifications">
        {texts.frame.notifications}
      </MenuItem>
      {user.role !== 'admin' && (
        <MenuItem icon={<MessageSquareWarning aria-hidden="true" />} href={`/${user.role}/incidents`}>
          {texts.frame.issues}
        </MenuItem>
      )}
      {onShortcuts && (
        <MenuItem icon={<Keyboard aria-hidden="true" />} onSelect={onShortcuts}>
          {texts.frame.shortcuts}
        </MenuItem>
      )}
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={onLogout}>
        {texts.frame.logout}
      </MenuItem>
    </Menu>
  );
}
