import { setTimeout } from 'node:timers/promises'
import { fillCheckout } from '../support/checkout-form.ts'
import { runOn } from '../support/in-process-cli.ts'
import { markupFaults } from '../support/markup-faults.ts'
import { expect, test, violations } from './site.ts'

const print = '/shop/products/blue-hour-fine-art-print'

test('a guest finds a print, puts it into the cart and orders by invoice', async ({ page }) => {
  await page.goto('/shop')
  await page
    .getByRole('navigation', { name: 'Category' })
    .getByRole('link', { name: /^Prints/ })
    .click()
  await expect(page).toHaveURL('/shop?category=prints')
  await page.getByRole('link', { name: 'Blue Hour, fine art print' }).click()
  await expect(page).toHaveURL(print)
  await page.getByRole('button', { name: 'Increase: Quantity' }).click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page).toHaveURL(/\/shop\/cart/)
  await expect(page.getByRole('status').filter({ hasText: 'Added:' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cart, 2 pieces' })).toBeVisible()
  await page.getByRole('button', { name: /^Decrease/ }).click()
  await expect(page.getByRole('status').filter({ hasText: '1 in your cart' })).toHaveCount(1)
  await page.getByRole('link', { name: 'Checkout' }).click()

  await page.getByRole('button', { name: 'Order and pay' }).click()
  const summary = page.getByRole('alert', { name: 'Please check these fields' })
  await expect(summary).toBeFocused()
  await summary.getByRole('link', { name: 'Please enter the street address' }).click()
  await expect(page.getByLabel('Street and number')).toBeFocused()
  await fillCheckout(page)
  await page.getByRole('button', { name: 'Order and pay' }).click()

  await expect(page).toHaveURL(/\/shop\/checkout\/success\?order=/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
  await expect(page.getByText('Virtual barcode')).toBeVisible()
  await expect(page.getByRole('img', { name: /^Virtual barcode to scan: \d{54}$/ })).toBeVisible()
  await expect(page.getByText('Mannerheimintie 1 A 2, 00100 Helsinki, Finland')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await expect(page.getByRole('link', { name: 'Invoice as PDF' })).toHaveAttribute(
    'href',
    /invoice\.pdf$/,
  )
  // Nothing is left in the cart, and the bar of the shop knows.
  await page.goto('/shop')
  await expect(
    page.getByRole('banner').getByRole('link', { name: 'Cart', exact: true }),
  ).toBeVisible()
})

test('a buyer whose browser fills in the hidden field is told, and orders at the second press', async ({
  page,
  complaints,
}) => {
  complaints.expect(/400/)
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await fillCheckout(page)
  await page.locator('main form [name=website]').fill('https://kaamos.example')
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page.getByRole('alert')).toContainText('A hidden field was filled in')
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page).toHaveURL(/\/shop\/checkout\/success\?order=/)
})

test('another country changes the delivery, and nothing that was entered', async ({ page }) => {
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
  const total = page.getByRole('complementary', { name: 'Your order' })
  const before = await total.innerText()
  await page.getByLabel('Country').selectOption('SE')
  await expect(total).not.toHaveText(before, { useInnerText: true })
  await page.getByLabel('Country').selectOption('FI')
  await expect(total).toHaveText(before, { useInnerText: true })
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
})

test('a postal code on Åland takes the VAT off what is shipped, and the next one puts it back', async ({
  page,
}) => {
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await page.waitForLoadState('networkidle')
  const total = page.getByRole('complementary', { name: 'Your order' })
  const before = await total.innerText()
  const postcode = page.getByLabel('Postal code')
  await postcode.fill('22100')
  await postcode.press('Tab')
  await expect(total).not.toHaveText(before, { useInnerText: true })
  await expect(page.getByLabel('Town')).toBeFocused()
  await postcode.fill('00100')
  await postcode.press('Tab')
  await expect(total).toHaveText(before, { useInnerText: true })
  await expect(postcode).toHaveValue('00100')
})

test('a press of "Order and pay" while the total is made anew is not lost', async ({ page }) => {
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await page.route('**/api/shop/cart/quote', () => {})
  const asked = page.waitForRequest('**/api/shop/cart/quote')
  await page.getByLabel('Country').selectOption('SE')
  await asked
  await page.unroute('**/api/shop/cart/quote')
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page.getByRole('alert', { name: 'Please check these fields' })).toBeFocused()
})

test('a saved cart whose answer was lost is offered again, and its pieces are in the cart once', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const link = page.getByRole('link', { name: 'Save or share this cart' })
  const saved = await link.getAttribute('href')
  await page.context().clearCookies()
  await page.goto(saved!)
  await page.route('**/api/shop/cart/lines', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const put = page.getByRole('button', { name: 'Put these in my cart' })
  await put.click()
  await expect(page.getByRole('alert').filter({ hasText: 'can’t tell' })).toBeVisible()
  await page.unroute('**/api/shop/cart/lines')
  await put.click()
  await expect(page.getByText('The saved cart is in your cart.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cart, 1 piece' })).toBeVisible()
})

