import { runsAll } from '../server/src/testing/suite.ts';

/** Storms run small with the other tests and full by `npm run storm`. */
export const full = process.env.STORM === 'full';
/** What takes long even when it is small runs with `npm run test:all`. */
export const runsLong = full || runsAll;
export const size = (small: number, whole: number): number => (full ? whole : small);
