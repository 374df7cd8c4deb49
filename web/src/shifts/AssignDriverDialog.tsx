import { useQuery } from '@tanstack/react-query';
import { ApiError, type DriverOnDuty } from '@waybill/contract';
import { UsersRound } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { FormEvent } from 'react';
import { Destination } from '../packages/Destination.tsx';
import { useDestination } from '../packages/useDestination.ts';
import { formatCountOf } from '../platform/formats.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import type { AssignablePackage } from './dispatch.ts';
import { DutyBadge } from './DutyBadge.tsx';
import { activeDriversQuery, useAssignDriver } from './queries.ts';
import { timeOf } from './week.ts';

const formId = 'assign-driver';
/** Longer lists get a search field. */
const maxWithoutSearch = 8;

interface AssignDriverDialogProps {
  pkg: AssignablePackage;
  open: boolean;
  onClose: () => void;
  /** Called after success and failure: the package may have changed meanwhile. */
  onSettled: () => void;
}

/** Assigns a driver to a package. Drivers on duty are listed first. */
export function AssignDriverDialog({ pkg, open, onClose, onSettled }: AssignDriverDialogProps) {
  const drivers = useQuery(activeDriversQuery());
  const destination = useDestination(pkg, open);
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<DriverOnDuty>();
  const [error, setError] = useState<string>();
  // The driver has no shift now: the next submission confirms it.
  const [isOffDuty, setIsOffDuty] = useState(false);
  const assign = useAssignDriver(pkg.id);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!chosen) return setError('Please choose a driver');
    const assignment = { driverId: chosen.id, confirm: isOffDuty };
    assign.mutate(assignment, {
      onSuccess: () => {
        toast({ title: 'Driver assigned', description: `${chosen.name} brings ${pkg.name}` });
        onClose();
      },
      onError: (refusal) => {
        setError(refusal.message);
        setIsOffDuty(refusal instanceof ApiError && refusal.code === 'off_duty');
      },
      onSettled,
    });
  };
  const all = drivers.data ?? [];
  const found = all.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  // In the order of the list, which begins with those on duty.
  const groups = [
    { title: 'On duty now', drivers: found.filter(({ onDuty }) => onDuty) },
    { title: 'Not on duty', drivers: found.filter(({ onDuty }) => !onDuty) },
  ].filter(({ drivers: some }) => some.length > 0);
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={assign}
      title="Assign Driver"
      description={
        <>
          {pkg.name} · {pkg.trackingId}
          {destination && (
            <>
              <br />
              <Destination {...destination} />
            </>
          )}
        </>
      }
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={assign.isPending} loadingText="Assigning...">
            {isOffDuty ? 'Assign Anyway' : 'Assign Driver'}
          </Button>
        </>
      }
    >
      {drivers.isPending && (
        <SkeletonGroup label="Loading drivers">
          <div className="flex flex-col gap-2">
            {['a', 'b', 'c'].map((name) => (
              <Skeleton key={name} height="h-14" />
            ))}
          </div>
        </SkeletonGroup>
      )}
      {drivers.isError && !drivers.data && <QueryError query={drivers} />}
      {drivers.data && (
        <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
          {all.length > maxWithoutSearch && <SearchInput label="Search drivers" value={q} onSearch={setQ} />}
          {found.length === 0 ? (
            <EmptyState
              icon={<UsersRound />}
              title={all.length === 0 ? 'There are no active drivers' : 'No drivers found'}
            />
          ) : (
            <fieldset>
              <legend className="mb-2 text-ui font-medium">Driver</legend>
              <div className="flex flex-col gap-2">
                {groups.map(({ title, drivers: some }) => (
                  <Fragment key={title}>
                    <p className="text-table font-medium text-ink-3 not-first:mt-2">{title}</p>
                    {some.map((driver) => (
                      <label
                        key={driver.id}
                        className="flex min-h-14 cursor-pointer items-center gap-x-3 rounded-control border border-line px-4 py-2 text-body transition-colors has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
                      >
                        <input
                          type="radio"
                          name="driver"
                          value={driver.id}
                          checked={chosen?.id === driver.id}
                          onChange={() => {
                            setChosen(driver);
                            setError(undefined);
                            setIsOffDuty(false);
                          }}
                          className="radio"
                        />
                        <span className="flex-1 basis-40 wrap-anywhere">
                          {driver.name}
                          <span className="block text-table figures text-ink-3">
                            {driver.id === pkg.driverId && 'Has it now · '}
                            {driver.stops === 0
                              ? 'Nothing on the road'
                              : `${formatCountOf(driver.stops, 'package')} on the road`}
                          </span>
                        </span>
                        {driver.absence && <DutyBadge onDuty={false} absence={driver.absence} />}
                        {!driver.absence && driver.until && (
                          <span className="-ml-2 text-table figures text-ink-2">until {timeOf(driver.until)}</span>
                        )}
                      </label>
                    ))}
                  </Fragment>
                ))}
              </div>
            </fieldset>
          )}
          {error && (
            <p role="alert" className="text-ui text-danger">
              {error}
            </p>
          )}
        </form>
      )}
    </Dialog>
  );
}
