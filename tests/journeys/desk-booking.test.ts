import type { Page } from 'playwright/test'
import { book } from '../support/bookings.ts'
import { settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, test, violations } from './site.ts'

/** Gives the browser the session of someone of staff. */
async function enter(site: Site, page: Page) {
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
}

async function asked(site: Site) {
  const { json } = await book(site, {
    company: 'Kaamos Racing Oy',
    country: 'FI',
    phone: '+358 50 1234567',
    message: 'Two cars, one night stage.\nParking at gate 4.',
  })
  await settled(site)
  return String(json?.reference)
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Opens an act's form below its name. */
async function opened(page: Page, label: string) {
  await page.locator('summary', { hasText: label }).click()
  return page.locator('details[open] form').filter({ hasText: label })
}

test.describe('at 390 px without scripts', () => {
  test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })

  test('staff make an offer, confirm, assign, invoice and cancel a booking from today’s list', async ({
    page,
    site,
    complaints,
  }) => {
    // The offer that is refused.
    complaints.expect(/status of 400/)
    const reference = await asked(site)
    await enter(site, page)
    await page.goto('/desk')
    await page.getByRole('link', { name: 'Kaamos Racing Oy' }).click()
    await expect(page.getByText(`Booking ${reference}`)).toBeVisible()
    expect(await sideways(page)).toBe(0)

    const confirm = await opened(page, 'Confirm the booking')
    await expect(confirm.getByText('Agreed at €890 + VAT (€1,116.95 incl. VAT).')).toBeVisible()
    await confirm.getByLabel('Message to the client').fill('See you there')
    await confirm.getByRole('button').click()
    await expect(page.getByText('Noora: confirmed, requested → confirmed')).toBeVisible()

    const undo = await opened(page, 'Undo the last decision')
    await undo.getByRole('button').click()
    await expect(page.getByText('Noora: undone, confirmed → requested')).toBeVisible()

    const offer = await opened(page, 'Make an offer')
    expect(await sideways(page)).toBe(0)
    await offer.getByLabel('Travel').fill('lots')
    await offer.getByRole('button').click()
    await expect(page.getByRole('alert')).toContainText('Please enter an amount')
    await offer.getByLabel('Travel').fill('120')
    await offer.getByRole('button').click()
    await expect(page.getByText('€1,010 + VAT (€1,267.55 incl. VAT)').first()).toBeVisible()

    const { actions } = site.context.features.bookings
    await actions.accept(reference, { name: 'Aino', isVisitor: true }, undefined)
    await page.reload()
    const crew = await opened(page, 'Assign crew')
    await crew.getByLabel('Crew member').selectOption('Aino')
    await crew.getByRole('button').click()
    await expect(page.getByText('Noora: assigned (Aino)')).toBeVisible()

    const billing = await opened(page, 'Set the billing details')
    await billing.getByLabel('Street').fill('Ratakatu 1')
    await billing.getByLabel('Postal code').fill('96100')
    await billing.getByLabel('Town').fill('Rovaniemi')
    await billing.getByRole('button').click()
    const invoice = await opened(page, 'Invoice €1,267.55')
    await invoice.getByRole('button').click()
    await expect(page.getByText('€1,267.55 open')).toBeVisible()

    const cancel = await opened(page, 'Cancel the booking')
    await expect(cancel.getByText('We can’t do it: There’s nothing to pay.')).toBeVisible()
    expect(await sideways(page)).toBe(0)
    await cancel.getByLabel('Why').selectOption('us')
    await cancel.getByRole('button').click()
    await expect(page.getByText('Noora: cancelled, confirmed → cancelled')).toBeVisible()
    expect(await sideways(page)).toBe(0)
  })

  test('the page of a staff mail leads to the desk', async ({ page, site }) => {
    const reference = await asked(site)
    await enter(site, page)
    const mail = mailFiles(site.dataDir).find(({ text }) => text.includes('/booking/staff/'))!
    await page.goto(/\/booking\/staff\/[\w-]+/.exec(mail.text)![0])
    await page.getByRole('link', { name: 'Open at the desk' }).click()
    await expect(page).toHaveURL(`/desk/bookings/${reference}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Kaamos Racing Oy')
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test(`a booking at the desk has no violation at ${width} px, ${colorScheme}`, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme })
      const reference = await asked(site)
      await book(site)
      await enter(site, page)
      await page.goto(`/desk/bookings/${reference}`)
      for (const summary of await page.locator('details > summary').all()) await summary.click()
      await expect(page.getByLabel('Crew member')).toBeVisible()
      expect(await violations(page)).toEqual([])
      expect(await sideways(page)).toBe(0)
    })
  }
}

test('half an offer stays while another form of the booking is sent, with what that changed', async ({
  page,
  site,
}) => {
  const reference = await asked(site)
  await enter(site, page)
  await page.goto(`/desk/bookings/${reference}`)
  await page.waitForLoadState('networkidle')
  const act = (label: string) =>
    page.locator('details').filter({ has: page.locator('summary', { hasText: label }) })
  await act('Make an offer').locator('summary').click()
  const travel = act('Make an offer').getByLabel('Travel')
  await travel.fill('120')
  const firstDay = act('Make an offer').getByLabel('First day')
  const before = await firstDay.inputValue()

  await act('Move to other dates').locator('summary').click()
  const days = Date.parse(before) + 7 * 86_400_000
  const later = new Date(days).toISOString().slice(0, 10)
  await act('Move to other dates').getByLabel('First day').fill(later)
  await act('Move to other dates').getByLabel('Last day').fill(later)
  await act('Move to other dates').getByRole('button').click()
  await expect(page.getByText(/Noora: moved/)).toBeVisible()

  await expect(travel).toBeVisible()
  await expect(travel).toHaveValue('120')
  await expect(firstDay).toHaveValue(later)
  // What was sent is folded up again.
  await expect(act('Move to other dates').getByRole('button')).toBeHidden()
  await act('Make an offer').getByRole('button').click()
  await expect(page.getByText('€1,010 + VAT (€1,267.55 incl. VAT)').first()).toBeVisible()
  await expect(travel).toBeHidden()
})

test('a form that the network lost says so, and still has what was typed', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load/)
  const reference = await asked(site)
  await enter(site, page)
  await page.goto(`/desk/bookings/${reference}`, { waitUntil: 'networkidle' })
  await page.locator('summary', { hasText: 'Add an internal note' }).click()
  const note = page.getByLabel('Note', { exact: true })
  await note.fill('Gate 4, ask for Sanna')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  const send = page.getByRole('button', { name: 'Add an internal note' })
  await send.click()
  await expect(page.getByRole('alert')).toContainText('Your entries are still here.')
  await expect(note).toHaveValue('Gate 4, ask for Sanna')
  await context.setOffline(false)
  await send.click()
  await expect(page.getByText(/Noora: edited/)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a double click sends a form once, and is not told of a change that was its own', async ({
  page,
  site,
}) => {
  const reference = await asked(site)
  await enter(site, page)
  await page.goto(`/desk/bookings/${reference}`, { waitUntil: 'networkidle' })
  let sent = 0
  const release = Promise.withResolvers<void>()
  await page.route('**/api/desk/things/**', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1
      await release.promise
    }
    await route.continue()
  })
  await page.locator('summary', { hasText: 'Add an internal note' }).click()
  await page.getByLabel('Note', { exact: true }).fill('Gate 4, ask for Sanna')
  const send = page.getByRole('button', { name: 'Add an internal note' })
  await send.dblclick()
  await expect(send).toHaveAttribute('aria-disabled', 'true')
  await send.press('Enter')
  release.resolve()
  await expect(page.getByText(/Noora: edited/)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(sent).toBe(1)
})
