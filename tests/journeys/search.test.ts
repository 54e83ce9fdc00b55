import type { Locator, Page } from 'playwright/test'
import { expect, test, violations } from './site.ts'

const overlayOf = (page: Page) => page.getByRole('dialog', { name: 'Search the site' })

/** Opens the overlay from the bar. */
async function openOverlay(page: Page, path = '/') {
  await page.goto(path)
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  const overlay = overlayOf(page)
  await expect(overlay.getByRole('textbox')).toBeFocused()
  return overlay
}

/** A term is refused with a message once it is sent; what was said before goes as it is typed. */
async function expectRefusal(
  { field, alert }: { field: Locator; alert: Locator },
  term: string,
  message: string,
) {
  await field.fill(term)
  await expect(alert).toBeEmpty()
  await field.press('Enter')
  await expect(alert).toHaveText(message)
  await expect(field).toHaveAttribute('aria-invalid', 'true')
}

test('says what is wrong with a term, and takes it back when the visitor types', async ({
  page,
}) => {
  const overlay = await openOverlay(page)
  const field = overlay.getByRole('textbox')
  const alert = overlay.getByRole('alert')
  for (const [term, message] of [
    ['a', 'Search term must be at least 2 characters'],
    ['<script>', 'Invalid search term'],
    ['javascript:x', 'Invalid search term'],
    ['onclick=x', 'Invalid search term'],
    ['eval(x)', 'Invalid search term'],
  ] as const) {
    await expectRefusal({ field, alert }, term, message)
  }
  await field.press('End')
  await field.press('x')
  await expect(alert).toBeEmpty()
  await field.evaluate((input: HTMLInputElement) => {
    input.value = 'x'.repeat(101)
  })
  await field.press('Enter')
  await expect(alert).toHaveText('Search term is too long (maximum 100 characters)')
  await expect(page).toHaveURL('/')
})

test('does nothing with an empty term, and takes no more than 100 characters', async ({ page }) => {
  const overlay = await openOverlay(page)
  const field = overlay.getByRole('textbox')
  await field.fill('   ')
  await field.press('Enter')
  await expect(overlay.getByRole('alert')).toBeEmpty()
  await expect(overlay.getByText('Searching')).toBeHidden()
  await expect(page).toHaveURL('/')
  await field.fill('')
  await page.keyboard.insertText('x'.repeat(103))
  await expect(field).toHaveValue('x'.repeat(100))
})

test('asks for a term where there is none, in the overlay and on the page', async ({ page }) => {
  const overlay = await openOverlay(page, '/search')
  const main = page.getByRole('main')
  for (const place of [overlay, main]) {
    const field = place.getByRole('textbox')
    await expect(field).toHaveAccessibleDescription(/one word is enough/)
    await place.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(place.getByText(/^What are you looking for\? Type a word/)).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'false')
    await expect(place.getByRole('alert')).toBeEmpty()
    await field.fill('r')
    await expect(place.getByText(/^What are you looking for\? Type a word/)).toBeHidden()
    await page.keyboard.press('Escape')
  }
  await expect(page).toHaveURL('/search')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('What are you looking for?')
  const chips = main.getByRole('navigation', { name: 'Popular searches' }).getByRole('link')
  await expect(chips).toHaveCount(6)
})

test('shows a spinner for 500 ms, then the results', async ({ page }) => {
  const overlay = await openOverlay(page)
  const field = overlay.getByRole('textbox')
  await field.fill('  R&D  ')
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await field.press('Enter')
  await expect(overlay.getByText('Searching')).toBeAttached()
  await page.clock.runFor(499)
  await expect(overlay).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.clock.runFor(1)
  await page.clock.resume()
  await expect(page).toHaveURL('/search?q=R%26amp%3BD')
  await expect(overlay).toBeHidden()
  await expect(page.getByRole('main').getByRole('textbox')).toHaveValue('R&D')
  await expect(page.getByRole('main')).not.toContainText('&amp;')
})

