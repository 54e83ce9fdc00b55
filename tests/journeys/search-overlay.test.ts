import { expectRefusal, openOverlay, overlayOf } from '../support/search-overlay.ts'
import { alive, expect, test } from './site.ts'

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

test('what is suggested begins where the field does', async ({ page }) => {
  const overlay = await openOverlay(page)
  const field = overlay.getByRole('textbox')
  await field.fill('rally')
  const picture = overlay.getByRole('list', { name: 'Suggestions' }).locator('a > span').first()
  await expect(picture).toBeVisible()
  expect((await picture.boundingBox())!.x).toBeCloseTo((await field.boundingBox())!.x, 0)
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

test('does nothing without a term, in the overlay and on the page', async ({ page }) => {
  const overlay = await openOverlay(page, '/search')
  const main = page.getByRole('main')
  for (const place of [overlay, main]) {
    const field = place.getByRole('textbox')
    await expect(field).toHaveAccessibleDescription(/Try a place/)
    await place.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(field).toBeFocused()
    await expect(field).toHaveAccessibleDescription(/^Try a place/)
    await expect(field).toHaveAttribute('aria-invalid', 'false')
    await expect(place.getByRole('alert')).toBeEmpty()
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
    () => overlay.getByRole('button', { name: 'Close search' }).click(),
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
  for (const name of ['Search the site', 'Popular searches', 'to close']) {
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

test('the key / opens the search, but not in a text field', async ({ page }) => {
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

test('suggests pages with pictures while somebody types, and the arrow keys lead through them', async ({
  page,
}) => {
  const field = (await openOverlay(page, '/about-us')).getByRole('textbox')
  await field.fill('photogr')
  const list = page.getByRole('list', { name: 'Suggestions' })
  await expect(list.getByRole('link').first()).toContainText('Photography')
  await expect(list.locator('img').first()).toBeVisible()
  await field.press('ArrowDown')
  await expect(list.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(field).toBeFocused()
  await field.fill('p')
  await expect(list).toHaveCount(0)
  await field.fill('photogr')
  await list.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/services\/photography$/)
})

test('shows the date of an event in the place of its picture, and says so where nothing is found', async ({
  page,
}) => {
  const field = (await openOverlay(page, '/about-us')).getByRole('textbox')
  await field.fill('kuusamo ice')
  const list = page.getByRole('list', { name: 'Suggestions' })
  const event = list.getByRole('link', { name: /Kuusamo Ice Sprint/ }).first()
  await expect(event.locator('time')).toHaveText(/^\d{1,2} [A-Z][a-z]+ 20\d\d$/)
  await field.fill('qqzxw')
  await expect(overlayOf(page).getByText('No results for “qqzxw”')).toBeVisible()
  await expect(list).toHaveCount(0)
  await field.fill('photogr')
  await expect(list.getByRole('link').first()).toBeVisible()
  await expect(overlayOf(page).getByText(/^No results/)).toHaveCount(0)
})

test('suggests nothing of an earlier term while the server can’t be reached', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  const field = (await openOverlay(page, '/about-us')).getByRole('textbox')
  await field.fill('photogr')
  const list = page.getByRole('list', { name: 'Suggestions' })
  await expect(list.getByRole('link').first()).toBeVisible()
  await page.context().setOffline(true)
  await field.fill('rally')
  await expect(list).toHaveCount(0)
  await page.context().setOffline(false)
  await field.fill('rally w')
  await expect(list.getByRole('link', { name: /Winter Rally/ }).first()).toBeVisible()
})

test('a step back shows the page before, not the overlay above it', async ({ page }) => {
  await page.goto('/about-us')
  await alive(page)
  await page.getByRole('banner').getByRole('link', { name: 'Calendar' }).click()
  await expect(page).toHaveURL('/calendar')
  await page.keyboard.press('/')
  await expect(overlayOf(page)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/about-us')
  await expect(overlayOf(page)).toBeHidden()
})
