import type { Locator, Page } from 'playwright/test'
import { expect } from 'playwright/test'

/** The window of the search. */
export const overlayOf = (page: Page) => page.getByRole('dialog', { name: 'Search the site' })

/** Opens the overlay from the bar. */
export async function openOverlay(page: Page, path = '/') {
  await page.goto(path)
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  const overlay = overlayOf(page)
  await expect(overlay.getByRole('textbox')).toBeFocused()
  return overlay
}

/** A term is refused with a message once it is sent; what was said before goes as it is typed. */
export async function expectRefusal(
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