test('goes nowhere when the overlay is closed while the spinner shows', async ({ page }) => {
  const overlay = await openOverlay(page)
  await overlay.getByRole('textbox').fill('rally')
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await overlay.getByRole('textbox').press('Enter')
  await page.keyboard.press('Escape')
  await expect(overlay).toBeHidden()
  await page.clock.runFor(2000)
  await expect(page).toHaveURL('/')
})

test('goes to the results by each of the six chips, and there are some', async ({ page }) => {
  await openOverlay(page, '/search')
  const overlay = overlayOf(page)
  await expect(overlay.getByRole('link')).toHaveText([
    'Photography',
    'Videography',
    'Racing',
    'Portfolio',
    'Motorsport',
    'Media Services',
  ])
  for (const term of await overlay.getByRole('link').allTextContents()) {
    if (!(await overlay.isVisible())) await page.keyboard.press('/')
    await overlay.getByRole('link', { name: term }).click()
    await expect(page).toHaveURL(`/search?q=${encodeURIComponent(term)}`)
    await expect(overlay).toBeHidden()
    await expect(page.getByText(new RegExp(`^\\d+ results? for “${term}”`))).toBeVisible()
  }
})

test('closes by Escape, its button and a click outside, gives the focus back, and holds the page still', async ({
  page,
}) => {
  const overlay = await openOverlay(page)
  const button = page.getByRole('banner').getByRole('button', { name: 'Search', exact: true })
  await page.mouse.move(700, 850)
  await page.mouse.wheel(0, 600)
  await expect(page.locator('html')).toHaveCSS('overflow', 'hidden')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  const closings = [
    () => page.keyboard.press('Escape'),
    () => overlay.getByRole('button', { name: 'Close the search' }).click(),
    () => page.mouse.click(300, page.viewportSize()!.height - 5),
  ]
  for (const close of closings) {
    await expect(overlay).toBeVisible()
    await close()
    await expect(overlay).toBeHidden()
    await expect(button).toBeFocused()
    await expect(page.locator('html')).not.toHaveCSS('overflow', 'hidden')
    await button.click()
  }
})

test('closes by a press on its empty ground, and by none on what it holds', async ({ page }) => {
  const overlay = await openOverlay(page)
  const button = page.getByRole('banner').getByRole('button', { name: 'Search', exact: true })
  const field = overlay.getByRole('textbox')
  const chips = overlay.getByRole('navigation')
  for (const name of ['Search the site', 'Popular searches', 'closes it']) {
    await overlay.getByText(name).click({ position: { x: 2, y: 2 } })
  }
  const chip = (await chips.getByRole('listitem').first().boundingBox())!
  await page.mouse.click(chip.x + chip.width + 4, chip.y + 10)
  await field.click()
  await field.fill('a')
  await field.press('Enter')
  await overlay.getByRole('alert').click()
  // A selection of the text that ends beside the field.
  const { x, y } = (await field.boundingBox())!
  await page.mouse.move(x + 30, y + 20)
  await page.mouse.down()
  await page.mouse.move(5, y + 20)
  await page.mouse.up()
  await expect(overlay).toBeVisible()
  const besideChips = (await chips.boundingBox())!
  for (const [left, top] of [
    [5, 5],
    [10, 10],
    [1270, 300],
    [640, 20],
    [besideChips.x + besideChips.width + 20, besideChips.y + 5],
  ] as const) {
    await expect(overlay).toBeVisible()
    await page.mouse.click(left, top)
    await expect(overlay).toBeHidden()
    await button.click()
  }
})

test('opens by the key /, but not while somebody types', async ({ page }) => {
  await page.goto('/search')
  const field = page.getByRole('main').getByRole('textbox')
  await field.click()
  await page.keyboard.type('1/8')
  await expect(field).toHaveValue('1/8')
  await expect(overlayOf(page)).toBeHidden()
  await field.blur()
  await page.keyboard.press('/')
  await expect(overlayOf(page).getByRole('textbox')).toBeFocused()
  await expect(overlayOf(page).getByRole('textbox')).toHaveValue('')
})

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
    // The same from an address that somebody passed on.
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

test('whoever goes elsewhere while the spinner shows stays there', async ({ page }) => {
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
