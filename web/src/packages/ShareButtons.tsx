import type { Package } from '@waybill/contract';
import { Link2, Mail, Share2 } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { trackerLink } from './links.ts';
import { copyLink, hasShareSheet, openShareSheet, shareByMail } from './share.ts';

const icon = 'size-5';

/** Copy or share the link of the public page. */
export function ShareButtons({ pkg }: { pkg: Package }) {
  const link = trackerLink(pkg.trackingId);
  if (link === null)
    return <p className="px-1 py-2 text-ui text-ink-3">No link can be shared: PUBLIC_URL is not set on the server.</p>;
  const share = <Share2 aria-hidden="true" className={icon} />;
  return (
    <div className="grid grid-cols-2 gap-2.5 *:px-2 *:whitespace-nowrap sm:max-lg:basis-full!">
      <Button
        variant="secondary"
        fullWidth
        icon={<Link2 aria-hidden="true" className={icon} />}
        onClick={() => void copyLink(link)}
      >
        Copy link
      </Button>
      {hasShareSheet() ? (
        <Button variant="secondary" fullWidth icon={share} onClick={() => void openShareSheet(pkg, link)}>
          Share
        </Button>
      ) : (
        <Menu
          trigger={
            <Button variant="secondary" fullWidth icon={share}>
              Share
            </Button>
          }
        >
          <ShareItems pkg={pkg} link={link} />
        </Menu>
      )}
    </div>
  );
}

/** The same actions as menu items, plus email. */
export function ShareItems({ pkg, link }: { pkg: Package; link: string }) {
  return (
    <>
      <MenuItem icon={<Link2 aria-hidden="true" />} onSelect={() => void copyLink(link)}>
        Copy link
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
  );
}
