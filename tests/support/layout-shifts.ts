import type { Page } from 'playwright/test'

/** What the browser's types do not have yet (Layout Instability API). */
type LayoutShift = PerformanceEntry & { value: number }

/**
 * Watches what moves while a page loads; called before the page is opened.
 * @returns a function that tells how far things have moved so far, as the sum of the layout shifts
 */
export async function layoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    const shifts = await page.evaluate(
      () => (globalThis as typeof globalThis & { shifts: number[] }).shifts,
    )
    return shifts.reduce((sum, shift) => sum + shift, 0)
  }
}

/** Waits until fonts and the pictures in view are drawn, and the page has nothing left to do. */
export const everythingShown = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    const inView = [...document.images].filter(
      ({ loading, complete }) => loading !== 'lazy' || complete,
    )
    await Promise.all(inView.map((image) => image.decode().catch(() => {})))
    await new Promise((resolve) => requestIdleCallback(resolve))
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  })
