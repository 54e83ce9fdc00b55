import { defineConfig } from 'playwright/test'
import { chromium } from './tests/support/browser.ts'

/** Journeys in a real browser, against the real site that each worker boots for itself. */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.test.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  // A shared machine stalls now and then; what fails three times has a reason of its own.
  retries: process.env.CI ? 2 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.PITLANE_REPORT
    ? [['list'], ['json', { outputFile: process.env.PITLANE_REPORT }]]
    : [['list']],
  use: { launchOptions: chromium(), trace: 'retain-on-failure' },
})
