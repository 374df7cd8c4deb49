import { fill } from '@waybill/contract';
import { texts } from './texts.ts';
import type { Delivery } from '@waybill/contract';
import { Ellipsis, FileText, MapPin, MessageSquareWarning, PackageX } from 'lucide-react';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { useCan } from '../users/useCan.ts';
import type { OnAction } from './delivery-dialogs.ts';

/** The less frequent actions of a driver's own delivery. */
export function DeliveryMenu({ delivery, onAction }: { delivery: Delivery; onAction: OnAction }) {
  const mayUpdate = useCan({ permissions: ['deliveries.update'] });
  return (
    <Menu
      trigger={
        <IconButton
          label={fill(texts.moreActions, { name: delivery.packageName })}
          icon={<Ellipsis aria-hidden="true" />}
        />
      }
    >
      <MenuItem icon={<FileText aria-hidden="true" />} onSelect={() => onAction('details', delivery)}>
        {texts.packageDetails}
      </MenuItem>
      {mayUpdate && (
        <>
          <MenuItem icon={<MapPin aria-hidden="true" />} onSelect={() => onAction('location', delivery)}>
            {texts.reportLocation}
          </MenuItem>
          <MenuItem icon={<MessageSquareWarning aria-hidden="true" />} onSelect={() => onAction('issue', delivery)}>
            {texts.reportIssue}
          </MenuItem>
          <MenuItem danger icon={<PackageX aria-hidden="true" />} onSelect={() => onAction('fail', delivery)}>
            {texts.deliveryFailed}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
