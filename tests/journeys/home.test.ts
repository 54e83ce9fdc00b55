import { everythingShown, layoutShifts } from '../support/layout-shifts.ts'
import { alive, expect, stopClock, test } from './site.ts'

test('the home page is whole without a complaint', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/^Premium Motorsport Media Services/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const services = page.locator('#services')
  await expect(services.getByRole('article')).toHaveCount(7)
  await expect(
    services.getByRole('link', { name: 'Explore Full Media Outsourcing' }),
  ).toHaveAttribute('href', '/services/media-outsourcing')
  for (const id of ['services', 'media-outsourcing', 'contact']) {
    await expect(page.locator(`section#${id}`)).toBeAttached()
  }
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(data.map((text) => JSON.parse(text) as unknown)).toContainEqual(
    expect.objectContaining({
      '@type': 'Organization',
      contactPoint: expect.objectContaining({ url: expect.stringMatching(/\/contact$/) }),
    }),
  )
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('no headline of our own is cut', async ({ page, site }) => {
    const heroes = await site.context.content.rows('section_hero')
    // A page that content came too late for shows its own headline.
    await expect(async () => {
      await page.goto('/')
      await alive(page)
      const title = await page.getByRole('heading', { level: 1 }).textContent()
      const subtitle = await page.locator('h1 + div > p').textContent()
      expect(heroes).toContainEqual(expect.objectContaining({ title, subtitle }))
      expect(`${title}${subtitle}`).not.toContain('...')
    }).toPass()
  })

  test('nothing moves while the page loads', async ({ page }) => {
    const moved = await layoutShifts(page)
    await page.goto('/', { waitUntil: 'networkidle' })
    await everythingShown(page)
    expect(await moved()).toBe(0)
  })

  test('the menu fills the screen and leads to the contact modal', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expect(menu.getByRole('link', { name: 'Services' })).toBeVisible()
    await menu.getByRole('link', { name: 'Contact' }).click()
    await expect(menu).toBeHidden()
    await expect(page.getByRole('dialog', { name: 'Contact us' })).toBeVisible()
  })

  test('the menu closes by its button without a complaint, and gives the focus back', async ({
    page,
  }) => {
    await page.goto('/')
    const open = page.getByRole('button', { name: 'Open menu' })
    const menu = page.getByRole('dialog', { name: 'Menu' })
    for (let time = 0; time < 2; time += 1) {
      await open.click()
      await menu.getByRole('button', { name: 'Close menu' }).click()
      await expect(menu).toBeHidden()
      await expect(open).toBeFocused()
    }
  })
})

test('a step back closes the menu above the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/about-us')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie policy' }).click()
  await expect(page).toHaveURL('/cookie-policy')
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expect(menu).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/about-us')
  await expect(menu).toBeHidden()
})

test.describe('with a headline that is too long', () => {
  const title = 'One crew for everything people will ever see of you'
  const subtitle =
    'From the first press release to the last vertical clip: a complete media department for the days you need it.'
  const content = {
    'section_hero.json': [{ id: 1, title, subtitle, Status: 'published' }],
  }
  test.use({ contentFiles: content })

  for (const [screen, viewport, scale] of [
    ['a phone', { width: 390, height: 844 }, 2],
    ['a desktop at 200 %', { width: 720, height: 450 }, 2],
  ] as const) {
    test.describe(`on ${screen}`, () => {
      test.use({ viewport, deviceScaleFactor: scale })

      test('it is cut between words, and read out whole', async ({ page }) => {
        await page.goto('/')
        const heading = page.getByRole('heading', { level: 1, name: title, exact: true })
        await expect(heading).toHaveText('One crew for everything people will ever...')
        await expect(page.locator('h1 + div > p').first()).toHaveText(/^.{60,100}\w\.\.\.$/)
        await expect(page.getByRole('paragraph').filter({ hasText: subtitle })).toHaveCount(1)
      })
    })
  }

  test('it is whole on a wide screen', async ({ page }) => {
    await page.goto('/')
    await alive(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.locator('h1 + div > p')).toHaveText(subtitle)
  })
})

test('a page that is come back to has its hero, and stands where it was left', async ({
  page,
  site,
}) => {
  const heroes = await site.context.content.rows('section_hero')
  await page.goto('/')
  await page.locator('#services').evaluate((services) => {
    scrollTo(0, services.getBoundingClientRect().top)
  })
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(1500)
  // Not by `click`, which scrolls to the link even though it is in view.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'News' })
    .dispatchEvent('click')
  await expect(page).toHaveURL('/news')
  await expect(page.getByRole('heading', { level: 1, name: 'News from the paddock' })).toBeVisible()
  // As from afar, where one answer comes after the other.
  await page.route(/\/api\/(portfolio|testimonials)/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await page.goBack()
  const title = await page.locator('#hero-title').textContent()
  expect(heroes).toContainEqual(expect.objectContaining({ title }))
  await expect(page.locator('[data-hero] img')).toBeAttached()
  await page.locator('#work-title').waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(left)
})

test('Back to an address with a fragment leads to where the visitor left the page', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Scroll to explore' }).click()
  await expect(page).toHaveURL('/#explore')
  await expect(page.locator('#work-title')).toBeInViewport()
  // The scrolling half a second later is over.
  await page.waitForTimeout(700)
  await page.locator('#contact').evaluate((contact) => contact.scrollIntoView())
  const left = await page.evaluate(() => scrollY)
  const news = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' })
  await news.dispatchEvent('click')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News from the paddock')
  await page.goBack()
  await page.locator('#work-title').waitFor()
  await page.waitForTimeout(1000)
  expect(await page.evaluate(() => scrollY)).toBe(left)
})

