import { invalid } from '../platform/errors.ts';
import type { Content } from './content.ts';

/** A calendar day is over everywhere on earth once it is in the last zone, 12 hours behind UTC. */
const lastZoneMs = 12 * 3_600_000;

/** Faults of dates that are over: field -> message. What an edit leaves as it was may be over by now. */
export function faultsOfPast(
  { eta, window }: Pick<Content, 'eta' | 'window'>,
  now: Date,
  before?: Pick<Content, 'eta' | 'window'>,
): Record<string, string> {
  const faults: Record<string, string> = {};
  const today = new Date(now.getTime() - lastZoneMs).toISOString().slice(0, 10);
  if (eta !== null && eta !== before?.eta && eta < today) faults.eta = 'Estimated arrival must not be in the past';
  const isNew = window?.from !== before?.window?.from || window?.to !== before?.window?.to;
  if (window && isNew && Date.parse(window.to) <= now.getTime()) faults['window.to'] = 'The window is over already';
  return faults;
}

/** @throws invalid */
export function refusePast(content: Content, now: Date, before?: Content): void {
  const faults = faultsOfPast(content, now, before);
  if (Object.keys(faults).length > 0) throw invalid(faults);
}
