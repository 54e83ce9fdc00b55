import type { Page } from 'playwright/test'
import { expect, openWithoutCode, test } from './site.ts'

/** How much the bar's text stands out from what lies behind it, as WCAG counts it. */
async function contrast(page: Page): Promise<number> {
  const name = page.getByRole('link', { name: /home page$/ }).first()
  const [ink, ground] = await name.evaluate((element) => {
    const bar = element.closest('header')!
    const opaque = Number(getComputedStyle(bar, '::before').opacity) > 0.5
    const root = getComputedStyle(opaque ? bar : document.querySelector('[data-hero]')!)
    const back = opaque || scrollY === 0 ? root : getComputedStyle(document.documentElement)
    const probe = document.createElement('i')
    probe.style.color = back.getPropertyValue('--ground')
    document.body.append(probe)
    const colors = [getComputedStyle(element).color, getComputedStyle(probe).color]
    probe.remove()
    return colors
  })
  const [a = 0, b = 0] = [luminance(ink!), luminance(ground!)].toSorted((x, y) => y - x)
  return (a + 0.05) / (b + 0.05)
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const scroll = (page: Page, to: number) => page.mouse.wheel(0, to)

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme })

    test.describe('without scripts', () => {
      test.use({ javaScriptEnabled: false })

      test('the bar can be read at the top of the home page and below it', async ({ page }) => {
        await page.goto('/')
        expect(await contrast(page)).toBeGreaterThan(4.5)
        await scroll(page, 1500)
        await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
        expect(await contrast(page)).toBeGreaterThan(4.5)
      })
    })

    test('the bar can be read while the code of the page is still on its way', async ({ page }) => {
      const release = await openWithoutCode(page, '/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await contrast(page)).toBeGreaterThan(4.5)
      await scroll(page, 1500)
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
      await expect.poll(() => contrast(page)).toBeGreaterThan(4.5)
      release()
    })
  })
}

test('the bar has its own ground after 50 pixels of scrolling, and gives it back', async ({
  page,
}) => {
  await page.goto('/')
  const opacity = () =>
    page
      .getByRole('banner')
      .evaluate((element) => Number(getComputedStyle(element, '::before').opacity))
  await expect.poll(opacity).toBe(0)
  await page.evaluate(() => scrollTo(0, 50))
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await opacity()).toBe(0)
  await page.evaluate(() => scrollTo(0, 51))
  await expect.poll(opacity).toBe(1)
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(opacity).toBe(0)
})
