import type { Page } from 'playwright/test'
import { publicPages } from '../support/public-pages.ts'
import { expect, test } from './site.ts'

/** Pages that are not in the sitemap, and views of those that are. */
const others = [
  '/search?q=rally',
  '/client-zone',
  '/links',
  '/shop/cart',
  '/calendar?month=2026-12',
  '/portfolio/gravel-film-jyvaskyla',
  '/portfolio/night-desk-kymiring',
  '/shop/products/winter-wallpapers',
  '/no-such-page',
]

/**
 * What can be pressed and is less than 24 px wide or high, except links within a sentence (WCAG 2.2,
 * 2.5.8), boxes whose label is the target, and links whose whole card is.
 */
const small = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const smallest = 23.9
    const pressable = 'a[href], button, summary, input:not([type=hidden]), select, textarea'
    const inSentence = (element: Element) => {
      if (getComputedStyle(element).display !== 'inline') return false
      const block = element.closest('p, li, dd, td, label, figcaption')
      const rest = (block?.textContent ?? '').replace(element.textContent ?? '', '').trim()
      return rest !== ''
    }
    const isStretched = (element: Element) => {
      const { position, content } = getComputedStyle(element, '::after')
      return position === 'absolute' && content !== 'none'
    }
    return Array.from(document.querySelectorAll(pressable))
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        const target = element.matches('input') ? (element.closest('label') ?? element) : element
        const { width, height, right, bottom } = target.getBoundingClientRect()
        // For screen readers alone, or outside of the page.
        if (width <= 1 || height <= 1 || right < 0 || bottom < 0) return false
        return (width < smallest || height < smallest) && !inSentence(element)
      })
      .filter((element) => !isStretched(element))
      .map((element) => element.outerHTML.slice(0, 160))
  })

for (const width of [390, 1440]) {
  test(`nothing to press is smaller than 24 px at ${width} px`, async ({
    page,
    site,
    complaints,
  }) => {
    test.setTimeout(300_000)
    complaints.expect(/40[14]/)
    await page.setViewportSize({ width, height: 900 })
    for (const path of [...(await publicPages(site.url)), ...others]) {
      await page.goto(path)
      // What a form shows last has its styles a moment later.
      await expect.poll(() => small(page), path).toEqual([])
    }
  })
}
