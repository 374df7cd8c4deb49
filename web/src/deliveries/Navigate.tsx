import { ChevronDown, MapPinned } from 'lucide-react';
import { IconButton } from '../ui/IconButton.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { chooseNavigator, navigationHref, navigatorNames, navigators, useNavigator } from './navigation.ts';
import type { Navigator } from './navigation.ts';

/** A `geo:` link opens an app; web pages open in a new tab, without opener and referrer. */
const opening = (navigator: Navigator) =>
  navigator === 'geo' ? {} : ({ target: '_blank', rel: 'noopener noreferrer' } as const);

interface NavigateProps {
  address: string;
  size?: 'md' | 'lg';
  variant?: 'primary' | 'secondary';
}

/** Opens an address in the driver's navigation app; until one is chosen, a menu offers the others. */
export function Navigate({ address, size = 'md', variant = 'secondary' }: NavigateProps) {
  const { chosen, inUse } = useNavigator();
  return (
    <span className="flex items-center gap-1">
      <span className="grow">
        <LinkButton
          fullWidth
          variant={variant}
          size={size}
          href={navigationHref(inUse, address)}
          {...opening(inUse)}
          icon={<MapPinned aria-hidden="true" className="size-4" />}
        >
          Navigate
        </LinkButton>
      </span>
      {chosen === null && (
        <Menu
          trigger={<IconButton label="Choose the app to navigate with" icon={<ChevronDown aria-hidden="true" />} />}
        >
          {navigatorNames.map((name) => (
            <MenuItem
              key={name}
              href={navigationHref(name, address)}
              {...opening(name)}
              onSelect={() => chooseNavigator(name)}
            >
              {navigators[name].label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </span>
  );
}
