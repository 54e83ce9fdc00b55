import { chromium } from 'playwright/test'
import { join } from 'node:path'
import { dist } from '#server/build.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startSite } from './support/site.ts'
await using site = await startSite({ renderer: await builtRenderer(dist) })
await site.get('/')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' })
const out = '/tmp/b/sc'
const steps = (process.argv[2] ?? 'shop,product,cart,checkout,order,withdraw').split(',')
const widths = (process.argv[3] ?? '390,1440').split(',').map(Number)
const themes = (process.argv[4] ?? 'light').split(',') as ('light' | 'dark')[]
for (const colorScheme of themes)
  for (const width of widths) {
    const context = await browser.newContext({
      baseURL: site.url,
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    await context.addInitScript(() => localStorage.setItem('consentGiven', 'true'))
    const page = await context.newPage()
    await page.route('**/assets/shop-*', (r) =>
      r.continue({
        url: r
          .request()
          .url()
          .replace(
            /shop-[a-z-]+/,
            ['rally-snow-blue-hour', 'night-light-trails', 'kerb-golden-hour', 'start-lights'][
              r.request().url().length % 4
            ]!,
          ),
      }),
    )
    page.on('console', (m) => {
      if (m.type() === 'error' || m.type() === 'warning')
        console.log('console', page.url(), m.text().slice(0, 400))
    })
    page.on('pageerror', (e) => console.log('pageerror', page.url(), String(e).slice(0, 300)))
    const shot = async (name: string) => {
      await page.evaluate(async () => {
        for (let y = 0; y < document.body.scrollHeight; y += 700) {
          scrollTo(0, y)
          await new Promise((r) => setTimeout(r, 60))
        }
        scrollTo(0, 0)
      })
      await page.waitForLoadState('networkidle').catch(() => {})
      await page.screenshot({
        path: join(out, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      })
    }
    if (steps.includes('shop')) {
      await page.goto('/shop')
      await shot('shop')
    }
    await page.goto('/shop/products/kerb-at-golden-hour-fine-art-print')
    if (steps.includes('product')) await shot('product')
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await page.waitForURL(/cart/)
    await page.goto('/shop?kind=digital&prices=net')
    if (steps.includes('shop')) await shot('shop-net')
    await page.locator('article a').first().click()
    await page.waitForURL(/products/)
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await page.waitForURL(/cart/)
    if (steps.includes('cart')) await shot('cart')
    await page.getByRole('link', { name: /checkout/ }).click()
    await page.waitForURL(/checkout/)
    if (steps.includes('checkout')) {
      await shot('checkout')
      await page.getByRole('button', { name: 'Order and pay' }).click()
      await page.getByRole('alert').first().waitFor()
      await shot('checkout-errors')
    }
    for (const [l, v] of [
      ['Email', 'aino@example.com'],
      ['Name', 'Aino Virtanen'],
      ['Street and number', 'Mannerheimintie 1 A 2'],
      ['Postal code', '00100'],
      ['Town', 'Helsinki'],
    ])
      await page.getByLabel(l!, { exact: true }).fill(v!)
    await page.getByLabel(/^Please deliver/).check()
    await page.getByLabel(/^I have read/).check()
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await page.waitForURL(/success/, { timeout: 15000 }).catch(async () => {
      console.log(await page.locator('main').innerText())
      await shot('failed')
    })
    if (steps.includes('order')) {
      await shot('order')
      await page.goto('/shop/checkout/success')
      await shot('order-none')
    }
    if (steps.includes('withdraw')) {
      await page.goto('/shop/withdraw')
      await shot('withdraw')
    }
    await context.close()
  }
await browser.close()
