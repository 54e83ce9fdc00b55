import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { makeClient } from '../support/clients.ts'
import { idsOf, inPanel, leaving, noise, photo, share } from '../support/shared-folder.ts'
import type { Site } from '../support/site.ts'
import { unzip } from '../support/unzip.ts'
import { alive, expect, test, violations } from './site.ts'

const password = 'Talvi ralli'

async function files(): Promise<Record<string, Buffer | string>> {
  return {
    'PIT_0001.jpg': await photo(600, 400),
    'PIT_0002.jpg': await photo(400, 600),
    'PIT_0003.jpg': await photo(900, 400),
    'broken.jpg': noise(300),
    'day 2/PIT_0010.jpg': await photo(500, 500),
    'day 2/Käyttöoikeudet.pdf': 'rights',
  }
}

/** Opens a folder by its password. */
async function enter(page: Page, address: string, word = password) {
  await page.goto(address)
  await page.getByLabel('Password').fill(word)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

const open = async (site: Site) => {
  const folder = await share(site, 'winter', await files(), { rounds: 'many' })
  return `/s/${folder.key}`
}

/** Waits for a download and reads it. */
async function download(page: Page, start: () => Promise<unknown>) {
  const waiting = page.waitForEvent('download')
  await start()
  const got = await waiting
  return { name: got.suggestedFilename(), bytes: readFileSync(await got.path()) }
}

test('a client enters the password, looks, picks, sends the picks and takes a ZIP home', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/401/)
  const given = await files()
  const folder = await share(site, 'winter', given, { password, rounds: 'many' })
  const address = `/s/${folder.key}`
  await enter(page, `${address}?page=1`, 'nope')
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/^Wrong password/)
  await expect(page.getByLabel('Password')).toBeFocused()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Arctic Rally' })).toBeVisible()
  expect(page.url()).toBe(`${site.url}${address}?page=1#result`)
  // The form has led to a new document; before its code is there, a picture is a plain link.
  await alive(page)

  // The lightbox: by keyboard through the pictures, and back to where it was.
  const second = page.getByRole('link', { name: 'PIT_0002.jpg' })
  await second.click()
  const lightbox = page.getByRole('dialog', { name: 'Files of Arctic Rally' })
  await expect(lightbox.getByRole('img', { name: 'PIT_0002.jpg' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(lightbox.getByRole('img', { name: 'PIT_0003.jpg' })).toBeVisible()
  await expect(page).toHaveURL(/open=/)
  await lightbox.getByRole('button', { name: 'Favourite PIT_0003.jpg' }).click()
  await lightbox.getByLabel('Comment on PIT_0003.jpg').fill('Warmer, please')
  await lightbox.getByRole('button', { name: 'Save' }).click()
  await expect(lightbox.getByRole('button', { name: 'Saved' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(lightbox).toBeHidden()
  await expect(second).toBeFocused()
  await expect(page).not.toHaveURL(/open=/)

  // Favourites survive a reload.
  await page.getByRole('button', { name: 'Favourite PIT_0001.jpg' }).click()
  await expect(page.getByText('2 favourites, 1 comment')).toBeVisible()
  await page.reload()
  await page.getByRole('link', { name: /^Favourites/ }).click()
  await expect(page.getByRole('link', { name: /\.jpg$/ })).toHaveCount(2)
  await page.getByRole('link', { name: /^All/ }).click()

  // A selection as a ZIP.
  await page.getByRole('checkbox', { name: 'Select PIT_0001.jpg' }).check({ force: true })
  await page.getByRole('checkbox', { name: 'Select Käyttöoikeudet.pdf' }).check()
  await expect(page.getByText('2 files selected')).toBeVisible()
  const some = await download(page, () =>
    page.getByRole('button', { name: 'Download selection' }).click(),
  )
  expect(some.name).toBe('Arctic Rally (2).zip')
  const chosen = await unzip(some.bytes)
  expect([...chosen.keys()]).toEqual(['PIT_0001.jpg', 'day 2/Käyttöoikeudet.pdf'])
  expect(chosen.get('PIT_0001.jpg')).toEqual(await leaving(given['PIT_0001.jpg']!))

  const all = await download(page, () => page.getByRole('link', { name: /^Download all/ }).click())
  const unpacked = await unzip(all.bytes)
  expect(unpacked.size).toBe(6)
  for (const [name, bytes] of Object.entries(given)) {
    expect(unpacked.get(name)).toEqual(await leaving(bytes))
  }

  await page.getByLabel('Your name').fill('Aino Virtanen')
  await page.getByRole('button', { name: 'Send favourites' }).click()
  await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Favourite/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Start another round' }).click()
  await expect(page.getByText('round 2')).toBeVisible()
})

test('Back closes the viewer and leaves the gallery as it is, also without a network', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/)
  const address = await open(site)
  await page.goto('/news')
  await page.goto(address)
  await alive(page)
  const lightbox = page.getByRole('dialog', { name: 'Files of Arctic Rally' })
  const shown = (name: string) => lightbox.getByRole('img', { name })
  await page.getByRole('link', { name: 'PIT_0002.jpg' }).click()
  await expect(shown('PIT_0002.jpg')).toBeVisible()
  for (const name of ['PIT_0003.jpg', 'PIT_0010.jpg']) {
    await page.keyboard.press('ArrowRight')
    await expect(shown(name)).toBeVisible()
  }
  await expect(page).toHaveURL(/open=/)
  await context.setOffline(true)
  await page.goBack()
  await expect(lightbox).toBeHidden()
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('link', { name: 'PIT_0002.jpg' })).toBeFocused()
  await page.goForward()
  await expect(shown('PIT_0010.jpg')).toBeVisible()
  await context.setOffline(false)
  // By its button, too, it's one step; the next one leads out of the gallery.
  await lightbox.getByRole('button', { name: 'Close' }).click()
  await expect(lightbox).toBeHidden()
  await expect(page).toHaveURL(address)
  await page.goBack()
  await expect(page).toHaveURL('/news')
})

test('a comment that the network took is kept before the favourites are sent', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/INTERNET_DISCONNECTED/)
  await page.goto(await open(site))
  await alive(page)
  const heart = page.getByRole('button', { name: 'Favourite PIT_0001.jpg' })
  await heart.click()
  await page.getByRole('link', { name: 'PIT_0002.jpg' }).click()
  const lightbox = page.getByRole('dialog', { name: 'Files of Arctic Rally' })
  const comment = lightbox.getByLabel('Comment on PIT_0002.jpg')
  await comment.fill('Warmer, please')
  await context.setOffline(true)
  await lightbox.getByRole('button', { name: 'Save' }).click()
  const lost = 'Couldn’t save. Check your connection and try again.'
  await expect(lightbox.getByRole('alert')).toHaveText(lost)
  // Beside another picture it says which one it was.
  await lightbox.getByRole('button', { name: 'Next' }).click()
  await expect(lightbox.getByRole('alert')).toHaveText(`PIT_0002.jpg: ${lost}`)
  await context.setOffline(false)
  await page.keyboard.press('Escape')
  await page.getByLabel('Your name').fill('Aino')
  await page.getByRole('button', { name: 'Send favourites' }).click()
  await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()
  await expect(page.getByText('1 favourite, 1 comment')).toBeVisible()
  await expect(page.getByText('Warmer, please')).toBeVisible()
})

