import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { runCli } from '../support/run-cli.ts'
import { inPanel, photo, share } from '../support/shared-folder.ts'
import type { Site } from '../support/site.ts'
import { makeClient, signIn } from '../support/clients.ts'
import { enter } from '../support/code-form.ts'
import { alive, expect, openWithoutCode, test, violations } from './site.ts'

const logOut = (page: Page) => page.getByRole('button', { name: 'Log out' })

const stored = (page: Page) =>
  page.evaluate(() =>
    ['clientPanelAuth', 'auth_token', 'user_data'].map((key) => localStorage.getItem(key)),
  )

/** A client with a panel of one block, as staff make it in a terminal. @returns its code */
async function issue(site: Site, name: string, text: string): Promise<string> {
  const cli = async (...args: string[]) => {
    const { code, out, err } = await runCli(args, site)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return out
  }
  const panel = name.toLowerCase()
  await cli('clients', 'add', name, '--season', '2027')
  await cli('panels', 'add', panel, 'text', '--title', 'Welcome', '--text', text)
  const out = await cli('codes', 'create', panel, '--label', 'Team manager')
  return out.split('\n')[0]!
}

for (const width of [390, 1440]) {
  test(`at ${width} px a long name tears no word apart at the head of its panel`, async ({
    page,
    site,
  }) => {
    const name = 'Valtakunnallinen Kestävyysautourheilun ja Jääratakilpailujen Kannatusyhdistys ry'
    const { code } = await makeClient(site, { name, panel: 'long' })
    const [, value = ''] = (await signIn(site, code)).split('=')
    await page.context().addCookies([{ name: 'client', value, url: site.url }])
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/panel/long')
    const torn = await page.getByRole('heading', { level: 1 }).evaluate(async (heading) => {
      await document.fonts.ready
      const text = heading.firstChild!
      return [...text.textContent!.matchAll(/\S+/g)]
        .filter(({ 0: word, index }) => {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          return range.getClientRects().length > 1
        })
        .map(([word]) => word)
    })
    expect(torn).toEqual([])
  })
}

test('staff issue a code, the client sees its panel, another client does not', async ({
  site,
  page,
  browser,
}) => {
  const aurora = await issue(site, 'Aurora', 'The pictures of Imatra are here.')
  const borealis = await issue(site, 'Borealis', 'Nothing for Aurora.')

  await page.goto('/client-zone')
  await expect(logOut(page)).toBeHidden()
  await enter(page, aurora.toLowerCase().replace('-', ' '))
  await page.waitForURL('/panel/aurora#result')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Aurora')
  await expect(page.getByText('The pictures of Imatra are here.')).toBeVisible()
  await expect(page.getByText('Season 2027')).toBeVisible()
  await expect(page.getByText('Signed in with “Team manager”')).toBeVisible()
  const [flag, token, user] = await stored(page)
  expect([flag, token]).toEqual(['true', null])
  expect(JSON.parse(user!)).toMatchObject({ name: 'Aurora', panel: 'aurora' })
  expect(user).not.toContain(aurora)
  // The cookie that counts is out of reach of scripts.
  expect(await page.evaluate(() => document.cookie)).not.toContain('client')

  const other = await browser.newPage({ baseURL: site.url })
  await other.goto('/panel/aurora')
  await enter(other, borealis)
  await other.waitForURL('/panel/borealis#result')
  for (const path of ['/panel/aurora', '/panel/nobody']) {
    await other.goto(path)
    await expect(other.getByLabel('Secret code')).toBeVisible()
    await expect(other.getByText('Imatra')).toBeHidden()
  }
  await other.goto('/panel')
  await expect(other.getByText('Nothing for Aurora.')).toBeVisible()
  await other.close()

  await page.goto('/panel')
  await expect(page.getByText('The pictures of Imatra are here.')).toBeVisible()
  await runCli(['codes', 'revoke', '1'], site)
  await page.reload()
  await expect(page.getByLabel('Secret code')).toBeVisible()
})

