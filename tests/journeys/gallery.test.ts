import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { makeClient } from '../support/clients.ts'
import { enter } from '../support/code-form.ts'
import { layoutShifts } from '../support/layout-shifts.ts'
import { inPanel, noise, photo, share, writeFiles } from '../support/shared-folder.ts'
import { alive, expect, test } from './site.ts'

const sizes = [
  [600, 400],
  [400, 600],
  [400, 600],
  [900, 400],
  [600, 400],
  [500, 500],
  [360, 640],
  [640, 360],
  [400, 600],
  [1600, 500],
  [400, 500],
] as const

async function files() {
  const given: Record<string, Buffer> = { 'zz-broken.jpg': noise(300) }
  for (const [index, [width, height]] of sizes.entries()) {
    given[`PIT_${String(index + 1).padStart(2, '0')}_${width}x${height}.jpg`] = await photo(
      width,
      height,
    )
  }
  return given
}

/** Every tile with a picture: its box, and how much of the picture its box leaves out. */
const tiles = (page: Page) =>
  page.locator('main li img').evaluateAll((images) =>
    images.map((image) => {
      const { width, height, top, left, right } = image.getBoundingClientRect()
      const [w, h] = [Number(image.getAttribute('width')), Number(image.getAttribute('height'))]
      return { top, left, right, height, cut: Math.abs(1 - width / height / (w / h)) }
    }),
  )

for (const width of [390, 820, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('no picture of a gallery is cut, and those of a row have one height', async ({
      page,
      site,
    }) => {
      const folder = await share(site, 'winter', await files())
      const moved = await layoutShifts(page)
      await page.goto(`/s/${folder.key}`, { waitUntil: 'networkidle' })
      const shown = await tiles(page)
      expect(shown).toHaveLength(sizes.length)
      const rows = Map.groupBy(shown, ({ top }) => Math.round(top))
      for (const tile of shown) {
        expect(tile.cut).toBeLessThan(0.02)
        expect(tile.height).toBeGreaterThan(90)
        expect(tile.height).toBeLessThan(600)
      }
      const complete = [...rows.values()].slice(0, -1)
      expect(rows.size).toBeGreaterThan(1)
      for (const row of rows.values()) {
        const heights = row.map(({ height }) => height)
        expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1.5)
      }
      const left = Math.min(...shown.map((tile) => tile.left))
      const right = Math.max(...shown.map((tile) => tile.right))
      const full = complete.filter((row) => row.at(-1)!.right - left > (right - left) * 0.98)
      expect(full.length).toBeGreaterThanOrEqual(complete.length - 1)
      expect(await moved()).toBe(0)
    })
  })
}

test('a picture that is alone in its gallery stands below the title, and is no thumbnail', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 2560, height: 1300 })
  const folder = await share(site, 'winter', { 'a.jpg': await photo(600, 400) })
  await page.goto(`/s/${folder.key}`)
  const title = (await page.getByRole('heading', { level: 1 }).boundingBox())!
  const [tile] = await tiles(page)
  expect(Math.abs(tile!.left - title.x)).toBeLessThan(2)
  expect(tile!.height).toBeGreaterThan(300)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the filmstrip begins with the picture that was opened in sight', async ({ page, site }) => {
    const folder = await share(site, 'winter', await files())
    await page.goto(`/s/${folder.key}`)
    await page.getByRole('link', { name: /^PIT_11/ }).click()
    const strip = page.getByRole('list', { name: 'All files on this page' })
    await expect(strip.getByRole('button', { name: /^PIT_11/ })).toBeInViewport({ ratio: 1 })
  })

  test('the two buttons of a narrow picture lie side by side', async ({ page, site }) => {
    const folder = await share(
      site,
      'narrow',
      { 'a.jpg': await photo(300, 900), 'b.jpg': await photo(300, 600) },
      { rounds: 'many' },
    )
    await page.goto(`/s/${folder.key}`)
    for (const name of ['a.jpg', 'b.jpg']) {
      const box = await page.getByRole('checkbox', { name: `Select ${name}` }).boundingBox()
      const heart = await page.getByRole('button', { name: `Favourite ${name}` }).boundingBox()
      expect(box!.x + box!.width).toBeLessThanOrEqual(heart!.x)
    }
  })
})

