import { OwnAbsenceInput, absenceKinds } from '@waybill/contract';
import type { Absence } from '@waybill/contract';
import * as z from 'zod/mini';
import { fromText } from '../platform/text-inputs.ts';

const required = (message: string) => z.string().check(z.minLength(1, message));

type Days = { from: string; to: string };

/** The contract's rule for the days, at the last one. */
const withPossibleDays = ({ value, issues }: { value: Days; issues: z.core.$ZodRawIssue[] }) => {
  if (!value.from || !value.to) return;
  const checked = OwnAbsenceInput.safeParse({ kind: 'other', from: value.from, to: value.to });
  for (const { path, message } of checked.error?.issues ?? [])
    issues.push({ code: 'custom', input: value, path, message });
};

/** An absence of a driver; on the driver's own page there is nobody to choose. */
export const AbsenceForm = z
  .object({
    driverId: required('Please choose a driver'),
    kind: z.enum(absenceKinds),
    from: required('Please choose a date'),
    to: required('Please choose a date'),
    note: fromText(OwnAbsenceInput.shape.note),
  })
  .check(withPossibleDays);
export type TypedAbsence = z.input<typeof AbsenceForm>;
export type AbsenceForm = z.output<typeof AbsenceForm>;

/** What a form begins with: the absence, or one of a day. */
export const initialOf = (
  absence: Absence | null,
  { day, driverId }: { day: string; driverId: string },
): TypedAbsence => ({
  driverId: absence?.driverId ?? driverId,
  kind: absence?.kind ?? 'sick',
  from: absence?.from ?? day,
  to: absence?.to ?? day,
  note: absence?.note ?? '',
});