test('logging out in one tab logs out the other', async ({ site, page, context }) => {
  const { code } = await makeClient(site)
  await page.goto('/client-zone')
  await enter(page, code)
  await page.waitForURL('/panel/nordic-rally-team#result')
  const other = await context.newPage()
  await other.goto('/panel')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Nordic Rally Team')
  await page.evaluate(() => localStorage.setItem('auth_token', 'old'))
  await logOut(page).click()
  await page.waitForURL('/')
  expect(await stored(page)).toEqual([null, null, null])
  await expect(logOut(page)).toBeHidden()
  await expect(logOut(other)).toBeHidden()
  await expect(other.getByLabel('Secret code')).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Secret code')).toBeVisible()
  await expect(page.getByText('Nordic Rally Team')).toBeHidden()
})

test('another code in one tab takes what the first one opened from the others', async ({
  site,
  page,
  context,
}) => {
  const { client, code } = await makeClient(site)
  const { code: staff } = await makeClient(site, { name: 'Desk', panel: 'desk', scopes: ['links'] })
  const folder = await share(site, 'winter', { 'a.jpg': await photo() })
  await inPanel(site, client.id, folder)
  await page.goto('/client-zone')
  await enter(page, code)
  await page.waitForURL('/panel/nordic-rally-team#result')
  const gallery = await context.newPage()
  await gallery.goto(`/s/${folder.key}`)
  await expect(gallery.getByRole('link', { name: 'Download all' })).toBeVisible()
  const links = await context.newPage()
  await links.goto('/links')
  await enter(links, staff)
  await expect(links.getByLabel('Destination URL')).toBeVisible()
  for (const tab of [page, gallery]) await expect(tab.getByLabel('Secret code')).toBeVisible()

  await enter(gallery, code)
  await expect(gallery.getByRole('link', { name: 'Download all' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nordic Rally Team')
  await logOut(page).click()
  await page.waitForURL('/')
  await expect(gallery.getByLabel('Secret code')).toBeVisible()
})

test('a gallery that closed while its panel was open says so', async ({
  site,
  page,
  complaints,
}) => {
  complaints.expect(/status of 410/)
  const { client, code } = await makeClient(site)
  const folder = await share(site, 'winter', { 'a.jpg': await photo() })
  await inPanel(site, client.id, folder)
  await page.goto('/client-zone')
  await enter(page, code)
  await page.waitForURL('/panel/nordic-rally-team#result')
  const gallery = page.getByRole('link', { name: 'Arctic Rally' }).first()
  await expect(gallery).toBeVisible()
  expect((await runCli(['folders', 'revoke', folder.key], site)).code).toBe(0)
  await gallery.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('410 This gallery is closed')
  await expect(page.getByRole('link', { name: 'Contact us' })).toBeVisible()
  // Its panel doesn't say that there was nothing.
  await page.goto('/panel')
  await expect(page.getByRole('heading', { name: 'Your galleries are closed' })).toBeVisible()
})

test('a tab whose code comes after the logout in another does not bring the login back', async ({
  site,
  page,
  context,
}) => {
  const { code } = await makeClient(site)
  await page.goto('/client-zone')
  await enter(page, code)
  await page.waitForURL('/panel/nordic-rally-team#result')
  const other = await context.newPage()
  const release = await openWithoutCode(other, '/panel')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Nordic Rally Team')
  await logOut(page).click()
  await page.waitForURL('/')
  release()
  await expect(other.getByLabel('Secret code')).toBeVisible()
  expect(await stored(page)).toEqual([null, null, null])
})

test('a page whose browser does not know of its session asks once, and writes it down', async ({
  site,
  page,
  context,
}) => {
  const { code } = await makeClient(site)
  const [name = '', value = ''] = (await signIn(site, code)).split('=')
  await context.addCookies([{ name, value, url: site.url }])
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/session') asked += 1
  })
  await page.goto('/panel/nordic-rally-team')
  await expect.poll(() => stored(page)).toEqual(['true', null, expect.stringContaining('nordic')])
  // A second question would be on its way by now.
  await page.waitForLoadState('networkidle')
  expect(asked).toBe(1)
})

test('the flag alone shows a button and opens nothing', async ({ site, page }) => {
  await makeClient(site)
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('clientPanelAuth', 'true'))
  await page.goto('/panel/nordic-rally-team')
  await expect(page.getByLabel('Secret code')).toBeVisible()
  await logOut(page).click()
  await page.waitForURL('/')
  await expect(logOut(page)).toBeHidden()
})

