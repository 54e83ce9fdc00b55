import type { Page } from 'playwright/test'
import { expect, test, violations } from './site.ts'

const paths = [
  '/services/photography',
  '/news',
  '/news/booking-opens-for-2027',
  '/portfolio',
  '/portfolio?project=blue-hour-in-rovaniemi',
  '/portfolio/single-seater-launch-helsinki',
  '/about-us',
  '/privacy-policy',
  '/terms-of-service',
  '/cookie-policy',
  '/accessibility',
  '/test',
]

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('no page has a violation or scrolls sideways', async ({ page }) => {
      test.setTimeout(360_000)
      await page.addInitScript(() => localStorage.setItem('consentGiven', 'true'))
      for (const path of paths) {
        await page.goto(path)
        await expect(page.locator('h1').first()).toBeVisible()
        const found = { violations: await violations(page), overflow: await overflow(page) }
        expect.soft(found, path).toEqual({ violations: [], overflow: 0 })
      }
    })
  })
}

/** Pixels by which a page is wider than the window. */
const overflow = (page: Page) =>
  page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  )

test('a service asks for a quote with its subject filled in', async ({ page }) => {
  await page.goto('/services/videography')
  await page.getByRole('link', { name: 'Ask for a quote' }).first().click()
  const modal = page.getByRole('dialog', { name: 'Contact us' })
  await expect(modal.getByLabel('Subject')).toHaveValue('Videography')
})

test('questions open one at a time', async ({ page }) => {
  await page.goto('/services/photography')
  const answer = page.getByText('Selected frames', { exact: false }).locator('visible=true')
  const questions = page.locator('details')
  await questions.nth(0).locator('summary').click()
  await expect(questions.nth(0)).toHaveAttribute('open', '')
  await questions.nth(1).locator('summary').click()
  await expect(questions.nth(0)).not.toHaveAttribute('open', '')
  await expect(answer.first()).toBeVisible()
})

test('the next service replaces the one before, top of page first', async ({ page }) => {
  await page.goto('/services/photography')
  await page.getByRole('link', { name: /^Next service/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Videography')
  await expect(page).toHaveTitle(/Videography/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('a link to /services inside the site leads to them at home', async ({ page }) => {
  await page.goto('/test')
  await expect(page.getByText('Everything works.')).toBeVisible()
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = '/services'
    link.textContent = 'All services'
    document.querySelector('h1')!.after(link)
  })
  await page.getByRole('link', { name: 'All services' }).click()
  await expect(page).toHaveURL(/\/#services$/)
})

test('the self-check tells a fault of the server from one of the browser', async ({ page }) => {
  await page.route('/api/health', (route) => route.fulfill({ json: { status: 'degraded' } }))
  await page.goto('/test')
  await expect(page.getByRole('status').filter({ hasText: 'works' })).toHaveText(
    'Everything works in this browser. Our server is running with a fault.',
  )
  await expect(page.getByText('Partly')).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('pages can be read and projects opened and closed', async ({ page }) => {
    await page.goto('/portfolio?discipline=circuit')
    await page.getByRole('link', { name: 'Night desk at Kymiring' }).click()
    await expect(
      page.getByRole('dialog').getByRole('heading', { name: 'Night desk at Kymiring', level: 2 }),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Close project' }).click()
    await expect(page).toHaveURL(/\/portfolio\?discipline=circuit$/)
    await page.goto('/news?page=2')
    await expect(page.getByRole('article')).toHaveCount(1)
  })
})
