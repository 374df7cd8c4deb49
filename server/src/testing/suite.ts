/**
 * Whether `npm run test:all` runs. `npm test` skips slow tests, `test.runIf(runsAll)`, and lists them by name; a quick test beside each
 * covers the essence.
 */
export const runsAll = process.env.SUITE === 'all';