test('a code that ends while favourites are written leaves the note, and signing in leads on', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/401/)
  const { client, code } = await makeClient(site, { scopes: ['view', 'select'] })
  const folder = await share(site, 'winter', await files(), { rounds: 'many' })
  await inPanel(site, client.id, folder)
  const address = `/s/${folder.key}`
  const signIn = async () => {
    await page.getByLabel('Secret code').fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.goto(address)
  await alive(page)
  await signIn()
  await page.getByRole('button', { name: 'Favourite PIT_0001.jpg' }).click()
  await page.getByLabel('Your name').fill('Aino')
  await page.getByLabel('Message').fill('In a hurry')
  await context.clearCookies({ name: 'client' })
  await page.getByRole('button', { name: 'Send favourites' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'in another tab' })).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue('In a hurry')

  // Without scripts the form itself meets the closed gallery.
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('#picks form')!
    // One of its fields is named so.
    HTMLFormElement.prototype.submit.call(form)
  })
  await expect(page.getByRole('heading', { name: 'Sign in to view' })).toBeVisible()
  await alive(page)
  await signIn()
  await expect(page.getByText('1 favourite')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(address)
  await expect(page.getByLabel('Your name')).toHaveValue('Aino')
  await expect(page.getByLabel('Message')).toHaveValue('In a hurry')

  // Logging out in another window takes the gallery away at once, with a comment that's being written.
  await page.getByRole('link', { name: 'PIT_0001.jpg' }).click()
  const comment = page.getByLabel('Comment on PIT_0001.jpg')
  await comment.fill('Warmer')
  const other = await context.newPage()
  await other.goto('/client-zone')
  await alive(other)
  await other.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to view' })).toBeVisible()
  await signIn()
  await expect(page.getByLabel('Message')).toHaveValue('In a hurry')
  await expect(comment).toHaveValue('Warmer')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send favourites' }).click()
  await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()
  await expect(page.getByText('Warmer')).toBeVisible()
  const typed = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('folder_typed')))
  await expect.poll(typed).toEqual([])

  // Who logs out here leaves nothing to the next one.
  await page.getByRole('button', { name: 'Start another round' }).click()
  await page.getByLabel('Message').fill('One more')
  // What was typed before the page's code was there is kept once it is.
  await expect.poll(typed).toHaveLength(1)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect.poll(typed).toEqual([])
})

