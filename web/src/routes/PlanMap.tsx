import type { Plan } from '@waybill/contract';
import { useMemo } from 'react';
import { routeColours, type LonLat, type MapColour, type MapLine, type MapPoint } from '../maps/map-types.ts';
import { MapView } from '../maps/MapView.tsx';
import type { Planning } from './planning.ts';

/** The colour of a route of a plan, by its place among the drivers of the plan: it stays while the plan gets better. */
export const planColour = ({ driverIds }: Pick<Plan, 'driverIds'>, driverId: string): MapColour =>
  routeColours[Math.max(0, driverIds.indexOf(driverId)) % routeColours.length] ?? 'blue';

interface PlanMapProps {
  plan: Plan;
  planning: Planning;
  chosen: ReadonlySet<string>;
  onChoose: (packageId: string) => void;
}

/** The routes of a plan. The lists below say the same. */
export function PlanMap({ plan, planning: { depot }, chosen, onChoose }: PlanMapProps) {
  const { points, lines } = useMemo(() => {
    const base: LonLat[] = depot.place ? [{ lon: depot.place.lon, lat: depot.place.lat }] : [];
    const shown: MapPoint[] = base.map((at) => ({ id: 'depot', kind: 'depot', colour: 'grey', ...at }));
    const joined: MapLine[] = [];
    for (const { driverId, start, end, stops } of plan.routes) {
      const colour = planColour(plan, driverId);
      const along: LonLat[] = start ? [start] : [...base];
      for (const [index, { packageId, place }] of stops.entries()) {
        if (!place) continue;
        along.push(place);
        shown.push({
          id: packageId,
          kind: 'stop',
          text: String(index + 1),
          colour: chosen.has(packageId) ? 'red' : colour,
          ...place,
        });
      }
      joined.push({ id: driverId, colour, at: [...along, ...(end ? [end] : base)], dashed: true });
    }
    for (const { packageId, place } of plan.unassigned)
      if (place)
        shown.push({
          id: packageId,
          kind: 'stop',
          colour: chosen.has(packageId) ? 'red' : 'grey',
          faint: !chosen.has(packageId),
          ...place,
        });
    return { points: shown, lines: joined };
  }, [plan, depot, chosen]);
  return (
    <MapView
      label="Map: the routes of this plan"
      className="h-64 lg:h-full lg:min-h-80"
      points={points}
      lines={lines}
      fitKey={plan.id}
      onChoose={(id) => id !== 'depot' && onChoose(id)}
    />
  );
}
