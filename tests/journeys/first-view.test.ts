import type { Page } from 'playwright/test'
import { photo, share } from '../support/shared-folder.ts'
import { alive, expect, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** The three seconds after which nothing waits any more are over too soon on a crowded machine. */
const waitForever = (page: Page) =>
  page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    const patient = (run: () => void, ms?: number) => (ms === 3000 ? 0 : later(run, ms))
    Object.assign(window, { setTimeout: patient })
  })

/** Opens a page without its large picture. @returns what lets the picture come */
async function openWithoutPicture(
  page: Page,
  { path = '/', pictures = '**/assets/**' } = {},
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  // Whichever of the heroes is drawn; the pictures further down aren't asked for before it's there.
  await page.route(pictures, async (route) => {
    if (route.request().resourceType() === 'image') await released
    await route.continue()
  })
  await waitForever(page)
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return release
}

/** How many pictures further down take part in the page, and how many wait. */
const further = (page: Page) =>
  page.evaluate(() => {
    const all = Array.from(document.querySelectorAll('main img[loading=lazy][data-x]'))
    const waiting = all.filter((image) => getComputedStyle(image).display === 'none').length
    return { waiting, shown: all.length - waiting }
  })

test('pictures further down leave the line to the large one', async ({ page }) => {
  const release = await openWithoutPicture(page)
  await expect.poll(async () => (await further(page)).waiting).toBeGreaterThan(5)
  expect((await further(page)).shown).toBe(0)
  release()
  await expect.poll(() => further(page)).toMatchObject({ waiting: 0 })
  await alive(page)
  expect((await further(page)).shown).toBeGreaterThan(5)
})

test('the small pictures of a gallery leave the line to its cover', async ({ page, site }) => {
  const files = [1, 2, 3].map(async (number) => [`${number}.jpg`, await photo(1200, 800)] as const)
  const { key } = await share(site, 'winter', Object.fromEntries(await Promise.all(files)))
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  const release = await openWithoutPicture(page, { path: `/s/${key}`, pictures: '**/cover/**' })
  await expect.poll(() => asked.some((url) => url.includes('/cover/'))).toBe(true)
  await page.evaluate(
    () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))),
  )
  expect(asked.filter((url) => url.includes('/thumb/'))).toEqual([])
  release()
  await expect.poll(() => asked.filter((url) => url.includes('/thumb/')).length).toBe(3)
  await alive(page)
  await expect(page.locator('main li img').first()).toBeVisible()
})

/** Whether the heading of the contact section, far down, is laid out. */
const isContactLaidOut = (page: Page) =>
  page
    .locator('#contact-title')
    .evaluate((heading) => heading.checkVisibility({ contentVisibilityAuto: true }))

test('what is below is laid out once the page is alive, and takes its height', async ({ page }) => {
  const release = await openWithoutPicture(page)
  await expect.poll(() => isContactLaidOut(page)).toBe(false)
  // It is there for those who read with other senses, and for who looks for it, all the same.
  await expect(page.getByRole('heading', { name: 'From the paddock' })).toHaveCount(1)
  release()
  await expect.poll(() => page.locator('html[data-layout-waits]').count()).toBe(0)
  await expect(page.locator('[data-below]')).toHaveCount(0)
  expect(await isContactLaidOut(page)).toBe(true)
  await alive(page)
  const heights = await page
    .locator('main > section, main > div section, footer')
    .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().height)))
  // None has the height that it was given for the time being.
  expect(heights.filter((height) => height === 960)).toEqual([])
})

test('what is below leaves the line to the code, and is laid out without it, too', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await waitForever(page)
  let release = (_how: 'continue' | 'abort') => {}
  const released = new Promise<'continue' | 'abort'>((resolve) => (release = resolve))
  await page.route('**/entry-client-*', async (route) => route[await released]())
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.locator('html[data-first-view]')).toHaveCount(0)
  // Longer than the first parts took from the first paint on.
  await page.waitForTimeout(400)
  expect(await isContactLaidOut(page)).toBe(false)
  release('abort')
  await expect(page.locator('html[data-layout-waits]')).toHaveCount(0)
  expect(await isContactLaidOut(page)).toBe(true)
})

test('where the code never comes, what is below is laid out after three seconds', async ({
  page,
}) => {
  await page.route('**/entry-client-*', () => {})
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.locator('html[data-layout-waits]')).toHaveCount(0)
  await expect(page.locator('[data-below]')).toHaveCount(0)
})

test('a link to a place further down leads there, though what is above it was not laid out', async ({
  page,
}) => {
  const release = await openWithoutPicture(page)
  await expect.poll(() => isContactLaidOut(page)).toBe(false)
  const top = () =>
    page.locator('#contact').evaluate((section) => section.getBoundingClientRect().top)
  await page.evaluate(() => {
    // Safari keeps nothing in its place when what is above it changes its height.
    document.documentElement.style.overflowAnchor = 'none'
    const link = Object.assign(document.createElement('a'), { href: '#contact', textContent: 'x' })
    document.body.append(link)
    link.click()
  })
  await expect.poll(top).toBeLessThan(300)
  const before = await top()
  release()
  await alive(page)
  expect(Math.abs((await top()) - before)).toBeLessThan(2)
})

test('at an address with a fragment nothing waits for its layout', async ({ page }) => {
  const release = await openWithoutPicture(page, { path: '/#contact' })
  await expect(page.locator('html[data-layout-waits]')).toHaveCount(0)
  expect(await isContactLaidOut(page)).toBe(true)
  release()
})

test('the manifest leaves the line to the first view, too', async ({ page }) => {
  const manifest = page.locator('head > link[rel=manifest]')
  const release = await openWithoutPicture(page)
  await expect.poll(async () => (await further(page)).waiting).toBeGreaterThan(5)
  await expect(manifest).toHaveCount(0)
  release()
  await expect(manifest).toHaveAttribute('href', '/site.webmanifest')
})

test('a page without a large picture gets its code once its fonts are there', async ({ page }) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/*.woff2', async (route) => {
    await released
    await route.continue()
  })
  let hasCode = false
  page.on('request', (request) => (hasCode ||= request.url().includes('/entry-client-')))
  await page.goto('/terms-of-service', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(
    () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))),
  )
  expect(hasCode).toBe(false)
  release()
  await alive(page)
  expect(hasCode).toBe(true)
})

test('who scrolls before the large picture is there sees what is further down', async ({
  page,
}) => {
  await openWithoutPicture(page)
  await expect.poll(async () => (await further(page)).waiting).toBeGreaterThan(5)
  await page.mouse.wheel(0, 900)
  await expect.poll(() => further(page)).toMatchObject({ waiting: 0 })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('no picture waits, nor does the manifest', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/site.webmanifest')
    await expect(page.locator('main img[loading=lazy]').first()).toHaveCSS('display', 'block')
  })
})
