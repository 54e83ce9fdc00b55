import type { Page } from 'playwright/test'
import { fillCheckout } from '../support/checkout-form.ts'
import { card, modal } from '../support/consent-panel.ts'
import { expect, test } from './site.ts'

// WCAG 2.2, 1.4.10 (Reflow): what a window of 1280 px shows at 400 %.
test.use({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' })

/** Pages that are not in the sitemap, and views of those that are. */
const others = [
  '/search',
  '/search?q=rally',
  '/news?page=2',
  '/portfolio?discipline=rally',
  '/calendar?month=2027-09',
  '/contactwindow',
  '/client-zone',
  '/links',
  '/debug/logs',
  '/test',
  '/shop?category=prints&sort=price-up',
  '/shop/cart',
  '/shop/checkout',
  '/shop/checkout/success',
  '/shop/withdraw',
  '/subscription/form',
  '/subscription/leave/nobody',
  '/no-such-page',
  '/news/no-such-article',
]

/** Pixels by which a page is wider than its window, and what sticks out. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return null
    const widest = Array.from(document.body.querySelectorAll('*'))
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .at(-1)
    return `${scrollWidth - clientWidth} px: ${widest?.outerHTML.slice(0, 120)}`
  })

/** In how many lines the text of each is. */
const linesOf = (elements: Element[]) =>
  elements.map((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
  })

test('no public page scrolls sideways at 320 px', async ({ page, site, complaints }) => {
  test.setTimeout(300_000)
  complaints.expect(/40[14]/)
  const { text } = await site.get('/sitemap.xml')
  const listed = Array.from(text.matchAll(/<loc>([^<]+)<\/loc>/g), ([, url]) =>
    url!.slice(site.url.length),
  )
  expect(listed.length).toBeGreaterThan(20)
  // Events differ by data alone: the first and last of them stand for all.
  const events = listed.filter((path) => path.startsWith('/calendar/'))
  const left = new Set(events.slice(1, -1))
  const wide: string[] = []
  for (const path of [...listed.filter((each) => !left.has(each)), ...others]) {
    await page.goto(path || '/')
    const found = await overflow(page)
    if (found) wide.push(`${path} ${found}`)
  }
  expect(wide).toEqual([])
})

test('no page scrolls sideways on a phone whose letters are twice as large', async ({
  page,
  site,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 390, height: 844 })
  // The browser's own setting, which media queries follow, too.
  const settings = await page.context().newCDPSession(page)
  await settings.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  const { text } = await site.get('/sitemap.xml')
  const firstOf = (kind: string) => new RegExp(`<loc>[^<]*(/${kind}/[^<]+)</loc>`).exec(text)![1]!
  const wide: string[] = []
  for (const path of [
    '/',
    '/news',
    '/news?page=2',
    '/search?q=rally',
    '/portfolio',
    '/about-us',
    '/shop',
    '/booking',
    '/calendar',
    '/contactwindow',
    '/privacy-policy',
    '/subscription/form',
    ...['news', 'portfolio', 'services', 'shop/products', 'calendar'].map(firstOf),
  ]) {
    await page.goto(path)
    const found = await overflow(page)
    if (found) wide.push(`${path} ${found}`)
  }
  expect(wide).toEqual([])
})

test.describe('before a decision about cookies', () => {
  test.use({ decided: false })

  test('the card and the panel fit', async ({ page }) => {
    await page.goto('/about-us')
    await expect(card(page)).toBeInViewport({ ratio: 1 })
    expect(await overflow(page)).toBeNull()
    await card(page).getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('button', { name: 'Cookie preferences' }).click()
    await expect(modal(page)).toBeInViewport({ ratio: 1 })
    expect(await modal(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
  })
})

/** The text spacing that every page has to bear (WCAG 1.4.12). */
const spacing = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }',
    )
    document.adoptedStyleSheets.push(sheet)
  })

