import { defineConfig } from 'vitest/config';
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'server', include: ['server/src/**/*.test.ts'], testTimeout: 30000, hookTimeout: 30000 } },
    ],
  },
});