test('a company of another EU country buys without VAT', async ({ page }) => {
  await page.goto('/shop?kind=digital')
  await page.getByRole('article').getByRole('link').first().click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  const summary = page.getByRole('complementary', { name: 'Your order' })
  await page.getByLabel('Country').selectOption('SE')
  await page.getByText('Buying for a company?').click()
  await page.getByLabel(/^Company name/).fill('Norrland Racing AB')
  await page.getByLabel(/^VAT ID/).fill('SE556677889901')
  // Leaving the field prices the order, and takes the focus from nobody.
  await page.getByLabel(/^Name/).focus()
  await expect(summary.getByText(/^Reverse charge/)).toBeVisible()
  await page.getByLabel(/^VAT ID/).fill('SE5566778899')
  await page.getByLabel(/^Name/).focus()
  await expect(summary.getByText(/^Reverse charge/)).toBeHidden()
  await expect(page.getByLabel(/^VAT ID/)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel(/^Name/)).toBeFocused()
  await page.getByLabel(/^VAT ID/).fill('SE12')
  await page.getByRole('button', { name: 'Update the total' }).click()
  await expect(page.getByRole('alert').getByRole('link')).toHaveAttribute('href', '#checkout-vatId')
  await expect(summary.getByText(/^Reverse charge/)).toBeHidden()
})

test('what is said of a line that goes has the focus, and fields show what the server has', async ({
  page,
}) => {
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page).toHaveURL(/\/shop\/cart/)
  const quantity = page.getByRole('spinbutton', { name: /^Quantity of/ })
  await quantity.fill('3')
  await quantity.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '3 in your cart' })).toHaveCount(1)
  // The line has been shown again once its sum has changed.
  await expect(page.getByRole('article').getByText('€267.00')).toBeVisible()
  await expect(quantity).toBeFocused()
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(quantity).toHaveValue('4')
  await page.getByRole('button', { name: /^Remove/ }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'no longer in your cart' })).toBeFocused()
})

test('the cart says of a line that too few are left, before the checkout is filled in', async ({
  page,
  site,
}) => {
  await page.goto(print)
  await page.getByRole('button', { name: 'Increase: Quantity' }).click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page).toHaveURL(/\/shop\/cart/)
  const line = page.getByRole('article')
  const leave = (pieces: string) =>
    runOn(site, 'products', 'stock', 'blue-hour-fine-art-print', '30x40-matte', pieces)
  await leave('1')
  await page.goto('/shop/cart')
  await expect(line).toContainText('Only 1 left. Please change the quantity.')
  await leave('0')
  await page.reload()
  await expect(line).toContainText('Sold out. Please remove it from your cart.')
  await line.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByText('Your cart is empty')).toBeVisible()
})

test('the pictures of a product open whole', async ({ page }) => {
  await page.goto(print)
  await page.getByRole('link', { name: /^Photo 1 of/ }).click()
  const viewer = page.getByRole('dialog', { name: /^Photos of/ })
  await expect(viewer).toBeVisible()
  await expect(viewer.getByText(/^Item 1 /)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer).toBeHidden()
})

test('arrow keys work on after a button has led to the last picture', async ({ page }) => {
  await page.goto(print)
  await page.getByRole('link', { name: /^Photo 1 of/ }).click()
  const viewer = page.getByRole('dialog', { name: /^Photos of/ })
  const [back, onwards] = ['Previous', 'Next'].map((name) => viewer.getByRole('button', { name }))
  const position = viewer.getByText(/^Item \d/)
  const count = Number((await position.textContent())?.match(/\d+$/)?.[0])
  expect(count).toBeGreaterThan(1)
  await expect(back!).toBeDisabled()
  for (let number = 1; number < count; number += 1) await onwards!.press('Enter')
  await expect(position).toHaveText(new RegExp(`^Item ${count} `))
  await expect(onwards!).toBeDisabled()
  await expect(onwards!).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(position).toHaveText(new RegExp(`^Item ${count - 1} `))
})

