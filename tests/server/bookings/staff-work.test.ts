import { expect, test } from 'vitest'
import { enteredBooking } from '#shared/bookings/staff-page.ts'
import { book, daysOf } from '../../support/bookings.ts'
import { season } from '../../support/content-events.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { readByTwo } from '../../support/read-calendar.ts'
import { startSite, type Site } from '../../support/site.ts'
import { mailsTo, startSmtp, type Smtp } from '../../support/smtp.ts'

const minute = 60_000
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const run = async (site: Site, ...words: string[]) =>
  JSON.parse(await runOn(site, 'bookings', ...words, '--json')) as Record<string, unknown>
const mails = (site: Site, smtp: Smtp, address: string) =>
  mailsTo(site, smtp, address).map(({ subject }) => subject)
const pathOf = (url: unknown) => new URL(String(url).trim()).pathname

/** The pages of bookings that are linked in emails to an address. */
const mailedLinks = (site: Site, smtp: Smtp, address: string) =>
  mailsTo(site, smtp, address).flatMap(({ text }) => text.match(/\/booking\/[\w-]{60,}/g) ?? [])
/** What the link of a visitor opens. */
const linked = (site: Site, path: string) =>
  site.get(`/api/bookings/by-link/${path.split('/').at(-1)}`)

const phone =
  '--service photography --from 2027-01-20 --to 2027-01-21 --place Rovaniemi --phone +358401234567'
    .split(' ')
    .concat('--name', 'Aino Virtanen')

test('staff enter a booking from the phone: it holds its days, and its customer hears of it', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const added = await run(site, 'add', ...phone, '--email', 'aino@example.com', '--note', 'VIP')
  expect(added).toMatchObject({ state: 'requested', note: 'VIP', mails: true, to: '2027-01-21' })
  const days = await daysOf(site, '2027-01-20', '2027-01-21')
  expect([...days.values()].map(({ free }) => free)).toEqual([1, 1])
  await settled(site)
  expect(mails(site, smtp, 'aino@example.com')).toEqual([
    `Your booking request ${String(added.reference)}`,
  ])
  // What staff noted is theirs.
  expect(smtp.mails.map(({ text }) => text).join('\n')).not.toContain('VIP')
  expect(
    (await site.get(`/api/bookings/by-link/${pathOf(added.url).split('/').at(-1)}`)).text,
  ).not.toContain('VIP')
})

test('in place of days that are taken, staff are offered none that have passed', async () => {
  await using site = await startSite()
  const sunday = '2026-11-22'
  await run(site, 'block', sunday, '--reason', 'Crew course')
  const asked = ['--service', 'photography', '--from', sunday, '--name', 'Aino', '--no-mail']
  const refused = await runOn(site, 'bookings', 'add', ...asked, '--place', 'Imatra').catch(
    (error: Error) => error.message,
  )
  expect(refused).toContain('Available instead: Saturday 21 November 2026; Saturday 28 November')
  expect(refused).not.toContain('15 November')
})

test('a booking without emails is confirmed on the phone, and nobody is written to', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, STAFF_EMAIL: 'staff@example.com' },
  })
  await expect(runOn(site, 'bookings', 'add', ...phone)).rejects.toThrow(/--no-mail/)
  const added = await run(site, 'add', ...phone, '--no-mail', '--confirm')
  expect(added).toMatchObject({ state: 'confirmed', email: '', mails: false })
  expect(added.agreement).toMatchObject({ way: 'by-phone' })
  site.clock.advance(20 * minute)
  await settled(site)
  expect(new Set(smtp.mails.flatMap(({ envelopeTo }) => envelopeTo))).toEqual(
    new Set(['staff@example.com']),
  )
  const { history } = await run(site, 'show', String(added.reference))
  expect((history as { act: string }[]).map(({ act }) => act)).toEqual(
    expect.arrayContaining(['entered', 'confirmed by phone']),
  )
})

