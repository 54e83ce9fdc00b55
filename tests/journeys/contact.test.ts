import { contactLimits } from '#shared/contact-texts.ts'
import { eventually } from '../support/eventually.ts'
import { mailFiles } from '../support/mail-files.ts'
import {
  alive,
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

test('a form that was filled in within a second is sent when its proof is old enough', async ({
  page,
}) => {
  const came = page.waitForResponse('**/api/form-proof').then(() => performance.now())
  const section = await openContactSection(page)
  await fill(section)
  const sent = page.waitForRequest('**/api/save-contact-form').then(() => performance.now())
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(section.getByRole('button', { name: 'Sending...' })).toBeVisible()
  expect((await sent) - (await came)).toBeGreaterThan(contactLimits.proofLeastAgeMs - 100)
  await expect(page.getByRole('alertdialog').getByText(thanks)).toBeVisible()
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
  const popup = page.getByRole('alertdialog', { name: 'Message not sent yet' })
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

for (const [what, status, body, field, complaint] of [
  [
    'a field',
    400,
    { message: 'Please check the highlighted fields.', errors: { Subject: 'Not this subject' } },
    'Subject',
    'Not this subject',
  ],
  ['its size', 413, null, 'Message', 'This is too long for our server. Please shorten it.'],
  ['something else', 415, { message: 'Only JSON is accepted here.' }, null, null],
] as const) {
  test(`a message that is refused for ${what} keeps its text, and nobody is thanked`, async ({
    page,
    complaints,
  }) => {
    complaints.expect(/HTTP error! status: 4|status of 4/)
    const section = await openContactSection(page)
    await page.route('**/api/save-contact-form', (route) =>
      route.fulfill({ status, json: { success: false, ...body } }),
    )
    await fill(section)
    await section.getByRole('button', { name: 'Send Message' }).click()
    await expect(section.getByRole('status')).toHaveText(
      field
        ? 'Your message was not sent. Please check the highlighted fields. You can also e-mail hello@apexnorth.example.'
        : 'Your message was not sent. Our server did not accept it. You can also e-mail hello@apexnorth.example.',
    )
    if (field) {
      await expect(section.getByLabel(field)).toHaveAccessibleDescription(complaint)
      await expect(section.getByLabel(field)).toBeFocused()
    }
    for (const [label, text] of [
      ['Name', enquiry.name],
      ['Email', enquiry.email],
      ['Subject', enquiry.subject],
      ['Message', enquiry.message],
    ] as const) {
      await expect(section.getByLabel(label)).toHaveValue(text)
    }
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(page.getByText('Message sent')).toHaveCount(0)

    // It outlives the tab, and goes once it is taken.
    await page.reload()
    await expect(section.getByLabel('Message')).toHaveValue(enquiry.message)
    await page.unrouteAll()
    await section.getByLabel('Subject').fill('Another subject')
    await section.getByLabel(/^Verification: What is/).fill(String(await sum(section)))
    await section.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Message sent' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('contact_outbox'))).toBeNull()
  })
}

test('what the form takes the server takes, letter by letter', async ({ page, site }) => {
  const section = await openContactSection(page)
  const long = {
    name: '𐌰'.repeat(100),
    subject: '赛'.repeat(100),
    message: '🏁'.repeat(10_000),
  }
  await fill(section, long)
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Message sent' })).toBeVisible()
  const [ticket] = [...site.context.features.contact.tickets.list()]
  expect(ticket).toMatchObject(long)

  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click()
  await expect(section.getByRole('button', { name: 'Send Message' })).toBeVisible()
  await fill(section, { message: `${long.message}!` })
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(section.getByLabel('Message')).toHaveAccessibleDescription(
    'Please use at most 10000 characters',
  )
  await expect(section.getByLabel('Message')).toHaveValue(`${long.message}!`)
})

test('a message that a later attempt finds refused comes back into the form', async ({
  page,
  complaints,
}) => {
  complaints.expect(/status of (500|400)|HTTP error! status|API error: 500/)
  await page.clock.install()
  const section = await openContactSection(page)
  let status = 500
  await page.route('**/api/**', (route) => route.fulfill({ status, json: { success: false } }))
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  const popup = page.getByRole('alertdialog', { name: 'Message not sent yet' })
  await popup.getByRole('button', { name: 'Close' }).click()
  await expect(section.getByLabel('Message')).toHaveValue('')
  status = 400
  await page.clock.fastForward(60_000)
  await expect(section.getByLabel('Message')).toHaveValue(enquiry.message)
  await expect(section.getByRole('status')).toContainText('Your message was not sent.')
  await expect(section.getByRole('status')).not.toContainText('ticket')
})

test('without storage a message that waits is no sent one, and goes out all the same', async ({
  page,
  site,
  complaints,
}) => {
  complaints.expect(/500|Failed to trigger sitemap generation/)
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  })
  await page.clock.install()
  const section = await openContactSection(page)
  await page.route('**/api/**', (route) => route.fulfill({ status: 500, json: { success: false } }))
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  const popup = page.getByRole('alertdialog', { name: 'Message not sent yet' })
  await expect(popup.getByText(thanks)).toBeVisible()
  await popup.getByRole('button', { name: 'Close' }).click()
  await page.unrouteAll()
  await page.clock.fastForward(60_000)
  await expect(section.getByRole('status')).toHaveText(/^Your ticket number: [a-z0-9]{6}$/)
  expect([...site.context.features.contact.tickets.list()]).toHaveLength(1)
})

test('after a wrong answer the next one can be typed at once', async ({ page }) => {
  const section = await openContactSection(page)
  const answer = section.getByLabel(/^Verification/)
  await fill(section, { answer: '99' })
  for (const close of [
    () => page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await answer.fill('99')
    await answer.press('Enter')
    await expect(page.getByRole('alertdialog', { name: 'Verification Failed' })).toBeVisible()
    await close()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(section.getByText(/^Verification: What is/)).toBeVisible()
    await expect(answer).toBeFocused()
    await expect(answer).toHaveValue('')
  }
  await page.keyboard.type(String(await sum(section)))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog').getByText(thanks)).toBeVisible()
})

test('Send before there is a question says so, and goes on when it is there', async ({
  page,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/)
  await page.clock.install()
  let fail = () => {}
  const failed = new Promise<void>((resolve) => (fail = resolve))
  await page.route('**/api/form-proof', async (route) => {
    await failed
    await route.abort()
  })
  // The form makes a question of its own after a while, so its time stands still from the start.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto('/contactwindow')
  await alive(page)
  const main = page.getByRole('main')
  for (const name of ['name', 'email', 'subject', 'message'] as const) {
    await main.locator(`[name=${name}]`).fill(enquiry[name])
  }
  await main.getByRole('button', { name: 'Send Message' }).click()
  await expect(main.getByRole('status')).toHaveText(
    'The verification question is on its way. Please answer it to send your message.',
  )
  fail()
  const answer = main.getByLabel(/^Verification: What is/)
  await expect(answer).toBeFocused()
  await expect(answer).toHaveAccessibleDescription('Please answer the verification question')
  await answer.fill(String(await sum(main)))
  await answer.press('Enter')
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
