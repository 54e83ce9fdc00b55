import type { Page } from 'playwright/test'
import { registered } from '#shared/consent/storage-registry.ts'
import { card, modal, stored } from '../support/consent-panel.ts'
import { expect, storedItems, test } from './site.ts'

test.use({
  decided: false,
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

/** The addresses of the pages that the second service was told of. */
const sentIn = (foreign: readonly { body: unknown }[]) =>
  foreign.filter(({ body }) => body).map(({ body }) => (body as { url: string }).url)

const press = (page: Page, name: string) => card(page).getByRole('button', { name }).click()
const flip = (page: Page, name: string) => card(page).locator(`input[name=${name}]`).click()

const decisions: Record<string, (page: Page) => Promise<void>> = {
  none: async () => {},
  reject: (page) => press(page, 'Reject'),
  'reject with measurement switched on': async (page) => {
    await flip(page, 'measurement')
    await press(page, 'Reject')
  },
  'accept all': (page) => press(page, 'Accept all'),
  'save untouched': (page) => press(page, 'Save'),
  'save with analytics moved': async (page) => {
    await flip(page, 'analytics')
    await flip(page, 'analytics')
    await press(page, 'Save')
  },
  'save with measurement switched on': async (page) => {
    await flip(page, 'measurement')
    await press(page, 'Save')
  },
  'save with measurement on and analytics off': async (page) => {
    await flip(page, 'measurement')
    await flip(page, 'analytics')
    await press(page, 'Save')
  },
}
const granted = [
  'accept all',
  'save with measurement switched on',
  'save with measurement on and analytics off',
]

test('measurement by others has a switch of its own, off at first', async ({ page }) => {
  await watch(page)
  await page.goto('/')
  const measurement = card(page).getByRole('switch', { name: 'Third-party analytics' })
  await expect(measurement).not.toBeChecked()
  await expect(measurement).toHaveAccessibleDescription(
    'Lets Google Analytics and stats.example see the pages you visit and your IP address. Google Analytics also sets cookies. Off by default.',
  )
  await measurement.click()
  await press(page, 'Save')
  expect(await stored(page)).toMatchObject({
    preferences: { necessary: true, functional: true, analytics: true, marketing: false },
    measurement: 'true',
  })
  await page.getByRole('button', { name: 'Cookie preferences' }).click()
  await expect(modal(page).locator('input[name=measurement]')).toBeChecked()
  await modal(page).getByRole('button', { name: 'Reject' }).click()
  expect((await stored(page)).measurement).toBe('false')
})

for (const [name, decide] of Object.entries(decisions)) {
  test(`after "${name}": everything is in the registry, measuring ${granted.includes(name) ? 'runs' : 'stays away'}`, async ({
    page,
  }) => {
    const foreign = await watch(page)
    await page.goto('/')
    await expect(card(page)).toBeVisible()
    await decide(page)
    // Uses what stores something: forms, theme, the way to the services, scroll positions.
    await page.getByRole('button', { name: 'Switch theme' }).click()
    await page.locator('#contact input[name=name]').focus()
    await page.getByRole('navigation', { name: 'Services' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/services\//)
    await page.getByRole('link', { name: 'Services', exact: true }).first().click()
    // Whoever agrees while a page is on its way has both counted, the one left and the next.
    await expect(page).not.toHaveURL(/\/services\//)
    const measuring = async () =>
      (await storedItems(page)).filter(([store, key]) => registered(store, key)?.measuring)
    if (granted.includes(name)) {
      await expect
        .poll(async () => (await measuring()).map(([, key]) => key).toSorted())
        .toEqual(['_ga', '_ga_TEST1', 'thirdPartyMeasurement'])
      expect(new Set(foreign.map(({ host }) => host))).toEqual(
        new Set(['www.googletagmanager.com', 'stats.example']),
      )
      return
    }
    expect((await measuring()).filter(([store]) => store === 'cookie')).toEqual([])
    expect(foreign).toEqual([])
    expect(await page.locator('script[src^="https:"]').count()).toBe(0)
    if (name === 'none') {
      expect((await storedItems(page)).some(([, key]) => key.startsWith('consent'))).toBe(false)
    }
    // Once it is granted the page of the moment is the first that is sent: none was on its way.
    if (name !== 'none') await page.getByRole('button', { name: 'Cookie preferences' }).click()
    const panel = name === 'none' ? card(page) : modal(page)
    await panel.getByRole('button', { name: 'Accept all' }).click()
    await expect.poll(() => sentIn(foreign)).toEqual([new URL(page.url()).pathname])
  })
}

const tagCalls = (page: Page) =>
  page.evaluate(() =>
    ((globalThis as { dataLayer?: IArguments[] }).dataLayer ?? []).map(
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
  await expect.poll(() => sentIn(foreign)).toEqual(['/?utm_source=paddock', second])
})

test('of a personal page the services hear neither what opens it nor its title', async ({
  page,
  complaints,
}) => {
  complaints.expect(/404 \(Not Found\)/)
  const foreign = await watch(page)
  await page.goto('/panel/nordic-rally-team')
  await card(page).getByRole('button', { name: 'Accept all' }).click()
  const sent = () => foreign.flatMap(({ body }) => (body ? [body as Record<string, unknown>] : []))
  await expect.poll(sent).toMatchObject([{ url: '/panel/private', title: 'A private page' }])
  await page.goto('/booking/Wq3vT8-s3cret')
  await expect.poll(sent).toMatchObject([{ url: '/panel/private' }, { url: '/booking/private' }])
  expect(JSON.stringify([sent(), await tagCalls(page)])).not.toMatch(/nordic|s3cret/i)
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
  const first = new URL(page.url()).pathname
  await page.getByRole('navigation', { name: 'Services' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/services\/\w/)
  const second = new URL(page.url()).pathname
  expect({ calls: (await tagCalls(page)).length, asked: foreign.length }).toEqual(before)
  await opener.click()
  await modal(page).getByRole('button', { name: 'Accept all' }).click()
  await expect.poll(cookies).toHaveLength(2)
  // The second page is sent once, by the new grant: nothing of it was on its way before.
  await expect.poll(() => sentIn(foreign)).toEqual([first, second])
})

test('a grant by Accept all outlives a Save that leaves it alone', async ({ page }) => {
  await watch(page)
  await page.goto('/')
  await card(page).getByRole('button', { name: 'Accept all' }).click()
  await page.getByRole('button', { name: 'Cookie preferences' }).click()
  await modal(page).locator('input[name=marketing]').click()
  await modal(page).getByRole('button', { name: 'Save' }).click()
  expect(await stored(page)).toMatchObject({ decision: { source: 'save' }, measurement: 'true' })
})

test('a grant under an older policy is none', async ({ page }) => {
  const foreign = await watch(page)
  await page.addInitScript(() => {
    localStorage.setItem('consentGiven', 'true')
    localStorage.setItem('thirdPartyMeasurement', 'true')
    localStorage.setItem(
      'consentDecision',
      JSON.stringify({ source: 'accept', policyVersion: '2026-11', at: '2026-11-20T12:00:00Z' }),
    )
  })
  await page.goto('/')
  await expect(card(page)).toBeVisible()
  await expect(card(page).locator('input[name=measurement]')).not.toBeChecked()
  expect(foreign).toEqual([])
})
