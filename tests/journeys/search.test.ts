import { expectRefusal, openOverlay } from '../support/search-overlay.ts'
import { alive, expect, test, violations } from './site.ts'

test('shows results with marks, kinds and a count that is spoken', async ({ page }) => {
  const reply = await page.goto('/search?q=jyvaskyla')
  expect(reply?.headers()['x-robots-tag']).toBe('noindex, follow')
  expect(reply?.headers()['cache-control']).toBe('private, no-store')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  const main = page.getByRole('main')
  await expect(main.getByRole('status')).toHaveText(/^\d+ results for “jyvaskyla”$/)
  await expect(main.locator('mark', { hasText: 'Jyväskylä' }).first()).toBeVisible()
  const tabs = main.getByRole('navigation', { name: 'Kinds of results' })
  await tabs.getByRole('link', { name: /^News/ }).click()
  await expect(page).toHaveURL('/search?q=jyvaskyla&type=news')
  await expect(main.getByRole('status')).toHaveText(/in News$/)
  await expect(tabs.getByRole('link', { name: /^News/ })).toHaveAttribute('aria-current', 'page')
})

for (const [question, path] of [
  ['Do you work for private drivers and clubs?', '/about-us#question-7'],
  ['Do you wrap the car too?', '/services/graphic-design#question-21'],
] as const) {
  test(`a found question is open where it is shown, ${path}`, async ({ page }) => {
    await page.goto(`/search?type=faq&q=${encodeURIComponent(question)}`)
    await page.getByRole('main').getByRole('link', { name: question }).click()
    await expect(page).toHaveURL(path)
    const asked = page.locator('details', { has: page.getByRole('heading', { name: question }) })
    await expect(asked).toHaveAttribute('open', '')
    await expect(asked.getByRole('heading', { name: question })).toBeInViewport()
    // The same from an address that someone passed on.
    await page.goto('/contactwindow')
    await page.goto(path)
    await expect(asked).toHaveAttribute('open', '')
    await expect(asked.locator('div')).toBeInViewport()
  })
}

test('helps where nothing is found', async ({ page }) => {
  await page.goto('/search?q=videograhpy')
  const main = page.getByRole('main')
  await expect(main.getByRole('status')).toHaveText('No results for “videograhpy”')
  await expect(main.getByRole('link', { name: 'Ask us directly' })).toBeVisible()
  await main.getByText('Did you mean').getByRole('link').click()
  await expect(main.getByRole('status')).toHaveText(/^\d+ results? for “videography”/i)
})

test('says what is wrong with the term of an address, and does not search', async ({ page }) => {
  const main = page.getByRole('main')
  for (const [query, message] of [
    ['a', 'Search term must be at least 2 characters'],
    ['x'.repeat(101), 'Search term is too long (maximum 100 characters)'],
    ['%26lt%3Bscript%26gt%3B', 'Invalid search term'],
  ] as const) {
    const reply = await page.goto(`/search?q=${query}`)
    expect(reply?.status()).toBe(200)
    await expect(main.getByRole('alert')).toHaveText(message)
    await expect(main.getByRole('status')).toBeEmpty()
  }
  await page.goto('/search')
  await expect(main.getByRole('alert')).toBeEmpty()
  await expect(main.getByRole('navigation', { name: 'Popular searches' })).toBeVisible()
})

test('the form of the page checks a term and takes its message back, as the overlay does', async ({
  page,
}) => {
  await page.goto('/search?q=b')
  const form = page.getByRole('main').getByRole('search')
  const field = form.getByRole('textbox')
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toHaveText('Search term must be at least 2 characters')
  await field.press('End')
  await field.press('x')
  await expect(alert).toBeEmpty()
  await expect(field).toHaveAttribute('aria-invalid', 'false')
  for (const [term, message] of [
    ['a', 'Search term must be at least 2 characters'],
    ['<script>', 'Invalid search term'],
  ] as const) {
    await expectRefusal({ field, alert }, term, message)
    await expect(page).toHaveURL('/search?q=b')
  }
})

test('the form of the page shows a spinner for 500 ms, then the results', async ({ page }) => {
  await page.goto('/search?q=film')
  const main = page.getByRole('main')
  const form = main.getByRole('search')
  const field = form.getByRole('textbox')
  await expect(main.getByRole('status')).toHaveText(/“film”/)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const term of ['rally', 'rally', 'snow']) {
    const before = page.url()
    await field.fill(term)
    await field.press('Enter')
    await expect(form.getByText('Searching')).toBeAttached()
    await page.clock.runFor(499)
    await expect(form.getByText('Searching')).toBeAttached()
    expect(page.url()).toBe(before)
    await page.clock.runFor(1)
    await expect(form.getByText('Searching')).toHaveCount(0)
    await expect(page).toHaveURL(`/search?q=${term}`)
    await expect(main.getByRole('status')).toHaveText(new RegExp(`“${term}”`))
    await expect(field).toBeFocused()
  }
})

test('what is typed and sent while results are on their way stays, and is searched for', async ({
  page,
}) => {
  await page.goto('/search?q=film')
  await alive(page)
  const main = page.getByRole('main')
  const field = main.getByRole('textbox')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/search?**q=rally**', async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/search?**q=rally**')
  await field.fill('rally')
  await field.press('Enter')
  await asked
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await field.fill('snow')
  await field.press('Enter')
  release()
  await expect(page).toHaveURL('/search?q=rally')
  await expect(field).toHaveValue('snow')
  await expect(main.getByText('Searching')).toBeAttached()
  await page.clock.runFor(500)
  await expect(page).toHaveURL('/search?q=snow')
  await expect(main.getByRole('status')).toHaveText(/“snow”/)
  // A step back shows the term that belongs to the page.
  await page.goBack()
  await expect(main.getByRole('status')).toHaveText(/“rally”/)
  await expect(field).toHaveValue('rally')
})

test('a link followed while the search spinner shows cancels the search', async ({ page }) => {
  await page.goto('/search')
  const main = page.getByRole('main')
  const field = main.getByRole('textbox')
  await field.fill('rally')
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await field.press('Enter')
  await main.getByRole('link', { name: 'Racing' }).click()
  await expect(page).toHaveURL('/search?q=Racing')
  await page.clock.runFor(2000)
  await expect(page).toHaveURL('/search?q=Racing')
  await expect(field).toHaveValue('Racing')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('searches by the button and the form of the page', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL(/\/search\??$/)
    const main = page.getByRole('main')
    await main.getByRole('textbox').fill('jyvaskyla')
    await main.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL('/search?q=jyvaskyla')
    await expect(main.locator('mark').first()).toHaveText(/Jyväskylä/)
    await main.getByRole('textbox').fill('a')
    await main.getByRole('button', { name: 'Search' }).click()
    await expect(main.getByText('Search term must be at least 2 characters')).toBeVisible()
  })
})

for (const width of [390, 1440]) {
  test(`is accessible and fits, ${width} px`, async ({ page }) => {
    // The checker reads five screens, each in many seconds on a crowded machine.
    test.setTimeout(240_000)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const path of ['/search', '/search?q=rally', '/search?q=photograhpy', '/search?q=a']) {
      await page.goto(path)
      expect(await violations(page), path).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, path).toBeLessThanOrEqual(0)
    }
    const overlay = await openOverlay(page)
    await overlay.getByRole('textbox').fill('a')
    await overlay.getByRole('textbox').press('Enter')
    await expect(overlay.getByRole('alert')).toHaveText(/at least/)
    expect(await violations(page), 'overlay').toEqual([])
  })
}
