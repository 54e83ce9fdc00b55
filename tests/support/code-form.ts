import type { Page } from 'playwright/test'

/** Types a code into the form that a page shows. */
export async function enter(page: Page, code: string) {
  await page.getByLabel('Secret code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
