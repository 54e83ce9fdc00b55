import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { loginKeys } from '../../client/clients/login-keys.ts'
import { startDirectus } from '../support/directus-double.ts'
import { startSite } from '../support/site.ts'
import { alive, enquiry, expect, sum, test } from './site.ts'

/** A site whose settings, or whatever else is named, come when they are released. */
async function startHeld(held: 'settings' | 'SEO' = 'settings') {
  const directus = await startDirectus({ collections: { settings } })
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  directus.fail({ kind: 'hold', until }, { path: `/items/${held}` })
  const site = await startSite({
    renderer: await builtRenderer(dist),
    env: { CONTENT_URL: directus.url },
    // However long a crowded machine takes until they are released: no page goes on without them.
    contentTiming: { settings: 60_000, timeout: 60_000 },
  })
  return {
    url: site.url,
    release: () => release(),
    async [Symbol.asyncDispose]() {
      release()
      await site[Symbol.asyncDispose]()
      await directus[Symbol.asyncDispose]()
    },
  }
}

const settings = { id: 1, brand: 'Slow Lane Media', email: 'late@slowlane.example' }

test('a page that does not wait for the settings shows them when they come', async ({ page }) => {
  await using site = await startHeld()
  await page.goto(`${site.url}/privacy-policy`, { waitUntil: 'commit' })
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('banner')).not.toContainText(settings.brand)
  site.release()
  await expect(page.getByRole('banner')).toContainText(settings.brand)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect(page.getByRole('contentinfo').getByText(settings.email)).toBeVisible()
})

for (const path of ['/about-us', '/terms-of-service', '/privacy-policy', '/accessibility']) {
  test(`${path} names the agency once the settings are there`, async ({ page }) => {
    await using site = await startHeld()
    const main = page.getByRole('main')
    await page.goto(site.url + path, { waitUntil: 'commit' })
    await alive(page)
    await expect(main).not.toContainText(settings.email)
    site.release()
    await expect(main).toContainText(settings.email)
    const shown = await main.innerText()
    await page.reload()
    await alive(page)
    expect(await main.innerText()).toBe(shown)
  })
}

test('what does not name the agency stays where it is when the settings come', async ({ page }) => {
  await using site = await startHeld()
  await page.goto(site.url, { waitUntil: 'commit' })
  await alive(page)
  const link = page.locator('#media-outsourcing').getByRole('link').first()
  await link.focus()
  site.release()
  await expect(page.locator('#contact').getByText(settings.email)).toBeVisible()
  // What is loaded for the page's parts, if anything is, has come by then.
  await page.waitForLoadState('networkidle')
  await expect(link).toBeFocused()
})

test('input written before the settings arrive keeps its text and focus', async ({ page }) => {
  await using site = await startHeld()
  await page.goto(site.url, { waitUntil: 'commit' })
  const section = page.getByRole('region', { name: "Let's Create Something Exceptional" })
  for (const name of ['name', 'email', 'subject', 'message'] as const) {
    await section.locator(`[name=${name}]`).fill(enquiry[name])
  }
  await expect(section.getByText(settings.email)).toHaveCount(0)
  await alive(page)
  site.release()
  await expect(section.getByText(settings.email)).toBeVisible()
  await expect(section.getByLabel('Message')).toHaveValue(enquiry.message)
  await expect(section.getByLabel('Name')).toHaveValue(enquiry.name)
  await expect(section.getByLabel('Message')).toBeFocused()

  // What was not known when the shell left is known to its parts by now.
  await expect(page.getByRole('banner')).toContainText(settings.brand)
  const notice = page.waitForRequest(
    (request) =>
      request.url().endsWith('/api/send-email') &&
      (request.postData() ?? '').includes('New message from website'),
  )
  await section.getByLabel(/^Verification: What is/).fill(String(await sum(section)))
  await section.getByRole('button', { name: 'Send Message' }).click()
  expect((await notice).postDataJSON()).toMatchObject({
    to: [{ email: settings.email, name: settings.brand }],
  })
  await expect(page.getByRole('alertdialog', { name: 'Message sent' })).toBeVisible()
})

test('a page keeps its title when it is read again after a late part of its head', async ({
  page,
  context,
}) => {
  await using site = await startHeld('SEO')
  await page.goto(`${site.url}/links`, { waitUntil: 'commit' })
  await alive(page)
  await expect(page).toHaveTitle(/[Ll]inks/)
  site.release()
  // Someone signs in in another window, and pages of the session ask again.
  const other = await context.newPage()
  await other.goto(`${site.url}/robots.txt`)
  const read = page.waitForResponse((response) => response.url().includes('/api/content/seo'))
  await other.evaluate((key) => localStorage.setItem(key, 'true'), loginKeys.flag)
  await read
  await alive(page)
  await expect.poll(() => page.evaluate(() => document.querySelectorAll('title').length)).toBe(1)
  await expect(page).toHaveTitle(/[Ll]inks/)
})
