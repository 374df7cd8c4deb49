import { useNavigate } from '@tanstack/react-router';
import type { Route } from '@waybill/contract';
import { ArrowDownAZ, Ellipsis, ListChecks, Pencil, Printer, Thermometer, Trash2, Waypoints } from 'lucide-react';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { openStops } from './plan.ts';
import type { Planning } from './planning.ts';

interface RouteMenuProps extends Pick<Planning, 'acts' | 'onStops' | 'onEdit' | 'onIll'> {
  route: Route;
  /** Of its driver. */
  name: string;
}

/** What can be done with a whole route, in its column and in its lane. */
export function RouteMenu({ route, name, acts, onStops, onEdit, onIll }: RouteMenuProps) {
  const navigate = useNavigate();
  const open = openStops(route);
  return (
    <Menu trigger={<IconButton size="sm" label={`Actions for the route of ${name}`} icon={<Ellipsis />} />}>
      {route.state === 'planned' && (
        <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={() => onEdit(route)}>
          Driver and start...
        </MenuItem>
      )}
      <MenuItem
        icon={<ArrowDownAZ aria-hidden="true" />}
        disabled={open.length < 2}
        onSelect={() => acts.sortByAddress(route)}
      >
        Sort by postal code and street
      </MenuItem>
      <MenuItem
        icon={<Waypoints aria-hidden="true" />}
        disabled={open.length < 2}
        onSelect={() => void acts.optimize(route)}
      >
        Find the best order
      </MenuItem>
      <MenuItem
        icon={<ListChecks aria-hidden="true" />}
        disabled={open.length === 0}
        onSelect={() => onStops(new Map(open.map(({ packageId }) => [packageId, route.id])))}
      >
        Select all stops
      </MenuItem>
      <MenuItem
        icon={<Printer aria-hidden="true" />}
        disabled={route.stops.length === 0}
        onSelect={() => void navigate({ href: `/admin/dispatch/routes/${route.id}/manifest` })}
      >
        Print manifest
      </MenuItem>
      {route.driverId !== null && open.length > 0 && (
        <MenuItem icon={<Thermometer aria-hidden="true" />} onSelect={() => onIll(route)}>
          Driver is ill...
        </MenuItem>
      )}
      {route.state === 'planned' && (
        <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => void acts.remove(route)}>
          Delete route
        </MenuItem>
      )}
    </Menu>
  );
}
