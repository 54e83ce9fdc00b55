import { defineConfig } from 'vitest/config'
import { FlakyReporter } from './tests/support/flaky-reporter.ts'
import { inlineScripts } from './vite.config.ts'

/** Where `npm test` wants the counts. */
const report = process.env.PITLANE_REPORT

export default defineConfig({
  plugins: [inlineScripts],
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/journeys/**', 'tests/bench/**'],
    reporters: report
      ? ['default', ['json', { outputFile: report }], new FlakyReporter(`${report}.flaky`)]
      : ['default'],
    pool: 'forks',
    // Tests wait for sockets, disks and processes, so that four, beside the three of the
    // journeys, keep two cores busy (decision 25).
    maxWorkers: 4,
    // No test changes a module, so that files share what a worker has loaded: 40 % less work.
    isolate: false,
    // What a crowded machine takes; a test of thousands of requests says so itself.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // In CI a test has a second try, which the run names at its end (decision 25); by hand it has none.
    retry: process.env.CI ? 1 : 0,
    // Longer than a crowded machine takes; what is there at once is found at once.
    expect: { poll: { timeout: 30_000 } },
  },
})
