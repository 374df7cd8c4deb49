import { createPortal } from 'react-dom';
import { openStops, minutesPerStop, timeIn } from './plan.ts';
import type { Planning } from './planning.ts';

/** When the dragged package would be expected at the place under the pointer, and whether that is in its window. */
function expectedAt({ routes, depot, drag: { dragging } }: Planning): { text: string; late: boolean } | null {
  const route = routes.find(({ id }) => id === dragging?.over?.routeId);
  if (!dragging || !route) return null;
  const open = openStops(route).filter(
    ({ packageId }) => dragging.item.kind !== 'stop' || packageId !== dragging.item.stop.packageId,
  );
  const at = dragging.over?.at ?? open.length;
  const last = open.at(-1)?.arrivesAt;
  const each = minutesPerStop(route);
  const there = open[at]?.arrivesAt;
  const moment = there ? Date.parse(there) : last && each !== null ? Date.parse(last) + each * 60_000 : null;
  if (moment === null) return null;
  const window = dragging.item.kind === 'row' ? dragging.item.row.window : dragging.item.stop.delivery.window;
  const late = window !== null && moment > Date.parse(window.to);
  return { text: `${timeIn(depot.timeZone, moment)}${window ? (late ? ', late' : ', in time') : ''}`, late };
}

/** What follows the pointer: the price of the drop before the drop. */
export function DragGhost({ planning }: { planning: Planning }) {
  const { dragged: count } = planning;
  const { dragging } = planning.drag;
  if (!dragging) return null;
  const expected = expectedAt(planning);
  return createPortal(
    <div
      aria-hidden="true"
      className="pointer-events-none fixed z-50 w-[13.25rem] -rotate-[1.6deg] rounded-control border-[1.5px] border-brand bg-surface px-3 py-1.5 shadow-float"
      style={{ left: `${dragging.x + 8}px`, top: `${dragging.y + 8}px` }}
    >
      <span className="flex items-baseline justify-between gap-2 text-table">
        <span className="truncate font-medium text-ink">{dragging.item.label}</span>
        {count > 1 && <span className="font-semibold figures text-brand">{count}</span>}
      </span>
      <span className="flex items-baseline justify-between gap-2 text-meta figures">
        <span className="truncate text-ink-3">{dragging.item.hint}</span>
        {expected && (
          <span className={expected.late ? 'font-semibold text-danger' : 'font-semibold text-green-ink'}>
            {expected.text}
          </span>
        )}
      </span>
    </div>,
    document.body,
  );
}
