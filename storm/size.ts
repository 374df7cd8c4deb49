/** Storms run small with the other tests and full by `npm run storm`. */
export const full = process.env.STORM === 'full';
export const size = (small: number, whole: number): number => (full ? whole : small);
