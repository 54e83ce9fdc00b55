import type { Page } from 'playwright/test'

/** Fills in the checkout for an address in Finland, chooses bank transfer, and accepts the terms. */
export async function fillCheckout(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^Bank transfer/ }).check()
  await page.getByLabel('Email', { exact: true }).fill('aino@example.com')
  await page.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
  await page.getByLabel('Street and number').fill('Mannerheimintie 1 A 2')
  await page.getByLabel('Postal code').fill('00100')
  await page.getByLabel('Town').fill('Helsinki')
  await page.getByLabel(/^I have read/).check()
}
