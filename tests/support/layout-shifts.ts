import type { Page } from 'playwright/test'

/**
 * Watches what moves while a page loads; called before the page is opened.
 * @returns a function that tells how far things have moved so far, as the sum of the layout shifts
 */
export async function layoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
    return shifts.reduce((sum, shift) => sum + shift, 0)
  }
}
