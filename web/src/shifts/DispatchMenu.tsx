import { statusAfter } from '@waybill/contract';
import { Ellipsis, PackageX, UserRoundPlus } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { useCan } from '../users/useCan.ts';
import type { Dispatch, AssignablePackage } from './dispatch.ts';

interface DispatchMenuProps {
  pkg: AssignablePackage;
  onAction: (dispatch: Dispatch) => void;
}

/** Dispatch actions of a package: assign while it waits; reassign or take back while on the road. */
export function DispatchMenu({ pkg, onAction }: DispatchMenuProps) {
  const may = useCan({ permissions: ['deliveries.assign'] });
  if (!may || !statusAfter('assign', pkg.status)) return null;
  const assign = () => onAction({ action: 'assign', pkg });
  if (!statusAfter('fail', pkg.status)) {
    return (
      <Button size="sm" variant="secondary" aria-label={`Assign driver: ${pkg.name}`} onClick={assign}>
        Assign
      </Button>
    );
  }
  return (
    <Menu
      trigger={<IconButton size="sm" label={`More actions for ${pkg.name}`} icon={<Ellipsis aria-hidden="true" />} />}
    >
      <MenuItem icon={<UserRoundPlus aria-hidden="true" />} onSelect={assign}>
        Assign another driver
      </MenuItem>
      <MenuItem danger icon={<PackageX aria-hidden="true" />} onSelect={() => onAction({ action: 'take back', pkg })}>
        Delivery failed
      </MenuItem>
    </Menu>
  );
}
