import type { Page } from 'playwright/test'
import { createPageCounts } from '#server/analytics/store.ts'
import type { Site } from '../support/site.ts'
import { card } from '../support/consent-panel.ts'
import { expect, fill, openContactSection, test } from './site.ts'

// The browser of the tests says that it is a robot, and robots are not counted.
test.use({
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
})

const counted = (site: Site) =>
  createPageCounts(site.context.db, site.context)
    .list()
    .map(({ page, event, count }) => `${page} ${event} ${count}`)

const leave = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()

test('each page is counted by its kind, and what was done on it, without a trace of who', async ({
  page,
  site,
}) => {
  const section = await openContactSection(page)
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
  await leave(page, 'News')
  // The page before stays until the next one is there.
  await expect(page).toHaveURL(/\/news$/)
  await page.getByRole('main').getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/news\/./)
  await expect
    .poll(() => counted(site))
    .toEqual(['article view 1', 'home contact_sent 1', 'home view 1', 'news view 1'])
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['X-CSRF-TOKEN'])
})

test.describe('the analytics switch', () => {
  test.use({ decided: false })

  test('ends the counting when it is off, and Reject leaves it on', async ({ page, site }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/api\/(collect|consent)$/.test(pathname)) asked.push(pathname)
    })
    await page.goto('/')
    await card(page).getByRole('button', { name: 'Reject' }).click()
    await leave(page, 'News')
    await expect.poll(() => asked).toEqual(['/api/collect', '/api/consent', '/api/collect'])

    await page.getByRole('button', { name: 'Cookie preferences' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cookie preferences' })
    await dialog.getByRole('switch', { name: 'Analytics' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await leave(page, 'Portfolio')
    await expect(page).toHaveURL('/portfolio')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.reload()
    await page.waitForLoadState('networkidle')
    expect(asked).toHaveLength(3)
    expect(counted(site)).toEqual(['home view 1', 'news view 1'])
  })
})

test('a browser that asks not to be counted is not', async ({ page, site }) => {
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true }),
  )
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(counted(site)).toEqual([])
})
