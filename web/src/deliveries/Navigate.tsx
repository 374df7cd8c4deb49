import { texts } from './texts.ts';
import type { Place } from '@waybill/contract';
import { MapPinned } from 'lucide-react';
import { LinkButton } from '../ui/LinkButton.tsx';
import { classes } from '../ui/classes.ts';
import { navigationHref, opening, useNavigator } from './navigation.ts';
import { NavigatorMenu } from './NavigatorMenu.tsx';

interface NavigateProps {
  address: string;
  place: Place | null;
  size?: 'md' | 'lg';
  variant?: 'primary' | 'secondary';
}

/** Opens an address in the driver's navigation app; until one is chosen, a menu offers the others. */
export function Navigate({ address, place, size = 'md', variant = 'secondary' }: NavigateProps) {
  const { chosen, inUse } = useNavigator();
  return (
    // One button with two parts.
    <span
      className={classes(
        'flex items-stretch',
        chosen === null &&
          '[&_a]:rounded-r-none [&>button]:h-auto [&>button]:rounded-l-none [&>button]:border [&>button]:border-l-0 [&>button]:border-control/60 [&>button]:bg-surface',
      )}
    >
      <span className="grow">
        <LinkButton
          fullWidth
          variant={variant}
          size={size}
          href={navigationHref(inUse, address, place)}
          {...opening(inUse)}
          icon={<MapPinned aria-hidden="true" className="size-4" />}
        >
          {texts.navigate}
        </LinkButton>
      </span>
      {chosen === null && <NavigatorMenu address={address} place={place} />}
    </span>
  );
}
