import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { book } from '../../support/bookings.ts'
import { makeClient } from '../../support/clients.ts'
import { eventOf, season } from '../../support/content-events.ts'
import { contentFiles } from '../../support/content-files.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { readByTwo } from '../../support/read-calendar.ts'
import { startSite, type Site } from '../../support/site.ts'
import { mailsTo, startSmtp, type Smtp } from '../../support/smtp.ts'

const unfolded = (ics: string | undefined) => (ics ?? '').replaceAll(/\r?\n[ \t]/g, '')
const sent = async (site: Site, smtp: Smtp) => {
  site.clock.advance(11 * 60_000)
  await settled(site)
  return mailsTo(site, smtp, 'aino@example.com')
}

test('before staff confirm, mails and calendar repeat nothing that was typed; afterwards they say where, what and who', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, STAFF_EMAIL: 'Bookings <staff@example.com>' },
  })
  await makeClient(site, { emails: ['aino@example.com'] })
  const typed = ['Ice track of Rovaniemi', 'Aino Virtanen', '+358 50 1234567']
  const { json } = await book(site, { phone: typed[2], country: 'DE', message: 'Buy my pills' })
  const link = new URL(String(json?.url)).pathname
  const [request] = await sent(site, smtp)
  const toStaff = smtp.mails.find(({ envelopeTo }) => envelopeTo.includes('staff@example.com'))
  expect(toStaff?.text).toContain('Germany')
  expect(toStaff?.text).toMatch(
    /Client +Nordic Rally Team\s+http\S+\/desk\/clients\/nordic-rally-team/,
  )
  const before = [request!.raw, unfolded((await site.get(`${link}.ics`)).text)]
  for (const text of before) for (const words of typed) expect(text).not.toContain(words)
  await runOn(site, 'bookings', 'confirm', String(json?.reference))
  const [, confirmed] = await sent(site, smtp)
  for (const words of typed) expect(confirmed!.text).toContain(words)
  for (const text of [confirmed!.calendar?.ics, (await site.get(`${link}.ics`)).text]) {
    const ics = unfolded(text)
    expect(ics).toContain('LOCATION:Ice track of Rovaniemi')
    expect(ics).toMatch(/DESCRIPTION:.*Aino Virtanen.*staff@example\.com/)
  }
  expect(unfolded(confirmed!.calendar?.ics)).toMatch(/ORGANIZER[^:]*:mailto:staff@example\.com/)
  const reference = String(json?.reference)
  const address = '--country FI --street Tie --postcode 00100 --city Kemi'.split(' ')
  await runOn(site, 'bookings', 'edit', reference, ...address)
  await runOn(site, 'bookings', 'invoice', reference, '--send')
  const invoice = (await sent(site, smtp)).at(-1)!
  expect(invoice.subject).toContain('Invoice 1001')
  for (const { raw } of [request!, confirmed!, invoice]) {
    expect(raw).toMatch(/^Reply-To:.*staff@example\.com/im)
  }
})

test('a request for a service without a price is told of an offer, and of no price below', async () => {
  await using smtp = await startSmtp()
  // A folder without services has none with a price.
  using content = contentFiles({ 'booking-rules.json': { services: { photography: {} } } })
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, CONTENT_DIR: content.dir },
    renderer: await builtRenderer(dist),
  })
  const { json } = await book(site)
  const [request] = await sent(site, smtp)
  expect(request!.text).toContain('We make you an offer to accept or decline')
  expect(request!.text).not.toContain('price below')
  const page = await site.get(new URL(String(json?.url)).pathname)
  expect(page.text).toContain('We make you an offer with a price')
  expect(page.text).not.toContain('price above')
})

test('the price of work by the month is one of a month, from the first email to the invoice', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json, status } = await book(site, {
    service: 'media-outsourcing',
    to: undefined,
    place: undefined,
    scope: 'Our season',
  })
  expect(status).toBe(201)
  const reference = String(json?.reference)
  const [request] = await sent(site, smtp)
  expect(request!.text).toMatch(/Media Outsourcing, 1 month +€3,900\.00/)
  await runOn(site, 'bookings', 'confirm', reference)
  const address = '--country FI --street Tie --postcode 00100 --city Kemi'.split(' ')
  await runOn(site, 'bookings', 'edit', reference, ...address)
  await runOn(site, 'bookings', 'invoice', reference, '--send')
  const mails = await sent(site, smtp)
  const confirmed = mails.find(({ subject }) => subject.startsWith('Confirmed'))!
  expect(confirmed.text).toMatch(/Media Outsourcing, 1 month +€3,900\.00/)
  const invoice = mails.find(({ subject }) => subject.startsWith('Invoice'))!
  expect(invoice.text.replaceAll(/\s+/g, ' ')).toContain('Media Outsourcing, 1 month, from')
})

