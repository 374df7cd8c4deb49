import { useQuery } from '@tanstack/react-query';
import type { ArrivalFigures } from '@waybill/contract';
import { Panel } from '../ui/Panel.tsx';
import { reachableWhenScrolling } from '../ui/scrollable.ts';
import { formatRate } from './figures.ts';
import { arrivalsQuery } from './queries.ts';

type Horizon = ArrivalFigures['horizons'][number];

const nameOf = ({ fromStops, toStops }: Horizon) => {
  if (toStops === fromStops) return 'Next stop';
  return toStops === null ? `${fromStops} stops or more` : `${fromStops} to ${toStops} stops`;
};
const minutes = (value: number) => `${value.toFixed(1)} min`;

/** How often drivers came within the windows that were shown, by how many stops they had to go. */
export function ArrivalsPanel() {
  const query = useQuery(arrivalsQuery());
  return (
    <Panel title="Arrival windows of the last 28 days" query={query} loadingHeight="h-56">
      {({ horizons }) =>
        horizons.length === 0 ? (
          <p className="text-ui text-ink-2">
            No arrivals yet. Windows are counted on started routes whose depot and stops have places.
          </p>
        ) : (
          <>
            <p className="mb-3 text-ui text-ink-2">
              A good window holds 75 to 85 % of the arrivals: more says that it is too wide, less that it is too narrow.
            </p>
            <div ref={reachableWhenScrolling} className="overflow-x-auto">
              <table aria-label="Arrival windows by stops to go" className="w-full text-left text-ui">
                <thead className="text-table text-ink-3">
                  <tr>
                    {['Stops to go', 'Arrivals', 'In the window', 'After it', 'Error', 'Error of a fixed time'].map(
                      (name) => (
                        <th
                          key={name}
                          scope="col"
                          className="py-2 pr-4 font-medium whitespace-nowrap not-first:text-right last:pr-0"
                        >
                          {name}
                        </th>
                      ),
                    )}
                  </tr>
                </thead>
                <tbody className="figures divide-y divide-line">
                  {horizons.map((horizon) => (
                    <tr key={horizon.fromStops}>
                      <th scope="row" className="py-2 pr-4 font-medium whitespace-nowrap">
                        {nameOf(horizon)}
                      </th>
                      <td className="py-2 pr-4 text-right">{horizon.arrivals}</td>
                      <td className="py-2 pr-4 text-right">
                        <span className="inline-flex items-center gap-2">
                          <Bar percent={horizon.inWindow} />
                          {formatRate(horizon.inWindow)}
                        </span>
                      </td>
                      <td className="py-2 pr-4 text-right">{formatRate(horizon.late)}</td>
                      <td className="py-2 pr-4 text-right whitespace-nowrap">{minutes(horizon.minutes)}</td>
                      <td className="py-2 text-right whitespace-nowrap">{minutes(horizon.fixedMinutes)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      }
    </Panel>
  );
}

/** The share beside its number. The goal, 75 to 85 %, is marked. */
function Bar({ percent }: { percent: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none" className="hidden h-2 w-24 sm:block">
      <rect width="100" height="8" rx="2" className="fill-sunken" />
      <rect width={percent} height="8" rx="2" className="fill-blue-dot" />
      <rect x="75" width="10" height="8" className="fill-green-dot opacity-40" />
    </svg>
  );
}