test('the pictures of a product fit a phone, however long their title is', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(print)
  await page.getByRole('link', { name: /^Photo 1 of/ }).click()
  const viewer = page.getByRole('dialog', { name: /^Photos of/ })
  await expect(viewer.getByRole('img')).toBeInViewport({ ratio: 0.99 })
  expect(await viewer.evaluate(({ scrollWidth }) => scrollWidth)).toBe(390)
})

test('a withdrawal is stated and confirmed in two steps', async ({ page }) => {
  await page.goto('/shop/withdraw?order=A-BCDFGHJK')
  await page.getByLabel('Name').fill('Aino Virtanen')
  await page.getByLabel('Email', { exact: true }).fill('aino@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await expect(page.getByText('We have received your withdrawal')).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a print is put into the cart and ordered', async ({ page, complaints }) => {
    // A refused form is a page with that status.
    complaints.expect(/400 \(Bad Request\)/)
    await page.goto(print)
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page).toHaveURL(/\/shop\/cart/)
    await page.getByRole('link', { name: 'Checkout' }).click()
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('alert')).toContainText('Please accept the terms')
    await fillCheckout(page)
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
  })
})

test.describe('in both themes', () => {
  test.use({ reducedMotion: 'reduce' })

  for (const path of [
    '/shop',
    '/shop/products/kerb-at-golden-hour-fine-art-print',
    '/shop/withdraw',
    '/shop/checkout/success',
  ]) {
    test(`${path} has no violation`, async ({ page }) => {
      await page.goto(path)
      expect(await violations(page)).toEqual([])
      expect(await markupFaults(page)).toEqual([])
    })
  }

  test('the cart and a refused order have no violation', async ({ page }) => {
    await page.goto('/shop/products/kerb-at-golden-hour-fine-art-print')
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page).toHaveURL(/\/shop\/cart/)
    expect(await violations(page)).toEqual([])
    expect(await markupFaults(page)).toEqual([])
    await page.goto('/shop/checkout')
    expect(await markupFaults(page)).toEqual([])
    await page.getByText('Buying for a company?').click()
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    expect(await violations(page)).toEqual([])
    expect(await markupFaults(page)).toEqual([])
    await fillCheckout(page)
    await page.getByLabel('Country').selectOption('Sweden')
    expect(await markupFaults(page)).toEqual([])
  })
})

test('quantities count at once, said and without moving what is under the hand', async ({
  page,
}) => {
  for (const handle of ['five-red-lights-poster', 'yearbook-2026']) {
    await page.goto(`/shop/products/${handle}`)
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page).toHaveURL(/\/shop\/cart/)
  }
  await page.goto('/shop/cart')
  await expect(page.getByRole('button', { name: 'Update' })).toBeHidden()
  const [first, second] = ['Five Red Lights', 'Yearbook'].map((name) =>
    page.getByRole('article').filter({ hasText: name }),
  )
  const more = first!.getByRole('button', { name: /^Increase/ })
  const before = await more.boundingBox()
  // Several clicks are one change, and a change of another line meanwhile is not lost.
  for (let click = 0; click < 3; click += 1) await more.click()
  await second!.getByRole('spinbutton').fill('2')
  await expect(first!.getByText('€156.00')).toBeVisible()
  await expect(second!.getByText('€68.00')).toBeVisible()
  await expect(second!.getByRole('spinbutton')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: '2 in your cart' })).toHaveCount(1)
  expect(await more.boundingBox()).toEqual(before)
  expect(await violations(page)).toEqual([])
  await page.reload()
  await expect(first!.getByRole('spinbutton')).toHaveValue('4')
  await expect(second!.getByRole('spinbutton')).toHaveValue('2')
})

