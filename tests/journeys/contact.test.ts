import { contactLimits } from '#shared/contact.ts'
import { eventually } from '../support/eventually.ts'
import { mailFiles } from '../support/mail-files.ts'
import {
  enquiry,
  expect,
  fill,
  openContactModal,
  openContactSection,
  stopClock,
  sum,
  test,
} from './site.ts'

const thanks =
  /^Thank you for your message! We take it very seriously\. We will reply to you by the next working day at the latest\. Your ticket number: ([a-z0-9]{6})\.$/

test('a message gets a ticket number, and both mails leave', async ({ page, site }) => {
  const section = await openContactSection(page)
  await fill(section)
  const save = page.waitForRequest('**/api/save-contact-form')
  const mails = [] as { to: { email: string }[]; subject: string; replyTo?: { email: string } }[]
  page.on('request', (request) => {
    if (request.url().endsWith('/api/send-email')) mails.push(request.postDataJSON())
  })
  await section.getByRole('button', { name: 'Send Message' }).click()

  const popup = page.getByRole('alertdialog')
  const ticketId = thanks.exec((await popup.getByText(thanks).textContent()) ?? '')?.[1] ?? ''
  const request = await save
  expect(request.postDataJSON()).toEqual({
    Name: enquiry.name,
    Email: enquiry.email,
    Subject: enquiry.subject,
    Message: enquiry.message,
    'Ticket ID': ticketId,
    Date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'X-CSRF-TOKEN')
  expect(cookie).toMatchObject({
    path: '/',
    sameSite: 'Lax',
    value: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(request.headers()['x-csrf-token']).toBe(cookie?.value)
  expect(request.headers()['x-form-proof']).toMatch(/^[\w-]+\.\w+\.[\w-]+\.\d+$/)
  expect(mails).toHaveLength(2)
  expect(mails).toContainEqual(
    expect.objectContaining({
      subject: 'Thank you for your enquiry',
      to: [{ email: enquiry.email, name: enquiry.name }],
      htmlContent: expect.stringContaining(ticketId),
    }),
  )
  expect(mails).toContainEqual(
    expect.objectContaining({
      subject: `New message from website from ${enquiry.name} [Ticket: ${ticketId}]`,
      replyTo: { email: enquiry.email, name: enquiry.name },
    }),
  )
  await eventually(() => expect(mailFiles(site.dataDir)).toHaveLength(2))

  await popup.getByRole('button', { name: 'Close' }).click()
  await expect(popup).toBeHidden()
  await expect(section.getByRole('status')).toHaveText(`Your ticket number: ${ticketId}`)
  await expect(section.getByLabel('Message')).toHaveValue('')
  expect(await page.evaluate(() => localStorage.getItem('contact_outbox'))).toBeNull()
})

test('wrong fields are named, and the first of them gets the focus', async ({ page }) => {
  const section = await openContactSection(page)
  await fill(section, { name: '  ', email: 'aino@', subject: '', message: 'Hey', answer: ' ' })
  await section.getByRole('button', { name: 'Send Message' }).click()

  const messages = {
    Name: 'Name is required',
    Email: 'Please enter a valid email address',
    Subject: 'Subject is required',
    Message: 'Message is required (min 5 characters)',
    Verification: 'Please answer the verification question',
  }
  for (const [label, message] of Object.entries(messages)) {
    const control = section.getByLabel(new RegExp(`^${label}`))
    await expect(control).toHaveAttribute('aria-invalid', 'true')
    await expect(control).toHaveAccessibleDescription(message)
  }
  await expect(section.getByLabel('Name')).toBeFocused()
  await section.getByLabel('Subject').fill('A subject')
  await expect(section.getByText('Subject is required')).toBeHidden()
  await expect(section.getByText('Name is required')).toBeVisible()
})

test('a wrong answer fails the verification, closes after 5 s and asks anew', async ({ page }) => {
  await page.clock.install()
  const section = await openContactSection(page)
  await fill(section, { answer: '99' })
  await stopClock(page)
  await section.getByRole('button', { name: 'Send Message' }).click()

  const popup = page.getByRole('alertdialog', { name: 'Verification Failed' })
  await expect(popup).toContainText(
    'Please check your answer to the verification question and try again.',
  )
  await page.clock.runFor(4900)
  await expect(popup).toBeVisible()
  await page.clock.runFor(200)
  await expect(popup).toBeHidden()
  await page.clock.resume()
  await expect(section.getByLabel(/^Verification: What is/)).toHaveValue('')
  await expect(section.getByLabel('Message')).toHaveValue(enquiry.message)

  await section.getByLabel(/^Verification/).fill('99')
  await section.getByRole('button', { name: 'Send Message' }).click()
  await popup.getByText('Please check').click()
  await expect(popup).toBeHidden()
})

test('a filled honeypot is treated as a failed verification', async ({ page }) => {
  const section = await openContactSection(page)
  await fill(section)
  await section.locator('[name=website]').fill('https://spam.example')
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Verification Failed' })).toBeVisible()
})

test('the thank-you popup closes with the modal after 8 s', async ({ page }) => {
  await page.clock.install()
  const modal = await openContactModal(page)
  await fill(modal)
  await stopClock(page)
  await page.clock.runFor(contactLimits.proofLeastAgeMs)
  await modal.getByRole('button', { name: 'Send Message' }).click()
  const popup = page.getByRole('alertdialog')
  await expect(popup.getByText(thanks)).toBeVisible()
  await page.clock.runFor(7900)
  await expect(popup).toBeVisible()
  await page.clock.runFor(200)
  await expect(popup).toBeHidden()
  await expect(modal).toBeHidden()

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Contact' })
    .click()
  await expect(modal.getByRole('status')).toContainText('Your ticket number:')
})

test('the button is locked for 5 s', async ({ page }) => {
  await page.clock.install()
  const section = await openContactSection(page)
  await fill(section)
  await stopClock(page)
  await page.clock.runFor(contactLimits.proofLeastAgeMs)
  let saves = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/save-contact-form')) saves += 1
  })
  await section.getByRole('button', { name: 'Send Message' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
  const button = section.getByRole('button', { name: 'Sending...' })
  await expect(button).toBeVisible()
  await page.clock.runFor(4900)
  await fill(section)
  await button.click({ force: true })
  await page.clock.runFor(200)
  await expect(section.getByRole('button', { name: 'Send Message' })).toBeVisible()
  expect(saves).toBe(1)
})

test('a message that could not be saved is sent with the next visit', async ({
  page,
  complaints,
}) => {
  complaints.expect(/500|HTTP error! status: 500/)
  const section = await openContactSection(page)
  await page.route('**/api/**', (route) => route.fulfill({ status: 500, json: { success: false } }))
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()

  const popup = page.getByRole('alertdialog')
  const ticketId = thanks.exec((await popup.getByText(thanks).textContent()) ?? '')?.[1] ?? ''
  const unsent =
    'We could not reach the server yet. We keep trying; you can also e-mail hello@apexnorth.example.'
  await expect(popup).toContainText(unsent)
  await popup.getByRole('button', { name: 'Close' }).click()
  await expect(section.getByRole('status')).toContainText(unsent)

  await page.unrouteAll()
  await page.evaluate(() => {
    const waiting = JSON.parse(localStorage.getItem('contact_outbox')!) as { notBefore: number }[]
    for (const each of waiting) each.notBefore = 0
    localStorage.setItem('contact_outbox', JSON.stringify(waiting))
  })
  const saved = page.waitForResponse('**/api/save-contact-form')
  await page.reload()
  expect((await saved).status()).toBe(201)
  expect((await saved).request().postDataJSON()['Ticket ID']).toBe(ticketId)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('contact_outbox'))).toBeNull()
})

test('a message written offline leaves when the network is back', async ({
  page,
  context,
  complaints,
}) => {
  complaints.expect(/Failed to (fetch|load)|ERR_INTERNET_DISCONNECTED/)
  const section = await openContactSection(page)
  await fill(section)
  await context.setOffline(true)
  await section.getByRole('button', { name: 'Send Message' }).click()
  const popup = page.getByRole('alertdialog')
  await expect(popup).toContainText('We could not reach the server yet.')
  await popup.getByRole('button', { name: 'Close' }).click()

  const saved = page.waitForResponse('**/api/save-contact-form')
  await context.setOffline(false)
  expect((await saved).status()).toBe(201)
  await expect(section.getByRole('status')).toHaveText(/^Your ticket number: [a-z0-9]{6}$/)
})

test('a message is tried for 72 hours, and then given up', async ({ page, complaints }) => {
  complaints.expect(/500|HTTP error! status: 500/)
  await page.clock.install()
  const section = await openContactSection(page)
  await page.route('**/api/**', (route) => route.fulfill({ status: 500, json: { success: false } }))
  let saves = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/save-contact-form')) saves += 1
  })
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(section.getByRole('status')).toContainText('We could not reach the server yet.')
  const waiting = () => page.evaluate(() => localStorage.getItem('contact_outbox'))

  await page.clock.fastForward(71 * 3_600_000)
  await expect.poll(() => saves).toBeGreaterThan(1)
  expect(await waiting()).toContain(enquiry.subject)
  await expect(section.getByRole('status')).toContainText('We could not reach the server yet.')

  // The last attempt before has to be over, and what comes after it is none.
  await expect.poll(async () => /"tries":[2-9]/.test((await waiting()) ?? '')).toBe(true)
  const before = saves
  await page.clock.fastForward(2 * 3_600_000)
  await expect.poll(waiting).toBeNull()
  expect(saves).toBe(before)
})

