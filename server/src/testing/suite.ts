/**
 * Set by `npm run test:all`. `npm test` leaves out what takes long, with a quick test beside it that shows the essence, and says by
 * name what it left out: `test.runIf(runsAll)`.
 */
export const runsAll = process.env.SUITE === 'all';
