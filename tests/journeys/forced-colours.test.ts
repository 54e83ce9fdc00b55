import type { Locator } from 'playwright/test'
import { expect, test } from './site.ts'

test.use({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })

/** What of an element is left to see where the visitor's own colours count. */
const seen = (element: Locator, pseudo?: string) =>
  element.evaluate((found, part) => {
    const { backgroundColor, borderTopColor, borderTopStyle, color, content } = getComputedStyle(
      found,
      part,
    )
    return { background: backgroundColor, border: borderTopColor, borderTopStyle, color, content }
  }, pseudo)

test('with the visitor’s own colours, buttons look like buttons, and what is chosen like chosen', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/shop')
  const book = page.getByRole('banner').getByRole('link', { name: 'Book Now' })
  expect((await seen(book)).borderTopStyle).toBe('solid')
  const groups = page.getByRole('main').getByRole('navigation').first().getByRole('link')
  const [all, prints] = [await seen(groups.nth(0)), await seen(groups.nth(1))]
  expect(all.background).not.toBe(prints.background)
  expect(all.color).not.toBe(all.background)

  // The control lies over the word of its choice, and would hide it.
  const theme = page.getByRole('contentinfo').getByRole('radio', { checked: true })
  expect((await seen(theme)).background).toMatch(/^rgba\(.+, 0\)$/)

  await page.getByRole('button', { name: 'Cookie preferences' }).click()
  const switches = page.getByRole('dialog').getByRole('switch', { name: 'Functional' })
  // The knob of a switch would cover the box that takes its place.
  expect((await seen(switches, '::before')).content).toBe('none')
})

test('with the visitor’s own colours, the calendar of the booking page tells its days apart', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/booking?service=photography&from=2027-01-20&to=2027-01-21')
  const day = (number: number) =>
    page.getByRole('grid').locator('a', { hasText: new RegExp(`^${number}$`) })
  const [chosen, free, closed] = [await seen(day(20)), await seen(day(25)), await seen(day(1))]
  expect(chosen.background).not.toBe(free.background)
  // A holiday has no frame, and neither it nor a free day has the mark of one that's held.
  expect(free.border).not.toBe(free.background)
  expect(closed.color).not.toBe(free.color)
  expect(closed.border).not.toBe(free.border)
})

test('with the visitor’s own colours, icons over a picture have a ground, and a kerb leaves no gap', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/')
  const ground = await page
    .getByRole('banner')
    .evaluate((bar) => getComputedStyle(bar, '::before').opacity)
  expect(ground).toBe('1')
  const kerb = await page
    .locator('main .kerb')
    .first()
    .evaluate((line) => getComputedStyle(line, '::before').backgroundImage)
  expect(kerb).toContain('gradient')
})
