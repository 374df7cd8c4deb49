import type { Absence, Depot, Route, Shift } from '@waybill/contract';
import type { Acts } from './useActs.ts';
import type { Drag } from './useDrag.ts';

/** What the parts of the dispatch screen share. */
export interface Planning {
  day: string;
  depot: Depot;
  depots: readonly Depot[];
  routes: readonly Route[];
  shifts: readonly Shift[];
  absences: readonly Absence[];
  nameOf: (driverId: string | null) => string;
  acts: Acts;
  drag: Drag;
  /** How many packages or stops are dragged. */
  dragged: number;
  /** The stops that are selected, by the id of their package: the id of their route. */
  stops: ReadonlyMap<string, string>;
  onStops: (stops: ReadonlyMap<string, string>) => void;
  /** Why a route did not change, by its id. */
  stale: ReadonlyMap<string, string>;
  onEdit: (route: Route) => void;
  onIll: (route: Route) => void;
}
