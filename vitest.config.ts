import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/journeys/**', 'tests/bench/**'],
    pool: 'forks',
    // Tests wait for sockets, disks and processes, so that four have room on two cores.
    maxWorkers: 4,
    // No test changes a module, so that files share what a worker has loaded: 40 % less work.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 20_000,
    // Longer than a crowded machine takes; what is there at once is found at once.
    expect: { poll: { timeout: 30_000 } },
  },
})
