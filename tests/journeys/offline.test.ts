import type { Page } from 'playwright/test'
import { expect, test } from './site.ts'

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const failed = (page: Page) => page.getByRole('heading', { name: '500 Internal Error' })
const reason = 'This page didn’t load. Check your connection and try again.'

/** The error page is at the address, and nothing of the page before. */
async function expectFailure(page: Page, path: string) {
  await expect(failed(page)).toBeVisible()
  // What to do leads, and what the error is follows.
  await expect(page.getByRole('main').getByRole('paragraph')).toHaveText([
    reason,
    "We've encountered an error while trying to display this page.",
  ])
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)
  await expect(page).toHaveURL(path)
}

test.beforeEach(({ complaints }) => {
  complaints.expect(
    /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load|could not be loaded|didn’t load/,
  )
  complaints.expect(/Failed to trigger sitemap generation/)
})

for (const [from, name, path, heading] of [
  ['/', 'Portfolio', '/portfolio', 'Selected work'],
  ['/about-us', 'News', '/news', 'News'],
] as const) {
  test(`offline, the first press on ${name} shows the error page at once, and Reload recovers`, async ({
    page,
    context,
  }) => {
    await page.goto(from, { waitUntil: 'networkidle' })
    await context.setOffline(true)
    await bar(page).getByRole('link', { name }).click()
    await expectFailure(page, path)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Reload Page' }).click()
    await expect(failed(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
    await expect(page).toHaveURL(path)
  })
}

test('Go Back leads back to the page before once the network is there', async ({
  page,
  context,
}) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  await context.setOffline(true)
  await bar(page).getByRole('link', { name: 'Portfolio' }).click()
  await expectFailure(page, '/portfolio')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL('/')
  await expect(failed(page)).toHaveCount(0)
  await expect(page.locator('#services')).toBeAttached()

  await bar(page).getByRole('link', { name: 'Portfolio' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Selected work')
  await expect(page).toHaveURL('/portfolio')
})

test('offline, a page whose code is there says what it cannot show', async ({ page, context }) => {
  await page.goto('/news', { waitUntil: 'networkidle' })
  await bar(page).getByRole('link', { name: 'Portfolio' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Selected work')
  await context.setOffline(true)
  await page.getByRole('main').getByRole('article').first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'We couldn’t load the portfolio' })).toBeVisible()
  await expect(page).toHaveURL(/\/portfolio\?project=./)
})

test('code that cannot come although there is a network leaves the page to the server', async ({
  page,
}) => {
  await page.goto('/about-us', { waitUntil: 'networkidle' })
  await page.route(/\/assets\/[^/]+\.js$/, (route) => route.abort())
  await bar(page).getByRole('link', { name: 'Portfolio' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Selected work')
  await expect(page).toHaveURL('/portfolio')
  // Without its code the page is still whole: its links lead on, its buttons to forms.
  await bar(page).getByRole('link', { name: 'News' }).click()
  await expect(page).toHaveURL('/news')
  await page.goto('/')
  await page.locator('[data-hero]').getByRole('button', { name: 'Contact Us' }).click()
  await expect(page).toHaveURL(/\/contactwindow/)
})

test('without the page’s code a kept press is left to the browser', async ({ page, site }) => {
  const html = (await site.get('/')).text
  const own = /data-page="([^"]+)"/.exec(html)?.[1]
  expect(own).toBeTruthy()
  let fail = () => {}
  const failing = new Promise<void>((resolve) => (fail = resolve))
  await page.route(`**${own}`, async (route) => {
    await failing
    await route.abort()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.locator('[data-hero]').getByRole('button', { name: 'Contact Us' }).click()
  fail()
  await expect(page).toHaveURL(/\/contactwindow/)
})

test('a page in the place of the data is a page that did not load', async ({
  page,
  complaints,
}) => {
  complaints.expect(/No JSON:/)
  await page.goto('/search?q=rally')
  // As from a hotel's network that wants its terms accepted first.
  await page.route('**/api/search?*', (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome aboard</h1>' }),
  )
  const field = page.getByRole('main').locator('input[name=q]')
  await field.fill('karting')
  await field.press('Enter')
  await expectFailure(page, '/search?q=karting')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload Page' }).click()
  await expect(page).toHaveTitle(/^Search: karting/)
})
