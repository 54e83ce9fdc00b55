import type { Page } from 'playwright/test'
import { fillCheckout } from '../support/checkout-form.ts'
import { runOn } from '../support/in-process-cli.ts'
import { markupFaults } from '../support/markup-faults.ts'
import type { Site } from '../support/site.ts'
import { expect, test, violations } from './site.ts'

/** A poster in the cart, and a code of 15 %. @returns the field for codes */
async function openCart(site: Site, page: Page) {
  await runOn(site, 'discounts', 'add', 'GRID15', '--percent', '15')
  await page.goto('/shop/products/five-red-lights-poster')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  return page.getByLabel(/^Discount code/)
}

test.describe('without scripts, on a telephone', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })

  test('a code is refused with its reason, entered, taken off, and paid with', async ({
    page,
    site,
    complaints,
  }) => {
    complaints.expect(/400 \(Bad Request\)/)
    await runOn(site, 'discounts', 'add', 'BIG', '--amount', '20', '--min', '200')
    const field = await openCart(site, page)
    await field.fill('grdi15')
    await page.getByRole('button', { name: 'Apply code' }).click()
    await expect(field).toHaveValue('grdi15')
    await expect(field).toHaveAccessibleDescription(/We don’t know this code/)
    await field.fill('big')
    await page.getByRole('button', { name: 'Apply code' }).click()
    await expect(field).toHaveAccessibleDescription(/at least €200\.00/)
    await field.fill('grid 15')
    await page.getByRole('button', { name: 'Apply code' }).click()
    await expect(page.getByText('Code GRID15 is applied: €5.85 off.')).toBeVisible()
    await page.getByRole('button', { name: 'Take off code GRID15' }).click()
    await expect(field).toBeVisible()

    await page.getByRole('link', { name: 'Checkout' }).click()
    await fillCheckout(page)
    await field.fill('nope')
    await page.getByRole('button', { name: 'Apply code' }).click()
    await expect(page.getByRole('alert')).toContainText('We don’t know this code')
    await expect(field).toHaveValue('nope')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
    // A code that was typed and not applied isn’t passed over by the order’s own button either.
    await field.fill('grid15')
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('alert')).toContainText('Your code is applied')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
    await expect(page.getByText('Discount (GRID15)')).toBeVisible()
    await expect(page.getByText('−€5.85')).toBeVisible()
  })
})

test('a code at the cart and the checkout, with scripts and without violations', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/400 \(Bad Request\)/)
  const field = await openCart(site, page)
  await field.fill('grdi15')
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription(/We don’t know this code/)
  expect(await violations(page)).toEqual([])
  expect(await markupFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Checkout' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
  await field.fill('grid15')
  await page.getByRole('button', { name: 'Apply code' }).click()
  const summary = page.getByRole('complementary', { name: 'Your order' })
  await expect(summary.getByText('Discount (GRID15)')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
  expect(await violations(page)).toEqual([])
  expect(await markupFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Take off code GRID15' }).click()
  await expect(summary.getByText('Discount (GRID15)')).toHaveCount(0)
  await expect(field).toHaveValue('')
})

test('a code that is entered or taken off in place keeps the focus beside it', async ({
  page,
  site,
}) => {
  await expect(await openCart(site, page)).toBeVisible()
  for (const path of ['/shop/cart', '/shop/checkout']) {
    await page.goto(path)
    const field = page.getByLabel(/^Discount code/)
    await field.fill('grid15')
    await field.press('Enter')
    await expect(page.getByText('Code GRID15: €5.85 off')).toBeFocused()
    const codes = page.getByRole('group', { name: 'Codes' })
    await codes.getByRole('button', { name: 'Take off code GRID15' }).press('Enter')
    await expect(codes).toBeFocused()
  }
})

test('a long order beside the checkout is scrolled by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 700 })
  for (const product of [
    'blue-hour-fine-art-print',
    'winter-wallpapers',
    'gravel-jump-commercial-licence',
  ]) {
    await page.goto(`/shop/products/${product}`)
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page).toHaveURL(/added=/)
  }
  await page.goto('/shop/checkout')
  expect(await violations(page)).toEqual([])
})

test('a code that ends while it is in the cart says so', async ({ page, site }) => {
  const field = await openCart(site, page)
  await field.fill('grid15')
  await page.getByRole('button', { name: 'Apply code' }).click()
  await expect(page.getByText('Discount (GRID15)')).toBeVisible()
  await runOn(site, 'discounts', 'end', 'GRID15')
  await page.goto('/shop/cart')
  await expect(page.getByText('This code has expired.')).toBeVisible()
  await expect(page.getByText('Discount (GRID15)')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
})
