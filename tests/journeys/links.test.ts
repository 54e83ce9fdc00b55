import type { Page } from 'playwright/test'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { alive, expect, test, violations } from './site.ts'

const target = 'https://www.kaamosracing.example/season-2027'

/** Gives the browser the session of someone with a code for short links. */
async function enter(site: Site, page: Page) {
  const { headers } = await signIn(site, ['links'])
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
}

test('without a code there is a field for one and no list', async ({ page, site }) => {
  await site.context.commit((tx) =>
    site.context.features.links.create(tx, { target, code: 'season27' }, 'test'),
  )
  await page.goto('/links')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Short links')
  await expect(page.getByLabel('Secret code')).toBeVisible()
  await expect(page.getByText('season27')).toHaveCount(0)
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
})

test('staff make a link, see its clicks, change it and switch it off', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/400/)
  const { code } = await signIn(site, ['links'])
  await page.goto('/links')
  await page.getByLabel('Secret code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'No links yet' })).toBeVisible()

  await page.getByLabel('Destination URL').fill('javascript:alert(1)')
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect(page.getByText('Only http and https URLs can be linked.')).toBeVisible()
  await expect(page.getByLabel('Destination URL')).toBeFocused()

  await page.getByLabel('Destination URL').fill(target)
  await page.getByRole('textbox', { name: /^Short code/ }).fill('Season27')
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect(page.getByText('www.kaamosracing.example: link created')).toBeVisible()
  await expect(page.getByText(`${site.url.slice(7)}/l/Season27`)).toBeVisible()

  const { id } = site.context.features.links.find('season27')!
  site.context.features.links.count(id, {
    human: true,
    referrer: 'www.instagram.com',
    device: 'phone',
  })
  await page.getByRole('button', { name: 'Statistics for /l/Season27' }).click()
  await expect(page.getByText('1 click', { exact: true })).toBeVisible()
  await expect(page.getByText('www.instagram.com')).toBeVisible()
  await page.getByText('Show as table').click()
  await expect(page.getByRole('row', { name: '2026-11-20 1 0' })).toBeVisible()

  await page.getByRole('button', { name: 'Edit /l/Season27' }).click()
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: '/l/Season27' }) })
  await row.getByLabel('Active until').fill('2026-12-24T18:30')
  await row.getByLabel('Note').fill('Launch film')
  await row.getByRole('button', { name: 'Save changes' }).click()
  await expect(row.getByText('Launch film')).toBeVisible()
  // Half past six in the evening in Helsinki.
  expect(site.context.features.links.find('season27')?.expiresAt).toBe(
    Date.UTC(2026, 11, 24, 16, 30),
  )

  await row.getByRole('button', { name: 'Disable /l/Season27' }).click()
  await expect(row.getByText('Disabled')).toBeVisible()
  expect((await site.get('/l/season27')).status).toBe(410)
})

test('the QR code is shown and closes with Escape', async ({ page, site }) => {
  await site.context.commit((tx) =>
    site.context.features.links.create(tx, { target, code: 'season27' }, 'test'),
  )
  await enter(site, page)
  await page.goto('/links')
  await page.getByRole('button', { name: 'QR code for /l/season27' }).click()
  const dialog = page.getByRole('dialog', { name: '/l/season27' })
  const picture = dialog.getByRole('img')
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
    100,
  )
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('searching and paging follow the address', async ({ page, site }) => {
  for (let n = 0; n < 30; n += 1)
    await site.context.commit((tx) =>
      site.context.features.links.create(
        tx,
        { target: `${target}/${n}`, code: `link-${n}` },
        'test',
      ),
    )
  await enter(site, page)
  await page.goto('/links')
  await expect(page.getByText('30 links')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Page 2' })
    .click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('link', { name: '/l/link-0', exact: true })).toBeVisible()
  await page.getByRole('searchbox').fill('LINK-17')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 link with “LINK-17”')).toBeVisible()
  await expect(page).toHaveURL(/q=LINK-17/)
})

test('what is typed into the search stays when links that were on their way come', async ({
  page,
  site,
}) => {
  await enter(site, page)
  await page.goto('/links')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/api\/links\?.*q=first/, async (route) => {
    await held
    await route.continue()
  })
  const search = page.getByRole('searchbox')
  await search.fill('first')
  await search.press('Enter')
  await search.fill('second')
  release()
  await expect(page).toHaveURL(/q=first/)
  await expect(page.getByText('0 links with “first”')).toBeVisible()
  await expect(search).toHaveValue('second')
  // Otherwise the field follows the address.
  await search.press('Enter')
  await expect(page.getByText('0 links with “second”')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('0 links with “first”')).toBeVisible()
  await expect(search).toHaveValue('first')
  await page.goBack()
  await expect(search).toHaveValue('')
})