test('without an address an invoice is staff’s to hand over, and no email is tried for days', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, STAFF_EMAIL: 'staff@example.com' },
  })
  const company = '--company Rally --country FI --street Tie --postcode 00100 --city Kemi'.split(
    ' ',
  )
  const added = await run(site, 'add', ...phone, ...company, '--no-mail', '--confirm')
  const reference = String(added.reference)
  expect(await runOn(site, 'bookings', 'invoice', reference)).toContain('yours to hand over')
  expect(await runOn(site, 'bookings', 'invoice', reference, '--send')).toContain('Not emailed')
  await runOn(site, 'bookings', 'cancel', reference)
  await settled(site)
  expect(site.context.mails.list('queued')).toEqual([])
  expect(new Set(smtp.mails.flatMap(({ envelopeTo }) => envelopeTo))).toEqual(
    new Set(['staff@example.com']),
  )
  const [first] = smtp.mails
  expect(first!.text).toContain('please call')
  expect(first!.raw).not.toMatch(/^Reply-To:/m)
})

test('a decision that can’t be taken back any more offers no button for it', async () => {
  using content = season(undefined, {
    'booking-rules.json': JSON.stringify({
      services: { photography: {} },
      deposit: { percent: 30 },
    }),
  })
  await using site = await startSite({ sending: false, env: { CONTENT_DIR: content.directory } })
  const company = '--company Rally --country FI --street Tie --postcode 00100 --city Kemi'.split(
    ' ',
  )
  const added = await run(site, 'add', ...phone, ...company, '--email', 'aino@example.com')
  const reference = String(added.reference)
  await runOn(site, 'bookings', 'confirm', reference)
  const { actions } = site.context.features.bookings
  expect(actions.billing.of(reference)).toMatchObject([{ part: 'deposit' }])
  const view = await actions.staffView(actions.find(reference))
  await expect(runOn(site, 'bookings', 'undo', reference)).rejects.toThrow(/invoiced/)
  expect(view.undoUntil).toBeNull()
})

test('blocking a season names every booking in it, however many there are', async () => {
  await using site = await startSite({ sending: false })
  const { actions } = site.context.features.bookings
  const actor = { name: 'mika', isVisitor: false }
  const enter = (service: string, from: string) =>
    actions.enter(
      enteredBooking.parse({
        service,
        from,
        to: from,
        name: 'Aino',
        place: 'Kemi',
        mails: false,
        anyway: true,
      }),
      actor,
    )
  for (let n = 0; n < 51; n += 1) await enter('videography', '2027-02-01')
  const { reference } = await enter('photography', '2027-03-01')
  await enter('photography', '2027-05-01')
  const winter = { from: '2027-01-01', to: '2027-04-30', reason: 'Course', author: 'mika' }
  const { colliding } = await actions.block({ ...winter, service: 'photography' })
  expect(colliding.map((each) => each.reference)).toEqual([reference])
  expect((await actions.block({ ...winter, service: null })).colliding).toHaveLength(52)
})

test('full or closed days are refused, unless staff take them all the same', async () => {
  await using site = await startSite({ sending: false })
  const closed = [...phone, '--no-mail', '--from', '2026-12-25', '--to', '2026-12-25']
  await expect(runOn(site, 'bookings', 'add', ...closed)).rejects.toThrow(/closed/)
  expect(await run(site, 'add', ...closed, '--anyway', '--confirm')).toMatchObject({
    state: 'confirmed',
  })
})

test('staff mend times and place, and the customer hears of it in the same calendar entry', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site)
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'confirm', reference)
  site.clock.advance(11 * minute)
  await settled(site)
  const edits = [
    '--start',
    '09:00',
    '--end',
    '17:00',
    '--place',
    'Kemi',
    '--phone',
    '+358 40 7654321',
  ]
  const after = await run(site, 'edit', reference, ...edits)
  expect(after).toMatchObject({ start: '09:00', end: '17:00', place: 'Kemi', state: 'confirmed' })
  await settled(site)
  const [, , mail] = mailsTo(site, smtp, 'aino@example.com')
  expect(mail?.subject).toBe(`Updated: booking ${reference}`)
  expect(inOneLine(mail!.text)).toContain('Kemi')
  for (const found of readByTwo(mail!.calendar!.ics)) {
    expect(found.get(reference)).toMatchObject({
      start: '2027-01-20T07:00:00.000Z',
      end: '2027-01-20T15:00:00.000Z',
      sequence: 2,
      status: 'CONFIRMED',
    })
  }
  await run(site, 'edit', reference, '--note', 'Paid in cash')
  await settled(site)
  expect(mailsTo(site, smtp, 'aino@example.com')).toHaveLength(3)
  await expect(runOn(site, 'bookings', 'edit', reference, '--end', '08:00')).rejects.toThrow(
    /before/,
  )
})

