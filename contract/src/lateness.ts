/** What a package has to keep to: its recipient's window, else the day it is due. */
export interface Due {
  window: { to: string } | null;
  eta: string | null;
}

/**
 * Whether a moment is after the end of the window, or without one on a day after the due one.
 * @param dayOf the day of a moment, in the zone that counts
 */
export const isAfterDue = (moment: number, { window, eta }: Due, dayOf: (at: Date) => string): boolean =>
  window ? moment > Date.parse(window.to) : eta !== null && dayOf(new Date(moment)) > eta;

/** A package is at risk as long as it is not late yet, and its driver is expected when it will be. */
export const isAtRisk = (expected: number, due: Due, dayOf: (at: Date) => string, now: number): boolean =>
  isAfterDue(expected, due, dayOf) && !isAfterDue(now, due, dayOf);