test('a navigation inside the site shows the host and then goes', async ({ page, site }) => {
  const elsewhere = `${site.url}/news?from=short-link`
  await site.context.commit((tx) =>
    site.context.features.links.create(tx, { target: elsewhere, code: 'season27' }, 'test'),
  )
  await page.goto('/about-us')
  await alive(page)
  await page.evaluate(() => {
    history.pushState({}, '', '/l/season27')
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(site.url.slice(7))
  await expect(page.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/l/season27')
  await expect(page).toHaveURL(elsewhere)
})

test('a link that has ended says so with a way to ask, one that never was is a 404', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/404|410/)
  await site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      { target, code: 'ended', expiresAt: site.clock() },
      'test',
    ),
  )
  await site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      { target, code: 'early', startsAt: site.clock() + 1 },
      'test',
    ),
  )
  expect((await page.goto('/l/ended'))?.status()).toBe(410)
  await expect(page.getByRole('link', { name: 'Contact us' })).toBeVisible()
  for (const path of ['/l/nothing', '/l/early', '/l/early+', '/l/early.svg']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByText('We don’t know this short link.')).toBeVisible()
  }
  await page.goto('/l')
  await expect(page).toHaveURL('/')
})

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('the pages of short links have no violation', async ({ page, site, complaints }) => {
      complaints.expect(/410/)
      await site.context.commit((tx) =>
        site.context.features.links.create(
          tx,
          { target, code: 'live', note: 'A note', maxClicks: 5 },
          'test',
        ),
      )
      await site.context.commit((tx) =>
        site.context.features.links.create(
          tx,
          { target, code: 'ended', expiresAt: site.clock() },
          'test',
        ),
      )
      for (const path of ['/links', '/l/live+', '/l/ended']) {
        await page.goto(path)
        expect(await violations(page)).toEqual([])
      }
      await enter(site, page)
      await page.goto('/links')
      await page.getByRole('button', { name: 'Statistics for /l/live' }).click()
      await expect(page.getByText('Referrers')).toBeVisible()
      await page.getByRole('button', { name: 'Edit /l/ended' }).click()
      expect(await violations(page)).toEqual([])
    })
  })
}