test('what is mended of a booking that is over is news to nobody', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site)
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'cancel', reference)
  expect(await run(site, 'edit', reference, '--place', 'Kemi')).toMatchObject({ place: 'Kemi' })
  await settled(site)
  expect(mails(site, smtp, 'aino@example.com')).toEqual([
    `Your booking request ${reference}`,
    `Cancelled: booking ${reference}`,
  ])
})

test('an empty value takes a field away, and the rate of VAT follows; what a booking needs stays', async () => {
  await using site = await startSite({ sending: false })
  const company = { company: 'Weber GmbH', country: 'DE', vatId: 'DE136695976' }
  const { json } = await book(site, company)
  const reference = String(json?.reference)
  expect(await run(site, 'edit', reference, '--street', 'Ringstr. 1')).toMatchObject({
    ...company,
    street: 'Ringstr. 1',
    total: 89_000,
  })
  // It was for a person after all.
  const cleared = await run(
    site,
    'edit',
    reference,
    '--company',
    '',
    '--vat-id',
    ' ',
    '--street',
    '',
  )
  expect(cleared).toMatchObject({ company: null, vatId: null, street: null, country: 'DE' })
  expect(cleared.total).toBe(111_695)
  for (const [name, said] of [
    ['--place', 'where the work takes place'],
    ['--name', 'Name is required'],
    ['--email', 'valid email'],
  ] as const) {
    await expect(runOn(site, 'bookings', 'edit', reference, name, '')).rejects.toThrow(said)
  }
})

test('once staff correct the email address, the links to the earlier one end, and the new one gets its own', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site, { email: 'anio@example.com' })
  const reference = String(json?.reference)
  const mistyped = pathOf(json?.url)
  await settled(site)
  const links = mailedLinks(site, smtp, 'anio@example.com')
  expect(links).toEqual([mistyped])

  // Another spelling of the same mailbox changes nothing.
  await runOn(site, 'bookings', 'edit', reference, '--email', 'Anio+work@example.com')
  await settled(site)
  expect((await linked(site, mistyped)).status).toBe(200)
  expect(mails(site, smtp, 'Anio+work@example.com')).toEqual([])

  await runOn(site, 'bookings', 'edit', reference, '--email', 'aino@example.com')
  await settled(site)
  const over = await linked(site, mistyped)
  expect([over.status, over.json?.message]).toEqual([
    410,
    'This booking has another email address now, so this link has expired. Please ask us for a new one.',
  ])
  const token = mistyped.split('/').at(-1)
  const cancelled = await site.post(`/api/bookings/by-link/${token}/cancel`, {})
  expect(cancelled.status).toBe(410)
  expect((await site.get(`${mistyped}.ics`)).status).toBe(410)
  expect(mails(site, smtp, 'aino@example.com')).toEqual([`Updated: booking ${reference}`])
  const [own] = mailedLinks(site, smtp, 'aino@example.com')
  expect((await linked(site, own!)).status).toBe(200)
})

