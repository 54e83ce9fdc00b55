import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { book } from '../support/bookings.ts'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, test, violations } from './site.ts'

// Its pages are many, and all of them are looked at.
test.describe.configure({ timeout: 300_000 })

const print = ['blue-hour-fine-art-print', '30x40-matte', 1] as const

/** What came in overnight, and the session of someone of staff. */
async function overnight(site: Site, page: Page) {
  await saveEnquiry(site)
  await saveEnquiry(site, {
    'Ticket ID': 'robot1',
    Email: 'b@example.com',
    Subject: 'A poster for our club',
    website: 'x',
  })
  const { json } = await book(site, {
    company: 'Kaamos Racing Oy',
    country: 'FI',
    email: 'kaamos@example.com',
  })
  const { order } = await orderByInvoice(site, [print])
  await settled(site)
  await runOn(site, 'clients', 'add', 'Nordic Rally Team', '--email', 'aino@example.com')
  mkdirSync(join(site.dataDir, 'folders/rally'), { recursive: true })
  writeFileSync(join(site.dataDir, 'folders/rally/a.txt'), 'a')
  const made = await runOn(site, 'folders', 'add', 'rally', '--title', 'Arctic Rally', '--json')
  const { headers } = await signIn(site, ['desk', 'ops'], { name: 'Noora' })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
  const { folder } = JSON.parse(made) as { folder: string }
  return { reference: String(json?.reference), order, folder }
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Opens an act's form below its name. */
async function opened(page: Page, label: string) {
  await page.locator('summary', { hasText: label }).click()
  return page.locator('details[open] form').filter({ hasText: label })
}

/** Finds a thing by words and opens its page. */
async function find(page: Page, words: string, link: string | RegExp) {
  await page.getByRole('searchbox').fill(words)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: link }).first().click()
  expect(await sideways(page)).toBe(0)
}

test.describe('at 390 px without scripts', () => {
  test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })

  test('staff get through their day at the desk', async ({ page, site }) => {
    const { reference, order } = await overnight(site, page)

    // See what waits, answer a message, take it on.
    await page.goto('/desk')
    expect(await sideways(page)).toBe(0)
    await find(page, 'virtanen imatra', 'Race weekend in Imatra')
    await page.getByLabel('Your reply').fill('Gladly.')
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(page.getByText('Noora: replied, new → answered')).toBeVisible()
    await page.getByRole('button', { name: 'Assign' }).click()
    await expect(page.getByText('Noora: assigned, nobody → Noora')).toBeVisible()

    // Let a message out of quarantine.
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.getByRole('link', { name: 'A poster for our club' }).click()
    await page.getByLabel('Status', { exact: true }).selectOption('new')
    await page.getByRole('button', { name: 'Set status' }).click()
    await expect(page.getByText('Noora: status quarantined → new')).toBeVisible()

    // Confirm a booking and invoice it.
    await page.getByRole('link', { name: 'Today', exact: true }).click()
    await page.getByRole('link', { name: 'Kaamos Racing Oy' }).click()
    await (await opened(page, 'Confirm the booking')).getByRole('button').click()
    await expect(page.getByText('Noora: confirmed, requested → confirmed')).toBeVisible()
    const billing = await opened(page, 'Set the billing details')
    await billing.getByLabel('Street').fill('Ratakatu 1')
    await billing.getByLabel('Postal code').fill('96100')
    await billing.getByLabel('Town').fill('Rovaniemi')
    await billing.getByRole('button').click()
    await (await opened(page, 'Invoice €1,116.95')).getByRole('button').click()
    await expect(page.getByText('€1,116.95 open')).toBeVisible()
    await expect(page.getByText(`Booking ${reference}`)).toBeVisible()

    // An order: its payment, its parcel, and what was paid goes back.
    await find(page, order, new RegExp(order))
    await (await opened(page, 'Record a payment')).getByRole('button').click()
    await expect(page.getByText(/Noora: .*paid/).first()).toBeVisible()
    const ship = await opened(page, 'Mark as shipped')
    await ship.getByLabel('Carrier').fill('Posti')
    await ship.getByRole('button').click()
    await expect(page.getByText(/Noora: .*shipped/).first()).toBeVisible()
    await (await opened(page, 'Refund everything')).getByRole('button').click()
    await expect(page.getByText(/Noora: .*refunded/).first()).toBeVisible()

    // A client gets a code, and a gallery another last day.
    await find(page, 'nordic', 'Nordic Rally Team')
    const code = await opened(page, 'Make a new code')
    await code.getByRole('button').click()
    await expect(page.getByText('Your code:')).toBeVisible()
    await find(page, 'arctic', 'Arctic Rally')
    const ends = await opened(page, 'Change the expiry')
    await ends.getByLabel('Last day').fill('2027-06-30')
    await ends.getByRole('button').click()
    await expect(page.getByText(/Noora: changed/)).toBeVisible()

    // Who asks for what, and who is signed in.
    await find(page, 'aino@example.com', /Race weekend|Nordic Rally Team/)
    await page.goto('/desk/people/aino@example.com')
    await expect(page.getByText('Race weekend in Imatra')).toBeVisible()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await expect(page.getByText('Noora').first()).toBeVisible()
    expect(await sideways(page)).toBe(0)
  })
})

for (const width of [360, 820, 1440]) {
  test(`no page of the desk has a violation at ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { reference, order, folder } = await overnight(site, page)
    const pages = [
      '/desk',
      '/desk?q=rally',
      '/desk/sessions',
      '/desk/tickets/abc123',
      `/desk/bookings/${reference}`,
      `/desk/orders/${order}`,
      '/desk/clients/nordic-rally-team',
      `/desk/folders/${folder}`,
      '/desk/people/aino@example.com',
    ]
    for (const path of pages) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect([path, await sideways(page)]).toEqual([path, 0])
      // What is folded up is judged as well, in the light theme and in the dark one.
      await page.evaluate(() => {
        for (const each of document.querySelectorAll('details')) each.open = true
      })
      expect([path, await sideways(page)]).toEqual([path, 0])
      expect([path, await violations(page)]).toEqual([path, []])
    }
  })
}
