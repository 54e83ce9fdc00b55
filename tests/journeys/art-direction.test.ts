import type { Locator, Page } from 'playwright/test'
import { expect, test } from './site.ts'

test.use({ reducedMotion: 'reduce' })

/** Where the headline's letters end and the picture of the hero lies, in pixels of the window. */
const headOf = (page: Page) =>
  page.evaluate(() => {
    const letters = document.createRange()
    letters.selectNodeContents(document.querySelector('h1')!)
    const { right } = letters.getBoundingClientRect()
    const picture = document.querySelector('[data-hero] img')!
    return { right, picture: picture.getBoundingClientRect() }
  })

/**
 * The shape in which the browser asks for a picture, as width through height; null for the picture's
 * own. Told by the sources that fit the window: the browser names its choice once it has the bytes,
 * which a busy machine takes a minute to draw.
 */
const shapeOf = (image: Locator) =>
  image.evaluate((element: HTMLImageElement) => {
    const sources = [...(element.closest('picture')?.querySelectorAll('source') ?? [])]
    const { srcset } = sources.find(({ media }) => matchMedia(media).matches) ?? element
    const asked = new URL(srcset.split(' ')[0]!, document.baseURI).searchParams
    const [across, down] = [asked.get('width'), asked.get('height')]
    return down === null ? null : Number(across) / Number(down)
  })

for (const [width, height] of [
  [1440, 900],
  [1920, 1080],
] as const) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height } })

    test('the headline is beside what the picture shows', async ({ page }) => {
      await page.goto('/')
      const { right, picture } = await headOf(page)
      expect(right).toBeLessThan(picture.left + picture.width / 2)
      expect(picture.right).toBe(width)
      expect(await shapeOf(page.locator('[data-hero] img'))).toBeNull()
    })
  })
}

for (const scripts of [true, false]) {
  test.describe(`on a phone ${scripts ? 'with' : 'without'} scripts`, () => {
    test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled: scripts })

    test('a wide picture is cut upright around its subject, above the headline', async ({
      page,
    }) => {
      for (const path of ['/', '/services/photography']) {
        const image = page.locator('main [data-x]').first()
        // On a busy machine the first page after a start may be without what came too late for it.
        await expect(async () => {
          await page.goto(path, { waitUntil: 'domcontentloaded' })
          expect(await shapeOf(image), path).toBeCloseTo(4 / 5)
        }).toPass()
        const box = (await image.boundingBox())!
        const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!
        expect(heading.y, path).toBeGreaterThan(box.y + box.height / 2)
        expect(box.width, path).toBe(390)
      }
      await page.goto('/portfolio/blue-hour-in-rovaniemi', { waitUntil: 'domcontentloaded' })
      await expect.poll(() => shapeOf(page.locator('[data-lead] img'))).toBeCloseTo(4 / 5)
    })

    test('a picture is in the colour that prevails in it until it arrives', async ({ page }) => {
      await page.goto('/portfolio', { waitUntil: 'domcontentloaded' })
      const image = page.locator('main img').first()
      await expect(image).toHaveAttribute('data-tone', /^#[\da-f]{6}$/)
      const tone = (await image.getAttribute('data-tone'))!
      const channels = [1, 3, 5].map((at) => Number.parseInt(tone.slice(at, at + 2), 16))
      await expect(image).toHaveCSS('background-color', `rgb(${channels.join(', ')})`)
    })
  })
}
