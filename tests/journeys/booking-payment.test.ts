import { book } from '../support/bookings.ts'
import { runOn } from '../support/in-process-cli.ts'
import { season } from '../support/content-events.ts'
import type { Site } from '../support/site.ts'
import { startStripe, type StripeDouble } from '../support/stripe-double.ts'
import { hook } from '../support/stripe-orders.ts'
import { alive, expect, test as base, violations } from './site.ts'

const rules = JSON.stringify({
  deposit: { percent: 40 },
  services: { photography: { capacity: 3 } },
  crew: [{ name: 'Aino', services: ['photography'], phone: '+358 40 1', capacity: 3 }],
})

/** A site with deposits that takes cards through a double of the payment service. */
const test = base.extend<{ stripe: StripeDouble; content: string }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  content: async ({}, use) => {
    using files = season(undefined, { 'booking-rules.json': rules })
    await use(files.directory)
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  stripe: async ({}, use) => {
    await using double = await startStripe()
    await use(double)
  },
  env: async ({ stripe, content }, use) => use({ ...stripe.env, CONTENT_DIR: content }),
})

/** An offer that its visitor has in their inbox; the addresses of both pages and the call sheet. */
async function offered(site: Site) {
  const { json } = await book(site, { from: '2027-02-10', to: '2027-02-11' })
  const reference = String(json?.reference)
  const { actions } = site.context.features.bookings
  await runOn(site, 'bookings', 'offer', reference, '--travel', '240.00')
  await runOn(site, 'bookings', 'assign', reference, 'Aino')
  const booking = actions.find(reference)
  const pathOf = (url: string) => new URL(url).pathname
  const own = pathOf(String(json?.url))
  const token = own.split('/').at(-1)!
  return {
    reference,
    own,
    staff: pathOf(actions.staffUrl(booking)),
    sheet: pathOf(actions.sheetUrl(booking)),
    post: (act: string, body: object = {}) =>
      site.post(`/api/bookings/by-link/${token}/${act}`, body),
  }
}

const billing = { street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi', country: 'FI' }

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } })

    test('the state of an address is asked for where addresses have one', async ({
      page,
      site,
      complaints,
    }) => {
      if (!javaScriptEnabled) complaints.expect(/status of 400/)
      const { own, reference } = await offered(site)
      await page.goto(own)
      const details = page.getByRole('group').filter({ hasText: 'Billing details' })
      await details.locator('summary').click()
      const state = details.getByLabel('State or province')
      await expect(state).toHaveCount(0)
      await details.getByLabel('Country').selectOption('US')
      await details.getByLabel('Street address').fill('1 Speedway')
      await details.getByLabel('Postal code').fill('28027')
      await details.getByLabel('Town').fill('Concord')
      if (!javaScriptEnabled) await details.getByRole('button', { name: 'Save' }).click()
      await state.fill('NC')
      await details.getByRole('button', { name: 'Save' }).click()
      await expect(page.locator('#result')).toBeVisible()
      await expect
        .poll(() => site.context.features.bookings.actions.find(reference))
        .toMatchObject({ country: 'US', city: 'Concord', region: 'NC' })
    })

    test('a customer accepts an offer and pays the deposit by card', async ({
      page,
      site,
      stripe,
    }) => {
      test.setTimeout(180_000)
      const { own, staff, post } = await offered(site)
      await post('billing', billing)
      await page.goto(own)
      await page.getByRole('button', { name: 'Accept this offer' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your booking is confirmed')
      await page.getByRole('button', { name: 'Pay the deposit by card, €1,014.04' }).click()
      await expect(page.getByRole('heading', { name: 'Pay 1014.04 EUR' })).toBeVisible()
      expect(new URL(page.url()).origin).toBe(stripe.env.STRIPE_API_BASE)
      await page.getByRole('link', { name: 'Back to the shop' }).click()
      // Nothing was paid, and the same page can be opened again.
      await page.getByRole('button', { name: /^Pay the deposit by card/ }).click()
      await page.getByRole('button', { name: 'Pay' }).click()
      await expect(page.getByText('Your payment isn’t confirmed yet')).toBeVisible()
      const [session] = stripe.sessions.values()
      expect((await hook(site, stripe.event(session!))).status).toBe(200)
      // With scripts the page looks again by itself.
      if (!javaScriptEnabled) await page.getByRole('link', { name: 'Refresh' }).click()
      await expect(page.getByText('Thank you, your payment has arrived')).toBeVisible({
        timeout: 60_000,
      })
      await expect(page.getByRole('button', { name: /by card/ })).toBeHidden()
      await expect(page.getByText('by card', { exact: true })).toBeVisible()
      expect(stripe.sessions.size).toBe(1)
      await page.goto(staff)
      await expect(page.getByText('by card', { exact: true })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Our agreement as PDF' })).toBeVisible()
    })
  })
}

test('offer, payment, staff’s page and call sheet have no barriers', async ({ page, site }) => {
  test.setTimeout(180_000)
  const { own, staff, sheet, post } = await offered(site)
  const looks = async (...paths: string[]) => {
    for (const path of paths) {
      await page.goto(path)
      if (path !== sheet) await alive(page)
      expect([path, await violations(page)]).toEqual([path, []])
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([path, overflow]).toEqual([path, 0])
    }
  }
  await page.setViewportSize({ width: 360, height: 800 })
  await looks(own, staff)
  await post('accept')
  await looks(own)
  await post('billing', billing)
  await looks(own, staff, sheet)
  await post('pay')
  await page.setViewportSize({ width: 1440, height: 900 })
  const { documents } = (await site.get(`/api/bookings/by-link/${own.split('/').at(-1)}`)).json as {
    documents: { order: string }[]
  }
  await looks(own, staff, sheet, `${own}?paid=${documents[0]!.order}`)
})