test('what somebody else left in the outbox disturbs nothing', async ({ page }) => {
  await page.addInitScript(() =>
    localStorage.setItem('contact_outbox', '[null, 1, {"record": {}}, {"keptAt": 1}]'),
  )
  const section = await openContactSection(page)
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog').getByText(thanks)).toBeVisible()
})

test('a ticket number that is taken is drawn again', async ({ page, complaints }) => {
  complaints.expect(/409/)
  const section = await openContactSection(page)
  const tried: string[] = []
  await page.route('**/api/save-contact-form', async (route) => {
    tried.push((route.request().postDataJSON() as { 'Ticket ID': string })['Ticket ID'])
    if (tried.length < 3) await route.fulfill({ status: 409, json: { success: false } })
    else await route.continue()
  })
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  const text = await page.getByRole('alertdialog').getByText(thanks).textContent()
  expect(text).toContain(tried[2])
  expect(new Set(tried).size).toBe(3)
})

test('the form asks a question of its own when the server has none', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await page.route('**/api/form-proof', (route) => route.abort())
  const section = await openContactSection(page)
  expect(await sum(section)).toBeGreaterThanOrEqual(2)
  await fill(section)
  const save = page.waitForRequest('**/api/save-contact-form')
  await section.getByRole('button', { name: 'Send Message' }).click()
  expect((await save).headers()['x-form-proof']).toBeUndefined()
  await expect(page.getByRole('alertdialog').getByText(thanks)).toBeVisible()
})

test('the modal closes by Escape and by its backdrop, and gives the focus back', async ({
  page,
}) => {
  const modal = await openContactModal(page)
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' })
  await expect(link).toBeFocused()
  await link.click()
  await expect(modal).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(modal).toBeHidden()
})

test('Book Now leads to the booking form', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Book Now' }).click()
  await expect(page).toHaveURL('/booking')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Book your dates')
})

test('the contact window is a form and nothing else', async ({ page }) => {
  await page.goto('/contactwindow')
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  const main = page.getByRole('main')
  await fill(main)
  await main.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog').getByText(thanks)).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the form posts, and the answer is a page with the ticket number', async ({ page }) => {
    await page.goto('/contactwindow')
    const main = page.getByRole('main')
    await fill(main)
    await main.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('status')).toHaveText(thanks)
  })
})