test('staff tag a link, give it a password, and see its clicks and a dead target', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/400/)
  const { acts, count, noteCheck, find } = site.context.features.links
  await acts.create({ target, code: 'press', tags: ['press kit'] }, 'test')
  await acts.create({ target: `${target}/gone`, code: 'poster' }, 'test')
  await site.context.commit((tx) =>
    noteCheck(tx, find('poster')!, {
      checkedAt: site.clock(),
      failures: 2,
      problem: 'answers 404',
    }),
  )
  count(find('press')!.id, { human: true, referrer: '', device: 'phone' })
  await enter(site, page)
  await page.goto('/links')
  const row = (code: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `/l/${code}` }) })
  await expect(row('press').getByRole('img')).toHaveAccessibleName('1 click in the last 30 days')
  await expect(row('poster').getByText('Target is dead: answers 404')).toBeVisible()

  await page.getByRole('button', { name: 'Edit /l/press' }).click()
  await row('press').getByLabel('Tags').fill('Press kit, Rally, rally')
  await row('press').getByLabel('Password').fill('short')
  await row('press').getByRole('button', { name: 'Save changes' }).click()
  await expect(row('press').getByText('Use 8 to 200 characters for the password.')).toBeVisible()
  await row('press').getByLabel('Password').fill('Kaamos ralli')
  await row('press').getByRole('button', { name: 'Save changes' }).click()
  await expect(row('press').getByText('with password')).toBeVisible()
  await expect(row('press').getByText('#press kit #rally')).toBeVisible()
  // What the fixed bar covers halfway counts as too small.
  await page.evaluate(() => scrollTo(0, 0))
  expect(await violations(page)).toEqual([])

  await page.getByRole('navigation', { name: 'Tag' }).getByRole('link', { name: 'rally' }).click()
  await expect(page).toHaveURL(/tag=rally/)
  await expect(page.getByText('1 link', { exact: true })).toBeVisible()
  await page.goto('/links')
  await page.getByRole('link', { name: 'Dead target 1' }).click()
  await expect(row('poster')).toBeVisible()
  await expect(row('press')).toHaveCount(0)
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(`a link with a password, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () => {
    test.use({ javaScriptEnabled, viewport: { width: 360, height: 740 } })

    test('asks for it, and then leads on', async ({ page, site }) => {
      const { acts } = site.context.features.links
      const password = 'Kaamos ralli'
      // Another site, as far as the browser is concerned.
      const other = site.url.replace('127.0.0.1', 'localhost')
      await acts.create({ target: `${other}/news`, code: 'press', password }, 'test')
      await page.goto('/l/press')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is private')
      await expect(page.getByText('localhost')).toHaveCount(0)
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Open link' }).click()
      await expect(page.getByText(/^Wrong password/)).toBeVisible()
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Open link' }).click()
      await expect(page).toHaveURL(`${other}/news`)
      await site.context.features.links.flush()
      // The browser of the tests says that it is a robot.
      expect(site.context.features.links.find('press')).toMatchObject({ human: 0, bot: 1 })
    })
  })
}

test('a link that someone else changed meanwhile keeps that, and a code that ended leaves what was typed', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/401/)
  const { links } = site.context.features
  await site.context.commit((tx) => links.create(tx, { target, code: 'season27' }, 'test'))
  await enter(site, page)
  await page.goto('/links')
  await page.getByRole('button', { name: 'Edit /l/season27' }).click()
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: '/l/season27' }) })
  await row.getByLabel('Tags').fill('press')
  const changes = { target: `${target}/corrected`, note: 'By Ville', utm: { source: 'poster' } }
  await site.context.commit((tx) => links.edit(tx, 'season27', changes))
  await row.getByRole('button', { name: 'Save changes' }).click()
  await expect(row.getByText('#press')).toBeVisible()
  expect(links.find('season27')).toMatchObject({ ...changes, tags: ['press'] })

  const field = page.getByLabel('Destination URL')
  await field.fill(`${target}/news`)
  await page.context().clearCookies({ name: 'client' })
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'another tab' })).toBeVisible()
  const { headers } = await signIn(site, ['links'], { name: 'Ville' })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect(page.getByText('www.kaamosracing.example: link created')).toBeVisible()
})

test('a link that was renamed meanwhile says so, and a page that is gone shows the last one', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/404/)
  const { links } = site.context.features
  await site.context.commit((tx) => links.create(tx, { target, code: 'season27' }, 'test'))
  await enter(site, page)
  await page.goto('/links?page=9')
  await expect(page.getByRole('link', { name: '/l/season27' })).toBeVisible()
  await expect(page.getByText('No links yet')).toHaveCount(0)
  // The page has asked once more who is signed in.
  await expect.poll(() => page.evaluate(() => 'clientPanelAuth' in localStorage)).toBe(true)
  await links.acts.rename('season27', 'season28', 'Ville')
  await page.getByRole('button', { name: 'Disable /l/season27' }).click()
  await page.getByRole('button', { name: 'Statistics for /l/season27' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'renamed or removed meanwhile' }),
  ).toHaveCount(2)
})

test('a link whose answer was lost is made once, and one that is half typed outlives the session', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED|401/)
  const { code } = await signIn(site, ['links'])
  const signInHere = async () => {
    await page.getByLabel('Secret code').fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.goto('/links')
  await alive(page)
  await signInHere()
  const field = page.getByLabel('Destination URL')
  await field.fill(target)
  await page.route('**/api/links', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Please try again' })).toBeVisible()
  await page.unroute('**/api/links')
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect(page.getByText('www.kaamosracing.example: link created')).toBeVisible()
  expect(site.context.features.links.newest(0, 10).total).toBe(1)
  // The next one is another, also to the same address.
  await field.fill(target)
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect.poll(() => site.context.features.links.newest(0, 10).total).toBe(2)
  await expect(field).toHaveValue('')

  await field.fill(`${target}/half`)
  await page.getByText('Dates, click limit').click()
  await page.getByRole('textbox', { name: 'Note' }).fill('Poster')
  await page.getByLabel('Password').fill('a long word')
  await page.getByRole('checkbox', { name: 'Forward query string' }).check({ force: true })
  const other = await context.newPage()
  await other.goto('/client-zone')
  await alive(other)
  await other.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByLabel('Secret code')).toBeVisible()
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('long word')
  await signInHere()
  await expect(field).toHaveValue(`${target}/half`)
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Poster')
  await expect(page.getByRole('checkbox', { name: 'Forward query string' })).toBeChecked()
  await page.getByRole('button', { name: 'Shorten' }).click()
  await expect.poll(() => site.context.features.links.newest(0, 1).links[0]?.note).toBe('Poster')

  // So does a change of one, in what was touched.
  const [link] = site.context.features.links.newest(0, 1).links
  const edit = page.getByRole('button', { name: `Edit /l/${link!.code}` })
  await edit.click()
  const row = page.getByRole('listitem').filter({ has: edit })
  await row.getByLabel('Tags').fill('half, typed')
  await row.getByRole('textbox', { name: 'Note' }).fill('')
  await row.getByRole('checkbox', { name: 'Forward query string' }).uncheck({ force: true })
  await row.getByLabel('Password').fill('a long word')
  await site.context.commit((tx) =>
    site.context.features.links.edit(tx, link!.code, { target: `${target}/moved` }),
  )
  await other.goto('/client-zone')
  await alive(other)
  await other.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByLabel('Secret code')).toBeVisible()
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('long word')
  await signInHere()
  await expect(row.getByLabel('Tags')).toHaveValue('half, typed')
  await expect(row.getByRole('textbox', { name: 'Note' })).toHaveValue('')
  await expect(row.getByRole('checkbox', { name: 'Forward query string' })).not.toBeChecked()
  await row.getByRole('button', { name: 'Save changes' }).click()
  await expect(row.getByText('#half #typed')).toBeVisible()
  expect(site.context.features.links.find(link!.code)).toMatchObject({
    target: `${target}/moved`,
    note: '',
    tags: ['half', 'typed'],
    forwardQuery: false,
  })
  // What was cancelled isn't there again.
  await edit.click()
  await row.getByLabel('Tags').fill('cancelled')
  await page.reload()
  await alive(page)
  await expect(row.getByLabel('Tags')).toHaveValue('cancelled')
  await row.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await alive(page)
  await expect(row.getByLabel('Tags')).toHaveCount(0)

  // Who logs out here leaves nothing to the next one.
  await field.fill(`${target}/other`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/links')
  await alive(page)
  await signInHere()
  await expect(field).toHaveValue('')
})