test('a decision is taken back before its mail leaves, and not after', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site)
  const reference = String(json?.reference)
  await settled(site)
  const sent = () => mails(site, smtp, 'aino@example.com')
  expect(sent()).toHaveLength(1)
  await runOn(site, 'bookings', 'decline', reference)
  expect((await daysOf(site, '2027-01-20')).get('2027-01-20')?.free).toBe(2)
  expect(await run(site, 'undo', reference)).toMatchObject({ state: 'requested' })
  expect((await daysOf(site, '2027-01-20')).get('2027-01-20')?.free).toBe(1)
  await runOn(site, 'bookings', 'confirm', reference)
  const { actions } = site.context.features.bookings
  const staff = actions.staffUrl(actions.find(reference)).split('/').at(-1)
  const link = `/api/bookings/by-staff-link/${staff}`
  expect((await site.get(link)).json).toMatchObject({ undoUntil: '2026-11-20T12:10:00.000Z' })
  expect((await site.post(link, { act: 'undo' })).status).toBe(200)
  expect((await site.get(link)).json).toMatchObject({ state: 'requested', undoUntil: null })
  site.clock.advance(11 * minute)
  await settled(site)
  expect(sent()).toHaveLength(1)
  await runOn(site, 'bookings', 'confirm', reference)
  site.clock.advance(11 * minute)
  await settled(site)
  expect(sent()).toHaveLength(2)
  await expect(runOn(site, 'bookings', 'undo', reference)).rejects.toThrow(/has been sent/)
})

test('days that others took meanwhile keep a decision from being taken back', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site)
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'decline', reference)
  for (let n = 1; n <= 2; n += 1) await book(site, {}, `127.80.${n}.1`)
  await expect(runOn(site, 'bookings', 'undo', reference)).rejects.toThrow(/taken/)
  expect(site.context.features.bookings.actions.find(reference).state).toBe('declined')
})

test('what an email told that was dropped is told once its decision stands again', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site)
  const reference = String(json?.reference)
  await settled(site)
  const told = async () => {
    await settled(site)
    return mailsTo(site, smtp, 'aino@example.com').slice(1)
  }
  await runOn(site, 'bookings', 'confirm', reference)
  await runOn(site, 'bookings', 'move', reference, '2027-02-10')
  // Its customer has heard of neither, so the move taken back leaves the confirmation to be told.
  await runOn(site, 'bookings', 'undo', reference)
  const confirmed = await told()
  expect(confirmed.map(({ subject }) => subject)).toEqual([
    'Confirmed: Photography, Wednesday 20 January 2027',
  ])
  expect(confirmed[0]!.calendar).toMatchObject({ method: 'REQUEST' })
  await expect(runOn(site, 'bookings', 'undo', reference)).rejects.toThrow('no decision to undo')

  // A place that was mended while the email of a move waited is news after all.
  await runOn(site, 'bookings', 'move', reference, '2027-02-10')
  await run(site, 'edit', reference, '--place', 'Kemi')
  expect(await told()).toHaveLength(1)
  await runOn(site, 'bookings', 'undo', reference)
  const [, edited, ...others] = await told()
  expect([edited?.subject, others]).toEqual([`Updated: booking ${reference}`, []])
  expect(inOneLine(edited!.text)).toContain('Kemi')
  site.clock.advance(11 * minute)
  expect(await told()).toHaveLength(2)

  // A request that is confirmed and moved at once is confirmed, for its customer.
  const second = await book(site, { from: '2027-03-10', to: '2027-03-10' })
  const other = String(second.json?.reference)
  await runOn(site, 'bookings', 'confirm', other)
  await runOn(site, 'bookings', 'move', other, '2027-03-12')
  site.clock.advance(11 * minute)
  expect((await told()).map(({ subject }) => subject).slice(2)).toEqual([
    `Your booking request ${other}`,
    'Confirmed: Photography, Friday 12 March 2027',
  ])
})

test('other dates that somebody has by now keep their refusal from being taken back', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site)
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'confirm', reference)
  const visitor = pathOf(json?.url).split('/').at(-1)
  const asked = { from: '2027-02-10', to: '2027-02-10' }
  await site.post(`/api/bookings/by-link/${visitor}/move`, asked)
  await runOn(site, 'bookings', 'decline', reference)
  for (let n = 1; n <= 2; n += 1) await book(site, asked, `127.81.${n}.1`)
  await expect(runOn(site, 'bookings', 'undo', reference)).rejects.toThrow(/taken/)
  expect(site.context.features.bookings.actions.find(reference)).toMatchObject({ change: null })
  expect((await daysOf(site, '2027-02-10')).get('2027-02-10')?.state).toBe('held')
})

