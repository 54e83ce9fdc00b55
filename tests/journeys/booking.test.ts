import type { Locator, Page } from 'playwright/test'
import { book } from '../support/bookings.ts'
import { runOn } from '../support/in-process-cli.ts'
import type { Site } from '../support/site.ts'
import { alive, expect, sum, test, violations } from './site.ts'

const bookings = (site: Site) => [...site.context.features.bookings.actions.bookings.list()]

/** Everything but service and days. */
async function fillIn(page: Page, site: Site) {
  const form = page.getByRole('main')
  await form.getByLabel('Place', { exact: true }).fill('Ice track of Rovaniemi')
  await form.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
  await form.getByLabel('Email', { exact: true }).fill('aino@example.com')
  await form.getByLabel(/^Verification/).fill(String(await sum(form)))
  await form.getByLabel(/^I accept the terms/).check()
  // The sum is not taken from someone who needs no moment for it.
  site.clock.advance(5000)
}

/** Follows a link as one that stands somewhere on the page. */
async function follow(page: Page, href: string) {
  await page.evaluate((to) => {
    const link = document.createElement('a')
    link.href = to
    document.body.append(link)
    link.click()
    link.remove()
  }, href)
}

test('a visitor books with the keyboard, staff confirm by their link, and the visitor moves and cancels', async ({
  page,
  site,
}) => {
  await page.goto('/services/photography')
  await page.getByRole('link', { name: 'Check dates' }).first().click()
  await expect(page).toHaveURL('/booking?service=photography')
  await expect(page.getByRole('radio', { name: /^Photography/ })).toBeChecked()
  await alive(page)

  const grid = page.getByRole('grid')
  await expect(grid).toHaveAccessibleName('Days for Photography, November 2026')
  await grid.getByRole('link', { name: 'Monday 23 November 2026, free' }).focus()
  await page.keyboard.press('PageDown')
  await expect(page.getByRole('link', { name: 'Wednesday 23 December 2026, free' })).toBeFocused()
  await page.keyboard.press('PageDown')
  await expect(grid).toHaveAccessibleName('Days for Photography, January 2027')
  await expect(page.getByRole('link', { name: /^Saturday 23 January 2027/ })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(page.getByRole('link', { name: 'Monday 18 January 2027, free' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(page.getByLabel('First day')).toHaveValue('2027-01-20')
  await expect(page.getByLabel('Last day')).toHaveValue('2027-01-21')
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(2)
  const aside = page.getByRole('complementary', { name: 'Your request' })
  await expect(aside.getByText('2 days at €890')).toBeVisible()
  await expect(aside.getByText('€1,780 + VAT (€2,233.90 incl. VAT)')).toBeVisible()

  await page.getByRole('button', { name: 'Request these dates' }).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await summary.getByRole('link', { name: 'Name is required' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await fillIn(page, site)
  await page.getByRole('button', { name: 'Request these dates' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We hold your dates')
  const mine = page.url()
  const [booking] = bookings(site)
  expect(booking).toMatchObject({
    state: 'requested',
    from: '2027-01-20',
    to: '2027-01-21',
    proven: true,
  })
  await expect(page.getByText(booking!.reference).first()).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /Add to calendar/ }).click()
  await download

  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(site.context.features.bookings.actions.staffUrl(booking!))
  await expect(page.getByText('No conflicts')).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^Finland$/ })).toBeVisible()
  await page.getByLabel('Message to the client').fill('See you at the gate.')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('This booking is confirmed')).toBeVisible()

  await page.goto(mine)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your booking is confirmed')
  await expect(page.getByText('See you at the gate.')).toBeVisible()
  await page.getByLabel('First day').fill('2027-02-10')
  await page.getByLabel('Last day').fill('2027-02-11')
  await page.getByRole('button', { name: 'Request these dates' }).click()
  await expect(page.getByText('You asked for 10–11 February 2027')).toBeVisible()
  await expect(page).toHaveURL(mine)
  await expect(page.getByText('If you cancel now, there’s nothing to pay. This')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel this booking' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This booking is cancelled')
  expect(bookings(site)).toMatchObject([{ state: 'cancelled', from: booking!.from, change: null }])
})

test('what is typed before all of the form has its code stays', async ({ page }) => {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    if (body.includes('booking-captcha')) {
      asked.resolve()
      await held.promise
    }
    await route.fulfill({ response, body })
  })
  await page.goto('/booking', { waitUntil: 'commit' })
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Aino Virtanen')
  await asked.promise
  // All other code has time to come and to begin.
  await page.waitForTimeout(1500)
  held.resolve()
  await alive(page)
  await page.getByRole('button', { name: 'Request these dates' }).click()
  await expect(page.getByRole('link', { name: /email/i }).first()).toBeVisible()
  await expect(name).toHaveValue('Aino Virtanen')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('dates that went meanwhile bring the nearest ones, and no entry is lost', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/409/)
  await page.goto('/booking?service=photography&from=2027-01-20&to=2027-01-20')
  await alive(page)
  await fillIn(page, site)
  await book(site)
  await book(site)
  await page.getByRole('button', { name: 'Request these dates' }).click()
  await expect(page.getByRole('link', { name: 'These dates were just taken.' })).toBeVisible()
  await expect(
    page.getByRole('link', { name: 'Wednesday 20 January 2027, on hold for another client' }),
  ).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Tuesday 19 January 2027' }).click()
  await expect(page.getByLabel('First day')).toHaveValue('2027-01-19')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
  await page.getByRole('button', { name: 'Request these dates' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We hold your dates')
})

test('a booking moves by the month grid, in which its own days count as free', async ({
  page,
  site,
}) => {
  const { json } = await book(site)
  await book(site)
  const own = new URL(String(json?.url)).pathname
  await page.goto(own)
  await alive(page)
  const grid = page.getByRole('grid')
  await expect(grid).toHaveAccessibleName('Days for Photography, January 2027')
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(1)
  // Two requests hold this day; without the visitor's own one a place is left.
  await grid.getByRole('link', { name: 'Wednesday 20 January 2027, 1 place left' }).click()
  await grid.getByRole('link', { name: 'Thursday 21 January 2027, free' }).click()
  await page.getByRole('link', { name: 'Later month, February 2027' }).click()
  await expect(grid).toHaveAccessibleName('Days for Photography, February 2027')
  await expect(page.getByLabel('Last day')).toHaveValue('2027-01-21')
  await grid.getByRole('link', { name: 'Wednesday 10 February 2027, free' }).click()
  await expect(page.getByLabel('First day')).toHaveValue('2027-02-10')
  await expect(page.getByRole('status').getByText('1 day')).toBeVisible()
  await page.getByRole('button', { name: 'Request these dates' }).click()
  await expect(page.getByRole('complementary').getByText('10 February 2027')).toBeVisible()
  await expect(page).toHaveURL(`${own}#result`)
  expect(bookings(site)).toMatchObject([
    { from: '2027-01-20', to: '2027-01-20' },
    { from: '2027-02-10', to: '2027-02-10', state: 'requested' },
  ])
})

test('a link to other dates wins over those chosen, and what was entered stays', async ({
  page,
}) => {
  await page.goto('/booking?service=videography&from=2027-01-20&to=2027-01-21')
  await alive(page)
  await page.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
  await page.getByRole('link', { name: 'Monday 25 January 2027, free' }).click()
  await expect(page.getByLabel('First day')).toHaveValue('2027-01-25')

  // As from a page that is open beside it: the address names service and days.
  await follow(page, '/booking?service=photography&from=2027-02-10&to=2027-02-11')
  await expect(page.getByRole('grid')).toHaveAccessibleName('Days for Photography, February 2027')
  await expect(page.getByRole('radio', { name: /^Photography/ })).toBeChecked()
  await expect(page.getByLabel('First day')).toHaveValue('2027-02-10')
  await expect(page.getByLabel('Last day')).toHaveValue('2027-02-11')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')

  // The button of the bar names nothing, so nothing is lost.
  await page.getByRole('radio', { name: /^Videography/ }).check()
  await page.getByRole('banner').getByRole('link', { name: 'Book Now' }).click()
  await expect(page).toHaveURL(/service=videography/)
  await expect(page.getByRole('grid')).toHaveAccessibleName('Days for Videography, February 2027')
  await expect(page.getByRole('radio', { name: /^Videography/ })).toBeChecked()
  await expect(page.getByLabel('First day')).toHaveValue('2027-02-10')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
})

test('what was entered survives a reload and a step back, and is forgotten once it is sent', async ({
  page,
  site,
}) => {
  const main = page.getByRole('main')
  const filled = async () => {
    await expect(main.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
    await expect(main.getByLabel('Place', { exact: true })).toHaveValue('Ice track of Rovaniemi')
    await expect(page.getByRole('radio', { name: /^Videography/ })).toBeChecked()
    await expect(page.getByLabel('First day')).toHaveValue('2027-01-20')
    await expect(page.getByLabel('Last day')).toHaveValue('2027-01-21')
    await expect(page.getByRole('grid')).toHaveAccessibleName('Days for Videography, January 2027')
  }
  await page.goto('/booking?service=photography&month=2027-01')
  await alive(page)
  await page.getByRole('radio', { name: /^Videography/ }).check()
  await page.getByRole('link', { name: 'Wednesday 20 January 2027, free' }).click()
  await page.getByRole('link', { name: 'Thursday 21 January 2027, free' }).click()
  await fillIn(page, site)
  await filled()
  await page.reload()
  await filled()
  await follow(page, '/news')
  await expect(page).toHaveURL('/news')
  await page.goBack()
  await filled()
  // Asked again: the sum and the consent.
  await expect(main.getByLabel(/^I accept the terms/)).not.toBeChecked()
  await fillIn(page, site)
  await page.getByRole('button', { name: 'Request these dates' }).click()
  await expect(page.getByRole('heading', { name: 'We hold your dates' })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('booking_draft'))).toBeNull()
})

test('a closed day says why', async ({ page }) => {
  await page.goto('/booking?service=photography&month=2026-12')
  await alive(page)
  const day = page.getByRole('link', { name: /^Friday 25 December 2026, closed/ })
  await expect(day).toHaveAccessibleName(/Christmas Day is a public holiday$/)
  // It can't be chosen, which Playwright would wait for.
  await day.click({ force: true })
  await expect(page.getByText('Christmas Day is a public holiday', { exact: true })).toBeVisible()
})

test('an event that is taken off the form leaves its days and what was entered', async ({
  page,
}) => {
  await page.goto('/calendar')
  await page.getByRole('link', { name: /^Book Official winter test/ }).click()
  await page.getByRole('radio', { name: /^Videography/ }).check()
  await page.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
  await page.getByRole('link', { name: 'Remove event' }).click()
  await expect(page).toHaveURL(/service=videography/)
  await expect(page.getByRole('link', { name: 'Remove event' })).toHaveCount(0)
  await expect(page.getByLabel('Place', { exact: true })).toHaveValue(/Kittilä, Finland/)
  await expect(page.getByLabel('First day')).toHaveValue('2026-11-28')
  await expect(page.getByRole('radio', { name: /^Videography/ })).toBeChecked()
  await expect(page.getByRole('grid')).toHaveAccessibleName('Days for Videography, November 2026')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Aino Virtanen')
})

test('an event in the calendar leads to the form with its days and place', async ({ page }) => {
  await page.goto('/calendar')
  await page.getByRole('link', { name: /^Book Official winter test/ }).click()
  await expect(page).toHaveURL(/\/booking\?.*event=/)
  await expect(page.getByRole('main').getByText('Official winter test').first()).toBeVisible()
  await expect(page.getByLabel('First day')).toHaveValue('2026-11-28')
  await expect(page.getByLabel('Place', { exact: true })).toHaveValue(/Kittilä, Finland/)
})

test.describe('far from Helsinki', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('times are shown in the zone of the viewer and of the place, dates unchanged', async ({
    page,
    site,
  }) => {
    const timed = (await site.context.content.rows('events')).find(
      ({ start, zone }) =>
        start > '2026-11-21T' && start.includes('T') && zone === 'Europe/Helsinki',
    )!
    await page.goto(`/calendar?month=${timed.start.slice(0, 7)}`)
    const row = page.locator(`[id="event-${timed.id}"]`)
    await expect(row.getByText('Your time', { exact: true })).toBeVisible()
    await expect(row.getByText('Helsinki time')).toBeVisible()
    await page.goto('/booking?service=photography&from=2027-01-20&to=2027-01-20')
    await expect(page.getByText('Wednesday 20 January 2027', { exact: true }).first()).toBeVisible()
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, decided: false })

  test('a visitor picks days by links, sends, moves and cancels', async ({
    page,
    site,
    complaints,
  }) => {
    complaints.expect(/400/)
    await page.goto('/booking')
    await page.getByRole('link', { name: 'Videography' }).first().click()
    await page.getByRole('link', { name: /^Later month/ }).click()
    await page.getByRole('link', { name: 'Monday 14 December 2026, free' }).click()
    await page.getByRole('link', { name: 'Tuesday 15 December 2026, free' }).click()
    await expect(page.getByLabel('Last day')).toHaveValue('2026-12-15')
    await fillIn(page, site)
    await page.getByLabel(/^Verification/).fill('99')
    await page.getByRole('button', { name: 'Request these dates' }).click()
    await expect(page.getByText('Please check your answer').first()).toBeVisible()
    await expect(page.getByLabel('Place', { exact: true })).toHaveValue('Ice track of Rovaniemi')
    await page.getByLabel(/^Verification/).fill(String(await sum(page.getByRole('main'))))
    await page.getByRole('button', { name: 'Request these dates' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We hold your dates')
    await page.getByRole('link', { name: /^Later month/ }).click()
    await page.getByRole('link', { name: /^Later month/ }).click()
    await page.getByRole('link', { name: 'Wednesday 10 February 2027, free' }).click()
    await expect(page.getByLabel('Last day')).toHaveValue('2027-02-10')
    await page.getByRole('button', { name: 'Request these dates' }).click()
    await expect(page.getByRole('complementary').getByText('10 February 2027')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel this booking' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This booking is cancelled')
    expect(bookings(site)).toMatchObject([
      { state: 'cancelled', service: 'videography', proven: true },
    ])
  })
})

test('booking and calendar have no barriers', async ({ page, site }) => {
  test.setTimeout(120_000)
  const { json } = await book(site)
  await book(site)
  const { actions } = site.context.features.bookings
  const own = new URL(String(json?.url)).pathname
  const staff = new URL(actions.staffUrl(bookings(site)[0]!)).pathname
  for (const path of [
    '/booking?service=photography&from=2027-01-18&to=2027-01-22',
    '/calendar',
    '/calendar?month=2027-02',
    own,
    staff,
  ]) {
    await page.goto(path)
    await alive(page)
    expect([path, await violations(page)]).toEqual([path, []])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([path, overflow]).toEqual([path, 0])
  }
  await page.goto('/booking?service=photography')
  await alive(page)
  await page.getByRole('button', { name: 'Request these dates' }).click()
  await expect(page.getByRole('alert')).toBeFocused()
  expect(await violations(page)).toEqual([])
})

test('on a phone, a booking’s page has its facts before its forms, and what an invoice is stands apart from its sum', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { json } = await book(site)
  const { url, reference } = json as { url: string; reference: string }
  await site.post(
    `${new URL(url).pathname.replace('/booking/', '/api/bookings/by-link/')}/billing`,
    {
      street: 'Ratakatu 1',
      postcode: '96100',
      city: 'Rovaniemi',
      country: 'FI',
    },
  )
  await runOn(site, 'bookings', 'confirm', reference)
  await runOn(site, 'bookings', 'invoice', reference, '--send')
  await page.goto(new URL(url).pathname)
  const boxOf = async (locator: Locator) => (await locator.boundingBox())!
  const facts = await boxOf(page.getByRole('complementary', { name: 'Your booking' }))
  const change = page.getByRole('heading', { name: 'Change dates' })
  expect(facts.y + facts.height).toBeLessThan((await boxOf(change)).y)
  expect(
    (await boxOf(page.getByRole('link', { name: 'Our agreement as PDF' }))).height,
  ).toBeGreaterThan(23.9)
  const state = page.getByRole('region', { name: 'Invoices' }).getByText('open', { exact: true })
  const gap = await state.evaluate((badge) => {
    const amount = document.createRange()
    amount.selectNode(badge.parentElement!.firstChild!)
    return badge.getBoundingClientRect().left - amount.getBoundingClientRect().right
  })
  expect(gap).toBeGreaterThan(8)
  // Where there is room, nothing keeps the forms from following the invoices.
  await page.setViewportSize({ width: 1440, height: 900 })
  const card = await boxOf(page.getByRole('complementary', { name: 'Your booking' }))
  expect(card.y).toBeLessThan((await boxOf(page.getByRole('heading', { name: 'Invoices' }))).y)
})
