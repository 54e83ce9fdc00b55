import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'
import { chromium } from './tests/support/browser.ts'

// Workers read this file, too, and inherit the folder: a picture is resized once for all sites of a run.
if (!process.env.PITLANE_PICTURES) {
  const pictures = mkdtempSync(join(tmpdir(), 'pitlane-pictures-'))
  process.env.PITLANE_PICTURES = pictures
  process.once('exit', () => rmSync(pictures, { recursive: true, force: true }))
}

/** Journeys in a real browser, against the real site that each worker boots for itself. */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.test.ts',
  // Node reads these by itself; Playwright's compiler would double the time until the first journey.
  build: { external: ['**/server/**', '**/shared/**', '**/cli/**', '**/tests/support/**'] },
  fullyParallel: true,
  // Journeys wait for timers and transitions, so that a third one has room on two cores.
  workers: 3,
  timeout: 60_000,
  // Longer than a crowded machine takes; what is there at once is found at once.
  expect: { timeout: 15_000 },
  // As in vitest.config.ts (decision 25).
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.PITLANE_REPORT
    ? [['list'], ['json', { outputFile: process.env.PITLANE_REPORT }]]
    : [['list']],
  // A trace costs each journey a third of its time: `npx playwright test --trace on <file>` makes one.
  // What moves for ever costs a third of all the work; journeys about motion ask for it themselves.
  use: { launchOptions: chromium(), contextOptions: { reducedMotion: 'reduce' } },
})
