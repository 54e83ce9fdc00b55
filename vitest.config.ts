import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/journeys/**', 'tests/bench/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    // A shared machine stalls now and then; what fails three times has a reason of its own.
    retry: process.env.CI ? 2 : 0,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
