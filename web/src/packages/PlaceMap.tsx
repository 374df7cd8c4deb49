import type { Place } from '@waybill/contract';
import { useMemo } from 'react';
import type { MapPoint } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';

/** Where an address is. The place that is only that of a street or town is fainter than a building's. */
export function PlaceMap({ place: { lon, lat, accuracy } }: { place: Place }) {
  const points = useMemo((): MapPoint[] => {
    const isExact = accuracy === 'rooftop' || accuracy === 'pin';
    return [{ id: 'place', kind: 'stop', colour: isExact ? 'blue' : 'grey', faint: !isExact, lon, lat }];
  }, [lon, lat, accuracy]);
  return (
    <MapView
      label="Map: the place of the address"
      className="mt-3 h-64"
      points={points}
      fitKey={`${lon} ${lat}`}
      cooperative
    />
  );
}
