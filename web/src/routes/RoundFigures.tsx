import { isOpenStop } from '@waybill/contract';
import type { Route, StopState } from '@waybill/contract';
import { formatCount } from '../platform/formats.ts';
import { texts } from './round-texts.ts';

/** How the stops of a round ended. */
export function RoundFigures({ route }: { route: Route }) {
  const count = (...states: StopState[]) => route.stops.filter(({ state }) => states.includes(state)).length;
  const open = route.stops.filter(({ state }) => isOpenStop(state)).length;
  const left = count('left');
  const figures = [
    [texts.delivered, count('delivered')],
    [texts.failed, count('failed')],
    ...(open > 0 ? [[texts.states.open, open] as const] : []),
    ...(left > 0 || open === 0 ? [[texts.left, left] as const] : []),
  ] as const;
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
      {figures.map(([label, value]) => (
        <div
          key={label}
          className="figure flex min-h-16 flex-col-reverse items-center justify-center gap-0.5 rounded-card border border-line bg-surface px-2 py-2 text-center"
        >
          <dt className="text-meta text-ink-2">{label}</dt>
          <dd className="text-[1.5rem]/[1.75rem] font-semibold figures">{formatCount(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
