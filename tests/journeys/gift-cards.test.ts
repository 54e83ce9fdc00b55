import { fillCheckout } from '../support/checkout-form.ts'
import { newCard, shownCard } from '../support/gift-cards.ts'
import { runOn } from '../support/in-process-cli.ts'
import { markupFaults } from '../support/markup-faults.ts'
import { expect, test, violations } from './site.ts'

const poster = '/shop/products/five-red-lights-poster'

test.describe('without scripts, on a telephone', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })

  test('a card is refused with its reason, entered beside a code, taken off, and pays a part', async ({
    page,
    site,
    complaints,
  }) => {
    complaints.expect(/400 \(Bad Request\)/)
    await runOn(site, 'discounts', 'add', 'GRID15', '--percent', '15')
    const { card, code } = await newCard(site, '20')
    await page.goto(poster)
    await page.getByRole('button', { name: 'Add to cart' }).click()
    const field = page.getByLabel(/^(?:Discount code or gift card|Gift card)/)
    const apply = page.getByRole('button', { name: 'Apply code' })
    await field.fill(code.replace(/.$/, code.endsWith('2') ? '3' : '2'))
    await apply.click()
    await expect(field).toHaveAccessibleDescription(/We don’t know this code/)
    await field.fill('grid15')
    await apply.click()
    await expect(page.getByText('Code GRID15 is applied')).toBeVisible()
    await field.fill(code.toLowerCase())
    await apply.click()
    await expect(page.getByText(`Gift card ${card} pays €20.00.`)).toBeVisible()
    await expect(page.getByText('Left to pay')).toBeVisible()
    await expect(page.getByText('€20.00 on it')).toBeVisible()
    await page.getByRole('button', { name: `Take off gift card ${card}` }).click()
    await expect(page.getByText('There’s no gift card on your cart.')).toBeVisible()
    await expect(page.getByText('Discount (GRID15)')).toBeVisible()

    await page.getByRole('link', { name: 'Checkout' }).click()
    await fillCheckout(page)
    await field.fill(code)
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('alert')).toContainText('what’s left to pay has changed')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
    await expect(page.getByText(`Gift card (${card})`)).toBeVisible()
    await expect(page.getByText('−€20.00')).toBeVisible()
    await expect(page.getByText('Still to pay')).toBeVisible()
    await expect(page.getByText('Left to pay')).toHaveCount(0)
    expect(await shownCard(site, card)).toMatchObject({ balance: 0 })
  })
})

test('a card that pays all of it at the checkout, with scripts and without violations', async ({
  page,
  site,
}) => {
  const { card, code } = await newCard(site, '500')
  await page.goto(poster)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Checkout' }).click()
  await fillCheckout(page)
  await page.getByLabel(/^Discount code or gift card/).fill(code)
  await page.getByRole('button', { name: 'Apply code' }).click()
  const summary = page.getByRole('complementary', { name: 'Your order' })
  await expect(summary.getByText(`Gift card (${card})`)).toBeVisible()
  await expect(summary.getByText('Left to pay')).toBeVisible()
  await expect(page.getByText('so there’s nothing else to pay')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Payment' })).toHaveCount(0)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
  expect(await violations(page)).toEqual([])
  expect(await markupFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Order and pay' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment received, thank you')
  await expect(page.getByText(`Gift card (${card})`)).toBeVisible()
  await expect(page.getByText('IBAN')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  const [order] = site.context.features.orders.actions.orders.list()
  expect(order!.state).toBe('paid')
  // After a change of mind nothing is on its way to a card or an account.
  await runOn(site, 'orders', 'refund', order!.number)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Refunded')
  await expect(page.getByText('What you paid is back on your gift card.')).toBeVisible()
})

test('a card that is ended while it is in the cart says so, and can be taken off', async ({
  page,
  site,
}) => {
  const { card, code } = await newCard(site, '20')
  await page.goto(poster)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByLabel(/^Discount code or gift card/).fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Left to pay')).toBeVisible()
  await runOn(site, 'gift-cards', 'end', card)
  await page.goto('/shop/cart')
  await expect(page.getByText('This gift card isn’t valid any more.')).toBeVisible()
  await expect(page.getByText('Left to pay')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  expect(await markupFaults(page)).toEqual([])
  await page.getByRole('button', { name: `Take off gift card ${card}` }).click()
  await expect(page.getByText('This gift card isn’t valid any more.')).toHaveCount(0)
})
