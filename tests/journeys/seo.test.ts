import type { Page } from 'playwright/test'
import { expect, test } from './site.ts'

const now = new Date('2026-11-20T12:00:00Z')
const key = 'sitemap_last_generated'

/** Opens the home page with an earlier trigger on record, and hears the triggers of the next seconds. */
async function triggersAfter(page: Page, last: string | null, seconds = 5) {
  const asked: { url: string; headers: Record<string, string> }[] = []
  await page.clock.install({ time: now })
  await page.addInitScript(
    ([name, value]) => value && localStorage.setItem(name!, value),
    [key, last],
  )
  page.on('request', (request) => {
    if (request.url().includes('generate-sitemap')) {
      asked.push({ url: request.url(), headers: request.headers() })
    }
  })
  await page.goto('/')
  // Effects run once the page is alive.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await page.clock.runFor(seconds * 1000)
  return asked
}

const stored = (page: Page) => page.evaluate((name) => localStorage.getItem(name), key)

test('the home page asks for a sitemap three seconds after it is shown, and notes when', async ({
  page,
}) => {
  const asked = await triggersAfter(page, null, 1)
  expect(asked).toEqual([])
  // Read to its end, which frees the connection.
  const isOver = page.waitForEvent('requestfinished', (request) =>
    request.url().includes('generate-sitemap'),
  )
  await page.clock.runFor(3000)
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]!.url).toMatch(/\/functions\/generate-sitemap\?t=\d{13}$/)
  expect(asked[0]!.headers).toMatchObject({
    'x-trigger-source': 'homepage',
    'cache-control': 'no-cache',
  })
  await expect.poll(() => stored(page)).toMatch(/^2026-11-20T12:00:/)
  await isOver
})

for (const [words, last, triggers] of [
  ['less than six hours ago', '2026-11-20T06:00:10.000Z', 0],
  ['six hours ago', '2026-11-20T06:00:00.000Z', 1],
  ['at a time that is none', 'yesterday', 1],
] as const) {
  test(`a sitemap that was asked for ${words} means ${triggers} request(s)`, async ({ page }) => {
    const asked = await triggersAfter(page, last)
    await expect.poll(() => asked.length).toBe(triggers)
  })
}

test('a failed trigger is a warning in the console, and nothing is noted', async ({
  page,
  complaints,
}) => {
  complaints.expect(/503|Failed to trigger sitemap generation/)
  await page.route('**/generate-sitemap*', (route) => route.fulfill({ status: 503, body: '{}' }))
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning')
  await triggersAfter(page, null)
  expect((await warning).text()).toContain('Failed to trigger sitemap generation')
  expect(await stored(page)).toBeNull()
})

test('a page that is reached by a link has the title that the server would write', async ({
  page,
}) => {
  // A page does not wait for a slow record; then it has the title of its own.
  await expect(async () => {
    await page.goto('/news')
    expect(await page.title()).toMatch(/^Motorsport News/)
  }).toPass()
  const title = await page.title()
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click()
  await expect(page).toHaveURL(/\/news$/)
  await expect(page).toHaveTitle(title)
  const canonical = page.locator('link[rel=canonical]')
  await expect(canonical).toHaveCount(1)
  await expect(canonical).toHaveAttribute('href', /\/news$/)
})
