import { chromium } from 'playwright/test'
import { dist } from '#server/build.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from './support/site.ts'
await using site = await startSite({ renderer: await builtRenderer(dist) })
await site.get('/')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' })
const page = await browser.newPage({
  baseURL: site.url,
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
})
await page.addInitScript(() => {
  localStorage.setItem('consentGiven', 'true')
})
await page.goto('/shop')
for (const width of [1440, 1280, 1279, 1024, 820, 390, 360, 320]) {
  await page.setViewportSize({ width, height: 900 })
  console.log(
    width,
    await page.evaluate(() => [
      document.documentElement.scrollWidth,
      getComputedStyle(document.querySelector('nav[aria-label=Main]')!).display,
      Math.round(
        document.querySelector('header .wrap, header > div')!.getBoundingClientRect().right,
      ),
      ...Array.from(document.querySelectorAll('header > div > *')).map(
        (e) =>
          `${Math.round(e.getBoundingClientRect().left)}-${Math.round(e.getBoundingClientRect().right)}`,
      ),
    ]),
  )
}
await page.setViewportSize({ width: 1440, height: 900 })
await page.waitForLoadState('networkidle')
await page.screenshot({ path: '/tmp/b/sc/final-shop.png', fullPage: false })
await page.setViewportSize({ width: 390, height: 1500 })
await page.screenshot({ path: '/tmp/b/sc/final-shop-390.png', fullPage: false })
await browser.close()