test('cart, checkout and order fit with something in them, with wider text too', async ({
  page,
}) => {
  const fits = async (where: string) => {
    expect([where, await overflow(page)]).toEqual([where, null])
    await spacing(page)
    expect([`${where}, spaced`, await overflow(page)]).toEqual([`${where}, spaced`, null])
  }
  await page.goto('/shop/products/blue-hour-fine-art-print')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page).toHaveURL(/\/shop\/cart/)
  await fits('the cart')
  await page.goto('/shop/checkout')
  await page.getByText('Buying for a company?').click()
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await fits('a refused order')
  await fillCheckout(page)
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page.getByRole('img', { name: /^Virtual barcode/ })).toBeVisible()
  await fits('the order')
})

test('no amount is broken into lines, however long the name beside it', async ({ page }) => {
  const items = 'light-trails-limited-edition~60x90-edition-of-30~7'
  await page.goto(`/shop/cart?items=${items}`)
  await expect(page.getByText('€4,830.00')).toBeVisible()
  expect(await brokenAmounts(page)).toEqual([])
  await page.getByRole('button', { name: 'Put these in my cart' }).click()
  await expect(page.getByRole('heading', { name: 'Your cart' })).toBeVisible()
  await expect(page.getByText('The saved cart is in your cart.')).toBeVisible()
  expect(await brokenAmounts(page)).toEqual([])
  await page.goto('/shop/checkout')
  expect(await brokenAmounts(page)).toEqual([])
})

test('the number of a licence is in one line on the page of its order', async ({ page }) => {
  for (const handle of ['blue-hour-fine-art-print', 'gravel-jump-commercial-licence']) {
    await page.goto(`/shop/products/${handle}`)
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page).toHaveURL(/\/shop\/cart/)
  }
  await page.goto('/shop/checkout')
  await fillCheckout(page)
  await page.getByRole('button', { name: 'Order and pay' }).click()
  const number = page.getByText(/^A-\w{8}-L\d$/)
  await expect(number).toBeVisible()
  const lines = await number.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
})

/** Amounts that stand on more than one line. */
const brokenAmounts = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('main *'))
      .filter(({ children, textContent }) => {
        return children.length === 0 && /^−?€[\d,.]+$/.test(textContent.trim())
      })
      .filter((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1
      })
      .map(({ textContent }) => textContent),
  )

test('the way back to the cart is seen while it has the focus', async ({ page }) => {
  await page.goto('/shop/products/blue-hour-fine-art-print')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  const back = page.getByRole('navigation', { name: 'Your order' }).getByRole('link')
  await page.getByRole('main').getByRole('link', { name: 'Back to the cart' }).focus()
  await page.keyboard.press('Tab')
  await expect(back).toBeFocused()
  expect((await back.boundingBox())!.width).toBeGreaterThan(20)
})

test('the home page fits with wider text down to its form', async ({ page }) => {
  await page.goto('/')
  await spacing(page)
  expect(await overflow(page)).toBeNull()
  const hero = page.getByRole('main').locator('section').first()
  expect(await hero.evaluate((section) => section.scrollWidth - section.clientWidth)).toBe(0)
})

test('text one and a half times as large leaves the name in the bar its words, and the menu its place', async ({
  page,
}) => {
  // What the rules for widths see of a phone of 390 px with text of 24 px.
  await page.setViewportSize({ width: 260, height: 563 })
  await page.goto('/booking')
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('button', { name: 'Open menu' })).toBeInViewport({ ratio: 1 })
  const name = bar.getByRole('link', { name: /home page$/ }).locator('span')
  const { lines, words } = await name.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const tops = Array.from(range.getClientRects(), ({ top }) => Math.round(top))
    return { lines: new Set(tops).size, words: element.textContent.trim().split(' ').length }
  })
  expect(lines).toBeLessThanOrEqual(words)
  await bar.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Book Now' })).toBeVisible()
})

