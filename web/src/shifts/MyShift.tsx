import { fill } from '@waybill/contract';
import { texts } from '../deliveries/texts.ts';
import { useQuery } from '@tanstack/react-query';
import { formatLongDay, localDay } from '../platform/formats.ts';
import { DutyBadge } from './DutyBadge.tsx';
import { ownShiftQuery, useLiveShifts } from './queries.ts';
import { timeOf } from './week.ts';

/** The driver's current or next shift, on one line. */
export function MyShift() {
  useLiveShifts();
  const { data: shift, isError } = useQuery(ownShiftQuery());
  return (
    <span className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-ui">
      {shift === undefined && isError && texts.shift.notLoaded}
      {shift === null && texts.shift.none}
      {shift && shift.onDuty && <DutyBadge onDuty until={shift.endsAt} words={texts.shift} />}
      {shift && !shift.onDuty && (
        <>
          <DutyBadge onDuty={false} words={texts.shift} />
          <span className="figures">
            {fill(texts.shift.next, {
              day:
                localDay(new Date(shift.startsAt)) === localDay() ? texts.shift.today : formatLongDay(shift.startsAt),
              from: timeOf(shift.startsAt),
              to: timeOf(shift.endsAt),
            })}
          </span>
        </>
      )}
      {shift?.note && <span className="wrap-anywhere">{shift.note}</span>}
    </span>
  );
}
