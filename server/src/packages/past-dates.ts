import { dayIn, pastDayError } from '@waybill/contract';
import { invalid } from '../platform/errors.ts';
import type { Content } from './content.ts';

type Dates = Pick<Content, 'eta' | 'window'>;

/** The time to compare with, and the zone that determines today's date. */
interface Present {
  now: Date;
  timeZone: string;
}

/**
 * Finds dates in the past, and a window after the day of arrival: field -> message.
 * @param before the content before an edit: values that the edit leaves unchanged may have passed since
 */
export function findPastDateFaults(
  { eta, window }: Dates,
  { now, timeZone }: Present,
  before?: Dates,
): Record<string, string> {
  const faults: Record<string, string> = {};
  const fault = eta !== null && eta !== before?.eta && pastDayError(eta, timeZone, now);
  if (fault) faults.eta = fault;
  const isNew = window?.from !== before?.window?.from || window?.to !== before?.window?.to;
  if (window && isNew && Date.parse(window.to) <= now.getTime()) faults['window.to'] = 'The window is over already';
  if (window && eta !== null && (isNew || eta !== before?.eta) && isAfterEverywhere(window.from, eta))
    faults['window.from'] = 'This day is after the estimated arrival';
  return faults;
}

/** Whether the moment is after the day in every time zone: checked in UTC-12, where a day ends last. */
const isAfterEverywhere = (moment: string, day: string) => dayIn('Etc/GMT+12', new Date(moment)) > day;

/** @throws invalid */
export function assertNotPast(content: Dates, present: Present, before?: Dates): void {
  const faults = findPastDateFaults(content, present, before);
  if (Object.keys(faults).length > 0) throw invalid(faults);
}
