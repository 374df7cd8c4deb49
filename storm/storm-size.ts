import { runsAll } from '../server/src/testing/suite.ts';

/** Storms (stress and chaos tests) run at a small size with the other tests and at full size with `npm run storm`. */
export const full = process.env.STORM === 'full';
/** Whether to run tests that are slow even at the small size: with `npm run test:all` or at full size. */
export const runsLong = full || runsAll;
export const size = (small: number, large: number): number => (full ? large : small);
