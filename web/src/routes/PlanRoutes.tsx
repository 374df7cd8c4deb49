import { costOfDrive } from '@waybill/contract';
import type { Plan, PlanChange, PlanFault, PlanRoute, PlanStop } from '@waybill/contract';
import { ChevronDown, ChevronUp, GripVertical, TriangleAlert, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { mapColours } from '../maps/map-types.ts';
import { formatCountOf, formatWeight } from '../platform/formats.ts';
import { money } from '../platform/money.ts';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Select } from '../ui/Select.tsx';
import { hours, kilometres } from './drive-text.ts';
import { insertedAt, timeIn, windowIn } from './plan.ts';
import type { Planning } from './planning.ts';
import { planColour } from './PlanMap.tsx';
import { useDrag } from './useDrag.ts';
import type { Place, Shown } from './useDrag.ts';

interface PlanRoutesProps {
  plan: Plan;
  planning: Planning;
  /** At most one stop. */
  chosen: ReadonlySet<string>;
  onChosen: (next: ReadonlySet<string>) => void;
  /** Null while nothing can be changed. */
  onChange: ((routes: PlanChange['routes']) => void) | null;
}

interface DraggedStop extends Shown {
  packageId: string;
}

const none: ReadonlySet<string> = new Set();
const leaveOut = 'leave out';