test.describe('in a paddock', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a network that fails takes neither the gallery nor what was typed', async ({
    page,
    site,
    context,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 503/)
    const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']
    const given = await Promise.all(names.map(async (name) => [name, await photo(600, 400)]))
    const folder = await share(site, 'winter', Object.fromEntries(given), { rounds: 'many' })
    await page.goto(`/s/${folder.key}`)
    await alive(page)
    await page.getByRole('link', { name: 'a.jpg' }).click()
    const lightbox = page.getByRole('dialog', { name: 'Files of Arctic Rally' })
    await expect(lightbox.getByRole('img', { name: 'a.jpg' })).toBeVisible()
    const comment = (name: string) => lightbox.getByLabel(`Comment on ${name}`)
    const heart = lightbox.getByRole('button', { name: 'Favourite a.jpg' })
    await heart.click()
    await expect(
      page.getByRole('link', { name: /^Favourites 1/, includeHidden: true }),
    ).toHaveCount(1)
    await context.setOffline(true)
    await comment('a.jpg').fill('Crop tighter')
    await comment('a.jpg').press('Enter')
    await expect(lightbox.getByRole('alert')).toContainText('Couldn’t save')
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
    // Those beside a picture are fetched ahead, so this one needs the network.
    for (const name of ['b.jpg', 'c.jpg', 'd.jpg']) {
      await lightbox.getByRole('button', { name: 'Next' }).click()
      await expect(comment(name)).toBeVisible()
    }
    await expect(lightbox.getByText('Couldn’t load d.jpg.')).toBeVisible()
    await context.setOffline(false)
    await lightbox.getByRole('button', { name: 'Try again' }).click()
    await expect(lightbox.getByRole('img', { name: 'd.jpg' })).toBeVisible()
    for (const name of ['c.jpg', 'b.jpg', 'a.jpg']) {
      await lightbox.getByRole('button', { name: 'Previous' }).click()
      await expect(comment(name)).toBeVisible()
    }
    await expect(comment('a.jpg')).toHaveValue('Crop tighter')
    await lightbox.getByRole('button', { name: 'Save' }).click()
    await expect(lightbox.getByRole('button', { name: 'Saved' })).toBeVisible()

    // On a later day the code of the form isn't there yet.
    await page.goto(`/s/${folder.key}`)
    await alive(page)
    const sending = page.getByRole('button', { name: 'Send favourites' })
    await page.getByLabel('Your name').fill('Aino Virtanen')
    await context.setOffline(true)
    await sending.click()
    await expect(page.getByText('Couldn’t send. Check your connection')).toBeVisible()
    await expect(page.getByLabel('Your name')).toHaveValue('Aino Virtanen')
    await context.setOffline(false)
    // A proxy answers while the server is away.
    const news = `**/api/folders/${folder.key}/**`
    await page.route(news, (route) => route.fulfill({ status: 503, body: 'Service Unavailable' }))
    await sending.click()
    await expect(page.getByText('Couldn’t send. Please try again in a moment.')).toBeVisible()
    await expect(page.getByLabel('Your name')).toHaveValue('Aino Virtanen')
    await page.unroute(news)
    await sending.click()
    await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()
  })

  test('hearts and comments are shown on every page of a gallery', async ({ page, site }) => {
    const picture = await photo(60, 40)
    const names = Array.from({ length: 121 }, (_, at) => `IMG_${at + 101}.jpg`)
    const folder = await share(site, 'winter', Object.fromEntries(names.map((n) => [n, picture])), {
      rounds: 'many',
    })
    await page.goto(`/s/${folder.key}?page=2`)
    await alive(page)
    const heart = page.getByRole('button', { name: 'Favourite IMG_221.jpg' })
    await heart.click()
    await expect(page.getByRole('link', { name: /^Favourites 1/ })).toBeVisible()
    await page.goto(`/s/${folder.key}`)
    await alive(page)
    await page.getByRole('link', { name: 'IMG_220.jpg' }).click()
    const lightbox = page.getByRole('dialog', { name: 'Files of Arctic Rally' })
    await lightbox.getByRole('button', { name: 'Next' }).click()
    await expect(lightbox.getByLabel('Comment on IMG_221.jpg')).toBeVisible()
    await expect(lightbox.getByRole('button', { name: 'Favourite IMG_221.jpg' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  })
})

for (const width of [320, 390]) {
  test(`what a selection can do is said in whole words at ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 844 })
    const folder = await share(site, 'winter', { 'a.jpg': await photo(600, 400) })
    await page.goto(`/s/${folder.key}`)
    await alive(page)
    await page.getByRole('checkbox', { name: 'Select a.jpg' }).check()
    for (const name of ['Clear', 'Web size', 'Download selection']) {
      const words = page.getByRole('main').getByText(name, { exact: true }).last()
      const lines = await words.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getClientRects().length
      })
      expect([name, lines]).toEqual([name, 1])
    }
  })
}

for (const width of [320, 390]) {
  test(`nothing above or below a large gallery is cut or covered at ${width} px`, async ({
    page,
    site,
    complaints,
  }) => {
    complaints.expect(/410/)
    await page.setViewportSize({ width, height: 844 })
    const picture = await photo(60, 40)
    const names = Array.from({ length: 121 }, (_, at) => `IMG_${at + 101}.jpg`)
    const folder = await share(site, 'winter', Object.fromEntries(names.map((n) => [n, picture])))
    await page.goto(`/s/${folder.key}`)
    await alive(page)
    await page.getByRole('button', { name: 'Favourite IMG_101.jpg' }).click()
    for (const each of [
      page.getByRole('link', { name: /^Favourites 1/ }),
      page.getByRole('link', { name: 'Send favourites' }),
      page.getByRole('button', { name: 'Select this page' }),
    ]) {
      const { x, width: across } = (await each.boundingBox())!
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + across).toBeLessThanOrEqual(width)
    }
    await page.getByRole('button', { name: 'Select this page' }).click()
    // It’s closed while someone chooses; the page hears of it when it’s looked at again.
    await site.context.commit((tx) =>
      site.context.features.folders.store.change(tx, folder, { revokedAt: 1 }),
    )
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const note = page.getByRole('status').filter({ has: page.getByRole('link', { name: 'More' }) })
    await expect(note).toBeVisible()
    const bar = page.getByRole('status').filter({ hasText: 'selected' }).locator('..')
    await expect(async () => {
      const [above, below] = [(await note.boundingBox())!, (await bar.boundingBox())!]
      expect(above.y + above.height).toBeLessThanOrEqual(below.y)
    }).toPass({ timeout: 15_000 })
  })
}

test('an open gallery asks for nothing at first, and tells of a new photo once it asks', async ({
  page,
  site,
}) => {
  await page.clock.install()
  const folder = await share(site, 'rally', { 'IMG_1.jpg': await photo() })
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/news?')) asked += 1
  })
  await page.goto(`/s/${folder.key}`)
  await alive(page)
  const note = page.getByRole('status').filter({ hasText: '1 new photo' })
  writeFiles(site, 'rally', { 'IMG_2.jpg': await photo() })
  await site.context.features.folders.sync(folder)
  await page.clock.fastForward(10_000)
  expect(asked).toBe(0)
  await page.clock.fastForward(10_000)
  await expect(note).toBeVisible()
  await note.getByRole('link', { name: 'Show' }).click()
  await expect(page.getByRole('link', { name: /IMG_2/ }).first()).toBeVisible()
  await expect(note).toBeHidden()
})

test('the code form that takes the place of a gallery is seen from its beginning', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/401/)
  await page.setViewportSize({ width: 390, height: 664 })
  const { client, code } = await makeClient(site, { scopes: ['view'] })
  const folder = await share(site, 'winter', await files())
  await inPanel(site, client.id, folder)
  await page.goto(`/s/${folder.key}`)
  await alive(page)
  await enter(page, code)
  await expect(page.getByRole('heading', { name: 'Sign in to view' })).toHaveCount(0)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200)
  const other = await context.newPage()
  await other.goto('/client-zone')
  await alive(other)
  await other.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to view' })).toBeInViewport({ ratio: 1 })
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('two devices with one code see what either marks, before it is sent', async ({
  page,
  site,
  browser,
  complaints,
}) => {
  complaints.expect(/status of 40[01]/)
  const { client, code } = await makeClient(site, { scopes: ['view', 'select'] })
  const folder = await share(site, 'winter', await files())
  await inPanel(site, client.id, folder)
  const there = await browser.newContext()
  const other = await there.newPage()
  for (const each of [page, other]) {
    await each.goto(`${site.url}/s/${folder.key}`)
    await alive(each)
    await enter(each, code)
  }
  const heart = (on: Page, number: string) =>
    on.getByRole('button', { name: `Favourite PIT_${number}` }).click()
  const listed = (on: Page) =>
    on.getByRole('list', { name: 'Favourites and comments' }).getByRole('listitem')
  await heart(page, '01')
  await expect(listed(page)).toHaveCount(1)
  await heart(other, '02')
  await expect(listed(other)).toHaveCount(2)
  await heart(other, '03')
  await expect(listed(other)).toHaveCount(3)
  const section = page.getByRole('region', { name: 'Your favourites' })
  await section.getByLabel('Your name').fill('Aino')
  await section.getByRole('button', { name: 'Send favourites' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'have changed' })).toBeVisible()
  await expect(listed(page)).toHaveCount(3)
  await expect(section.getByLabel('Your name')).toHaveValue('Aino')
  // One that is on its way as the form is sent counts.
  await page.route('**/marks', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await heart(page, '04')
  await section.getByRole('button', { name: 'Send favourites' }).click()
  await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()
  await expect(listed(page)).toHaveCount(4)
  await there.close()
})

test('of the first favourites of a new visitor none is lost, however slow the network', async ({
  page,
  site,
  context,
}) => {
  const folder = await share(site, 'winter', await files())
  await page.goto(`/s/${folder.key}`)
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  const slow = { offline: false, latency: 1500, downloadThroughput: -1, uploadThroughput: -1 }
  await network.send('Network.emulateNetworkConditions', slow)
  for (const number of ['01', '02', '03']) {
    await page.getByRole('button', { name: `Favourite PIT_${number}` }).click()
  }
  const listed = page.getByRole('list', { name: 'Favourites and comments' }).getByRole('listitem')
  await expect(listed).toHaveCount(3)
  const { unsent } = site.context.features.folders.favourites
  await expect.poll(() => unsent(folder.id).files, { timeout: 15_000 }).toBe(3)
  expect(unsent(folder.id).visitors).toBe(1)
  await network.send('Network.emulateNetworkConditions', { ...slow, latency: 0 })
  await page.reload()
  await expect(listed).toHaveCount(3)
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled })

    test('what has left the gallery is taken out of the favourites, and the others stay', async ({
      page,
      site,
      context,
      complaints,
    }) => {
      complaints.expect(/INTERNET_DISCONNECTED/)
      const folder = await share(site, 'winter', await files())
      await page.goto(`/s/${folder.key}`)
      const listed = page
        .getByRole('list', { name: 'Favourites and comments' })
        .getByRole('listitem')
      for (const [index, number] of ['01', '02', '03', '04'].entries()) {
        await page.getByRole('button', { name: `Favourite PIT_${number}` }).click()
        await expect(listed).toHaveCount(index + 1)
      }
      const { favourites, sync } = site.context.features.folders
      await expect.poll(() => favourites.unsent(folder.id).files).toBe(4)
      for (const number of ['01', '02', '03']) {
        const [name] = Object.keys(await files()).filter((each) => each.startsWith(`PIT_${number}`))
        rmSync(join(site.dataDir, 'folders/winter', name!))
      }
      await sync(folder, undefined, { isGoneMeant: true })
      await page.goto(`/s/${folder.key}`)
      await expect(page.getByText('We’ve removed 3 files')).toBeVisible()
      const remove = (number: string) =>
        page.getByRole('button', { name: new RegExp(`^Remove PIT_${number}`) })
      await page.getByLabel('Your name').fill('Aino')
      await page.getByLabel('Message').fill('Both in colour')
      if (javaScriptEnabled) {
        await context.setOffline(true)
        await remove('02').click()
        await expect(page.getByText('Couldn’t save. Check your connection')).toBeVisible()
        await expect(remove('02')).toBeVisible()
        await context.setOffline(false)
      }
      await remove('02').click()
      await expect(listed).toHaveCount(3)
      if (javaScriptEnabled) await expect(remove('03')).toBeFocused()
      await remove('03').click()
      await expect(listed).toHaveCount(2)
      await expect(page.getByText('We’ve removed a file')).toBeVisible()
      await expect(page.getByText('2 favourites', { exact: true })).toBeVisible()
      await remove('01').click()
      await expect(page.getByRole('heading', { name: 'Your favourites' })).toBeFocused()
      await expect(page.getByLabel('Your name')).toHaveValue('Aino')
      await expect(page.getByLabel('Message')).toHaveValue('Both in colour')
      await page.getByRole('button', { name: 'Send favourites' }).click()
      await expect(page.getByRole('heading', { name: 'Favourites sent' })).toBeVisible()
      await expect(listed).toHaveText(/PIT_04/)
    })
  })
}

test('who signed in at a gallery finds the place again where the viewer closes', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/401/)
  const folder = await share(site, 'winter', await files())
  const { client, code } = await makeClient(site)
  await inPanel(site, client.id, folder)
  await page.setViewportSize({ width: 390, height: 500 })
  await page.goto(`/s/${folder.key}`)
  await alive(page)
  await enter(page, code)
  await expect(page).toHaveURL(/#result$/)
  const last = page.getByRole('link', { name: /^PIT_11/ })
  await last.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).not.toHaveURL(/open=/)
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport()
})

test('the viewer goes on to the next page of a large gallery, and back', async ({ page, site }) => {
  const picture = await photo(60, 40)
  const names = Array.from({ length: 123 }, (_, at) => `IMG_${String(at + 1).padStart(3, '0')}.jpg`)
  const folder = await share(site, 'winter', Object.fromEntries(names.map((n) => [n, picture])))
  const address = `/s/${folder.key}`
  await page.goto(address)
  await alive(page)
  await page.getByRole('link', { name: /^IMG_119/ }).click()
  const lightbox = page.getByRole('dialog', { name: 'Files of Arctic Rally' })
  await expect(lightbox.getByRole('img', { name: 'IMG_119.jpg' })).toBeVisible()
  for (const [key, name, place] of [
    ['ArrowRight', 'IMG_120.jpg', /120.*123/],
    ['ArrowRight', 'IMG_121.jpg', /121.*123/],
    ['ArrowLeft', 'IMG_120.jpg', /120.*123/],
    ['ArrowRight', 'IMG_121.jpg', /121.*123/],
    ['ArrowRight', 'IMG_122.jpg', /122.*123/],
    ['ArrowRight', 'IMG_123.jpg', /123.*123/],
  ] as const) {
    await page.keyboard.press(key)
    await expect(lightbox.getByRole('img', { name })).toBeVisible()
    await expect(lightbox.locator('[aria-live]')).toContainText(place)
  }
  await expect(lightbox.getByRole('button', { name: 'Next' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  // It closes on the page of what was looked at.
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`${address}?page=2`)
  await expect(page.getByRole('link', { name: /^IMG_123/ })).toBeVisible()
})

test('of long names the end is shown, by which the pictures of a series differ', async ({
  page,
  site,
}) => {
  const series = '2026-11-20_Rally_Lapland_Special_Stage_12_Rovaniemi_Ounasvaara'
  const names = ['0041', '0042'].map((number) => `${series}_${number}.jpg`)
  const picture = await photo(600, 400)
  const folder = await share(site, 'winter', Object.fromEntries(names.map((n) => [n, picture])))
  await page.goto(`/s/${folder.key}`)
  for (const [at, name] of names.entries()) {
    const tile = page.locator('main li').nth(at)
    await expect(tile.getByText(name, { exact: true })).toBeAttached()
    const [whole, end] = [
      await tile.boundingBox(),
      await tile.getByText(name.slice(-12), { exact: true }).boundingBox(),
    ]
    expect(end!.width).toBeGreaterThan(40)
    expect(end!.x + end!.width).toBeLessThanOrEqual(whole!.x + whole!.width)
  }
})
