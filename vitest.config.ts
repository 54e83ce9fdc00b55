import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/journeys/**', 'tests/bench/**'],
    pool: 'forks',
    // Tests wait for sockets and processes, so that a third one has room on two cores.
    maxWorkers: 3,
    // No test changes a module, so that files share what a worker has loaded: 40 % less work.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