test('nothing in the mails of a website speaks of track, crew or days', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json, status } = await book(site, {
    service: 'website-design',
    to: undefined,
    place: undefined,
    scope: 'A site for our team',
  })
  expect(status).toBe(201)
  const reference = String(json?.reference)
  await sent(site, smtp)
  await runOn(site, 'bookings', 'confirm', reference)
  await sent(site, smtp)
  await runOn(site, 'bookings', 'cancel', reference)
  const mails = await sent(site, smtp)
  expect(mails.length).toBe(3)
  // The price that the form names is where it starts, until it's agreed.
  expect(mails.map(({ text }) => text.includes('from €6,900.00 + VAT'))).toEqual([
    true,
    false,
    false,
  ])
  const notices = smtp.mails.filter(({ envelopeTo }) => envelopeTo.includes('staff@localhost'))
  expect(notices.map(({ text }) => /Total +from €6,900\.00 \+ VAT/.test(text)).slice(0, 2)).toEqual(
    [true, false],
  )
  for (const { subject, text } of mails) {
    expect(`${subject} ${text}`).not.toMatch(
      /\b(crew|track|gate|accreditation|these dates|on site)\b/i,
    )
  }
})

test('who has work by project is told of its new start, and of no attachment or form that it hasn’t', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site, {
    service: 'website-design',
    to: undefined,
    place: undefined,
    scope: 'A site for our team',
  })
  const reference = String(json?.reference)
  await sent(site, smtp)
  await runOn(site, 'bookings', 'move', reference, '2027-02-10')
  await sent(site, smtp)
  await runOn(site, 'bookings', 'confirm', reference)
  await sent(site, smtp)
  await runOn(site, 'bookings', 'move', reference, '2027-03-01')
  const mails = await sent(site, smtp)
  const [asked, agreed] = mails.filter(({ subject }) => subject.startsWith('New start'))
  expect(asked?.text).toContain('we start on 10 February 2027 instead of 20 January 2027.')
  expect(agreed?.text).toContain('we start on 1 March 2027 instead of 10 February 2027.')
  for (const mail of [asked, agreed]) {
    expect(mail?.calendar).toBeNull()
    expect(mail?.attachments).toEqual([])
    expect(mail?.text).not.toMatch(/attachment|calendar|dates|request others/)
  }
})

test('times may be typed by the clock of an event elsewhere, and are the right instants', async () => {
  using content = season([
    eventOf({
      id: 'indy',
      start: '2027-05-27T12:45',
      end: '2027-05-27T16:00',
      zone: 'America/Indiana/Indianapolis',
      venue: 'Speedway',
    }),
  ])
  await using site = await startSite({ env: { CONTENT_DIR: content.directory }, sending: false })
  const form = await site.get('/api/bookings/form?event=indy')
  expect(form.json?.event).toMatchObject({
    start: '12:45',
    end: '16:00',
    zone: 'America/Indiana/Indianapolis',
  })
  const asked = { from: '2027-05-27', to: '2027-05-27', start: '12:45', end: '16:00' }
  const zone = 'America/Indiana/Indianapolis'
  const { json } = await book(site, { ...asked, event: 'indy', zone })
  const { text } = await site.get(`${new URL(String(json?.url)).pathname}.ics`)
  for (const found of readByTwo(text)) {
    expect(found.get(String(json?.reference))).toMatchObject({
      start: '2027-05-27T16:45:00.000Z',
      end: '2027-05-27T20:00:00.000Z',
    })
  }
  const refused = await book(site, { ...asked, zone })
  expect([refused.status, Object.keys(refused.json?.errors as object)]).toEqual([400, ['zone']])
})

test('confirmed close to the first day, the email doesn’t promise changes by the link', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const confirmedOn = async (day: string) => {
    const { json } = await book(site, { from: day, to: day })
    await runOn(site, 'bookings', 'confirm', String(json?.reference))
    return (await sent(site, smtp)).at(-1)!.text.replaceAll(/\s+/g, ' ')
  }
  expect(await confirmedOn('2026-11-25')).toContain('please call us or reply to this email')
  expect(await confirmedOn('2026-12-15')).toContain('Until 7 days before the first day you can')
})

test('a reminder says “today” where times are agreed on the day it comes', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site, { from: '2026-12-02', to: '2026-12-02' })
  await runOn(site, 'bookings', 'confirm', String(json?.reference))
  const reminders = async (day: string) => {
    site.clock.advance(Date.parse(`${day}T07:30:00Z`) - site.clock())
    await site.context.jobs.runDue()
    const mails = await sent(site, smtp)
    return mails.filter(({ subject }) => subject.startsWith('Soon:')).map(({ text }) => text)
  }
  expect((await reminders('2026-11-25')).at(-1)).toContain('agree times with you the day before.')
  expect((await reminders('2026-12-01')).at(-1)).toContain('agree times with you today.')
})

