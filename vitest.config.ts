import { defineConfig } from 'vitest/config';

/** The default of `expect.poll` is 1 s, which a busy machine exceeds: like the other time-outs it only catches a broken product. */
const patiently = { poll: { timeout: 60_000 } };

export default defineConfig({
  test: {
    // PostgreSQL and Chromium need CPU too: three workers were no faster than two.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'contract/src/**/*.test.ts',
            'web/{src,dev}/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          // These tests share no state between files, and isolation takes 20 times as long.
          isolate: false,
          // prepare.test.ts runs a whole set-up with builds, which is slow on a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          globalSetup: 'server/src/testing/postgres.ts',
          // Not threads: PostgreSQL ends with the thread that started it (pdeathsig).
          pool: 'forks',
          // The product's state is in the object that `openServer` returns; loading its modules for each file takes 1 s.
          isolate: false,
          // Only catches a broken product: no result depends on the speed of the machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: patiently,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          globalSetup: 'e2e/first-start.ts',
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          expect: patiently,
        },
      },
      {
        test: {
          name: 'storm',
          include: ['storm/**/*.storm.ts'],
          globalSetup: ['server/src/testing/postgres.ts', 'e2e/first-start.ts'],
          pool: 'forks',
          // At full size each storm needs the whole machine; small ones mostly wait, and their thresholds allow for other load. So they
          // run by themselves, at the end: Vitest runs projects with another number of workers one after the other.
          maxWorkers: process.env.STORM === 'full' ? 1 : 3,
          sequence: { groupOrder: 1 },
          testTimeout: process.env.STORM === 'full' ? 1_800_000 : 240_000,
          hookTimeout: 60_000,
          expect: patiently,
        },
      },
    ],
  },
});
