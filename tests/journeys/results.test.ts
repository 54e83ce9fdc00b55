import type { Locator, Page } from 'playwright/test'
import { book } from '../support/bookings.ts'
import { fillCheckout } from '../support/checkout-form.ts'
import { makeClient } from '../support/clients.ts'
import { enter } from '../support/code-form.ts'
import { settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { noise, photo, share } from '../support/shared-folder.ts'
import { orderByInvoice } from '../support/shop.ts'
import { signIn } from '../support/staff.ts'
import { expect, sum, test } from './site.ts'

/** The result of a form begins at a heading: it is seen, and reading begins there. */
async function beginsAt(heading: Locator) {
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport({ ratio: 1 })
}

const title = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).first()

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 760 } })

    test('a booking is requested, moved, cancelled, and one with a mistake leads to its summary', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/400/)
      await page.goto('/booking?service=photography&from=2027-01-20&to=2027-01-20')
      const form = page.getByRole('main')
      await form.getByLabel('Place', { exact: true }).fill('Ice track of Rovaniemi')
      await form.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
      await form.getByLabel('Email', { exact: true }).fill('aino@example.com')
      await form.getByLabel(/^I accept the terms/).check()
      await form.getByLabel(/^Verification:/).fill('99')
      site.clock.advance(5000)
      await page.getByRole('button', { name: 'Request these dates' }).click()
      await expect(page.getByRole('alert')).toBeFocused()
      await expect(page.getByRole('alert')).toContainText('Please check your answer')
      await form.getByLabel(/^Verification/).fill(String(await sum(form)))
      await page.getByRole('button', { name: 'Request these dates' }).click()
      await beginsAt(title(page, 'We hold your dates'))
      await page.getByLabel('First day').fill('2027-02-10')
      await page.getByLabel('Last day').fill('2027-02-11')
      await page.getByRole('button', { name: 'Request these dates' }).click()
      await expect(page.getByRole('complementary').getByText(/10.*11 February 2027/)).toBeAttached()
      await beginsAt(title(page, 'We hold your dates'))
      await page.getByRole('button', { name: 'Cancel this booking' }).click()
      await beginsAt(title(page, 'This booking is cancelled'))
    })

    test('an order is placed, and one that is withdrawn says so in both steps', async ({
      page,
      complaints,
    }) => {
      complaints.expect(/400/)
      await page.goto('/shop/products/blue-hour-fine-art-print')
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await beginsAt(title(page, 'Your cart'))
      await page.getByRole('link', { name: 'Checkout' }).click()
      await page.getByRole('button', { name: 'Order and pay' }).click()
      await expect(page.getByRole('alert')).toBeFocused()
      await fillCheckout(page)
      await page.getByRole('button', { name: 'Order and pay' }).click()
      await beginsAt(title(page, 'Thank you for your order'))

      await page.goto('/shop/withdraw?order=A-BCDFGHJK')
      await page.getByLabel('Name').fill('Aino Virtanen')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('alert')).toBeFocused()
      await page.getByLabel('Email', { exact: true }).fill('aino@example.com')
      await page.getByRole('button', { name: 'Continue' }).click()
      await beginsAt(page.getByRole('heading', { name: 'Please confirm' }))
      await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
      await beginsAt(page.getByRole('heading', { name: 'We have received your withdrawal' }))
    })

    test('every answer of the newsletter begins at its heading', async ({ page, site }) => {
      await page.goto('/')
      const footer = page.getByRole('contentinfo')
      await footer.getByLabel(/e-?mail address/i).fill('aino@example.com')
      const [tab] = await Promise.all([
        page.waitForEvent('popup'),
        footer.getByRole('button', { name: 'Subscribe' }).click(),
      ])
      await beginsAt(title(tab, /confirm in your inbox/))
      await settled(site)
      const [mail] = mailFiles(site.dataDir)
      await tab.goto(/https?:\S+\/subscription\/confirm\/[^\s)]+/.exec(mail!.text)![0])
      await tab.getByRole('button').click()
      await beginsAt(title(tab, 'You’re subscribed'))
      const { leaveToken } = site.context.features.newsletter.subscribers.find('aino@example.com')!
      await tab.goto(`/subscription/leave/${leaveToken}`)
      await tab.getByRole('button').click()
      await beginsAt(title(tab, 'You’ve been unsubscribed'))
      await tab.getByRole('link', { name: 'Subscribe again' }).click()
      await tab.getByLabel('Email').fill('nonsense')
      await tab.getByRole('button').click()
      await expect(tab.getByLabel('Email')).toBeFocused()
    })

    test('a folder opens at its title, a wrong password leads back to its field, and favourites are sent', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/401/)
      const files = { 'a.jpg': await photo(), 'b.pdf': noise(300) }
      const folder = await share(site, 'winter', files, { password: 'Talvi ralli' })
      await page.goto(`/s/${folder.key}`)
      const password = page.getByLabel('Password')
      await password.fill('nope')
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await expect(password).toHaveAccessibleDescription(/^Wrong password/)
      await expect(password).toBeFocused()
      await password.fill('Talvi ralli')
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await beginsAt(title(page, 'Arctic Rally'))
      await page.getByRole('button', { name: 'Favourite a.jpg' }).click()
      await page.getByLabel('Your name').fill('Aino Virtanen')
      await page.getByRole('button', { name: 'Send favourites' }).click()
      await beginsAt(page.getByRole('heading', { name: 'Favourites sent' }))
    })

    test('signing in leads to the title of what the code opens, a wrong code to its field', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/401/)
      const { code } = await makeClient(site)
      await page.goto('/client-zone')
      await enter(page, 'wrong code')
      await expect(page.getByText('Invalid secret code. Please try again.')).toBeVisible()
      await expect(page.getByLabel('Secret code')).toBeFocused()
      await enter(page, code)
      await beginsAt(title(page, 'Nordic Rally Team'))
    })

    test('an order is opened again by a code: a wrong one leads to its summary', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/400/)
      const lines = [['blue-hour-fine-art-print', '30x40-matte', 1]] as const
      const { token } = await orderByInvoice(site, lines)
      site.clock.advance(25 * 3_600_000)
      await page.goto(`/shop/checkout/success?order=${token}`)
      await page.getByRole('button', { name: 'Email me a code' }).click()
      await beginsAt(page.getByRole('heading', { name: 'Show full details' }))
      await page.getByLabel('Code from the email').fill('000000')
      await page.getByRole('button', { name: 'Show order' }).click()
      await expect(page.getByRole('alert')).toBeFocused()
      await settled(site)
      const mail = mailFiles(site.dataDir).find(({ text }) => /\b\d{6}\b/.test(text))!
      await page.getByLabel('Code from the email').fill(/\b\d{6}\b/.exec(mail.text)![0])
      await page.getByRole('button', { name: 'Show order' }).click()
      await beginsAt(title(page, /order/))
    })
  })
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 760 } })

  test('a message with a mistake leads to its summary, and a sent one to its ticket', async ({
    page,
    site,
    complaints,
  }) => {
    complaints.expect(/400/)
    await page.goto('/contactwindow')
    await page.getByLabel('Name').fill('Aino Virtanen')
    await page.getByLabel('Email').fill('aino@example.com')
    await page.getByLabel('Subject').fill('Arctic Rally')
    await page.getByLabel('Message', { exact: true }).fill('Can you cover two cars?')
    await page.getByLabel(/^Verification:/).fill('99')
    site.clock.advance(5000)
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('alert')).toBeFocused()
    await expect(page.getByRole('alert')).toContainText('Verification Failed')
    const [x, y] = await Promise.all(
      ['x', 'y'].map((name) => page.locator(`input[name="${name}"]`).inputValue()),
    )
    await page.getByLabel(/^Verification:/).fill(String(Number(x) + Number(y)))
    site.clock.advance(5000)
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.locator('#result')).toBeFocused()
    await expect(page.locator('#result')).toBeInViewport()
    await expect(page.getByText(/Your ticket number: [a-z0-9]{6}\./)).toBeVisible()
  })
})

test('staff sign in at the links and make one: both results are seen and have the focus', async ({
  page,
  site,
}) => {
  const { code } = await signIn(site, ['links'])
  await page.setViewportSize({ width: 390, height: 760 })
  await page.goto('/links')
  await enter(page, code)
  await beginsAt(title(page, 'Short links'))
  await page.getByLabel('Destination URL').fill('https://www.kaamosracing.example/season-2027')
  await page.getByRole('button', { name: 'Shorten' }).click()
  await beginsAt(page.getByRole('heading', { name: /www\.kaamosracing\.example: link created/ }))
})

test('staff decide about a booking by their link, and the page begins at what they decided', async ({
  page,
  site,
}) => {
  await book(site)
  const { actions } = site.context.features.bookings
  await page.goto(actions.staffUrl([...actions.bookings.list()][0]!))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await beginsAt(page.getByRole('heading', { name: 'This booking is confirmed' }))
})
