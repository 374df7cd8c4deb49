import { isOpenStop } from '@waybill/contract';
import { useMemo } from 'react';
import { mapColours, routeColours, type LonLat, type MapLine, type MapPoint } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';
import { formatCountOf } from '../platform/formats.ts';
import type { Planning } from './planning.ts';

const colourOf = (index: number) => routeColours[index % routeColours.length] ?? 'blue';
const isMiddleOfTown = ({ accuracy }: { accuracy: string }) => accuracy === 'town';

/** The routes of the day: their stops by number, joined in order. A stop without a place is not on it, and the columns have them all. */
export function RoutesMap({ routes, depot, nameOf, stops: selected, onStops }: Planning) {
  const { points, lines, missing } = useMemo(() => {
    const shown: MapPoint[] = [];
    const joined: MapLine[] = [];
    let without = 0;
    if (depot.place) shown.push({ id: 'depot', kind: 'depot', colour: 'grey', ...positionOf(depot.place) });
    for (const [index, route] of routes.entries()) {
      const colour = colourOf(index);
      const along: LonLat[] = depot.place ? [positionOf(depot.place)] : [];
      for (const { packageId, position, state, delivery } of route.stops) {
        if (!delivery.place || isMiddleOfTown(delivery.place)) {
          without += 1;
          continue;
        }
        const at = positionOf(delivery.place);
        along.push(at);
        const isOpen = isOpenStop(state);
        const isSelected = selected.has(packageId);
        shown.push({
          id: packageId,
          kind: 'stop',
          text: String(position),
          colour: isSelected ? 'red' : colour,
          faint: !isOpen,
          ...at,
        });
      }
      joined.push({ id: route.id, colour, at: along, dashed: true });
    }
    return { points: shown, lines: joined, missing: without };
  }, [routes, depot, selected]);
  const choose = (packageId: string) => {
    const route = routes.find(({ stops }) =>
      stops.some((stop) => stop.packageId === packageId && isOpenStop(stop.state)),
    );
    if (!route) return;
    const next = new Map(selected);
    if (!next.delete(packageId)) next.set(packageId, route.id);
    onStops(next);
  };
  return (
    <div className="shrink-0 border-b border-line p-2">
      <MapView
        label="Map: the routes of the day"
        className="h-72 lg:h-[42dvh]"
        points={points}
        lines={lines}
        fitKey={`${depot.id} ${routes.length}`}
        onChoose={choose}
      />
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 px-1 text-meta text-ink-2">
        {routes.map(({ id, driverId }, index) => (
          <li key={id} className="flex items-center gap-1.5">
            <Dot colour={mapColours[colourOf(index)]} />
            {nameOf(driverId)}
          </li>
        ))}
        {missing > 0 && <li className="text-yellow-ink">{formatCountOf(missing, 'stop')} without a place</li>}
        <li className="text-ink-3">Lines are straight, roads are not. A click selects a stop.</li>
      </ul>
    </div>
  );
}

const positionOf = ({ lon, lat }: LonLat): LonLat => ({ lon, lat });

function Dot({ colour: [light, dark] }: { colour: readonly [string, string] }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5">
      <circle cx="5" cy="5" r="5" style={{ fill: `light-dark(${light}, ${dark})` }} />
    </svg>
  );
}
