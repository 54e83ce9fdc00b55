import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { dist } from '#server/dist.ts'
import { makeClient, signIn } from '../support/clients.ts'
import { share } from '../support/shared-folder.ts'
import { alive, expect, test, violations } from './site.ts'

test('pages that somebody works with have a slim header and foot, and others the whole shell', async ({
  page,
  site,
  context,
}) => {
  const { code } = await makeClient(site, { scopes: ['view', 'links', 'desk'] })
  const [name = '', value = ''] = (await signIn(site, code)).split('=')
  await context.addCookies([{ name, value, url: site.url }])
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/panel', '/desk', '/links']) {
      await page.goto(path)
      const header = page.getByRole('banner').first()
      await expect(header.getByRole('link', { name: /home page$/ })).toBeVisible()
      await expect(header.getByRole('link', { name: 'Nordic Rally Team' })).toBeVisible()
      await expect(header.getByRole('navigation', { name: 'Tools' })).toBeVisible()
      await expect(header.getByRole('button', { name: 'Log out' })).toBeVisible()
      await expect(page.getByRole('button', { name: /^(Log|Sign) out$/ })).toHaveCount(1)
      await expect(page.getByRole('link', { name: 'Book Now' })).toHaveCount(0)
      const foot = page.getByRole('contentinfo')
      await expect(foot.getByRole('link', { name: 'Privacy policy' })).toBeVisible()
      await expect(foot.getByRole('heading')).toHaveCount(0)
      await expect(foot.getByRole('textbox')).toHaveCount(0)
    }
  }
  expect(await violations(page)).toEqual([])
  const tools = page.getByRole('navigation', { name: 'Tools' })
  await expect(tools.locator('[aria-current=page]')).toHaveText('Short links')

  // Out again, without loading a document.
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Book Now' }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The paddock newsletter' })).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the slim header logs out, too', async ({ page, site, context }) => {
    const { code } = await makeClient(site)
    const [name = '', value = ''] = (await signIn(site, code)).split('=')
    await context.addCookies([{ name, value, url: site.url }])
    await page.goto('/panel')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.goto('/panel')
    await expect(page.getByText('Enter the code we sent you')).toBeVisible()
  })
})

test('pages whose addresses only begin like those of tools have the whole shell', async ({
  page,
}) => {
  for (const path of ['/services/photography', '/search', '/shop', '/booking']) {
    await page.goto(path)
    await expect(page.getByRole('navigation', { name: 'Main' }), path).toBeVisible()
  }
})

test('somebody who isn’t signed in sees what the page is, and nothing to log out of', async ({
  page,
  site,
}) => {
  const folder = await share(site, 'winter', { 'notes.txt': 'snow' })
  await page.goto(`/s/${folder.key}`)
  const header = page.getByRole('banner').first()
  await expect(header.getByText('Private gallery')).toBeVisible()
  await expect(header.getByRole('button', { name: 'Log out' })).toHaveCount(0)
})

test('on a tall screen the slim foot is at its end, also below little', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1400 })
  for (const path of ['/panel/nordic-rally-team', '/links']) {
    await page.goto(path)
    const { y, height } = (await page.getByRole('contentinfo').boundingBox())!
    expect([path, Math.round(y + height)]).toEqual([path, await pageHeight(page)])
  }
})

/** Pixels from the top of the page to its end, at least those of the window. */
const pageHeight = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

test('the slim header cuts no word of a name at 320 px', async ({ page, site, context }) => {
  const { code } = await makeClient(site, { scopes: ['view', 'links', 'desk'] })
  const [name = '', value = ''] = (await signIn(site, code)).split('=')
  await context.addCookies([{ name, value, url: site.url }])
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/desk')
  const whose = page.getByRole('banner').getByRole('link', { name: 'Nordic Rally Team' })
  const lines = await whose.evaluate((link) => {
    const range = document.createRange()
    range.selectNodeContents(link)
    return range.getClientRects().length
  })
  expect(lines).toBeLessThanOrEqual(3)
  await expect(page.getByRole('banner').getByRole('link', { name: /home page$/ })).toBeVisible()
})

test('the bar of the desk stays where it is on a way back, however late its code comes', async ({
  page,
  site,
  context,
  complaints,
}) => {
  // A check of the session that is still on its way when the client logs out is answered with 401.
  complaints.expect(/401/)
  const manifest = JSON.parse(
    readFileSync(join(dist, 'client/.vite/manifest.json'), 'utf8'),
  ) as Record<string, { file: string }>
  const { code } = await makeClient(site, { scopes: ['view', 'desk'] })
  const [name = '', value = ''] = (await signIn(site, code)).split('=')
  await context.addCookies([{ name, value, url: site.url }])
  const { promise: isLet, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route(`**/${manifest['client/site/tool-bar.tsx']!.file}`, async (route) => {
    await isLet
    await route.continue()
  })
  await page.goto('/desk', { waitUntil: 'commit' })
  // A page that waits for the code of its bar leaves its links to the browser until then.
  await Promise.race([alive(page), page.waitForTimeout(2000)])
  await page.getByRole('main').getByRole('link', { name: 'Sessions' }).click()
  const sessions = page.getByRole('heading', { name: 'Sessions', level: 1 })
  await expect(sessions).toBeVisible()
  await page.goBack({ waitUntil: 'commit' })
  await expect(sessions).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: 'Sessions' })).toBeVisible()
  const bar = page.getByRole('banner').first()
  await expect(bar.getByRole('navigation', { name: 'Tools' })).toBeVisible()
  letThrough()
  await alive(page)
  await bar.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
})

test('a name of many words stays within the slim header', async ({ page, site, context }) => {
  const long = 'Northern Motor Club and Historic Racing Association of Finnish Lapland'
  const { code } = await makeClient(site, { name: long, panel: 'northern' })
  const [name = '', value = ''] = (await signIn(site, code)).split('=')
  await context.addCookies([{ name, value, url: site.url }])
  await page.setViewportSize({ width: 390, height: 640 })
  await page.goto('/panel')
  const header = page.getByRole('banner').first()
  const whose = header.locator('p', { has: page.getByRole('link', { name: long }) })
  const [outer, inner] = [(await header.boundingBox())!, (await whose.boundingBox())!]
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height)
  // What doesn't fit isn't drawn over the page.
  await expect(whose).toHaveCSS('overflow-y', 'hidden')
})

test('the tools of the slim header break no word, and cut no name, on a tablet', async ({
  page,
  site,
  context,
}) => {
  const { code } = await makeClient(site, { scopes: ['view', 'links', 'desk', 'ops'] })
  const [name = '', value = ''] = (await signIn(site, code)).split('=')
  await context.addCookies([{ name, value, url: site.url }])
  await page.goto('/desk')
  const bar = page.getByRole('banner').first()
  for (const width of [360, 768, 820, 959, 960, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const lines = await bar
      .getByRole('navigation', { name: 'Tools' })
      .getByRole('link')
      .evaluateAll((links) =>
        links.map((link) => {
          const range = document.createRange()
          range.selectNodeContents(link)
          return range.getClientRects().length
        }),
      )
    expect([width, ...lines]).toEqual([width, 1, 1, 1, 1])
    const whose = bar.getByRole('paragraph').filter({ hasText: 'Nordic Rally Team' })
    const hidden = await whose.evaluate((text) => text.scrollWidth - text.clientWidth)
    expect([width, hidden]).toEqual([width, 0])
  }
})
