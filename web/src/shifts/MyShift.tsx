import { fill } from '@waybill/contract';
import { texts } from '../deliveries/texts.ts';
import { useQuery } from '@tanstack/react-query';
import { formatLongDay, localDay } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { Button } from '../ui/Button.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { DutyBadge } from './DutyBadge.tsx';
import { ownShiftQuery, useLiveShifts } from './queries.ts';
import { timeOf } from './week.ts';

const MyAbsences = lazyComponent(async () => {
  const { MyAbsences: Loaded, loadAbsenceTexts } = await importWithRetry(() => import('./MyAbsences.tsx'));
  await loadAbsenceTexts('driver');
  return Loaded;
});

/** The driver's current or next shift, on one line, and the way to their absences. */
export function MyShift() {
  useLiveShifts();
  const absences = useDialogState<true>();
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
      <span className="-mx-1.5">
        <Button variant="ghost" size="sm" onClick={() => absences.show(true)}>
          {texts.shift.absences}
        </Button>
      </span>
      {absences.shown && <MyAbsences key={absences.opening} open={absences.open} onClose={absences.close} />}
    </span>
  );
}