test('what two tabs add at the same moment is in one cart, and a double click adds one piece', async ({
  page,
  context,
}) => {
  // Nine pages, each opened afresh.
  test.slow()
  const other = await context.newPage()
  // As over a phone's network, where each asks for the cart before the other's piece is in it.
  for (const tab of [page, other]) {
    await tab.route('**/api/shop/cart', async (route) => {
      await setTimeout(500)
      await route.continue()
    })
  }
  await page.goto(print)
  await other.goto('/shop/products/gravel-jump-commercial-licence')
  const buttonOf = (tab: typeof page) => tab.getByRole('button', { name: 'Add to cart' })
  await Promise.all([buttonOf(page).click(), buttonOf(other).click()])
  await Promise.all([page, other].map((tab) => expect(tab).toHaveURL(/\/shop\/cart\?added/)))
  await page.goto('/shop/cart')
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(2)
  // Of the same product, both count.
  await Promise.all([page, other].map((tab) => tab.goto(print)))
  await Promise.all([buttonOf(page).click(), buttonOf(other).click()])
  await Promise.all([page, other].map((tab) => expect(tab).toHaveURL(/\/shop\/cart\?added/)))
  await page.goto('/shop/cart')
  await expect(page.getByRole('spinbutton')).toHaveValue('3')
  await page.goto(print)
  await buttonOf(page).dblclick()
  await expect(page).toHaveURL(/\/shop\/cart\?added/)
  await expect(page.getByRole('spinbutton')).toHaveValue('4')
})

test('a licence has no quantity, on its page and in the cart', async ({ page }) => {
  await page.goto('/shop/products/gravel-jump-commercial-licence')
  await expect(page.getByRole('spinbutton')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('article').getByText('Advertising and marketing')).toBeVisible()
  await expect(page.getByRole('spinbutton')).toHaveCount(0)
  // Who isn't sure and adds it again doesn't pay for it twice.
  await page.goto('/shop/products/gravel-jump-commercial-licence')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Already in your cart:' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cart, 1 piece' })).toBeVisible()
  await expect(page.getByRole('spinbutton')).toHaveCount(0)
})

test('a print is shown on a wall in the size and frame that is chosen', async ({ page }) => {
  await page.goto(print)
  const gallery = page.getByRole('figure')
  await expect(gallery).toHaveCount(0)
  await page.getByRole('link', { name: 'On a wall, in proportion: 40 × 30 cm' }).click()
  await expect(gallery).toContainText('40 × 30 cm')
  const width = async () => (await gallery.locator('image').boundingBox())!.width
  const small = await width()
  await page.getByText('70 × 100 cm, matte cotton paper').click()
  await expect(gallery).toContainText('100 × 70 cm')
  // 36 and 96 centimetres of picture within the edges of the paper.
  expect((await width()) / small).toBeCloseTo(96 / 36, 1)
  await page.getByText('50 × 70 cm, framed in oak').click()
  await expect(gallery.locator('rect[fill="#b98d55"]')).toHaveCount(1)
  expect(await violations(page)).toEqual([])
})

test('on a phone, what buys is in reach from the top of the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(print)
  const add = page.getByRole('button', { name: 'Add to cart' })
  await expect(add).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('1')
  expect(await violations(page)).toEqual([])
  await add.click()
  await expect(page).toHaveURL(/\/shop\/cart/)
})

test('the search corrects a typing error, and a choice counts at once', async ({ page }) => {
  await page.goto('/shop')
  await expect(page.getByRole('button', { name: 'Show' })).toBeHidden()
  const search = page.getByRole('searchbox', { name: 'Search the shop' })
  await search.fill('psoter')
  await search.press('Enter')
  await expect(page.getByText(/^Nothing for “psoter”\. \d+ products for “poster”$/)).toBeVisible()
  await page.getByLabel('Kind').selectOption('digital')
  await expect(page).toHaveURL(/kind=digital/)
  await expect(page.getByLabel('Kind')).toHaveValue('digital')
  expect(await violations(page)).toEqual([])
})

