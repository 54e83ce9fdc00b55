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
await page.setViewportSize({ width: 320, height: 900 })
for (const path of ['/shop', '/news']) {
  await page.goto(path)
  console.log(
    path,
    await page.evaluate(() =>
      Array.from(document.querySelectorAll('body *'))
        .filter((e) => e.getBoundingClientRect().right > 322)
        .map(
          (e) =>
            e.tagName +
            '.' +
            e.className +
            ' ' +
            Math.round(e.getBoundingClientRect().right) +
            ' ' +
            (e.textContent ?? '').slice(0, 30),
        )
        .filter((t) => !t.startsWith('LI') && !t.startsWith('A.'))
        .slice(0, 12),
    ),
  )
}
await browser.close()