const rules = JSON.stringify({
  services: { photography: { capacity: 2 } },
  crew: [
    { name: 'Aino', services: ['photography'], email: 'crew@example.com', phone: '+358 40 1' },
    { name: 'Elias', services: ['photography'] },
  ],
})

test('somebody of the crew gets a mail, a calendar, a call sheet, and a reminder on the day before', async () => {
  await using smtp = await startSmtp()
  using content = season(undefined, { 'booking-rules.json': rules })
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, CONTENT_DIR: content.directory },
  })
  const { json } = await book(site, { start: '09:00', end: '17:00', phone: '+358 50 1234567' })
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'confirm', reference)
  await run(site, 'edit', reference, '--note', 'Gate 4')
  expect(await run(site, 'assign', reference, 'aino')).toEqual({
    reference,
    crew: ['Aino'],
    conflicts: [],
  })
  await settled(site)
  const [mail] = mailsTo(site, smtp, 'crew@example.com')
  expect(mail?.subject).toMatch(/^You’re on: Photography/)
  expect(mail?.text).toContain('Ice track of Rovaniemi')

  const feed = await site.get(pathOf(await runOn(site, 'bookings', 'feed', '--crew', 'Aino')))
  const own = readByTwo(feed.text)
  for (const found of own) expect([...found.keys()]).toEqual([reference])
  const others = await site.get(pathOf(await runOn(site, 'bookings', 'feed', '--crew', 'Elias')))
  expect(others.text).not.toContain(reference)

  const sheet = pathOf(await runOn(site, 'bookings', 'sheet', reference))
  const page = await site.get(sheet)
  expect(page.status).toBe(200)
  for (const said of [
    '09:00–17:00',
    'Ice track of Rovaniemi',
    '+358 50 1234567',
    'Gate 4',
    'Aino',
  ]) {
    expect(page.text).toContain(said)
  }
  expect((await site.get(`${sheet}x`)).status).toBe(404)

  site.clock.advance(Date.parse('2027-01-19T09:00+02:00') - site.clock())
  await site.context.jobs.runDue()
  await settled(site)
  expect(mails(site, smtp, 'crew@example.com').at(-1)).toMatch(/^Tomorrow: Photography/)
})

test('a person is on one booking a day, and a blocked one on none', async () => {
  using content = season(undefined, { 'booking-rules.json': rules })
  await using site = await startSite({ sending: false, env: { CONTENT_DIR: content.directory } })
  const [first, second] = [await book(site), await book(site)].map(({ json }) =>
    String(json?.reference),
  ) as [string, string]
  await run(site, 'assign', first, 'Aino')
  const { conflicts } = await run(site, 'assign', second, 'Aino')
  expect(conflicts).toEqual([expect.stringContaining(`Aino is on ${first}`)])
  expect((await run(site, 'show', second)).conflicts).toEqual(conflicts)
  await run(site, 'assign', second, 'Aino', '--remove')
  expect((await run(site, 'show', second)).conflicts).toEqual([])
  await expect(runOn(site, 'bookings', 'assign', second, 'Ainoo')).rejects.toThrow(/Aino\?/)

  expect((await daysOf(site, '2027-02-02')).get('2027-02-02')?.free).toBe(2)
  await run(site, 'block', '2027-02-02', '--crew', 'Aino', '--reason', 'Exam')
  expect((await daysOf(site, '2027-02-02')).get('2027-02-02')).toMatchObject({
    free: 1,
    state: 'limited',
  })
  await run(site, 'block', '2027-02-03', '--service', 'photography', '--places', '1')
  await run(site, 'block', '2027-02-04', '--service', 'photography', '--places', '2')
  const days = await daysOf(site, '2027-02-03', '2027-02-04')
  expect([...days.values()].map(({ free }) => free)).toEqual([1, 0])
  const other = String((await book(site, { from: '2027-02-02', to: '2027-02-02' })).json?.reference)
  expect((await run(site, 'assign', other, 'Aino')).conflicts).toEqual([
    'Aino is blocked Tuesday 2 February 2027: Exam',
  ])
})
