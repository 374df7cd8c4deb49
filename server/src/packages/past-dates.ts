import { dayIn, faultOfPastDay } from '@waybill/contract';
import { invalid } from '../platform/errors.ts';
import type { Content } from './content.ts';

type Dates = Pick<Content, 'eta' | 'window'>;

/** The moment by which dates are judged, and the zone whose day it is. */
interface Present {
  now: Date;
  timeZone: string;
}

/** Faults of dates that are over, or of a window after the day of arrival: field -> message. What an edit leaves as it was may be over by now. */
export function faultsOfPast(
  { eta, window }: Dates,
  { now, timeZone }: Present,
  before?: Dates,
): Record<string, string> {
  const faults: Record<string, string> = {};
  const fault = eta !== null && eta !== before?.eta && faultOfPastDay(eta, timeZone, now);
  if (fault) faults.eta = fault;
  const isNew = window?.from !== before?.window?.from || window?.to !== before?.window?.to;
  if (window && isNew && Date.parse(window.to) <= now.getTime()) faults['window.to'] = 'The window is over already';
  if (window && eta !== null && (isNew || eta !== before?.eta) && isAfterEverywhere(window.from, eta))
    faults['window.from'] = 'This day is after the estimated arrival';
  return faults;
}

/** Whether a moment is past a day wherever somebody may have meant it: where the day ends last. */
const isAfterEverywhere = (moment: string, day: string) => dayIn('Etc/GMT+12', new Date(moment)) > day;

/** @throws invalid */
export function refusePast(content: Dates, present: Present, before?: Dates): void {
  const faults = faultsOfPast(content, present, before);
  if (Object.keys(faults).length > 0) throw invalid(faults);
}
