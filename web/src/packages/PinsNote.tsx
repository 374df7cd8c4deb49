import { useQuery } from '@tanstack/react-query';
import type { Package } from '@waybill/contract';
import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { useCan } from '../users/useCan.ts';
import { pinsQuery } from './queries.ts';

const PinQueue = lazyComponent(() => importWithRetry(async () => (await import('./PinQueue.tsx')).PinQueue));

/** How many packages need a pin, of an owner or of all (null), and the way through them. Nothing while there is none. */
export function PinsNote({ ownerId }: { ownerId: string | null }) {
  const mayPin = useCan({ permissions: ['packages.update'] });
  const { data } = useQuery({ ...pinsQuery(ownerId), enabled: mayPin });
  const [opened, setOpened] = useState<readonly Package[] | null>(null);
  const total = data?.total ?? 0;
  if (!mayPin || (total === 0 && !opened)) return null;
  return (
    <>
      {total > 0 && (
        <Banner
          tone="yellow"
          icon={<MapPin />}
          title={
            total === 1
              ? '1 package needs a pin'
              : `${formatCount(total)}${data?.isCapped ? '+' : ''} packages need a pin`
          }
          action={
            <Button size="sm" variant="secondary" onClick={() => setOpened(data?.items ?? [])}>
              {total === 1 ? 'Set the Pin' : 'Set Pins'}
            </Button>
          }
        >
          {total === 1
            ? 'Its address was not found, so no driver can be sent there. Say on the map where the door is.'
            : 'Their addresses were not found, so no driver can be sent there. Say on the map where the doors are.'}
        </Banner>
      )}
      {opened && <PinQueue packages={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