test('a fragment is scrolled to', async ({ page }) => {
  await page.goto('/#media-outsourcing')
  await expect(page.locator('#media-outsourcing')).toBeInViewport()
})

test('a fragment of the address is gone to smoothly from the start', async ({ page }) => {
  const isSmooth = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto('/#contact')
  expect(await isSmooth()).toBe('smooth')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await isSmooth()).toBe('auto')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.runFor(4000)
  expect(await isSmooth()).toBe('auto')
  await page.goto('/news#contact')
  expect(await isSmooth()).toBe('auto')
})

test('Services on another page leads home and scrolls to the section', async ({
  page,
  complaints,
}) => {
  complaints.expect(/404/)
  await page.goto('/no-such-page')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Services' })
    .click()
  await expect(page).toHaveURL('/')
  await expect(page.locator('#services-title')).toBeInViewport()
  expect(await page.evaluate(() => sessionStorage.getItem('scrollToServices'))).toBeNull()
})

test('the theme is switched, said and kept', async ({ page }) => {
  await page.clock.install()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await alive(page)
  await stopClock(page)
  await page.getByRole('button', { name: /theme/i }).click()
  await expect(page.getByText('Dark mode activated')).toBeVisible()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await page.clock.runFor(2100)
  await expect(page.getByText('Dark mode activated')).toBeHidden()
  await page.reload()
  await expect(page.locator('html')).toHaveClass(/dark/)
})

test('an unknown page is a real 404 with a way home', async ({ page, complaints }) => {
  complaints.expect(/404/)
  const response = await page.goto('/no-such-page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Oops! Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.locator('#services')).toBeAttached()
})

test.describe('without its content service', () => {
  test.use({ env: { CONTENT_URL: 'http://127.0.0.1:9' } })

  test('the page stands, and says which part is missing', async ({ page, complaints }) => {
    complaints.expect(/503|500|Failed to load resource/)
    await page.goto('/')
    const nav = page.getByRole('navigation', { name: 'Main' })
    await expect(nav.getByRole('link')).toHaveText([
      'Services',
      'Media Outsourcing',
      'Portfolio',
      'News',
      'Contact',
    ])
    const services = page.locator('#services')
    await expect(services).toContainText('Failed to load services. Please try again later.')
    await services.getByRole('button', { name: 'Try again' }).click()
    await expect(services).toContainText('Failed to load services. Please try again later.')
  })
})

test('hovering the link of a service loads its page ahead of the click', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  const link = page.locator('#services a[href="/services/videography"]').first()
  await link.scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  const before = asked.length
  await link.hover()
  await expect
    .poll(() => asked.slice(before).filter((path) => path.endsWith('.js')).length)
    .toBeGreaterThan(1)
})

for (const [slug, name] of [
  ['videography', 'Videography'],
  ['media-outsourcing', 'MediaOutsourcing'],
] as const) {
  test(`a page that cannot be preloaded is only logged, ${slug}`, async ({ page, complaints }) => {
    complaints.expect(/ERR_FAILED|Failed to load|Failed to fetch dynamically/)
    const message = `Failed to preload ${name}Page`
    complaints.expect(new RegExp(`^${message}$`))
    const logged: string[] = []
    page.on('console', (line) => logged.push(line.text()))
    await page.goto('/')
    const link = page.locator(`main a[href="/services/${slug}"]`).first()
    await link.scrollIntoViewIfNeeded()
    await page.waitForLoadState('networkidle')
    await page.route('**/assets/*.js', (route) => route.abort())
    await link.hover()
    await expect.poll(() => logged).toContain(message)
  })
}

test('a photo that does not arrive leaves the name in the bar readable', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await page.route('**/assets/**', (route) =>
    route.request().resourceType() === 'image' ? route.abort() : route.continue(),
  )
  await page.goto('/')
  const photo = page.locator('[data-hero] img')
  await expect(photo).toHaveJSProperty('naturalWidth', 0)
  await expect(photo).toHaveCSS('color', 'rgba(0, 0, 0, 0)')
})

test('no line of the facts of a case begins with a dot, nor is the year alone in one', async ({
  page,
}) => {
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/')
    const facts = page.getByRole('region', { name: 'Selected work' }).locator('li h3 + p')
    await expect(facts.first()).toContainText('·')
    const starts = await facts.evaluateAll((paragraphs) =>
      paragraphs.flatMap((paragraph) => {
        const text = paragraph.firstChild as Text
        const range = document.createRange()
        const tops = Array.from(text.data, (_, index) => {
          range.setStart(text, index)
          range.setEnd(text, index + 1)
          return range.getBoundingClientRect().top
        })
        return tops.flatMap((top, index) =>
          index > 0 && top > tops[index - 1]! + 5 ? text.data.slice(index).trim() : [],
        )
      }),
    )
    expect(starts.filter((line) => /^(?:·|\d{4}$)/.test(line))).toEqual([])
  }
})
