import type { Place } from '@waybill/contract';
import { ChevronDown } from 'lucide-react';
import type { ComponentPropsWithRef, ReactElement } from 'react';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { chooseNavigator, navigationHref, navigators, offeredNavigators, opening, useNavigator } from './navigation.ts';
import { texts } from './texts.ts';

interface NavigatorMenuProps {
  address: string;
  place: Place | null;
  trigger?: ReactElement<ComponentPropsWithRef<'button'>>;
  /** Called after the choice, which also opens the app. */
  onChosen?: () => void;
}

/** Opens an address in one of the navigation apps, and keeps the choice on this device. */
export function NavigatorMenu({ address, place, trigger, onChosen }: NavigatorMenuProps) {
  const { inUse } = useNavigator();
  return (
    <Menu trigger={trigger ?? <IconButton label={texts.chooseNavigator} icon={<ChevronDown aria-hidden="true" />} />}>
      {offeredNavigators(inUse).map((name) => (
        <MenuItem
          key={name}
          href={navigationHref(name, address, place)}
          {...opening(name)}
          onSelect={() => {
            chooseNavigator(name);
            onChosen?.();
          }}
        >
          {name === 'geo' ? texts.ownNavigator : navigators[name].label}
        </MenuItem>
      ))}
    </Menu>
  );
}
