import type { Page } from 'playwright/test'
import { consentVersion } from '#shared/consent.ts'
import { registered } from '#shared/storage-registry.ts'
import { expect, storedItems, test, violations } from './site.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Cookie preferences' })
const modal = (page: Page) => page.getByRole('dialog', { name: 'Cookie preferences' })
const stored = (page: Page) =>
  page.evaluate(() => {
    const item = (key: string) => localStorage.getItem(key)
    return {
      preferences: JSON.parse(item('cookiePreferences') ?? 'null') as unknown,
      given: item('consentGiven'),
      decision: JSON.parse(item('consentDecision') ?? 'null') as unknown,
    }
  })

test.use({ decided: false })

test('the card comes 300 ms after the page, takes no focus, and is the first that Tab reaches', async ({
  page,
}) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto('/')
  await page.getByRole('button', { name: 'Switch the theme' }).click()
  await expect(page.getByText('Dark mode activated')).toBeVisible()
  await page.clock.runFor(250)
  await expect(card(page)).toBeHidden()
  await page.clock.runFor(50)
  await expect(card(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Switch the theme' })).toBeFocused()

  await page.reload()
  await page.clock.runFor(1000)
  await expect(card(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(card(page).getByRole('link', { name: 'Cookie policy' })).toBeFocused()
  for (const name of ['Functional', 'Analytics', 'Marketing']) {
    await page.keyboard.press('Tab')
    await expect(card(page).getByRole('switch', { name })).toBeFocused()
  }
  for (const name of ['Reject', 'Accept all', 'Save']) {
    await page.keyboard.press('Tab')
    await expect(card(page).getByRole('button', { name })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
})

const all = { necessary: true, functional: true, analytics: true, marketing: true }

for (const { button, preferences, source, explicitAnalytics, counted } of [
  {
    button: 'Accept all',
    preferences: all,
    source: 'accept',
    explicitAnalytics: true,
    counted: 'accept',
  },
  {
    button: 'Reject',
    preferences: { ...all, marketing: false },
    source: 'reject',
    explicitAnalytics: false,
    counted: 'reject',
  },
  {
    button: 'Save',
    preferences: { ...all, marketing: false },
    source: 'save',
    explicitAnalytics: false,
    counted: 'save',
  },
]) {
  test(`'${button}' stores exactly its values, is counted, and closes the card for good`, async ({
    page,
  }) => {
    await page.goto('/')
    const sent = page.waitForRequest('**/api/consent')
    await card(page).getByRole('button', { name: button, exact: true }).click()
    await expect(card(page)).toBeHidden()
    const decision = { policyVersion: consentVersion, at: expect.any(String) }
    expect(await stored(page)).toEqual({
      preferences,
      given: 'true',
      decision: { source, explicitAnalytics, ...decision },
    })
    const request = await sent
    expect(request.postDataJSON()).toEqual({ decision: counted, ...decision })
    expect((await request.response())?.status()).toBe(200)
    await page.reload()
    await page.waitForTimeout(600)
    await expect(card(page)).toBeHidden()
  })
}

test('the switches start as the defaults say, and Save keeps what they show', async ({ page }) => {
  await page.goto('/')
  const box = (name: string) => card(page).locator(`input[name=${name}]`)
  await expect(box('necessary')).toBeDisabled()
  for (const name of ['necessary', 'functional', 'analytics']) await expect(box(name)).toBeChecked()
  await expect(box('marketing')).not.toBeChecked()
  await box('functional').click()
  await box('marketing').click()
  await card(page).getByRole('button', { name: 'Save' }).click()
  expect((await stored(page)).preferences).toEqual({ ...all, functional: false })
})

test('Accept all and Reject weigh the same', async ({ page }) => {
  await page.goto('/')
  // It moves as it comes.
  await card(page).evaluate((element) =>
    Promise.all(element.getAnimations().map(({ finished }) => finished)),
  )
  const looks = await Promise.all(
    ['Accept all', 'Reject'].map((name) =>
      card(page)
        .getByRole('button', { name })
        .evaluate((element) => {
          const { color, font } = getComputedStyle(element)
          const { backgroundColor } = getComputedStyle(element, '::before')
          const { width, height, top } = element.getBoundingClientRect()
          return {
            color,
            font,
            backgroundColor,
            size: [Math.round(width), Math.round(height)],
            top,
          }
        }),
    ),
  )
  expect(looks[0]).toEqual(looks[1])
})

for (const [what, items] of [
  ['preferences that are no JSON', { consentGiven: 'true', cookiePreferences: '{analytics' }],
  ['preferences of another shape', { consentGiven: 'true', cookiePreferences: '[1]' }],
  ['a flag of another value', { consentGiven: 'yes', cookiePreferences: JSON.stringify(all) }],
  [
    'a decision about an older policy',
    {
      consentGiven: 'true',
      cookiePreferences: JSON.stringify(all),
      consentDecision: JSON.stringify({
        source: 'accept',
        explicitAnalytics: true,
        policyVersion: '2020-01',
        at: '2020-01-01T00:00:00.000Z',
      }),
    },
  ],
] as [string, Record<string, string>][]) {
  test(`${what} counts as not given, once`, async ({ page }) => {
    await page.goto('/')
    await page.evaluate((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
    }, items)
    await page.reload()
    await card(page).getByRole('button', { name: 'Reject' }).click()
    await page.reload()
    await page.waitForTimeout(600)
    await expect(card(page)).toBeHidden()
  })
}

test.describe('later', () => {
  test.use({ decided: true })

  test('the footer opens the preferences as a modal, which gives the focus back', async ({
    page,
  }) => {
    await page.goto('/')
    const opener = page.getByRole('button', { name: 'Cookie preferences' })
    await opener.click()
    await expect(modal(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(modal(page)).toBeHidden()
    await expect(opener).toBeFocused()
    expect((await stored(page)).decision).toBeNull()

    await opener.click()
    await modal(page).locator('input[name=functional]').click()
    await modal(page).getByRole('button', { name: 'Save' }).click()
    await expect(modal(page)).toBeHidden()
    await expect(opener).toBeFocused()
    await opener.click()
    await expect(modal(page).locator('input[name=functional]')).not.toBeChecked()
    await page.mouse.click(5, 5)
    await expect(modal(page)).toBeHidden()
  })
})

test('a press of "Cookie preferences" that comes before its code is not lost', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/entry-client-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Cookie preferences' }).click()
  release()
  await expect(modal(page)).toBeVisible()
})

test('a decision in one tab closes the card in the other', async ({ context, page }) => {
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto('/')
  await expect(card(page)).toBeVisible()
  await card(other).getByRole('button', { name: 'Reject' }).click()
  await expect(card(page)).toBeHidden()
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' })

      test('card and modal have no violation', async ({ page }) => {
        await page.goto('/portfolio')
        await expect(card(page)).toBeVisible()
        expect(await violations(page)).toEqual([])
        await card(page).getByRole('button', { name: 'Reject' }).click()
        await page.getByRole('button', { name: 'Cookie preferences' }).click()
        await expect(modal(page)).toBeVisible()
        expect(await violations(page)).toEqual([])
      })
    })
  }
}

test.describe('what is stored and asked for', () => {
  test.use({
    env: {
      ANALYTICS_ID: 'G-TEST1',
      STATS_SCRIPT_URL: 'https://stats.example/script.js',
      STATS_WEBSITE_ID: 'w1',
    },
  })

  /** Stand-ins for the measuring services, which do what theirs do; returns what was asked for. */
  async function watch(page: Page) {
    const foreign: { host: string; body: unknown }[] = []
    const javascript = (body: string) => ({ contentType: 'text/javascript', body })
    await page.route(/^https:\/\//, async (route) => {
      const url = new URL(route.request().url())
      foreign.push({ host: url.host, body: route.request().postDataJSON() })
      if (url.host === 'www.googletagmanager.com') {
        return route.fulfill(
          javascript('document.cookie="_ga=GA1.1.1;path=/";document.cookie="_ga_TEST1=GS1;path=/"'),
        )
      }
      if (url.pathname === '/script.js') {
        return route.fulfill(
          javascript(
            'umami={track(change){return fetch("https://stats.example/api/send",{method:"POST",body:JSON.stringify(change({website:"w1",url:location.href}))})}}',
          ),
        )
      }
      return route.fulfill({ headers: { 'Access-Control-Allow-Origin': '*' }, body: 'ok' })
    })
    return foreign
  }

  const decisions: Record<string, (page: Page) => Promise<void>> = {
    none: async () => {},
    reject: (page) => card(page).getByRole('button', { name: 'Reject' }).click(),
    'accept all': (page) => card(page).getByRole('button', { name: 'Accept all' }).click(),
    'save untouched': (page) => card(page).getByRole('button', { name: 'Save' }).click(),
    'save with analytics moved': async (page) => {
      await card(page).locator('input[name=analytics]').click()
      await card(page).locator('input[name=analytics]').click()
      await card(page).getByRole('button', { name: 'Save' }).click()
    },
    'save with analytics switched off': async (page) => {
      await card(page).locator('input[name=analytics]').click()
      await card(page).getByRole('button', { name: 'Save' }).click()
    },
  }
  const granted = ['accept all', 'save with analytics moved']

  for (const [name, decide] of Object.entries(decisions)) {
    test(`after "${name}": everything is in the registry, measuring ${granted.includes(name) ? 'runs' : 'stays away'}`, async ({
      page,
    }) => {
      const foreign = await watch(page)
      await page.goto('/')
      await expect(card(page)).toBeVisible()
      await decide(page)
      // Uses what stores something: forms, theme, the way to the services, scroll positions.
      await page.getByRole('button', { name: 'Switch the theme' }).click()
      await page.locator('#contact input[name=name]').focus()
      await page.getByRole('navigation', { name: 'Services' }).getByRole('link').first().click()
      await expect(page).toHaveURL(/\/services\//)
      await page.getByRole('link', { name: 'Services', exact: true }).first().click()
      await page.waitForTimeout(500)
      const items = await storedItems(page)
      const measuring = items.filter(([store, key]) => registered(store, key)?.measuring)
      if (granted.includes(name)) {
        expect(measuring.map(([, key]) => key).toSorted()).toEqual(['_ga', '_ga_TEST1'])
        expect(new Set(foreign.map(({ host }) => host))).toEqual(
          new Set(['www.googletagmanager.com', 'stats.example']),
        )
      } else {
        expect(measuring).toEqual([])
        expect(foreign).toEqual([])
        expect(await page.locator('script[src^="https:"]').count()).toBe(0)
      }
      if (name === 'none') {
        expect(items.some(([, key]) => key.startsWith('consent'))).toBe(false)
      }
    })
  }

  const tagCalls = (page: Page) =>
    page.evaluate(() =>
      ((globalThis as unknown as { dataLayer?: IArguments[] }).dataLayer ?? []).map(
        (each) => Array.from(each) as unknown[],
      ),
    )

  test('every route change is one page view, without its query but for campaigns', async ({
    page,
    site,
  }) => {
    const foreign = await watch(page)
    await page.goto('/?utm_source=paddock&email=a@b.fi&gadebug=true')
    await card(page).getByRole('button', { name: 'Accept all' }).click()
    await expect(page.locator('script[data-website-id="w1"]')).toHaveCount(1)
    await page.getByRole('navigation', { name: 'Services' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/services\/\w/)
    const second = new URL(page.url()).pathname
    const views = async () =>
      (await tagCalls(page))
        .filter(([kind, name]) => kind === 'event' && name === 'page_view')
        .map(([, , about]) => (about as { page_location: string }).page_location)
    await expect.poll(views).toEqual([`${site.url}/?utm_source=paddock`, `${site.url}${second}`])
    expect(await tagCalls(page)).toContainEqual([
      'config',
      'G-TEST1',
      { send_page_view: false, debug_mode: true },
    ])
    const sent = () =>
      foreign.filter(({ body }) => body).map(({ body }) => (body as { url: string }).url)
    await expect.poll(sent).toEqual(['/?utm_source=paddock', second])
  })

  test('withdrawal stops everything and deletes its cookies without a reload; a new grant starts again', async ({
    page,
  }) => {
    const foreign = await watch(page)
    await page.goto('/')
    await card(page).getByRole('button', { name: 'Accept all' }).click()
    const cookies = async () =>
      (await page.context().cookies())
        .map(({ name }) => name)
        .filter((name) => name.startsWith('_ga'))
    await expect.poll(cookies).toHaveLength(2)
    const opener = page.getByRole('button', { name: 'Cookie preferences' })
    await opener.click()
    await modal(page).getByRole('button', { name: 'Reject' }).click()
    await expect.poll(cookies).toEqual([])
    expect(await page.evaluate(() => 'umami' in globalThis)).toBe(false)
    await expect(page.locator('script[src^="https:"]')).toHaveCount(0)
    const before = { calls: (await tagCalls(page)).length, asked: foreign.length }
    await page.getByRole('navigation', { name: 'Services' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/services\/\w/)
    await page.waitForTimeout(300)
    expect({ calls: (await tagCalls(page)).length, asked: foreign.length }).toEqual(before)
    await opener.click()
    await modal(page).getByRole('button', { name: 'Accept all' }).click()
    await expect.poll(cookies).toHaveLength(2)
  })

  test('a grant by Accept all outlives a Save that leaves analytics alone', async ({ page }) => {
    await watch(page)
    await page.goto('/')
    await card(page).getByRole('button', { name: 'Accept all' }).click()
    await page.getByRole('button', { name: 'Cookie preferences' }).click()
    await modal(page).locator('input[name=marketing]').click()
    await modal(page).getByRole('button', { name: 'Save' }).click()
    expect((await stored(page)).decision).toMatchObject({ source: 'save', explicitAnalytics: true })
  })
})
