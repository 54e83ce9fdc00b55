import type { Page } from 'playwright/test'
import { alive, expect, fill, stopClock, test, transitionsOver } from './site.ts'

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/** Holds back requests until it is told to let them go. */
async function hold(page: Page, pattern: string | RegExp) {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(pattern, async (route) => {
    await held
    await route.continue()
  })
  return () => release()
}

test('a page that is on its way is announced over the whole window', async ({ page }) => {
  await page.goto('/about-us')
  const release = await hold(page, '**/api/news*')
  await bar(page).getByRole('link', { name: 'News' }).click()
  const loading = page.getByRole('status').filter({ hasText: /^Loading\.\.\.$/ })
  await expect(loading).toBeVisible()
  const { width, height } = page.viewportSize()!
  expect(await loading.boundingBox()).toEqual({ x: 0, y: 0, width, height })
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/news')
  await expect(loading).toBeHidden()
})

test('a page whose code is on its way is announced, too', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  const release = await hold(page, /\/assets\/[^/]+\.js$/)
  await bar(page).getByRole('link', { name: 'Portfolio' }).click()
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  release()
  await expect(page).toHaveURL('/portfolio')
  await expect(page.getByText('Loading...', { exact: true })).toBeHidden()
})

for (const [name, id, title] of [
  ['Scroll to explore', 'explore', 'work-title'],
  ['Services', 'services', 'services-title'],
] as const) {
  test(`the first press of "${name}" at home scrolls there`, async ({ page }) => {
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.locator('header, [data-hero]').getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(`/#${id}`)
    await page.waitForFunction(() => scrollY > 300)
    await expect(page.locator(`#${title}`)).toBeInViewport()
  })
}

test('"Back to top" is a button, and leads there by mouse and by key', async ({ page }) => {
  await page.goto('/about-us')
  const button = page.getByRole('button', { name: 'Back to top' })
  for (const press of [() => button.click(), () => button.press('Space')]) {
    await button.scrollIntoViewIfNeeded()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)
    await press()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  }
})

test('the home page comes without the announcement', async ({ page }) => {
  await page.goto('/about-us')
  const release = await hold(page, '**/api/content/hero*')
  const asked = page.waitForRequest('**/api/content/hero*')
  await page
    .getByRole('link', { name: /home page$/ })
    .first()
    .click()
  await asked
  await expect(page.getByText('Loading...')).toHaveCount(0)
  release()
  await expect(page).toHaveURL('/')
})

test('a page that breaks while it is shown says so, and can be tried again', async ({
  page,
  complaints,
}) => {
  complaints.expect(/The tyre is flat/)
  await page.goto('/about-us')
  // The self-check, as a build with a mistake in it would bring it.
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    const body = await (await route.fetch()).text()
    await route.fulfill(
      body.includes('Self-check')
        ? {
            contentType: 'text/javascript',
            body: `export function Component() {
              if (globalThis.mended) return 'As good as new'
              throw new Error('The tyre is flat')
            }`,
          }
        : { contentType: 'text/javascript', body },
    )
  })
  await follow(page, '/test')
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expect(page.getByText('The tyre is flat')).toBeVisible()
  await expect(bar(page)).toBeVisible()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('The tyre is flat')).toBeVisible()
  await page.evaluate(() => Object.assign(globalThis, { mended: true }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('As good as new')).toBeVisible()
})

