import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // PostgreSQL and Chromium want a core too: three took no less time than two.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['contract/src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          // Nothing in them is kept between files, and a fresh world for each takes 20 times as long.
          isolate: false,
          // Set-up is tried whole, builds included: on a busy machine that takes its time.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          globalSetup: 'server/src/testing/postgres.ts',
          // PostgreSQL ends with the thread that started it, so not in threads.
          pool: 'forks',
          // The product keeps what it knows in what `openProduct` returns, and to load it anew for each file takes a second.
          isolate: false,
          // For a broken product only: no verdict hangs on how fast the machine is.
          testTimeout: 120_000,
          hookTimeout: 120_000,
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
        },
      },
      {
        test: {
          name: 'storm',
          include: ['storm/**/*.storm.ts'],
          globalSetup: ['server/src/testing/postgres.ts', 'e2e/first-start.ts'],
          pool: 'forks',
          // At full size each wants the machine for itself; small ones mostly wait, and their measures allow for others.
          fileParallelism: process.env.STORM !== 'full',
          testTimeout: process.env.STORM === 'full' ? 1_800_000 : 240_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