test('where changes are open to the day before, the email says so in words', async () => {
  await using smtp = await startSmtp()
  for (const cutOffDays of [0, 1]) {
    using content = contentFiles({
      'booking-rules.json': { cutOffDays, services: { photography: {} } },
    })
    await using site = await startSite({
      env: { SMTP_URL: smtp.url, CONTENT_DIR: content.dir },
    })
    const { json } = await book(site)
    await runOn(site, 'bookings', 'confirm', String(json?.reference))
    const { text } = (await sent(site, smtp)).at(-1)!
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Until the day before the first day you can')
  }
})

test('a cancellation names the invoices that its credit notes cancel as a list', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site, { country: 'FI' })
  const reference = String(json?.reference)
  const lines = ['One', 'Two', 'Three'].flatMap((text) => ['--line', `${text}=100.00`])
  await runOn(site, 'bookings', 'offer', reference, ...lines)
  await runOn(site, 'bookings', 'confirm', reference, '--by-phone')
  for (const line of [['--lines', '1'], ['--lines', '2'], []]) {
    await runOn(site, 'bookings', 'invoice', reference, ...line, '--send')
  }
  await runOn(site, 'bookings', 'cancel', reference)
  const { text } = (await sent(site, smtp)).find(({ subject }) => subject.startsWith('Cancelled'))!
  expect(text.replaceAll(/\s+/g, ' ')).toContain('cancel invoices 1001, 1002 and 1003.')
})

test('the email about an edited booking says what was and what is; before it is agreed, only what it is about', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const reply = await book(site, { start: '09:00' })
  const reference = String(reply.json?.reference)
  await runOn(site, 'bookings', 'edit', reference, '--place', 'Levi')
  const before = (await sent(site, smtp)).at(-1)!
  expect(before.text).toContain('We’ve changed the place in your booking for Photography.')
  expect(before.raw).not.toContain('Ice track of Rovaniemi')

  await runOn(site, 'bookings', 'confirm', reference)
  await sent(site, smtp)
  await runOn(
    site,
    'bookings',
    'edit',
    reference,
    '--place',
    'Ruka',
    '--start',
    '10:00',
    '--end',
    '17:30',
  )
  await runOn(site, 'bookings', 'edit', reference, '--place', 'Kemi')
  const [first, second] = (await sent(site, smtp)).slice(-2)
  const lines = (text: string) => text.replaceAll(/\s+/g, ' ')
  expect(lines(first!.text)).toContain('We’ve changed the place and the hours')
  expect(lines(first!.text)).toContain('Place Ruka (before: Levi)')
  expect(lines(first!.text)).toContain(
    'Hours 10:00–17:30, Helsinki time (before: from 09:00, Helsinki time)',
  )
  expect(lines(second!.text)).toContain('Place Kemi (before: Ruka)')
})

test('a reminder that was held up still leaves while the day is ahead by the booking’s own clock', async () => {
  using content = season([
    eventOf({
      id: 'west',
      start: '2027-06-05T18:00',
      end: '2027-06-05T22:00',
      zone: 'America/Los_Angeles',
      venue: 'Long Beach',
    }),
  ])
  await using smtp = await startSmtp()
  await using site = await startSite({
    env: { CONTENT_DIR: content.directory, SMTP_URL: smtp.url, SHARES: 'off' },
  })
  const day = { from: '2027-06-05', to: '2027-06-05' }
  const elsewhere = { event: 'west', zone: 'America/Los_Angeles', start: '18:00', end: '22:00' }
  const { json } = await book(site, { ...day, ...elsewhere })
  await runOn(site, 'bookings', 'confirm', String(json?.reference))
  const at = async (time: string) => {
    site.clock.advance(Date.parse(time) - site.clock())
    await site.context.jobs.runDue()
    await settled(site)
  }
  const soon = () => smtp.mails.filter(({ subject }) => subject.startsWith('Soon'))
  await at('2027-06-03T12:00+03:00')
  const before = soon().length
  smtp.mood = { recipient: 450 }
  await at('2027-06-04T10:00+03:00')
  smtp.mood = 'take'
  // 01:00 in Helsinki on its day, still the day before on the coast.
  await at('2027-06-05T01:00+03:00')
  expect(soon()).toHaveLength(before + 1)
  expect(soon().at(-1)!.text).toContain('at the agreed time')
})
