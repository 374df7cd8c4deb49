import type { Delivery } from '@waybill/contract';
import { MapPin, MessageSquareWarning, PackageX, TriangleAlert } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { useCan } from '../users/useCan.ts';
import type { OnAction } from './delivery-dialogs.ts';
import { texts } from './texts.ts';

/** What a driver does when a stop does not go as planned. */
export function ProblemMenu({ delivery, onAction }: { delivery: Delivery; onAction: OnAction }) {
  const mayUpdate = useCan({ permissions: ['deliveries.update'] });
  if (!mayUpdate) return null;
  return (
    <Menu
      trigger={
        <Button variant="secondary" size="xl" icon={<TriangleAlert aria-hidden="true" className="size-5" />}>
          {texts.problem}
        </Button>
      }
    >
      <MenuItem icon={<MessageSquareWarning aria-hidden="true" />} onSelect={() => onAction('issue', delivery)}>
        {texts.reportIssue}
      </MenuItem>
      <MenuItem icon={<MapPin aria-hidden="true" />} onSelect={() => onAction('location', delivery)}>
        {texts.reportLocation}
      </MenuItem>
      <MenuItem danger icon={<PackageX aria-hidden="true" />} onSelect={() => onAction('fail', delivery)}>
        {texts.deliveryFailed}
      </MenuItem>
    </Menu>
  );
}