/** The routes of a plan, side by side. Stops are dragged between them, or moved by keys and by the bar of the chosen stop. */
export function PlanRoutes({ plan, planning, chosen, onChosen, onChange }: PlanRoutesProps) {
  const { nameOf, depot } = planning;
  const zone = depot.timeZone;
  // Every driver of the plan has a list, so that a stop can be dropped on one who has none.
  const lists = plan.driverIds.map((driverId) => ({
    driverId,
    route: plan.routes.find((route) => route.driverId === driverId),
  }));
  const orders = new Map(
    lists.map(({ driverId, route }) => [driverId, route?.stops.map(({ packageId }) => packageId) ?? []] as const),
  );
  const place = (packageId: string, { routeId, at }: Partial<Place>) => {
    if (!onChange) return;
    const next = plan.driverIds.map((driverId) => {
      const order = orders.get(driverId) ?? [];
      return {
        driverId,
        packageIds:
          driverId === routeId
            ? insertedAt(order, [packageId], at ?? order.length)
            : order.filter((id) => id !== packageId),
      };
    });
    const isSame = next.every(({ driverId, packageIds }) => packageIds.join() === orders.get(driverId)?.join());
    if (!isSame) onChange(next);
  };
  const drag = useDrag<DraggedStop>(({ packageId }, to) => place(packageId, to));
  const { dragging } = drag;
  const [only] = chosen;
  const at = lists.findIndex(({ driverId }) => only !== undefined && orders.get(driverId)?.includes(only));
  const own = lists[at];
  const position = own && only !== undefined ? (orders.get(own.driverId)?.indexOf(only) ?? -1) : -1;
  const chosenStop = [...plan.routes.flatMap(({ stops }) => stops), ...plan.unassigned].find(
    ({ packageId }) => packageId === only,
  );
  const step = (by: 1 | -1) => {
    if (!own || only === undefined) return;
    const to = position + by;
    if (to < 0 || to >= (orders.get(own.driverId)?.length ?? 0)) return;
    place(only, { routeId: own.driverId, at: by > 0 ? to + 1 : to });
  };
  const press = (packageId: string) => (event: KeyboardEvent) => {
    const row = event.currentTarget.closest('[data-plan-routes]');
    const current = lists.findIndex(({ driverId }) => orders.get(driverId)?.includes(packageId));
    const list = lists[current];
    if (!list) return;
    const order = orders.get(list.driverId) ?? [];
    const index = order.indexOf(packageId);
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const beside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined && beside === undefined) return;
    event.preventDefault();
    const other = beside === undefined ? undefined : lists[current + beside];
    const to = index + (by ?? 0);
    if (event.altKey) {
      if (other) place(packageId, { routeId: other.driverId, at: index });
      else if (by !== undefined && to >= 0 && to < order.length)
        place(packageId, { routeId: list.driverId, at: by > 0 ? to + 1 : to });
      return;
    }
    const there = other && (orders.get(other.driverId) ?? []);
    const target = there ? there[Math.min(index, there.length - 1)] : order[to];
    row?.querySelector<HTMLElement>(`[data-stop="${target}"]`)?.focus();
  };
  return (
    <>
      {chosenStop && onChange && (
        <div
          role="group"
          aria-label="Move the chosen stop"
          className="sticky top-0 z-10 flex flex-wrap items-center gap-2 rounded-card border border-brand bg-surface px-3 py-2 shadow-float"
        >
          <span className="min-w-0 grow truncate text-ui font-semibold text-ink">
            {chosenStop.street ?? chosenStop.name}
          </span>
          {own && (
            <>
              <IconButton size="sm" label="One place earlier" icon={<ChevronUp />} onClick={() => step(-1)} />
              <IconButton size="sm" label="One place later" icon={<ChevronDown />} onClick={() => step(1)} />
            </>
          )}
          <span className="w-48">
            <Select
              size="sm"
              aria-label="Move to"
              placeholder="Move to..."
              value=""
              options={[
                ...lists
                  .filter((list) => list !== own)
                  .map(({ driverId }) => ({ value: driverId, label: nameOf(driverId) })),
                ...(own ? [{ value: leaveOut, label: 'Leave it out' }] : []),
              ]}
              onValueChange={(value) => only !== undefined && place(only, value === leaveOut ? {} : { routeId: value })}
            />
          </span>
          <IconButton size="sm" label="Choose nothing" icon={<X aria-hidden="true" />} onClick={() => onChosen(none)} />
        </div>
      )}
      <ul
        aria-label="Routes of this plan"
        data-plan-routes=""
        data-columns=""
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] items-start gap-3"
      >
        {lists.map(({ driverId, route }) => (
          <li
            key={driverId}
            data-route={driverId}
            aria-label={`Route of ${nameOf(driverId)}`}
            className={classes(
              'overflow-hidden rounded-card border bg-surface',
              dragging?.over?.routeId === driverId ? 'border-brand outline-2 outline-brand' : 'border-line',
            )}
          >
            <RouteHead plan={plan} planning={planning} driverId={driverId} route={route} />
            <ol className="text-table">
              {route?.stops.map((stop, index) => (
                <StopRow
                  key={stop.packageId}
                  stop={stop}
                  number={index + 1}
                  zone={zone}
                  faults={route.faults.filter(({ packageId }) => packageId === stop.packageId)}
                  isChosen={chosen.has(stop.packageId)}
                  isMovable={onChange !== null}
                  isDragged={dragging?.item.packageId === stop.packageId}
                  hasLineAbove={dragging?.over?.routeId === driverId && dragging.over.at === index}
                  onChoose={() => onChosen(chosen.has(stop.packageId) ? none : new Set([stop.packageId]))}
                  onKeyDown={press(stop.packageId)}
                  onGrab={(event) =>
                    onChange &&
                    drag.begin(event, {
                      packageId: stop.packageId,
                      label: stop.street ?? stop.name,
                      hint: [stop.postalCode, windowIn(zone, stop.window)].filter(Boolean).join(', '),
                    })
                  }
                />
              ))}
            </ol>
            {!route && <p className="px-3 py-3 text-meta text-ink-3">No stops</p>}
          </li>
        ))}
      </ul>
      {dragging &&
        createPortal(
          <div
            aria-hidden="true"
            className="pointer-events-none fixed z-50 w-[13.25rem] -rotate-[1.6deg] rounded-control border-[1.5px] border-brand bg-surface px-3 py-1.5 shadow-float"
            style={{ left: `${dragging.x + 8}px`, top: `${dragging.y + 8}px` }}
          >
            <span className="block truncate text-table font-medium text-ink">{dragging.item.label}</span>
            <span className="block truncate text-meta figures text-ink-3">{dragging.item.hint}</span>
          </div>,
          document.body,
        )}
    </>
  );
}

interface RouteHeadProps {
  plan: Plan;
  planning: Planning;
  driverId: string;
  route: PlanRoute | undefined;
}

