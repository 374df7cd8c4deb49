import { faultOfPastDay } from '@waybill/contract';
import { invalid } from '../platform/errors.ts';
import type { Content } from './content.ts';

type Dates = Pick<Content, 'eta' | 'window'>;

/** The moment by which dates are judged, and the zone whose day it is. */
interface Present {
  now: Date;
  timeZone: string;
}

/** Faults of dates that are over: field -> message. What an edit leaves as it was may be over by now. */
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
  return faults;
}

/** @throws invalid */
export function refusePast(content: Dates, present: Present, before?: Dates): void {
  const faults = faultsOfPast(content, present, before);
  if (Object.keys(faults).length > 0) throw invalid(faults);
}
