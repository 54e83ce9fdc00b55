import { thanks } from '../support/contact-thanks.ts'
import { enquiry, expect, fill, openContactSection, sum, test } from './site.ts'

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
  const unsent = 'Not sent yet. We’ll keep trying. You can also email hello@apexnorth.example.'
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

test('a page in the place of an answer saves nothing: the message waits', async ({
  page,
  complaints,
}) => {
  complaints.expect(/No JSON: \/api\/(save-contact-form|send-email)/)
  const section = await openContactSection(page)
  // As from a hotel's network that wants its terms accepted first.
  await page.route('**/api/{save-contact-form,send-email}', (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome aboard</h1>' }),
  )
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  const popup = page.getByRole('alertdialog', { name: 'Message not sent yet' })
  await expect(popup.getByText(thanks)).toBeVisible()
  const waiting = await page.evaluate(() => localStorage.getItem('contact_outbox'))
  expect(JSON.parse(waiting ?? '[]')).toMatchObject([{ record: { Email: enquiry.email } }])
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
  await expect(popup).toContainText('Not sent yet.')
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
  await expect(section.getByRole('status')).toContainText('Not sent yet.')
  const waiting = () => page.evaluate(() => localStorage.getItem('contact_outbox'))

  await page.clock.fastForward(71 * 3_600_000)
  await expect.poll(() => saves).toBeGreaterThan(1)
  expect(await waiting()).toContain(enquiry.subject)
  await expect(section.getByRole('status')).toContainText('Not sent yet.')

  // The last attempt before has to be over, and what comes after it is none.
  await expect.poll(async () => /"tries":[2-9]/.test((await waiting()) ?? '')).toBe(true)
  const before = saves
  await page.clock.fastForward(2 * 3_600_000)
  await expect.poll(waiting).toBeNull()
  expect(saves).toBe(before)
})

test('a foreign entry in the outbox is ignored', async ({ page }) => {
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
  ['its size', 413, null, 'Message', 'Your message is too long. Please shorten it.'],
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
        ? 'Your message wasn’t sent. Please check the highlighted fields. You can also email hello@apexnorth.example.'
        : 'Your message wasn’t sent. Our server rejected it. You can also email hello@apexnorth.example.',
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
  await expect(section.getByRole('status')).toContainText('Your message wasn’t sent.')
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
