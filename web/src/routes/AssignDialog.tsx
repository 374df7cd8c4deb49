import { useQuery } from '@tanstack/react-query';
import { dayIn } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { Clock } from 'lucide-react';
import { useState } from 'react';
import { useToday } from '../platform/clock.ts';
import { formatCountOf, formatShortDay, formatWeight } from '../platform/formats.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { Initials } from '../users/Initials.tsx';
import { endOf, minutesOver, openStops, shiftOf, timeIn } from './plan.ts';
import type { Planning } from './planning.ts';
import type { WishedTime } from './proposed-day.ts';
import { dayRoutesQuery } from './queries.ts';

interface AssignDialogProps {
  planning: Planning;
  open: boolean;
  onClose: () => void;
  /** What is assigned, in words. */
  what: string;
  /** Why a route cannot take it; null if it can. */
  refusalOf: (route: Route) => string | null;
  onAssign: (route: Route) => void;
  /** When all of it is to be tried again; null if it was not tried, or is wanted now. */
  proposedDay: string | null;
  /** When it is wished. */
  wished: readonly WishedTime[];
  /** Makes a route of this day for it; null if it cannot. */
  onNewRoute: ((day: string) => void) | null;
}

/** A selection of hundreds has many. */
const shownWishes = 4;

/** Chooses the day and the route of the selected packages and stops: they become its last stops. */
export function AssignDialog({
  planning,
  open,
  onClose,
  what,
  refusalOf,
  onAssign,
  proposedDay,
  wished,
  onNewRoute,
}: AssignDialogProps) {
  const { depot, nameOf } = planning;
  const today = dayIn(depot.timeZone, useToday());
  const [day, setDay] = useState(proposedDay ?? planning.day);
  const isShown = day === planning.day;
  const others = useQuery({ ...dayRoutesQuery(day, depot.id), enabled: !isShown });
  const routes = isShown ? planning.routes : others.data;
  // Shifts of other weeks are not loaded: what ends after one is not marked there.
  const shifts = isShown ? planning.shifts : [];
  const offered = routes?.filter(({ state }) => state !== 'finished');
  return (
    <Dialog open={open} onOpenChange={onClose} title="Assign to" description={what} footer={<DialogClose />}>
      <div className="mb-4">
        <Field
          label="Day"
          hint={
            proposedDay === null
              ? undefined
              : proposedDay === day
                ? 'The next day on which it can be tried again'
                : `${formatShortDay(proposedDay)} is proposed`
          }
        >
          <Input
            type="date"
            value={day}
            min={today}
            max="9999-12-31"
            onChange={({ target }) => target.value && setDay(target.value)}
          />
        </Field>
        {wished.length > 0 && (
          <ul aria-label="Wished times" className="mt-3 flex flex-col gap-1 text-table figures text-ink-2">
            {wished.slice(0, shownWishes).map((wish) => (
              <li key={`${wish.day} ${wish.time}`} className="flex items-baseline gap-2">
                <Clock aria-hidden="true" className="size-3.5 shrink-0 translate-y-0.5 text-ink-3" />
                <span>
                  Wished {formatShortDay(wish.day)}, {wish.time}
                  {wish.packages > 1 && ` (${formatCountOf(wish.packages, 'package')})`}
                  {(day < wish.day || day > wish.lastDay) && <span className="text-danger"> · not on this day</span>}
                </span>
              </li>
            ))}
            {wished.length > shownWishes && <li>and {formatCountOf(wished.length - shownWishes, 'other time')}</li>}
          </ul>
        )}
      </div>
      {!offered ? (
        others.isError ? (
          <QueryError query={others} />
        ) : (
          <SkeletonGroup label="Loading routes">
            <Skeleton height="h-14" />
          </SkeletonGroup>
        )
      ) : offered.length === 0 ? (
        <EmptyState
          title={`There are no routes ${isShown ? 'on this day' : `on ${formatShortDay(day)}`}`}
          description={onNewRoute ? undefined : 'Split evenly makes some.'}
          action={
            onNewRoute && (
              <Button
                onClick={() => {
                  onNewRoute(day);
                  onClose();
                }}
              >
                Add a route with it
              </Button>
            )
          }
        />
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
