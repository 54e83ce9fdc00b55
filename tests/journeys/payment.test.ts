import type { Page } from 'playwright/test'
import { fillCheckout } from '../support/checkout-form.ts'
import { startStripe, type StripeDouble } from '../support/stripe-double.ts'
import { expect, test as base } from './site.ts'

/** A site that takes cards through a double of the payment service, on its own origin. */
const test = base.extend<{ stripe: StripeDouble }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  stripe: async ({}, use) => {
    await using double = await startStripe()
    await use(double)
  },
  env: async ({ stripe }, use) => use(stripe.env),
})

/** Puts a print into the cart, and chooses to pay by card. */
async function orderByCard(page: Page) {
  await page.goto('/shop/products/blue-hour-fine-art-print')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await fillCheckout(page)
  await page.getByRole('radio', { name: /card/i }).check()
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page.getByRole('heading', { name: /^Pay \d+\.\d\d EUR$/ })).toBeVisible()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('a buyer pays by card and comes back to a paid order', async ({ page, site, stripe }) => {
      await orderByCard(page)
      expect(new URL(page.url()).origin).toBe(stripe.env.STRIPE_API_BASE)
      await page.getByRole('button', { name: 'Pay' }).click()
      await expect(page).toHaveURL(new RegExp(`^${site.url}/shop/checkout/success`))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Payment received, thank you',
      )
      await expect(page.getByText('Virtual barcode')).toBeHidden()
      const { orders } = site.context.features.orders.actions
      expect([...orders.list()].map(({ state, payment }) => [state, payment])).toEqual([
        ['paid', 'stripe'],
      ])
      await page.goto('/shop/cart')
      await expect(page.getByText('Blue Hour, fine art print')).toBeHidden()
    })

    test('going back from the payment page without paying keeps the cart, which can be paid by invoice', async ({
      page,
    }) => {
      await orderByCard(page)
      await page.getByRole('link', { name: 'Back to the shop' }).click()
      await expect(page).toHaveURL('/shop/checkout')
      const summary = page.getByRole('complementary', { name: 'Your order' })
      await expect(summary).toContainText('Blue Hour, fine art print')
      await page.getByRole('radio', { name: /invoice/i }).check()
      await fillCheckout(page)
      await page.getByRole('button', { name: 'Order and pay' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
    })
  })
}

test('who comes back from the payment page finds what was entered, priced for it, until the order is paid', async ({
  page,
  stripe,
}) => {
  await page.goto('/shop/products/blue-hour-fine-art-print')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await fillCheckout(page)
  await page.getByText('Buying for a company?').click()
  await page.getByLabel('Company name').fill('Kaamos Racing AS')
  const summary = page.getByRole('complementary', { name: 'Your order' })
  const total = () =>
    summary
      .getByText(/^Total/)
      .locator('..')
      .textContent()
  const inFinland = await total()
  await page.getByLabel('Country').selectOption('NO')
  await expect.poll(total).not.toBe(inFinland)
  const before = await total()
  await page.getByRole('radio', { name: /card/i }).check()
  const pay = async () => {
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('heading', { name: /^Pay \d+\.\d\d EUR$/ })).toBeVisible()
  }
  await pay()
  const found = async () => {
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('aino@example.com')
    await expect(page.getByLabel('Town')).toHaveValue('Helsinki')
    await expect(page.getByLabel('Country')).toHaveValue('NO')
    await expect(page.getByLabel('Company name')).toHaveValue('Kaamos Racing AS')
    await expect(page.getByLabel('Company name')).toBeVisible()
    await expect.poll(total).toBe(before)
  }
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await found()
  // Asked again for each order.
  await expect(page.getByRole('radio', { name: /card/i })).not.toBeChecked()
  await expect(page.getByLabel(/^I have read/)).not.toBeChecked()
  await page.reload()
  await found()
  await page.getByRole('radio', { name: /card/i }).check()
  await page.getByLabel(/^I have read/).check()
  await pay()
  await page.goBack()
  await found()
  await page.goto([...stripe.sessions.values()].at(-1)!.url)
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment received, thank you')
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('checkout_draft'))).toBeNull()
})

test('the page of an earlier order leaves the pieces that the cart has since on the bar', async ({
  page,
  stripe,
}) => {
  await orderByCard(page)
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment received, thank you')
  await page.goto('/shop/products/ice-track-poster')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const cart = page.getByRole('banner').getByRole('link', { name: 'Cart, 1 piece' })
  await expect(cart).toBeVisible()
  const counted = page.waitForResponse(/\/api\/shop\/cart/)
  await page.goto([...stripe.sessions.values()][0]!.success_url)
  await counted
  await page.goto('/news')
  await expect(cart).toBeVisible()
})

test('the page of an order that nobody pays looks again in growing pauses, and not for ever', async ({
  page,
  stripe,
}) => {
  await orderByCard(page)
  const [session] = stripe.sessions.values()
  await page.clock.install()
  await page.goto(session!.success_url)
  await expect(page.getByText('Your payment isn’t confirmed yet')).toBeVisible()
  let looks = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/shop/order')) looks += 1
  })
  const looked = async () => {
    await page.waitForLoadState('networkidle')
    return looks
  }
  await page.clock.runFor('00:03')
  await expect.poll(looked).toBe(1)
  // A pause begins when the page has drawn the look before, up to a minute late on this clock.
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await page.clock.runFor('01:00')
    await looked()
  }
  const inTime = await looked()
  expect(inTime).toBeGreaterThan(5)
  expect(inTime).toBeLessThanOrEqual(15)
  await page.clock.runFor('02:00:00')
  expect(await looked()).toBe(inTime)
})

test('an order that wasn’t paid in time leads back to the cart', async ({ page, site, stripe }) => {
  await orderByCard(page)
  site.clock.advance(31 * 60_000)
  await site.context.jobs.runDue()
  await page.goto([...stripe.sessions.values()][0]!.success_url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment window expired')
  await page.getByRole('main').getByRole('link', { name: 'Back to the cart' }).click()
  await expect(page.getByRole('main')).toContainText('Blue Hour, fine art print')
})

test('while the payment service hangs, the page of an order is there at once, and shows the payment by itself', async ({
  page,
  stripe,
}) => {
  await orderByCard(page)
  const [session] = stripe.sessions.values()
  const answer = Promise.withResolvers<void>()
  stripe.looking = answer.promise
  stripe.pay(session!)
  const began = performance.now()
  await page.goto(session!.success_url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Waiting for your payment')
  // The payment service gets six seconds to answer; a page that waited for it would take as long.
  expect(performance.now() - began).toBeLessThan(5_000)
  answer.resolve()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment received, thank you')
})
