import type { PublicView } from '@waybill/contract';
import { useEffect, useRef, useState } from 'react';
import type { MapHandle } from '../maps/engine.ts';
import { texts } from '../maps/map-texts.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';

/** Where the map may cover the drawing: below the page's header, above the ticket. Styles of the page would be loaded by everybody. */
const room = { position: 'absolute', inset: '4.0625rem 0 min(4.625rem, max(1.875rem, 5.2vw))' } as const;

/** The driver on the way to this package, over the drawing, which stays where no map can be shown. Nothing of the recipient is on it. */
export function TrackMap({ at }: { at: NonNullable<PublicView['driverPosition']> }) {
  const container = useRef<HTMLDivElement>(null);
  const [handle, setHandle] = useState<MapHandle | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    let opened: MapHandle | null = null;
    const open = async () => {
      const { openMap } = await importWithRetry(() => import('../maps/engine.ts'));
      if (isGone || !container.current) return;
      opened = openMap({
        container: container.current,
        label: texts.driver,
        cooperative: texts,
        // The place is rounded to some 100 m: closer would pretend to know the house.
        closestZoom: 14,
        onState: (state) => state === 'failed' && setFailed(true),
        onChoose: () => {},
        onPin: null,
        onArea: null,
      });
      setHandle(opened);
    };
    open().catch(() => setFailed(true));
    return () => {
      isGone = true;
      opened?.close();
    };
  }, []);
  const { lon, lat } = at;
  useEffect(() => {
    handle?.show([{ id: 'driver', kind: 'driver', colour: 'blue', lon, lat }], []);
    handle?.fit(`${lon} ${lat}`, [{ lon, lat }]);
  }, [handle, lon, lat]);
  if (hasFailed) return null;
  return <div ref={container} style={room} data-track-map="" />;
}
