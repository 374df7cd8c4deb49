import { isFinal, mayChange, type Package } from '@waybill/contract';
import { Map, MapPin } from 'lucide-react';
import { useState } from 'react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/Button.tsx';

const PinDialog = lazyComponent(() => importWithRetry(async () => (await import('./PinDialog.tsx')).PinDialog));
const PlaceMap = lazyComponent(() => importWithRetry(async () => (await import('./PlaceMap.tsx')).PlaceMap));

const found = {
  rooftop: 'Building found',
  pin: 'Set by a pin',
  street: 'Only the street was found',
  town: 'Only the town was found',
} as const;

interface PlaceOfAddressProps {
  pkg: Package;
  /** The address where it goes back to, instead of the recipient's. */
  returnTo?: Package['returnTo'];
}

/** How exactly the place of a package's address is known, and a pin for who may set one. */
export function PlaceOfAddress({ pkg, returnTo }: PlaceOfAddressProps) {
  const { permissions } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [isShown, setShown] = useState(false);
  const isStaff = permissions.includes('packages.view_all');
  const mayPin =
    permissions.includes('packages.update') &&
    (isStaff || returnTo ? !isFinal(pkg.status) : mayChange('address', pkg.status));
  const { place } = returnTo ?? pkg;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span>{place ? found[place.accuracy] : 'Not found yet'}</span>
        {place && (
          <span className="figures text-ink-2">
            {place.lat.toFixed(5)}, {place.lon.toFixed(5)}
          </span>
        )}
        <span className="flex flex-wrap gap-2">
          {place && (
            <Button
              size="sm"
              variant="secondary"
              aria-expanded={isShown}
              icon={<Map aria-hidden="true" className="size-4" />}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? 'Hide the Map' : 'Show on Map'}
            </Button>
          )}
          {mayPin && (
            <Button
              size="sm"
              variant="secondary"
              icon={<MapPin aria-hidden="true" className="size-4" />}
              onClick={() => setOpen(true)}
            >
              {place ? 'Move the Pin' : 'Set a Pin'}
            </Button>
          )}
        </span>
      </span>
      {isShown && place && <PlaceMap place={place} />}
      {isOpen && (
        <PinDialog
          pkg={returnTo ? { id: pkg.id, recipientAddress: returnTo.address, place } : pkg}
          ofReturn={returnTo !== undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
