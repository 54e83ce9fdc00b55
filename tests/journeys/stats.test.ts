import type { Page } from 'playwright/test'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, fill, test, violations } from './site.ts'

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const all = { from: '', to: '9999' }

const visits = ({ context }: Site) =>
  context.features.analytics.visits
    .list(all)
    .map(({ dimension, name, medium, campaign, event, count }) =>
      [dimension, name, medium, campaign, event, count].filter((part) => part !== '').join(' '),
    )

async function enter(site: Site, page: Page, name = 'Noora') {
  const { headers } = await signIn(site, ['desk'], { name })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
}

/** Some weeks as visitors would have made them. */
async function fillCounts(site: Site) {
  const { counts, visits: counted, reads } = site.context.features.analytics
  const articles = await site.context.features.news.search![0]!.read()
  const slugs = articles.slice(0, 6).map(({ path }) => path.split('/').at(-1)!)
  const sources = [
    { referrer: 'www.google.com', landing: 'home' as const },
    {
      referrer: 'instagram.com',
      source: 'instagram',
      medium: 'social',
      landing: 'article' as const,
    },
    {
      referrer: '',
      source: 'newsletter',
      medium: 'email',
      campaign: 'season-2027',
      landing: 'news' as const,
    },
    { referrer: 'a-rather-long-name-of-a-site.about.motorsport.example', landing: 'shop' as const },
  ]
  for (let day = 0; day < 35; day += 1) {
    await site.context.commit((tx) => {
      for (let n = 0; n < 4 + ((day * 7) % 9); n += 1) {
        const source = sources[(day + n) % sources.length]!
        counts.add(tx, source.landing, 'view')
        counts.add(tx, 'article', 'view')
        reads.add(tx, 'article', slugs[(day + n * n) % slugs.length]!)
        counted.add(tx, 'view', source, `10.0.${n}.0`)
        if (n === 0) counted.add(tx, 'contact_sent', source, '10.0.0.0')
        if (n === 0) counts.add(tx, 'home', 'contact_sent')
        if (n === 1 && day % 3 === 0) counted.add(tx, 'order_placed', source, '10.0.0.0')
      }
    })
    site.clock.advance(86_400_000)
  }
}

test.describe('as visitors', () => {
  // The browser of the tests says that it is a robot, and robots are not counted.
  test.use({ userAgent: agent })

  test('a visit is counted by where it came from, once, and with what it ended in', async ({
    page,
    site,
  }) => {
    await page.goto(`${site.url}/?utm_source=Instagram&utm_medium=social&utm_campaign=Rally+2027`, {
      referer: 'https://www.partner.example/teams/42?visitor=aino',
    })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click()
    await expect(page).toHaveURL(/\/news$/)
    await page.getByRole('main').getByRole('article').first().getByRole('link').first().click()
    await expect(page).toHaveURL(/\/news\/./)
    await expect.poll(() => site.context.features.analytics.reads.list(all)).toHaveLength(1)
    const [read] = site.context.features.analytics.reads.list(all)
    expect(page.url()).toBe(`${site.url}/news/${read!.slug}`)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Contact' })
      .click()
    const dialog = page.getByRole('dialog')
    await fill(dialog)
    await dialog.getByRole('button', { name: 'Send Message' }).click()
    await expect
      .poll(() => visits(site))
      .toEqual([
        'campaign instagram social rally-2027 enquiry 1',
        'campaign instagram social rally-2027 visit 1',
        'landing home enquiry 1',
        'landing home visit 1',
        'referrer partner.example enquiry 1',
        'referrer partner.example visit 1',
      ])
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['X-CSRF-TOKEN'])
    const session = await page.evaluate(() => Object.keys(sessionStorage))
    expect(session.filter((key) => /visit|source|referrer|utm/i.test(key))).toEqual([])
  })

  test('a reload begins no other visit', async ({ page, site }) => {
    const views = () => site.context.features.analytics.counts.list().map(({ count }) => count)
    await page.goto('/news')
    await expect.poll(views).toEqual([1])
    await page.reload()
    await expect.poll(views).toEqual([2])
    expect(visits(site)).toEqual(['landing news visit 1', 'referrer visit 1'])
  })

  test('someone who opens a private page is no visit with a source', async ({ page, site }) => {
    await page.goto(`${site.url}/client-zone?utm_source=mail`, {
      referer: 'https://intra.team.example/',
    })
    await expect
      .poll(() => site.context.features.analytics.counts.list().map(({ page: kind }) => kind))
      .toEqual(['client-area'])
    expect(visits(site)).toEqual([])
  })

  test('a buyer who comes back from the payment page, or a booking’s link, begins no visit', async ({
    page,
    site,
    complaints,
  }) => {
    complaints.expect(/status of 404/)
    const seen = () =>
      site.context.features.analytics.counts
        .list()
        .map(({ page: kind, count }) => `${kind} ${count}`)
    await page.goto(`${site.url}/shop/checkout/success?order=a-token`, {
      referer: 'https://checkout.stripe.com/',
    })
    await expect.poll(seen).toEqual(['client-area 1'])
    await page.goto(`${site.url}/booking/a-token?utm_source=mail`, {
      referer: 'https://mail.example.com/',
    })
    await expect.poll(seen).toEqual(['client-area 2'])
    expect(visits(site)).toEqual([])
  })
})

test.describe('the desk without scripts', () => {
  test.use({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false })

  test('shows the numbers of a period that a form chooses', async ({ page, site }) => {
    await fillCounts(site)
    await page.goto('/desk/stats')
    await expect(page.getByLabel('Secret code')).toBeVisible()
    await enter(site, page)
    await page.goto('/desk')
    await page.getByRole('link', { name: 'Statistics' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statistics')
    await expect(page.getByRole('row', { name: /google\.com/ })).toBeVisible()
    await expect(page.getByText('newsletter / email / season-2027')).toBeVisible()
    const width = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    expect(await width()).toBe(0)
    await page.getByLabel('From', { exact: true }).fill('2026-11-20')
    await page.getByLabel('To', { exact: true }).fill('2026-11-21')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(page).toHaveURL(/period=custom&from=2026-11-20&to=2026-11-21/)
    await page.getByText('Show as table').click()
    await expect(page.getByRole('row', { name: /^2026-11-20 4 8$/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /^2026-11-2\d/ })).toHaveCount(2)
    await page.getByRole('link', { name: '12 months' }).click()
    await page.getByText('Show as table').click()
    await expect(page.getByRole('columnheader', { name: 'Month' })).toBeVisible()
  })
})

for (const width of [360, 1440]) {
  test(`statistics have no violation at ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await enter(site, page)
    await page.goto('/desk/stats')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statistics')
    expect(await violations(page)).toEqual([])
    await fillCounts(site)
    // The session has ended in these weeks.
    await enter(site, page, 'Mika')
    await page.goto('/desk/stats')
    await page.getByText('Show as table').click()
    expect(await violations(page)).toEqual([])
  })
}
