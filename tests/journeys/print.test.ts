import { getDocumentProxy } from 'unpdf'
import { book } from '../support/bookings.ts'
import { photo, share } from '../support/shared-folder.ts'
import { expect, test } from './site.ts'

const pages = ['/', '/services/photography', '/about-us', '/portfolio', '/privacy-policy']

test.use({ colorScheme: 'dark' })

test('on paper every page is black on white, without the shell', async ({ page }) => {
  for (const path of pages) {
    await page.goto(path)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('contentinfo')).toBeHidden()
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading, path).toHaveCSS('color', 'rgb(0, 0, 0)')
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    for (const one of await headings.all()) {
      expect(
        await one.evaluate((element) => getComputedStyle(element).color),
        `${path}: ${await one.textContent()}`,
      ).toMatch(/^rgb\((0, 0, 0|34, 34, 34|68, 68, 68)\)$/)
    }
    const grounds = await page.evaluate(() =>
      [...document.querySelectorAll('html, .night')].map(
        (element) => getComputedStyle(element).background,
      ),
    )
    expect(new Set(grounds.map((ground) => /gradient|rgb\((?:1?\d), /.test(ground))), path).toEqual(
      new Set([false]),
    )
    await page.emulateMedia({ media: 'screen' })
  }
})

test('kerbs, bullets and the dot of what is chosen are printed, and no form', async ({ page }) => {
  /** Whether a browser that leaves out grounds prints what is drawn before or after an element. */
  const printed = (selector: string, part: string) =>
    page.evaluate(
      ([found, pseudo]) => {
        const style = getComputedStyle(document.querySelector(found!)!, pseudo)
        return [style.content, style.printColorAdjust]
      },
      [selector, part],
    )
  await page.goto('/shop/products/blue-hour-fine-art-print')
  await page.emulateMedia({ media: 'print' })
  for (const [selector, part] of [
    ['main .kerb', '::before'],
    ['main [class*="text"] ul > li', '::before'],
    ['main input[type="radio"]:checked', '::after'],
  ] as const) {
    expect(await printed(selector, part), selector).toEqual(['""', 'exact'])
  }
  await page.emulateMedia({ media: 'screen' })
  await page.goto('/')
  await expect(page.locator('#contact').getByLabel('Message')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('#contact').getByText('Headquarters')).toBeVisible()
  await expect(page.locator('#contact').getByLabel('Message')).toBeHidden()
  for (const path of ['/', '/portfolio/blue-hour-in-rovaniemi']) {
    await page.goto(path)
    const kerb = (await page.locator('main .kerb').first().boundingBox())!
    expect(kerb.y, path).toBeLessThan(64)
  }
})

test('what leads elsewhere or opens something isn’t printed, and no label without its field', async ({
  page,
}) => {
  await page.emulateMedia({ media: 'print' })
  await page.goto('/services/photography')
  await expect(page.getByText('Selected photos arrive during the event')).toBeVisible()
  for (const text of [
    'Previous service',
    'Next service',
    'Ask for a quote',
    'All photography work',
  ]) {
    await expect(page.getByText(text, { exact: true }), text).toBeHidden()
  }
  await expect(page.locator('main summary h3 + *').first()).toBeHidden()
  await page.goto('/booking')
  for (const name of [/^Earlier month/, /^Later month/]) {
    await expect(page.getByLabel(name)).toBeHidden()
  }
  const field = page.locator('div:has(> label)', { hasText: 'Place' }).last()
  await expect(field).toHaveCSS('break-inside', 'avoid')
  await page.goto('/calendar')
  const sign = await page
    .locator('main details > summary')
    .first()
    .evaluate((element) => getComputedStyle(element, '::before').display)
  expect(sign).toBe('none')
})

test('a booking is printed with what was agreed, and without what can only be pressed', async ({
  page,
  site,
}) => {
  const { url } = (await book(site)).json as { url: string }
  await page.goto(new URL(url).pathname)
  await expect(page.getByRole('button', { name: 'Cancel this booking' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  for (const name of ['Price', 'What happens next']) {
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
  for (const name of ['Billing details', 'Change dates', 'Cancel']) {
    await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(0)
  }
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
})

test('a product is printed on two sheets, with what it costs beside its picture', async ({
  page,
}) => {
  await page.goto('/shop/products/blue-hour-fine-art-print')
  const paper = await page.pdf({ format: 'A4' })
  const sheets = await getDocumentProxy(new Uint8Array(paper))
  expect(sheets.numPages).toBe(2)
  const { items } = await (await sheets.getPage(1)).getTextContent()
  // The last line of what is bought: a part of it on the next sheet would stand beside nothing.
  expect(items.map((item) => ('str' in item ? item.str : '')).join(' ')).toContain('Withdrawal')
  await page.setViewportSize({ width: 672, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  const picture = (await page.getByRole('link', { name: /^Photo 1 / }).boundingBox())!
  const name = (await page.getByRole('heading', { level: 1 }).boundingBox())!
  expect(picture.x + picture.width).toBeLessThan(name.x)
  await expect(page.getByRole('heading', { name: 'You may also like' })).toHaveCount(0)
  await expect(page.getByLabel('Quantity', { exact: true })).toBeHidden()
})

test('a gallery is printed as its pictures and the names of its files', async ({ page, site }) => {
  const { key } = await share(site, 'winter', {
    'Day 1/a.jpg': await photo(),
    'Day 2/b.txt': 'Start at ten',
  })
  await page.goto(`/s/${key}`)
  await expect(page.getByRole('link', { name: 'Web size' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('b.txt')).toBeVisible()
  for (const role of ['navigation', 'button', 'checkbox'] as const) {
    await expect(page.getByRole('main').getByRole(role), role).toHaveCount(0)
  }
  await expect(page.getByRole('link', { name: /Web size|Download/ })).toHaveCount(0)
})

test.describe('in a narrow window', () => {
  test.use({ viewport: { width: 760, height: 900 } })

  test('no name of a city is broken', async ({ page }) => {
    await page.goto('/about-us')
    const cities = page.locator('section', { hasText: 'Where to find us' }).getByRole('heading', {
      level: 3,
      name: /^(Helsinki|Silverstone|Indianapolis)$/,
    })
    await expect(cities).toHaveCount(3)
    for (const city of await cities.all()) {
      const lines = await city.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getClientRects().length
      })
      expect(lines, (await city.textContent()) ?? '').toBe(1)
    }
  })
})