/** Who drives, from when to when and how far; beside it the same of the route that they have now. */
function RouteHead({ plan, planning: { nameOf, depot }, driverId, route }: RouteHeadProps) {
  const [light, dark] = mapColours[planColour(plan, driverId)];
  const time = (moment: string) => timeIn(depot.timeZone, moment);
  const now = plan.present.find((one) => one.driverId === driverId);
  const faults = route?.faults.filter(({ packageId }) => packageId === null) ?? [];
  return (
    <div className="border-b border-line bg-canvas px-3 py-2">
      <p className="flex items-center gap-2 text-ui font-semibold text-ink">
        <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0">
          <circle cx="5" cy="5" r="5" style={{ fill: `light-dark(${light}, ${dark})` }} />
        </svg>
        <span className="truncate">{nameOf(driverId)}</span>
      </p>
      {route && (
        <p className="text-meta figures text-ink-2">
          {formatCountOf(route.stops.length, 'stop')}, {time(route.startsAt)} to {time(route.endsAt)},{' '}
          <span className="whitespace-nowrap">{kilometres(route.metres)},</span>{' '}
          <span className="whitespace-nowrap">
            {formatWeight(route.kilograms)}
            {plan.rates && ','}
          </span>
          {plan.rates && ` ${money(costOfDrive(route, plan.rates), plan.rates.currency)}`}
        </p>
      )}
      {now && (
        <p className="text-meta figures text-ink-3">
          Now: {formatCountOf(now.stops, 'stop')}
          {now.endsAt && `, until ${time(now.endsAt)}`}, {kilometres(now.metres)}
          {now.late > 0 && `, ${now.late} late`}
        </p>
      )}
      {faults.length > 0 && (
        <ul className="mt-1 text-meta font-medium text-danger">
          {faults.map((fault) => (
            <li key={fault.reason} className="flex items-start gap-1.5">
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" /> {faultText(fault)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function faultText({ reason, by }: PlanFault): string {
  switch (reason) {
    case 'window':
      return `${hours(by)} after its window`;
    case 'shift':
      return `Ends ${hours(by)} after the shift`;
    case 'capacity':
      return `${formatWeight(by)} too heavy for this vehicle`;
    case 'too_many_stops':
      return `${formatCountOf(by, 'stop')} more than this vehicle takes`;
    case 'skill':
      return 'Must be kept cold: this vehicle is not refrigerated';
  }
}

interface StopRowProps {
  stop: PlanStop;
  number: number;
  zone: string;
  faults: PlanFault[];
  isChosen: boolean;
  isMovable: boolean;
  isDragged: boolean;
  hasLineAbove: boolean;
  onChoose: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onGrab: (event: React.PointerEvent) => void;
}

function StopRow({
  stop,
  number,
  zone,
  faults,
  isChosen,
  isMovable,
  isDragged,
  hasLineAbove,
  onChoose,
  onKeyDown,
  onGrab,
}: StopRowProps) {
  const window = windowIn(zone, stop.window);
  return (
    <li
      data-open-stop=""
      onPointerDown={onGrab}
      className={classes(
        'relative flex items-center border-b border-line last:border-b-0',
        isChosen && 'bg-brand-soft',
        isDragged && 'opacity-35',
        hasLineAbove && 'before:absolute before:inset-x-0 before:-top-px before:h-0.5 before:bg-brand',
      )}
    >
      <button
        type="button"
        data-stop={stop.packageId}
        aria-pressed={isChosen}
        title={isMovable ? 'Alt and the arrow keys move it' : undefined}
        onClick={onChoose}
        onKeyDown={onKeyDown}
        className={classes(
          'flex min-h-9 min-w-0 grow items-center gap-2 px-2 py-1 text-left focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
          isMovable && 'md:cursor-grab',
        )}
      >
        <span className="w-5 shrink-0 text-right text-meta figures text-ink-3">{number}</span>
        <span className="min-w-0 grow">
          <span className="block truncate text-ink">{stop.street ?? stop.name}</span>
          <span className="block truncate text-meta figures text-ink-3">
            {[[stop.postalCode, stop.town].filter(Boolean).join(' '), window].filter(Boolean).join(', ')}
          </span>
          {faults.map((fault) => (
            <span key={fault.reason} className="block text-meta font-semibold text-danger">
              {faultText(fault)}
            </span>
          ))}
        </span>
        <span className={classes('shrink-0 figures', faults.length > 0 ? 'font-semibold text-danger' : 'text-ink-2')}>
          {timeIn(zone, stop.arrivesAt)}
        </span>
      </button>
      {isMovable && (
        <span
          data-grip=""
          aria-hidden="true"
          className="hidden h-11 w-9 shrink-0 touch-none items-center justify-center text-ink-3 pointer-coarse:flex"
        >
          <GripVertical className="size-4" />
        </span>
      )}
    </li>
  );
}