test('a message to the agency comes with its subject', async ({ site, page }) => {
  const { code } = await makeClient(site)
  await page.goto('/panel')
  await enter(page, code)
  await page.getByRole('link', { name: 'Message us' }).click()
  const modal = page.getByRole('dialog', { name: 'Contact us' })
  await expect(modal.getByLabel('Subject')).toHaveValue('Message from Nordic Rally Team')
})

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('form, hub and panel have no violation and fit the window', async ({ site, page }) => {
      const { client, code } = await makeClient(site, { scopes: ['view', 'links', 'ops'] })
      const { panels } = site.context.features.clients
      const add = (kind: string, data: unknown) =>
        site.context.commit((tx) =>
          panels.add(tx, { clientId: client.id, kind, title: null, data }),
        )
      const folder = await share(site, 'winter', { 'a.jpg': await photo(), 'b.jpg': 'damaged' })
      await add('folders', { folders: [folder.key] })
      const plan = panels.copy(join(import.meta.dirname, 'site.ts'))
      const files = await add('files', {})
      await site.context.commit((tx) => panels.attach(tx, files.id, plan))
      await site.context.commit((tx) =>
        site.context.features.links.create(
          tx,
          { target: 'https://example.com', note: 'Flyer', clientId: client.id },
          'test',
        ),
      )
      await add('text', { text: 'Welcome.\n\nHere is your season.' })
      await add('notes', { text: 'Media day is on 12 March.' })
      await add('links', { links: [{ title: 'Team page', url: 'https://example.com' }] })
      await add('videos', { links: [{ title: 'Opener', url: 'https://example.com/film' }] })
      const fits = () =>
        page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

      await page.goto('/client-zone')
      await enter(page, 'ab')
      expect(await violations(page)).toEqual([])
      await enter(page, code)
      await page.waitForURL('/panel/*#result')
      await expect(page.getByText('Media day is on 12 March.')).toBeVisible()
      await expect(page.getByRole('link', { name: /^Arctic Rally/ })).toBeVisible()
      await expect(page.getByText('Flyer')).toBeVisible()
      expect(await violations(page)).toEqual([])
      expect(await fits()).toBe(true)
      await page.goto('/client-zone')
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome back')
      await expect(logOut(page)).toBeVisible()
      expect(await violations(page)).toEqual([])
      expect(await fits()).toBe(true)
    })
  })
}

test('a download that is refused meanwhile says why, and Back leads to the gallery', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/the server responded with a status of (?:401|429)/)
  const { client, code, codeId } = await makeClient(site)
  const folder = await share(
    site,
    'winter',
    { 'a.jpg': await photo(), 'b.pdf': 'pdf' },
    { maxDownloads: 1 },
  )
  await inPanel(site, client.id, folder)
  const headers = { cookie: await signIn(site, code) }
  const address = `/s/${folder.key}`
  await page.goto(address)
  await enter(page, code)
  await alive(page)
  const all = page.getByRole('link', { name: /^Download all/ })
  await expect(page.getByText('Downloads left')).toBeVisible()
  expect((await site.get(`${address}/zip`, { headers })).status).toBe(200)
  await all.click()
  await expect(page.getByRole('heading', { name: 'No downloads left' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Arctic Rally' })).toBeVisible()

  await site.context.features.folders.acts.change(folder, { maxDownloads: null }, 'Noora')
  await page.goto(address)
  await alive(page)
  const { acts, codes } = site.context.features.clients
  await acts.revokeCode(codes.find(codeId)!, 'Noora')
  await page.getByRole('link', { name: 'Download b.pdf' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to view' })).toBeVisible()
})
