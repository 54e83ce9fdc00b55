import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist } from '#server/dist.ts'
import { formProofLimits } from '#shared/forms/form-proof.ts'
import { eventually } from '../support/eventually.ts'
import { thanks } from '../support/contact-thanks.ts'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { alive, enquiry, expect, fill, openContactSection, stopClock, sum, test } from './site.ts'

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
  // Times of the browser, since this process may hear of both late.
  const came = page.waitForResponse('**/api/form-proof').then(async (response) => {
    await response.finished()
    const { startTime, responseEnd } = response.request().timing()
    return startTime + responseEnd
  })
  const section = await openContactSection(page)
  await fill(section)
  const sent = page.waitForResponse('**/api/save-contact-form')
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(section.getByRole('button', { name: 'Sending...' })).toBeVisible()
  const { startTime } = (await sent).request().timing()
  expect(startTime - (await came)).toBeGreaterThan(formProofLimits.minAgeMs - 100)
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
  const drawn = page.waitForResponse('**/api/form-proof')
  await section.getByRole('button', { name: 'Send Message' }).click()

  const popup = page.getByRole('alertdialog', { name: 'Verification Failed' })
  await expect(popup).toContainText(
    'Please check your answer to the verification question and try again.',
  )
  // The next question is behind the popup already, and stays.
  const { x, y } = await (await drawn).json()
  const question = section.getByText(`Verification: What is ${x} + ${y}?`)
  await expect(question).toBeVisible()
  await page.clock.runFor(4900)
  await expect(popup).toBeVisible()
  await page.clock.runFor(200)
  await expect(popup).toBeHidden()
  await page.clock.resume()
  await expect(question).toBeVisible()
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
  const popup = page.getByRole('alertdialog', { name: 'Verification Failed' })
  await expect(popup).toBeVisible()

  // An extension may have done it, and its owner can't see the field: the next answer counts.
  await popup.getByRole('button', { name: 'Close' }).click()
  await section.getByLabel(/^Verification/).fill(String(await sum(section)))
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('alertdialog').getByText(thanks)).toBeVisible()
})

test('the button is locked for 5 s', async ({ page }) => {
  await page.clock.install()
  const section = await openContactSection(page)
  await fill(section)
  await stopClock(page)
  await page.clock.runFor(formProofLimits.minAgeMs)
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

test('form and server accept the same texts', async ({ page, site }) => {
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
    'Please use at most 10,000 characters',
  )
  await expect(section.getByLabel('Message')).toHaveValue(`${long.message}!`)
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
  // The form makes its own question after a while, so its time stands still from the start.
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

test('Send whose code never comes shows that it works, then that nothing was sent; what was typed stays', async ({
  page,
}) => {
  const manifest = JSON.parse(readFileSync(join(dist, 'client/.vite/manifest.json'), 'utf8')) as {
    [source: string]: { file: string }
  }
  // As on a network that breaks off without saying so.
  await page.route(`**/${manifest['client/contact/sending.ts']!.file}`, () => {})
  const section = await openContactSection(page)
  await fill(section)
  await section.getByRole('button', { name: 'Send Message' }).click()
  await expect(section.getByRole('button', { name: 'Sending...' })).toBeVisible()
  await expect(section.getByRole('status')).toContainText('Your message wasn’t sent.', {
    timeout: 30_000,
  })
  await expect(section.getByRole('button', { name: 'Send Message' })).toBeVisible()
  await expect(section.getByLabel('Message')).toHaveValue(enquiry.message)
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

test('a ticket’s page shows its number in the letters of its emails', async ({ page, site }) => {
  await saveEnquiry(site)
  await settled(site)
  const mail = mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('Thank you'))!
  await page.goto(/\/ticket\/[\w-]+/.exec(mail.text)![0])
  // As it is seen, not as it is in the markup.
  const label = page
    .getByRole('main')
    .getByText(/^Ticket/i)
    .first()
  expect(await label.innerText()).toBe('TICKET abc123')
})