test('the error page leads back, home, and to another try', async ({ page, complaints }) => {
  complaints.expect(/500|503/)
  await page.goto('/about-us')
  await page.route('**/api/news/*', (route) =>
    route.fulfill({
      status: 503,
      json: { success: false, message: 'This service is temporarily unavailable.' },
    }),
  )
  await follow(page, '/news/some-story')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^503\s+Service Unavailable$/)
  await expect(
    page.getByText("We've encountered an error while trying to display this page."),
  ).toBeVisible()
  await expect(page.getByText('This service is temporarily unavailable.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL('/about-us')
  await expect(page.getByRole('heading', { name: 'The crew' })).toBeVisible()
  await page.goForward()
  complaints.expect(/404/)
  const again = page.waitForNavigation()
  await page.getByRole('button', { name: 'Reload Page' }).click()
  expect((await again)?.status()).toBe(404)
})

for (const isReloaded of [false, true]) {
  test(`a page whose code a new build has replaced is drawn by the server${isReloaded ? ', also where the one before was reloaded' : ''}`, async ({
    page,
    complaints,
  }) => {
    complaints.expect(/404|Failed to (load|fetch)|dynamically imported/)
    await page.goto('/about-us')
    if (isReloaded) await page.reload()
    await page.waitForLoadState('networkidle')
    await page.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }))
    let isDrawn = false
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) return
      isDrawn = true
      void page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await bar(page).getByRole('link', { name: 'Portfolio' }).click()
    await expect.poll(() => isDrawn).toBe(true)
    await expect(page).toHaveURL('/portfolio')
    await expect(page.getByRole('article').first()).toBeVisible()
  })
}

test('without its code a page still leads to the contact form', async ({ page, complaints }) => {
  complaints.expect(/ERR_FAILED|Failed to fetch dynamically/)
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
  await page.goto('/about-us')
  await bar(page).getByRole('link', { name: 'Contact' }).click()
  await expect(page).toHaveURL('/#contact')
  await expect(page.getByRole('heading', { name: 'Send us a message' })).toBeInViewport()
  await page.goto('/about-us')
  await page.getByRole('banner').getByRole('link', { name: 'Book Now' }).click()
  await expect(page).toHaveURL('/booking')
  await expect(page.getByRole('button', { name: 'Request these dates' })).toBeVisible()
})

test('a browser that keeps nothing can go everywhere', async ({ page, complaints }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    }
  })
  // The sitemap that cannot be noted.
  complaints.expect(/Failed to trigger sitemap generation/)
  await page.goto('/about-us')
  await page.getByRole('button', { name: 'Switch theme' }).click()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await bar(page).getByRole('link', { name: 'Services' }).click()
  await expect(page.locator('#services-title')).toBeInViewport()
  await expect(page).toHaveURL(/\/(#services)?$/)
  await bar(page).getByRole('link', { name: 'Contact' }).click()
  const modal = page.getByRole('dialog', { name: 'Contact us' })
  await fill(modal)
  await modal.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Your ticket number')
})

test('the bar gets a blurred ground after 50 px, on some pages at once', async ({ page }) => {
  const solid = () =>
    page
      .getByRole('banner')
      .first()
      .evaluate((element) => getComputedStyle(element).backdropFilter.startsWith('blur('))
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => scrollTo(0, 50))
  // The page has heard of it once the frame after that of the scrolling is there.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  await transitionsOver(page)
  expect(await solid()).toBe(false)
  await page.evaluate(() => scrollTo(0, 51))
  await expect.poll(solid).toBe(true)
  for (const path of ['/portfolio', '/client-zone', '/services/videography']) {
    await page.goto(path)
    expect([path, await solid()]).toEqual([path, true])
  }
  await page.goto('/services/photography')
  expect(await solid()).toBe(false)
})

test('Services on another page leads home, and there a second later to the services', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/about-us')
  await alive(page)
  await bar(page).getByRole('link', { name: 'News' }).hover()
  await stopClock(page)
  await bar(page).getByRole('link', { name: 'Services' }).click()
  await expect(page).toHaveURL('/')
  // The address changes first; the page before stays until the next one is there.
  await expect(page.locator('#services-title')).toBeAttached()
  await page.clock.runFor(900)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.clock.runFor(1000)
  await expect(page.locator('#services-title')).toBeInViewport()
})

/** Follows a link inside the site that no page has. */
async function follow(page: Page, path: string) {
  // What a page needs seldom is loaded with the visitor's first move.
  await page.mouse.move(200, 300)
  await page.waitForLoadState('networkidle')
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href, textContent: 'On' })
    document.querySelector('main')!.prepend(link)
    link.click()
  }, path)
}
