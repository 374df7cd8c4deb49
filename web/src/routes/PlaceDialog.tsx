import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@waybill/contract';
import type { Insertion, WaitingPackage } from '@waybill/contract';
import { MapPinPlus, TriangleAlert } from 'lucide-react';
import { api } from '../platform/api.ts';
import { formatCount } from '../platform/formats.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { hours, kilometres } from './drive-text.ts';
import { timeIn } from './plan.ts';
import type { Planning } from './planning.ts';

interface PlaceDialogProps {
  planning: Planning;
  row: WaitingPackage;
  open: boolean;
  onClose: () => void;
}

/** Where one waiting package costs least: the best place of each route of the day, with its price. */
export function PlaceDialog({ planning, row, open, onClose }: PlaceDialogProps) {
  const { day, depot, acts } = planning;
  const found = useQuery({
    queryKey: ['insertions', row.id, day, depot.id],
    queryFn: ({ signal }) => api.dispatch.insertions({ query: { packageId: row.id, day, depotId: depot.id }, signal }),
    // Its versions are those of this moment.
    gcTime: 0,
    staleTime: Infinity,
    meta: { showsError: true },
  });
  const place = (insertion: Insertion) => {
    void acts.insert(row.id, insertion);
    onClose();
  };
  const { insertions = [], travelTimes } = found.data ?? {};
  const { error } = found;
  const unplaced = error instanceof ApiError && error.code === 'no_place' ? error.message : null;
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Place where it costs least"
      description={[row.street ?? row.name, row.postalCode, row.town].filter(Boolean).join(', ')}
      footer={<DialogClose />}
    >
      {unplaced !== null ? (
        <p role="alert" className="text-ui text-ink-2">
          {unplaced}
        </p>
      ) : found.isError && !found.data ? (
        <QueryError query={found} />
      ) : !found.data ? (
        <SkeletonGroup label="Looking for the best place">
          <div className="flex flex-col gap-2">
            <Skeleton height="h-20" />
            <Skeleton height="h-20" />
          </div>
        </SkeletonGroup>
      ) : insertions.length === 0 ? (
        <EmptyState
          icon={<MapPinPlus />}
          title="No route can take it"
          description="No route of this day is open, or its vehicle is full or cannot carry it."
        />
      ) : (
        <>
          <ol aria-label="Routes, the cheapest first" className="flex flex-col gap-2">
            {insertions.map((insertion, index) => (
              <Choice
                key={insertion.routeId}
                insertion={insertion}
                planning={planning}
                isBest={index === 0}
                packageId={row.id}
                onPlace={() => place(insertion)}
              />
            ))}
          </ol>
          {travelTimes === 'estimated' && (
            <p className="mt-3 text-meta text-ink-3">Distances and driving times are estimates.</p>
          )}
        </>
      )}
    </Dialog>
  );
}

/** At most so many late stops are named. */
const namedLate = 3;

interface ChoiceProps {
  insertion: Insertion;
  planning: Planning;
  isBest: boolean;
  packageId: string;
  onPlace: () => void;
}

function Choice({ insertion, planning: { nameOf, depot }, isBest, packageId, onPlace }: ChoiceProps) {
  const { driverId, state, position, arrivesAt, endsAt, metres, seconds, late } = insertion;
  const name = nameOf(driverId);
  const time = (moment: string) => timeIn(depot.timeZone, moment);
  return (
    <li
      className={classes(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border px-3 py-2.5',
        isBest ? 'border-brand bg-brand-soft' : 'border-line',
      )}
    >
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="text-ui font-semibold text-ink">
          {name}
          {isBest && <span className="ml-2 text-meta font-medium text-brand">costs least</span>}
        </p>
        <p className="text-ui figures text-ink-2">
          + {hours(Math.max(0, seconds))}, + {kilometres(Math.max(0, metres))}
        </p>
        <p className="text-meta figures text-ink-3">
          Stop {position}, expected {time(arrivesAt)}; the route ends {time(endsAt)}
          {state === 'started' && '. On the road: it is in transit at once'}
        </p>
        {late.length > 0 && (
          <ul className="mt-1 text-meta font-medium text-danger">
            {late.slice(0, namedLate).map((stop) => (
              <li key={stop.packageId} className="flex items-start gap-1.5">
                <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
                {stop.packageId === packageId ? 'Itself' : stop.name}: {hours(stop.seconds)} after its window
              </li>
            ))}
            {late.length > namedLate && <li>{formatCount(late.length - namedLate)} more after their windows</li>}
          </ul>
        )}
      </div>
      <Button variant={isBest ? 'primary' : 'secondary'} aria-label={`Place here: route of ${name}`} onClick={onPlace}>
        Place here
      </Button>
    </li>
  );
}
