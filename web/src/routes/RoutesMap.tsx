import { useQuery } from '@tanstack/react-query';
import { isOpenStop } from '@waybill/contract';
import type { MappedWaiting, WaitingFilter } from '@waybill/contract';
import { useMemo } from 'react';
import { mapColours, routeColours, type LonLat, type MapLine, type MapPoint } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';
import { formatCountOf } from '../platform/formats.ts';
import { useCan } from '../users/useCan.ts';
import type { Planning } from './planning.ts';
import { waitingMapQuery } from './queries.ts';
import { lineOf, positionOf, positionOfStop } from './route-line.ts';
import { chooseRows, isChosen } from './selection.ts';
import type { Chosen } from './selection.ts';

const none: MappedWaiting[] = [];

const colourOf = (index: number) => routeColours[index % routeColours.length] ?? 'blue';

interface RoutesMapProps {
  planning: Planning;
  filter: WaitingFilter;
  chosen: Chosen;
  onChosen: (next: Chosen) => void;
}

/**
 * What waits, as in the list, and the routes of the day that are not finished: their stops by number, joined in order. What has no place is not on it, and the list
 * and the columns have it all. What is selected here is selected there.
 */
export function RoutesMap({ planning, filter, chosen, onChosen }: RoutesMapProps) {
  const { day, depot, nameOf, stops: selected, onStops } = planning;
  // Finished ones would cover what is still to be done; their columns have them.
  const routes = useMemo(() => planning.routes.filter(({ state }) => state !== 'finished'), [planning.routes]);
  const seesPlaces = useCan({ permissions: ['packages.view_all'] });
  const waiting = useQuery({ ...waitingMapQuery(filter), enabled: seesPlaces });
  const rows = waiting.data?.packages ?? none;
  // Those of the filter before stay until the new one is answered, and are only looked at.
  const choosable = waiting.isPlaceholderData ? none : rows;
  const { points, lines, missing } = useMemo(() => {
    const shown: MapPoint[] = [];
    const joined: MapLine[] = [];
    let without = 0;
    if (depot.place) shown.push({ id: 'depot', kind: 'depot', text: 'D', colour: 'grey', ...positionOf(depot.place) });
    for (const [index, route] of routes.entries()) {
      const colour = colourOf(index);
      for (const { packageId, position, state, delivery } of route.stops) {
        const at = positionOfStop(delivery);
        if (!at) {
          // Nobody looks for the door of one that is done.
          if (isOpenStop(state)) without += 1;
          continue;
        }
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
      joined.push({ id: route.id, colour, at: lineOf(route, depot.place), dashed: true });
    }
    return { points: shown, lines: joined, missing: without };
  }, [routes, depot, selected]);
  const waitingPoints = useMemo(
    () =>
      rows.map((row): MapPoint => ({
        id: row.id,
        kind: 'stop',
        colour: isChosen(chosen, row) ? 'red' : 'grey',
        ...positionOf(row),
      })),
    [rows, chosen],
  );
  const all = useMemo(() => [...waitingPoints, ...points], [waitingPoints, points]);
  const chooseArea = (southWest: LonLat, northEast: LonLat) => {
    const isWithin = ({ lon, lat }: LonLat) =>
      lon >= southWest.lon && lon <= northEast.lon && lat >= southWest.lat && lat <= northEast.lat;
    onChosen(chooseRows(chosen, choosable.filter(isWithin), true));
    const within = new Set(points.filter(isWithin).map(({ id }) => id));
    const next = new Map(selected);
    for (const { id, stops } of routes)
      for (const { packageId, state } of stops) if (isOpenStop(state) && within.has(packageId)) next.set(packageId, id);
    if (next.size > selected.size) onStops(next);
  };
  const choose = (packageId: string) => {
    const row = choosable.find(({ id }) => id === packageId);
    if (row) {
      onChosen(chooseRows(chosen, [row], !isChosen(chosen, row)));
      return;
    }
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
        points={all}
        lines={lines}
        fitKey={`${depot.id} ${day} ${routes.length} ${waiting.isSuccess}`}
        onChoose={choose}
        onArea={chooseArea}
      />
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 px-1 text-meta text-ink-2">
        {routes.map(({ id, driverId }, index) => (
          <li key={id} className="flex items-center gap-1.5">
            <Dot colour={mapColours[colourOf(index)]} />
            {nameOf(driverId)}
          </li>
        ))}
        {missing > 0 && <li className="text-yellow-ink">{formatCountOf(missing, 'stop')} without a place</li>}
        {rows.length > 0 && (
          <li className="flex items-center gap-1.5">
            <Dot colour={mapColours.grey} />
            {formatCountOf(rows.length, 'waiting package')}
            {waiting.data?.more && ', and more'}
          </li>
        )}
        {waiting.isError && (
          <li className="text-red-ink">What waits could not be loaded on the map. The list has it.</li>
        )}
        <li className="text-ink-3">
          Lines are straight, roads are not. A click selects, and dragging with Shift selects an area.
        </li>
      </ul>
    </div>
  );
}

function Dot({ colour: [light, dark] }: { colour: readonly [string, string] }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5">
      <circle cx="5" cy="5" r="5" style={{ fill: `light-dark(${light}, ${dark})` }} />
    </svg>
  );
}
