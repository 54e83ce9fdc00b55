import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist } from '#server/dist.ts'
import { alive, expect, test } from './site.ts'

for (const path of [
  '/about-us',
  '/services/photography',
  '/portfolio/round-saimaa',
  '/news/booking-opens-for-2027',
  '/terms-of-service',
  '/privacy-policy',
  '/cookie-policy',
  '/accessibility',
  '/booking',
  '/',
]) {
  test(`${path} reads the same from the server and navigated to`, async ({ page, site }) => {
    await page.goto(path)
    const main = page.getByRole('main')
    const written = await main.innerText()
    await page.goto('/search')
    await page.evaluate((href) => {
      const link = document.createElement('a')
      link.href = href
      document.querySelector('main')!.append(link)
      link.click()
    }, path)
    // The headline of the home page is drawn again, and so is the sum of a form.
    const shown = (text: string) =>
      (path === '/' ? text.slice(text.indexOf('Selected work')) : text).replaceAll(
        /What is [^?]+/g,
        'What is …',
      )
    await expect.poll(async () => shown(await main.innerText())).toBe(shown(written))
    // A page that is written while its title in the content is read has one of its own.
    const titleWritten = async () => {
      const { text } = await site.get(path)
      return page.evaluate((html) => new DOMParser().parseFromString(html, 'text/html').title, text)
    }
    await expect.poll(async () => (await titleWritten()) === (await page.title())).toBe(true)
  })
}

test('one article after the other, by the links between them, is another text', async ({
  page,
}) => {
  await page.goto('/news/booking-opens-for-2027')
  await alive(page)
  const text = page.getByRole('article').first()
  const heading = page.getByRole('heading', { level: 1 })
  const first = { title: await heading.innerText(), text: await text.innerText() }
  await page.getByRole('navigation', { name: 'More articles' }).getByRole('link').first().click()
  await expect(heading).not.toHaveText(first.title)
  const second = await text.innerText()
  expect(second).not.toContain(first.text.slice(-200))
  await page.reload()
  await alive(page)
  expect(await text.innerText()).toBe(second)
})

test.describe('on a first visit', () => {
  test.use({ decided: false })

  test('what comes once a page is there does not lay it out anew', async ({ page, site }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.css') && !pathname.includes('/page-')) asked.push(pathname)
    })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Accept all' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    // The panel for cookies has a sheet of its own; one with layers has every font looked up again.
    expect(asked).not.toEqual([])
    for (const path of asked) expect((await site.get(path)).text, path).not.toContain('@layer')
  })
})

test('no code of a page asks for styles that its one sheet holds', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.css')) asked.push(pathname)
  })
  for (const path of ['/booking', '/shop', '/']) {
    asked.length = 0
    await page.goto(path, { waitUntil: 'networkidle' })
    const held = await page.locator('script[data-styles]').getAttribute('data-styles')
    expect(held!.split(' ').length, path).toBeGreaterThan(5)
    expect(
      asked.filter((each) => held!.split(' ').includes(each)),
      path,
    ).toEqual([])
    expect(
      asked.filter((each) => each.includes('/page-')),
      path,
    ).toHaveLength(1)
  }
})

test('the first page of a visit is alive and counted without the library of schemas', async ({
  page,
}) => {
  // A word of that library that the build leaves in it.
  const sign = 'ZodMini'
  const assets = join(dist, 'client/assets')
  expect(
    readdirSync(assets).some((name) => readFileSync(join(assets, name), 'utf8').includes(sign)),
  ).toBe(true)
  const scripts: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text())
  })
  const counted = page.waitForRequest('**/api/collect')
  await page.goto('/')
  await alive(page)
  await counted
  const texts = await Promise.all(scripts)
  expect(texts.length).toBeGreaterThan(3)
  expect(texts.filter((text) => text.includes(sign))).toEqual([])
})

test('a page whose static parts do not come is drawn by the server', async ({
  page,
  complaints,
}) => {
  complaints.expect(/404|Failed to (load|fetch)|dynamically imported|PageCodeError/)
  const { 'client/about/content.static.tsx': part } = JSON.parse(
    readFileSync(join(dist, 'client/.vite/manifest.json'), 'utf8'),
  ) as Record<string, { file: string }>
  await page.goto('/search')
  await alive(page)
  await page.route(`**/${part!.file}`, (route) => route.fulfill({ status: 404 }))
  const drawn = page.waitForRequest((request) => request.isNavigationRequest())
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click()
  await drawn
  await expect(page).toHaveURL('/about-us')
  await expect(page.getByRole('heading', { name: 'The crew' })).toBeVisible()
})
