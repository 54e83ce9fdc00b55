import type { Locator } from 'playwright/test'
import { alive, expect, test, violations } from './site.ts'

const event = '/calendar/iitti-gt-2027'

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })

    test('what comes next is set like the season: state and button stand by their event', async ({
      page,
    }) => {
      await page.goto('/calendar/kuopio-karting-2027')
      await alive(page)
      const next = page.getByRole('region', { name: /^Next in/ }).getByRole('article')
      const open = next.filter({ hasText: 'Crew slots open' }).first()
      const leftOf = async (found: Locator) => (await found.boundingBox())!.x
      const title = await leftOf(open.getByRole('heading'))
      expect(await leftOf(open.getByText('Crew slots open'))).toBeGreaterThanOrEqual(title)
      expect((await open.boundingBox())!.height).toBeLessThan(width < 500 ? 130 : 80)
    })

    test('an event and the season have no violation', async ({ page }) => {
      await page.goto(event)
      await alive(page)
      expect(await violations(page)).toEqual([])
      await page.goto('/calendar')
      await alive(page)
      expect(await violations(page)).toEqual([])
    })
  })
}

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })

  test('the season is a timetable, in which open weekends have the loud button', async ({
    page,
  }) => {
    await page.goto('/calendar')
    await alive(page)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3400)
    const groundOf = (words: string) =>
      page
        .getByRole('article')
        .filter({ hasText: words })
        .getByRole('link', { name: 'Book' })
        .first()
        .evaluate((link) => getComputedStyle(link, '::before').backgroundColor)
    const bookNow = page.getByRole('banner').getByRole('link', { name: 'Book Now' })
    const accent = await bookNow.evaluate(
      (link) => getComputedStyle(link, '::before').backgroundColor,
    )
    expect(await groundOf('Crew slots open')).toBe(accent)
    expect(await groundOf('We’re on site')).not.toBe(accent)
  })
})

test.describe('in a month', () => {
  test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })

  test('an event of a day leads to its row, which is marked, by mouse and by keyboard', async ({
    page,
  }) => {
    await page.goto('/calendar?month=2027-09')
    await alive(page)
    const mark = (row: Locator) => row.evaluate((found) => getComputedStyle(found).boxShadow)
    for (const [name, press] of [
      ['Lahti Harbour Street Race', false],
      ['Oulu Quarry Rallycross', true],
    ] as const) {
      const link = page.getByRole('table').getByRole('link', { name }).first()
      const row = page.getByRole('article').filter({ hasText: name })
      expect(await mark(row)).toBe('none')
      await (press ? link.press('Enter') : link.click())
      await expect(row).toBeFocused()
      expect(await mark(row)).not.toBe('none')
    }
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, timezoneId: 'America/New_York' })

  test('booking is one tap away, and an event leads to the form with its days', async ({
    page,
  }) => {
    await page.goto('/news')
    const bookNow = page.getByRole('banner').getByRole('link', { name: 'Book Now' })
    await expect(bookNow).toBeInViewport()
    await bookNow.click()
    await expect(page).toHaveURL('/booking')

    await page.goto('/calendar')
    await page.getByRole('link', { name: 'Kymi Midsummer GT', exact: true }).click()
    await expect(page).toHaveURL(event)
    await expect(page.getByRole('row', { name: /Qualifying/ })).toContainText('16:30–17:15')
    await expect(page.getByRole('row', { name: /Qualifying/ })).toContainText('09:30–10:15')
    await page.getByRole('link', { name: 'Book us here' }).first().click()
    await expect(page).toHaveURL(/\/booking\?from=2027-07-17&to=2027-07-18&event=iitti-gt-2027/)
    await expect(page.getByLabel('First day')).toHaveValue('2027-07-17')
    await expect(page.getByRole('main')).toContainText('Kymi Midsummer GT')
  })
})

test.describe('in a zone without summer time', () => {
  // The clock of Helsinki in winter, all year round.
  test.use({ timezoneId: 'Africa/Johannesburg' })

  test('a night over the change to summer time is told by the visitor’s clock too', async ({
    page,
  }) => {
    await page.goto('/calendar/inari-ice-night-2027')
    const hours = (session: string) => page.getByRole('row', { name: session }).getByRole('cell')
    await expect(hours('Final at first light')).toHaveText(['04:15–05:45', '03:15–04:45'])
    await expect(hours('Heats')).toHaveText(['22:00–23:30', '22:00–23:30'])
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('an event leads to its calendar file and to the booking form', async ({ page, site }) => {
    await page.goto('/calendar')
    await page.getByRole('link', { name: 'Kymi Midsummer GT', exact: true }).click()
    await expect(page).toHaveURL(event)
    const file = page.getByRole('link', { name: 'Add to calendar (.ics)' })
    const { text } = await site.get((await file.getAttribute('href'))!)
    expect(text).toContain('SUMMARY:To be confirmed: Kymi Midsummer GT: Qualifying')
    await page.getByRole('link', { name: 'Book us here' }).first().click()
    await expect(page.getByLabel('First day')).toHaveValue('2027-07-17')
  })
})
