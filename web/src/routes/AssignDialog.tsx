import type { Route } from '@waybill/contract';
import { formatCountOf, formatWeight } from '../platform/formats.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Initials } from '../users/Initials.tsx';
import { endOf, minutesOver, openStops, shiftOf, timeIn } from './plan.ts';
import type { Planning } from './planning.ts';

interface AssignDialogProps {
  planning: Planning;
  open: boolean;
  onClose: () => void;
  /** What is assigned, in words. */
  what: string;
  /** Why a route cannot take it; null if it can. */
  refusalOf: (route: Route) => string | null;
  onAssign: (route: Route) => void;
}

/** Chooses the route of the selected packages and stops: they become its last stops. */
export function AssignDialog({ planning, open, onClose, what, refusalOf, onAssign }: AssignDialogProps) {
  const { routes, depot, shifts, nameOf } = planning;
  const offered = routes.filter(({ state }) => state !== 'finished');
  return (
    <Dialog open={open} onOpenChange={onClose} title="Assign to" description={what} footer={<DialogClose />}>
      {offered.length === 0 ? (
        <EmptyState title="There are no routes on this day" description="Split evenly makes some." />
      ) : (
        <ul className="flex flex-col gap-2">
          {offered.map((route) => {
            const refusal = refusalOf(route);
            const end = endOf(route);
            const over = minutesOver(route, shiftOf(route, shifts, depot));
            const name = nameOf(route.driverId);
            return (
              <li key={route.id}>
                <button
                  type="button"
                  disabled={refusal !== null}
                  onClick={() => {
                    onAssign(route);
                    onClose();
                  }}
                  className="flex min-h-14 w-full items-center gap-3 rounded-control border border-line px-4 py-2 text-left transition-colors hover:border-brand hover:bg-brand-soft disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken"
                >
                  <Initials name={name} />
                  <span className="min-w-0 grow">
                    <span className="block text-body text-ink wrap-anywhere">{name}</span>
                    <span className="block text-table figures text-ink-3">
                      {refusal ??
                        [formatCountOf(openStops(route).length, 'stop'), formatWeight(route.kilograms)].join(' · ')}
                    </span>
                  </span>
                  {end && (
                    <span className={over > 0 ? 'text-table figures text-danger' : 'text-table figures text-ink-2'}>
                      ends {timeIn(depot.timeZone, end)}
                    </span>
                  )}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}
