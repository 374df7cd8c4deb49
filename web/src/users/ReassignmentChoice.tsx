import { Fragment, useId } from 'react';
import { formatCount, formatCountOf } from '../platform/formats.ts';
import { Field } from '../ui/Field.tsx';
import { QueryError } from '../ui/QueryError.tsx';
import { SearchInput } from '../ui/SearchInput.tsx';
import { Select } from '../ui/Select.tsx';
import { reassignmentOptions, type Reassignment, type ReassignmentOption } from './useReassignment.ts';

interface ReassignmentChoiceProps {
  /** Of the driver. */
  name: string;
  /** The account does not stay. */
  isDeleted?: boolean;
  reassignment: Reassignment;
}

/**
 * Asks the administrator who suspends or deletes a driver what happens to the driver's deliveries in progress; renders nothing
 * if there are none.
 */
export function ReassignmentChoice({ name, isDeleted = false, reassignment }: ReassignmentChoiceProps) {
  const group = useId();
  const noneFound = reassignment.q === '' ? 'There are no other active drivers' : 'No drivers found';
  const { count, isNeeded, mayAssign, candidates, others, option, error } = reassignment;
  if (count.isError && count.data === undefined) return <QueryError query={count} title="Failed to count deliveries" />;
  if (!isNeeded) return null;
  const texts: Record<ReassignmentOption, { label: string; hint: string }> = {
    give: { label: 'Give to another driver', hint: 'All at once; the driver and the owners are told' },
    release: { label: 'Take back', hint: 'They wait for a driver again' },
    keep: isDeleted
      ? { label: 'Decide later', hint: 'Until then nobody carries them; administrators and owners are told' }
      : { label: `Leave with ${name}`, hint: 'Administrators see them and decide later' },
  };
  const inProgress = count.data === 1 ? '1 delivery under way' : `${formatCount(count.data ?? 0)} deliveries under way`;
  if (!mayAssign) {
    return (
      <p className="mt-4 text-ui text-ink-2 wrap-anywhere">
        {inProgress}: what becomes of them is decided by who may assign deliveries. Until then they stay{' '}
        {isDeleted ? 'without a driver' : `with ${name}`}.
      </p>
    );
  }
  const driverSelect = (
    <div className="mb-2 flex flex-col gap-3 pl-12">
      {reassignment.hasMore && (
        <SearchInput label="Search drivers" value={reassignment.q} onSearch={reassignment.search} />
      )}
      {candidates.isError && !candidates.data ? (
        <QueryError query={candidates} />
      ) : (
        <Field label="Driver" error={error} hint={candidates.data && others.length === 0 ? noneFound : undefined}>
          <Select
            placeholder="Select a driver"
            options={others.map((driver) => ({
              value: driver.id,
              label: `${driver.name} · ${driver.stops === 0 ? 'nothing on the road' : `${formatCountOf(driver.stops, 'package')} on the road`}`,
            }))}
            value={reassignment.driverId}
            onValueChange={reassignment.setDriverId}
          />
        </Field>
      )}
    </div>
  );
  return (
    <fieldset className="mt-4 first:mt-0">
      <legend className="text-ui font-medium">{inProgress}. What happens to them?</legend>
      <div className="mt-2 flex flex-col gap-2">
        {reassignmentOptions.map((value) => (
          <Fragment key={value}>
            <label className="flex min-h-14 cursor-pointer items-center gap-3 rounded-control border border-line px-4 py-2 text-body transition-colors has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
              <input
                type="radio"
                name={group}
                checked={option === value}
                onChange={() => reassignment.setOption(value)}
                className="radio"
              />
              <span className="grow wrap-anywhere">
                {texts[value].label}
                <span className="block text-table text-ink-3">{texts[value].hint}</span>
              </span>
            </label>
            {value === 'give' && option === 'give' && driverSelect}
          </Fragment>
        ))}
      </div>
    </fieldset>
  );
}