test('filters keep the focus, and what is typed, when products that were on their way come', async ({
  page,
}) => {
  await page.goto('/shop')
  const [search, kind, sort] = ['Search the shop', 'Kind', 'Sort by'].map((label) =>
    page.getByLabel(label),
  )
  await kind!.focus()
  await kind!.selectOption('digital')
  await expect(page).toHaveURL(/kind=digital/)
  await expect(kind!).toBeFocused()

  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/api\/shop\/products\?.*sort=newest/, async (route) => {
    await held
    await route.continue()
  })
  await sort!.selectOption('newest')
  await search!.fill('post')
  release()
  await expect(page).toHaveURL(/sort=newest/)
  await expect(search!).toBeFocused()
  await expect(search!).toHaveValue('post')
  await search!.press('Enter')
  await expect(page).toHaveURL(/q=post/)
  await expect(page.getByText(/products? for “post”/)).toBeVisible()
  await expect(search!).toBeFocused()

  // Otherwise the fields follow the address.
  await page.goBack()
  await expect(search!).toHaveValue('')
  await expect(sort!).toHaveValue('newest')
  await page.goBack()
  await expect(sort!).toHaveValue('featured')
  await expect(kind!).toHaveValue('digital')
  await page.goBack()
  await expect(kind!).toHaveValue('')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('search, room and quantities work by plain forms and links', async ({ page }) => {
    await page.goto('/shop')
    await page.getByLabel('Search the shop').fill('poster')
    await page.getByLabel('Kind').selectOption('physical')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(page.getByText(/products for “poster”$/)).toBeVisible()
    await page.goto(print)
    await page.getByRole('link', { name: /^On a wall/ }).click()
    await expect(page.getByRole('figure')).toContainText('40 × 30 cm')
    await page.getByRole('button', { name: 'Add to cart' }).click()
    // A measure isn't broken at the end of a line.
    expect(await page.locator('main article h2').textContent()).toContain(
      '30\u00a0×\u00a040\u00a0cm',
    )
    await page.getByRole('spinbutton').fill('2')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByRole('status').filter({ hasText: '2 in your cart' })).toBeVisible()
  })
})

test('why an order wasn’t placed stands clear of the bar', async ({
  page,
  context,
  complaints,
}) => {
  complaints.expect(/409/)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await fillCheckout(page)
  const other = await context.newPage()
  await other.goto(print)
  await other.getByRole('button', { name: 'Add to cart' }).click()
  await expect(other).toHaveURL(/\/shop\/cart/)
  await page.getByRole('button', { name: 'Order and pay' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Your order wasn’t placed' })
  await expect(alert).toBeInViewport()
  const bar = (await page.getByRole('banner').boundingBox())!
  await expect
    .poll(async () => (await alert.boundingBox())!.y - bar.y - bar.height)
    .toBeGreaterThanOrEqual(12)
})

test('an order for a cart that another tab has emptied isn’t placed, and the buyer is told', async ({
  page,
  context,
  complaints,
}) => {
  complaints.expect(/409/)
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await fillCheckout(page)
  const other = await context.newPage()
  await other.goto('/shop/cart')
  await other.getByRole('button', { name: /^Remove/ }).click()
  await expect(other.getByText('Your cart is empty')).toBeVisible()
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page.getByRole('alert')).toHaveText(/Nothing was ordered/)
})

test('Back from an order leads past its empty checkout, and forward to the order again', async ({
  page,
}) => {
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await fillCheckout(page)
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page).toHaveURL(/\/shop\/checkout\/success/)
  await page.goBack()
  await expect(page).toHaveURL('/shop/cart')
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
  await page.goBack()
  await expect(page).toHaveURL('/shop/cart')
  await page.goBack()
  await expect(page).toHaveURL(/\/shop\/cart\?added/)
  await page.goBack()
  await expect(page).toHaveURL(print)
})

test('pieces whose answer was lost are in the cart once, however often the button is pressed', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await page.goto(print)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const pieces = (count: string) =>
    page.getByRole('banner').getByRole('link', { name: `Cart, ${count}` })
  await expect(pieces('1 piece')).toBeVisible()
  await page.goto(print)
  await page.getByRole('button', { name: 'Increase: Quantity' }).click()
  let lost = 0
  await page.route('**/api/shop/cart', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
    lost += 1
  })
  const said = page.getByRole('alert').filter({ hasText: 'can’t tell whether this went through' })
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(said).toBeVisible()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect.poll(() => lost).toBe(2)
  await expect(page.getByRole('button', { name: 'Add to cart' })).toBeVisible()
  await page.unroute('**/api/shop/cart')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page).toHaveURL(/\/shop\/cart/)
  await expect(pieces('3 pieces')).toBeVisible()
})