test('of proofs, whose originals stay here, a selection is had in web size', async ({
  page,
  site,
}) => {
  const folder = await share(site, 'winter', await files(), { rounds: 'many', watermark: true })
  await page.goto(`/s/${folder.key}`)
  await alive(page)
  await page.getByRole('checkbox', { name: 'Select PIT_0002.jpg' }).check({ force: true })
  await expect(page.getByText('1 file selected')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Web size' })).toHaveCount(0)
  const some = await download(page, () =>
    page.getByRole('button', { name: 'Download selection' }).click(),
  )
  expect(some.name).toBe('Arctic Rally (1) web size.zip')
  expect([...(await unzip(some.bytes)).keys()]).toEqual(['PIT_0002.jpg'])
})

test('a deep link to a picture opens it', async ({ page, site }) => {
  const address = await open(site)
  const { files: listed } = (await site.get(`/api${address.replace('/s', '/folders')}`)).json as {
    files: { id: number; name: string }[]
  }
  const { id } = listed.find(({ name }) => name === 'PIT_0010.jpg')!
  await page.goto(`${address}?open=${id}`)
  await expect(page.getByRole('dialog').getByRole('img', { name: 'PIT_0010.jpg' })).toBeVisible()
})

test('the lightbox enlarges a picture, leads through its filmstrip, and plays as a slideshow', async ({
  page,
  site,
}) => {
  const address = await open(site)
  await page.goto(address)
  await page
    .getByRole('link', { name: /PIT_0001/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const picture = dialog.getByRole('img', { name: 'PIT_0001.jpg' })
  await expect(picture).toBeVisible()
  await dialog.getByRole('button', { name: '100 %' }).click()
  const enlarged = dialog.getByRole('group', { name: 'PIT_0001.jpg, enlarged' })
  await expect(enlarged).toBeVisible()
  const natural = await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)
  expect((await picture.boundingBox())!.width).toBeCloseTo(natural, 0)
  // Arrow keys scroll it now instead of moving on.
  await enlarged.press('ArrowRight')
  await expect(picture).toBeVisible()
  await dialog.getByRole('button', { name: '100 %' }).click()
  await expect(enlarged).toHaveCount(0)

  const strip = dialog.getByRole('list', { name: 'All files on this page' })
  await strip.getByRole('button', { name: 'PIT_0002.jpg' }).click()
  await expect(dialog.getByRole('img', { name: 'PIT_0002.jpg' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Play as a slideshow' }).click()
  await expect(dialog.getByRole('img', { name: 'PIT_0002.jpg' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Stop the slideshow' }).click()
  await expect(dialog.getByRole('button', { name: 'Play as a slideshow' })).toBeVisible()
})

test('a folder that is closed, and one that never was, say so', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/410|404/)
  const folder = await share(site, 'old', { 'a.jpg': 'a' }, { expiresAt: 1 })
  const gone = await page.goto(`/s/${folder.key}`)
  expect(gone!.status()).toBe(410)
  await expect(page.getByRole('heading', { name: 'This gallery is closed' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click()
  await expect(page.getByRole('dialog', { name: 'Contact us' })).toBeVisible()
  const missing = await page.goto('/s/AAAAAAAAAAAAAAAAAAAAAA')
  expect(missing!.status()).toBe(404)
  const guess = await page.goto('/no-such-page')
  expect(guess!.status()).toBe(404)
  await expect(page.getByRole('heading', { name: /Page not found/ })).toBeVisible()
})

test('a gallery that closes while it is looked at says so in the viewer, at a comment, and beside the page', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/410/)
  await page.clock.install()
  const folder = await share(site, 'winter', await files())
  await page.goto(`/s/${folder.key}`)
  const first = page.getByRole('link', { name: /PIT_0001/ }).first()
  await first.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'PIT_0001.jpg' })).toBeVisible()
  const { acts } = site.context.features.folders
  await acts.revoke(folder, 'Aino')
  const comment = dialog.getByLabel('Comment on PIT_0001.jpg')
  await comment.fill('Warmer, please')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This gallery is closed.')
  await expect(comment).toHaveValue('Warmer, please')
  await page.clock.fastForward(16_000)
  const beside = page.locator('[role=status]').filter({ hasText: 'This gallery is closed.' })
  await expect(beside.getByRole('link', { name: 'More', includeHidden: true })).toHaveCount(1)

  // The next pictures can't be loaded any more: the page says why.
  await dialog.getByRole('button', { name: 'PIT_0010.jpg' }).click()
  await expect(page.getByRole('heading', { name: 'This gallery is closed' })).toBeVisible()
})

test('when the downloads are used up, the page says it and the file is refused in place', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/429/)
  const folder = await share(site, 'rare', { 'a.pdf': 'a' }, { maxDownloads: 1 })
  await site.get(`/s/${folder.key}/zip`)
  await page.goto(`/s/${folder.key}`)
  await expect(page.getByText('All downloads of this gallery have been used.')).toBeVisible()
  const refused = await page.goto(`/s/${folder.key}/zip`)
  expect(refused!.status()).toBe(429)
  await expect(page.getByRole('heading', { name: 'No downloads left' })).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('files, selections and favourites work by links and forms', async ({ page, site }) => {
    const address = await open(site)
    await page.goto(address)
    await page.getByRole('checkbox', { name: 'Select PIT_0002.jpg' }).check({ force: true })
    const some = await download(page, () =>
      page.getByRole('button', { name: 'Download selection' }).click(),
    )
    expect([...(await unzip(some.bytes)).keys()]).toEqual(['PIT_0002.jpg'])
    await page.getByRole('button', { name: 'Favourite PIT_0001.jpg' }).click()
    await expect(page.getByRole('link', { name: /^Favourites 1/ })).toBeVisible()
    await page.getByLabel('Your name').fill('Aino')
    await page.getByRole('button', { name: 'Send favourites' }).click()
    await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()
  })
})

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('no state of a folder has a violation', async ({ page, site, complaints }) => {
      complaints.expect(/401|410/)
      const address = await open(site)
      const secret = await share(site, 'secret', {}, { password })
      const gone = await share(site, 'gone', {}, { revokedAt: 1 })
      const empty = await share(site, 'empty', {})
      await page.goto(address)
      await page.getByRole('button', { name: 'Select all' }).click()
      await page.getByRole('button', { name: 'Favourite PIT_0001.jpg' }).click()
      await expect(page.getByLabel('Your name')).toBeVisible()
      expect(await violations(page)).toEqual([])
      await page.getByRole('link', { name: 'PIT_0001.jpg' }).click()
      await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
      expect(await violations(page)).toEqual([])
      for (const path of [`${secret.key}?wrong=1`, gone.key, empty.key]) {
        await page.goto(`/s/${path}`)
        await page.evaluate(() => document.fonts.ready)
        expect(await violations(page)).toEqual([])
      }
    })
  })
}

test('a picture that can’t be shown is offered as it is, not in a web size that can’t be made', async ({
  page,
  browser,
  site,
}) => {
  const folder = await share(site, 'winter', await files())
  const file = `/s/${folder.key}/files/${idsOf(site, folder)['broken.jpg']}`
  await page.goto(`/s/${folder.key}`, { waitUntil: 'networkidle' })
  await page.getByRole('link', { name: /broken\.jpg/ }).click()
  await expect(page.getByText('No preview available, but you can download it.')).toBeVisible()
  const viewer = page.getByRole('dialog')
  await expect(viewer.getByRole('link', { name: /Original/ })).toHaveAttribute('href', file)
  await expect(viewer.getByRole('link', { name: /Web size/ })).toHaveCount(0)

  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(`/s/${folder.key}`)
  await expect(plain.getByRole('link', { name: /broken\.jpg/ })).toHaveAttribute('href', file)
  await context.close()
})
