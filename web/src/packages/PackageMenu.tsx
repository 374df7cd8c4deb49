import { mayChange, statusAfter } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import {
  CircleX,
  Ellipsis,
  Link2,
  Mail,
  PanelRightOpen,
  Pencil,
  Printer,
  ScanSearch,
  Share2,
  SquareCheck,
  Trash2,
} from 'lucide-react';
import { useSession } from '../platform/session.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { useCan } from '../users/useCan.ts';
import { packageHref, trackerLink } from './links.ts';
import { copyLink, hasShareSheet, openShareSheet, shareByMail } from './share.ts';

interface PackageMenuProps {
  pkg: Package;
  onPrint: () => void;
  onSelect: () => void;
  onCancel: () => void;
  onDelete: () => void;
}

/** What can be done with a package of the list, in words; deleting last. */
export function PackageMenu({ pkg, onPrint, onSelect, onCancel, onDelete }: PackageMenuProps) {
  const session = useSession();
  const mayUpdate = useCan({ permissions: ['packages.update'] });
  const mayDelete = useCan({ permissions: ['packages.update', 'packages.delete'], requireAll: true });
  const link = pkg.status === 'inactive' ? null : trackerLink(pkg.trackingId);
  const href = packageHref(pkg, session);
  return (
    <Menu
      trigger={<IconButton size="sm" label={`More actions for ${pkg.name}`} icon={<Ellipsis aria-hidden="true" />} />}
    >
      <MenuItem icon={<PanelRightOpen aria-hidden="true" />} href={href}>
        Open
      </MenuItem>
      {pkg.status !== 'inactive' && (
        <MenuItem icon={<ScanSearch aria-hidden="true" />} href={`/track/${pkg.trackingId}`}>
          Track Package
        </MenuItem>
      )}
      {link && (
        <>
          <MenuItem icon={<Link2 aria-hidden="true" />} onSelect={() => void copyLink(link)}>
            Copy tracking link
          </MenuItem>
          {hasShareSheet() && (
            <MenuItem icon={<Share2 aria-hidden="true" />} onSelect={() => void openShareSheet(pkg, link)}>
              Share
            </MenuItem>
          )}
          <MenuItem icon={<Mail aria-hidden="true" />} href={shareByMail(pkg, link)}>
            Send by email
          </MenuItem>
        </>
      )}
      {pkg.status !== 'inactive' && pkg.status !== 'cancelled' && (
        <MenuItem icon={<Printer aria-hidden="true" />} onSelect={onPrint}>
          Print label
        </MenuItem>
      )}
      {mayUpdate && mayChange('hideRecipient', pkg.status) && (
        <MenuItem icon={<Pencil aria-hidden="true" />} href={`${href}/edit`}>
          Edit package
        </MenuItem>
      )}
      <MenuItem icon={<SquareCheck aria-hidden="true" />} onSelect={onSelect}>
        Select
      </MenuItem>
      {mayUpdate && statusAfter('cancel', pkg.status) && (
        <MenuItem icon={<CircleX aria-hidden="true" />} onSelect={onCancel}>
          Cancel package...
        </MenuItem>
      )}
      {mayDelete && statusAfter('remove', pkg.status) && (
        <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={onDelete}>
          Delete package...
        </MenuItem>
      )}
    </Menu>
  );
}