test('a month keeps the names of its days whole, and its neighbours apart', async ({ page }) => {
  await page.goto('/calendar?month=2027-01')
  const days = page.getByRole('columnheader')
  expect(await days.count()).toBe(7)
  expect(await days.evaluateAll(linesOf)).toEqual(Array(7).fill(1))
  const [earlier, later] = await page
    .getByRole('navigation', { name: 'Months' })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().toJSON() as DOMRect))
  expect(later!.top >= earlier!.bottom || later!.left - earlier!.right >= 16).toBe(true)
})

test('the number of a step of the booking form is in one line', async ({ page }) => {
  await page.goto('/booking')
  const numbers = page.getByRole('main').locator('h2 > span').filter({ hasText: /^0\d$/ })
  expect(await numbers.count()).toBeGreaterThan(3)
  for (const lines of await numbers.evaluateAll(linesOf)) expect(lines).toBe(1)
})

test('the bar fits between a phone and a tablet, with a cart and a long name', async ({ page }) => {
  await page.goto('/shop')
  const name = page
    .getByRole('banner')
    .getByRole('link', { name: /home page$/ })
    .locator('span')
  const fits = async () => {
    for (const width of [480, 500, 540, 570, 640, 800, 1280]) {
      await page.setViewportSize({ width, height: 640 })
      expect([width, await overflow(page)]).toEqual([width, null])
    }
  }
  await fits()
  await name.evaluate((element) => {
    element.lastChild!.textContent = 'Northern Lights Motorsport Media Agency'
  })
  await fits()
})

test('pages that answer a form without scripts fit with wider text', async ({
  page,
  complaints,
}) => {
  complaints.expect(/404/)
  for (const path of ['/subscription/form', '/subscription/leave/nobody']) {
    await page.goto(path)
    await spacing(page)
    expect([path, await overflow(page)]).toEqual([path, null])
  }
})

test.describe('with words as long as Finnish has them', () => {
  const word = 'Lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas'
  const article = (slug: string, at: string) => ({
    id: slug,
    slug,
    title: `The ${word} wins`,
    excerpt: `${word} drives`,
    content: '<p>It did.</p>',
    author: word,
    category: 'Race report',
    tags: [word],
    published_at: at,
    status: 'published',
  })
  const content = {
    'news.json': [
      article('first', '2026-11-01T08:00:00Z'),
      article('second', '2026-11-02T08:00:00Z'),
    ],
    'portfolio.json': ['one', 'two'].map((slug) => ({
      id: slug,
      slug,
      title: word,
      client: word,
      discipline: 'Rally',
      year: 2026,
      description: word,
      number: '4',
      number_label: word,
      status: 'published',
    })),
    'services.json': [
      { id: 1, title: word, description: word, url: 'photography', sort: 1, unit: 'day', net: 100 },
    ],
    'settings.json': [{ id: 1, brand: 'Pohjoismainen Moottoriurheilumedia Agency Oy' }],
    'faq.json': [{ id: 1, question: `${word}?`, answer: '<p>Yes.</p>', status: 'published' }],
  }
  test.use({ contentFiles: content })

  test('a name of many letters stays in the bar', async ({ page }) => {
    await page.goto('/news')
    const bar = page.getByRole('banner')
    const name = bar.getByRole('link', { name: /home page$/ })
    for (const width of [320, 360, 384, 390, 480, 1280]) {
      await page.setViewportSize({ width, height: 640 })
      const [outer, inner] = [(await bar.boundingBox())!, (await name.boundingBox())!]
      expect([width, inner.y >= outer.y]).toEqual([width, true])
      expect([width, inner.y + inner.height <= outer.y + outer.height]).toEqual([width, true])
      expect([width, await overflow(page)]).toEqual([width, null])
    }
  })

  test('they break where there is no room for them', async ({ page }) => {
    for (const path of [
      '/',
      '/news',
      '/news/first',
      '/portfolio',
      '/portfolio/one',
      '/services/photography',
      '/booking',
      '/about-us',
      '/search?q=Lentokone',
    ]) {
      await page.goto(path)
      await expect(page.getByText(word).first()).toBeAttached()
      expect([path, await overflow(page)]).toEqual([path, null])
    }
  })
})
