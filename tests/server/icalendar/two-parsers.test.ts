import { expect, test } from 'vitest'
import { book } from '../../support/bookings.ts'
import { eventOf, season } from '../../support/content-events.ts'
import { settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { daysByTwo, readByTwo, type ReadEvent } from '../../support/read-calendar.ts'
import { startSite, type Site } from '../../support/site.ts'

/** Times in Helsinki in both halves of the year and on both switch days, and when they are. */
const times = [
  ['winter', '2027-01-20', '09:00', '17:30', '2027-01-20T07:00', '2027-01-20T15:30'],
  ['summer', '2027-07-14', '09:00', '17:30', '2027-07-14T06:00', '2027-07-14T14:30'],
  ['march', '2027-03-28', '02:00', '05:00', '2027-03-28T00:00', '2027-03-28T02:00'],
  ['october', '2027-10-31', '02:00', '05:00', '2027-10-30T23:00', '2027-10-31T03:00'],
  // An hour that there is twice: the first one counts.
  ['twice', '2027-10-31', '03:30', '06:00', '2027-10-31T00:30', '2027-10-31T04:00'],
] as const

/** Whole days, the second one over a switch; the end is the day after. */
const days = [
  ['one day', '2027-06-02', '2027-06-02', '2027-06-02', '2027-06-03'],
  ['over the switch', '2027-03-27', '2027-03-29', '2027-03-27', '2027-03-30'],
] as const

/** Both switch days are holidays or Sundays, so here every day can be booked. */
const rules = JSON.stringify({
  services: { photography: { capacity: 9 } },
  closedOnHolidays: false,
})

/** What both parsers say of an event: they agree, or this fails. */
function told(text: string, id: string): ReadEvent {
  const [first, second] = readByTwo(text).map((events) => events.get(id))
  expect(second).toEqual(first)
  return first!
}

/** Milliseconds after which the email of a decision has left. */
const undoable = 11 * 60_000

const instant = (time: string) => `${time}:00.000Z`

/** Asks for dates and times. @returns the reference and the link of the booking */
async function booked(site: Site, fields: Record<string, string>) {
  const { status, json } = await book(site, fields)
  expect([status, json?.errors]).toEqual([201, undefined])
  return { reference: String(json!.reference), link: new URL(String(json!.url)).pathname }
}

const feedOf = async (site: Site) =>
  (await site.get(new URL((await runOn(site, 'bookings', 'feed')).trim()).pathname)).text

/** The invitations that a visitor got of a booking, oldest first. */
const invitations = (site: Site, reference: string) =>
  mailFiles(site.dataDir)
    .filter(({ to, calendar }) => to.includes('aino@example.com') && calendar)
    .map(({ calendar }) => calendar!)
    .filter(({ ics }) => ics.includes(reference))

test('mail, link and staff feed of a booking: two parsers read the right instants', async () => {
  using content = season([], { 'booking-rules.json': rules })
  await using site = await startSite({ env: { CONTENT_DIR: content.directory, SHARES: 'off' } })
  for (const [, from, start, end, startsAt, endsAt] of times) {
    const { reference, link } = await booked(site, { from, to: from, start, end })
    await settled(site)
    const texts = [
      invitations(site, reference)[0]!.ics,
      (await site.get(`${link}.ics`)).text,
      await feedOf(site),
    ]
    for (const text of texts) {
      expect(told(text, reference)).toMatchObject({
        start: instant(startsAt),
        end: instant(endsAt),
        status: 'TENTATIVE',
      })
    }
  }
  for (const [, from, to, first, after] of days) {
    const { reference, link } = await booked(site, { from, to })
    for (const text of [(await site.get(`${link}.ics`)).text, await feedOf(site)]) {
      expect(told(text, reference)).toMatchObject({ start: first, end: after })
    }
  }
})

/** Hours of several days, and when each of them begins and ends. */
const hours = [
  // Over the switch to summer time: 09:00 stays 09:00.
  [
    { from: '2027-03-27', to: '2027-03-29', start: '09:00', end: '18:00' },
    [
      ['2027-03-27T07:00', '2027-03-27T16:00'],
      ['2027-03-28T06:00', '2027-03-28T15:00'],
      ['2027-03-29T06:00', '2027-03-29T15:00'],
    ],
  ],
  // Two nights.
  [
    { from: '2027-06-02', to: '2027-06-04', start: '20:00', end: '02:00' },
    [
      ['2027-06-02T17:00', '2027-06-02T23:00'],
      ['2027-06-03T17:00', '2027-06-03T23:00'],
    ],
  ],
] as const

test('hours of several days are hours of each day, in mail, link and staff feed', async () => {
  using content = season([], { 'booking-rules.json': rules })
  await using site = await startSite({ env: { CONTENT_DIR: content.directory, SHARES: 'off' } })
  for (const [fields, days_] of hours) {
    const { reference, link } = await booked(site, fields)
    await settled(site)
    const wanted = days_.map(([start, end]) => `${instant(start)}/${instant(end)}`)
    const texts = [
      invitations(site, reference)[0]!.ics,
      (await site.get(`${link}.ics`)).text,
      await feedOf(site),
    ]
    for (const text of texts) expect(daysByTwo(text, reference)).toEqual([wanted, wanted])
  }
})

test('nobody has accepted an invitation before staff confirm', async () => {
  await using site = await startSite()
  const { reference } = await booked(site, {})
  await settled(site)
  await runOn(site, 'bookings', 'confirm', reference)
  site.clock.advance(undoable)
  await settled(site)
  const attendees = invitations(site, reference).map(
    ({ ics }) => /PARTSTAT=([A-Z-]+)/.exec(ics.replaceAll('\r\n ', ''))?.[1],
  )
  expect(attendees).toEqual(['TENTATIVE', 'ACCEPTED'])
})

test('a booking that is confirmed, moved and cancelled is the same entry to both parsers, each time newer', async () => {
  using content = season([], { 'booking-rules.json': rules })
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  const { reference, link } = await booked(site, {
    from: '2027-03-27',
    to: '2027-03-27',
    start: '08:00',
    end: '12:00',
  })
  const feeds = [told(await feedOf(site), reference)]
  await settled(site)
  await runOn(site, 'bookings', 'confirm', reference)
  feeds.push(told(await feedOf(site), reference))
  site.clock.advance(undoable)
  await settled(site)
  await runOn(site, 'bookings', 'move', reference, '2027-03-29')
  feeds.push(told(await feedOf(site), reference))
  site.clock.advance(undoable)
  await settled(site)
  await runOn(site, 'bookings', 'cancel', reference)
  feeds.push(told(await feedOf(site), reference))
  site.clock.advance(undoable)
  await settled(site)
  const mails = invitations(site, reference)
  expect(mails.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'REQUEST', 'CANCEL'])
  const read = mails.map(({ ics }) => told(ics, reference))
  for (const events of [read, feeds]) {
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(1)
    expect(events.map(({ start }) => start)).toEqual(
      ['27T06', '27T06', '29T05', '29T05'].map((hour) => instant(`2027-03-${hour}:00`)),
    )
    const sequences = events.map(({ sequence }) => sequence)
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
    expect(events.at(-1)!.status).toBe('CANCELLED')
  }
  expect(told((await site.get(`${link}.ics`)).text, reference).status).toBe('CANCELLED')
})

test('hours of several days through an offer, other dates and a cancellation: one entry, each day of it', async () => {
  using content = season([], { 'booking-rules.json': rules })
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  // Work from nine to six, the second time over the switch to summer time.
  const asked = { from: '2027-03-17', to: '2027-03-19', start: '09:00', end: '18:00' }
  const { reference, link } = await booked(site, asked)
  const hoursOf = (...dates: [date: string, hourInUtc: string][]) =>
    dates.map(([date, hour]) => {
      const end = String(Number(hour) + 9).padStart(2, '0')
      return `${instant(`${date}T${hour}:00`)}/${instant(`${date}T${end}:00`)}`
    })
  const winter = hoursOf(['2027-03-17', '07'], ['2027-03-18', '07'], ['2027-03-19', '07'])
  const switching = hoursOf(['2027-03-27', '07'], ['2027-03-28', '06'], ['2027-03-29', '06'])
  const said: [string, string[], number][] = []
  const reads = async (status: string, days_: string[]) => {
    site.clock.advance(undoable)
    await settled(site)
    const mail = invitations(site, reference).at(-1)!
    for (const text of [mail.ics, (await site.get(`${link}.ics`)).text, await feedOf(site)]) {
      expect(daysByTwo(text, reference)).toEqual([days_, days_])
      expect(told(text, reference).status).toBe(status)
    }
    said.push([mail.method!, days_, told(mail.ics, reference).sequence])
  }
  await reads('TENTATIVE', winter)
  await runOn(site, 'bookings', 'offer', reference, '--line', 'Work=900.00')
  // An offer holds its dates: it takes nothing out of a calendar.
  await reads('TENTATIVE', winter)
  const post = (act: string, body: object) =>
    site.post(`/api/bookings/by-link/${link.split('/').at(-1)}/${act}`, body)
  await post('accept', {})
  await reads('CONFIRMED', winter)
  await post('move', { from: '2027-03-27', to: '2027-03-29' })
  // What was agreed on stays in the customer's calendar; staff see the other dates beside it.
  await reads('CONFIRMED', winter)
  const wish = `${reference}-change`
  expect(daysByTwo(await feedOf(site), wish)).toEqual([switching, switching])
  expect(told(await feedOf(site), wish).status).toBe('TENTATIVE')
  await runOn(site, 'bookings', 'confirm', reference)
  await reads('CONFIRMED', switching)
  expect(await feedOf(site)).not.toContain(wish)
  await post('cancel', {})
  await reads('CANCELLED', switching)
  expect(said.map(([method]) => method)).toEqual([
    ...Array.from({ length: 5 }, () => 'REQUEST'),
    'CANCEL',
  ])
  const sequences = said.map(([, , sequence]) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
})

test('an event’s own file: two parsers read its days, its change and its end', async () => {
  const first = eventOf({
    id: 'rally',
    start: '2027-03-27T10:00',
    end: '2027-03-27T18:00',
    zone: 'Europe/Helsinki',
  })
  using content = season([first, eventOf({ id: 'whole', start: '2027-03-27', end: '2027-03-29' })])
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  const file = async (id: string) => (await site.get(`/calendar/${id}/event.ics`)).text
  expect(told(await file('whole'), 'event-whole')).toMatchObject({
    start: '2027-03-27',
    end: '2027-03-30',
    status: 'CONFIRMED',
  })
  const before = told(await file('rally'), 'event-rally')
  expect(before).toMatchObject({
    start: instant('2027-03-27T08:00'),
    end: instant('2027-03-27T16:00'),
  })
  const changes = [
    [{ start: '2027-03-28T10:00', end: '2027-03-28T18:00' }, '2027-03-28T07:00', 'CONFIRMED'],
    [{ status: 'postponed' }, '2027-03-27T08:00', 'TENTATIVE'],
    [{ status: 'cancelled' }, '2027-03-27T08:00', 'CANCELLED'],
  ] as const
  let last = before
  for (const [change, start, status] of changes) {
    site.clock.advance(3_600_000)
    content.write([{ ...first, ...change }])
    last = await eventually(async () => {
      const read = told(await file('rally'), 'event-rally')
      expect(read).toMatchObject({ start: instant(start), status })
      expect(read.sequence).toBeGreaterThan(last.sequence)
      return read
    })
    expect(last.uid).toBe(before.uid)
  }
})

test('season and series: two parsers read the right instants, in the zone of each event', async () => {
  const abroad = eventOf({
    id: 'abroad',
    start: '2027-05-30T12:45',
    end: '2027-05-30T16:00',
    zone: 'America/Indiana/Indianapolis',
  })
  using content = season([
    ...times.map(([id, date, start, end]) =>
      eventOf({
        id,
        start: `${date}T${start}`,
        end: `${date}T${end}`,
        zone: 'Europe/Helsinki',
      }),
    ),
    ...days.map(([id, start, end]) => eventOf({ id: id.replaceAll(' ', '-'), start, end })),
    abroad,
  ])
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  for (const path of ['/calendar.ics', '/calendar/snow-series.ics']) {
    const { text } = await site.get(path)
    for (const [id, , , , startsAt, endsAt] of times) {
      expect(told(text, `event-${id}`)).toMatchObject({
        start: instant(startsAt),
        end: instant(endsAt),
      })
    }
    for (const [id, , , first, after] of days) {
      expect(told(text, `event-${id.replaceAll(' ', '-')}`)).toMatchObject({
        start: first,
        end: after,
      })
    }
    expect(told(text, 'event-abroad')).toMatchObject({
      start: instant('2027-05-30T16:45'),
      end: instant('2027-05-30T20:00'),
    })
  }
})

test.each(['/calendar.ics', '/calendar/snow-series.ics'])(
  '%s read twice with an event changed in between: both parsers see the same entry, newer',
  async (path) => {
    const other = eventOf({ id: 'two', title: 'Ice Sprint' })
    using content = season([
      eventOf({ start: '2027-03-27T10:00', end: '2027-03-27T12:00', zone: 'Europe/Helsinki' }),
      other,
    ])
    await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
    const before = await site.get(path)
    site.clock.advance(3_600_000)
    content.write([
      eventOf({
        start: '2027-03-28T10:00',
        end: '2027-03-28T12:00',
        zone: 'Europe/Helsinki',
        status: 'cancelled',
      }),
      other,
    ])
    const after = await eventually(async () => {
      const reply = await site.get(path, { headers: { 'If-None-Match': before.headers.etag! } })
      expect(reply.status).toBe(200)
      return reply
    })
    const [was, is] = [before, after].map(({ text }) => told(text, 'event-one'))
    expect(was).toMatchObject({ sequence: 0, start: instant('2027-03-27T08:00') })
    expect(is).toEqual({
      uid: was!.uid,
      sequence: 1,
      status: 'CANCELLED',
      start: instant('2027-03-28T07:00'),
      end: instant('2027-03-28T09:00'),
    })
    expect(told(after.text, 'event-two')).toEqual(told(before.text, 'event-two'))
    for (const { text } of [before, after]) {
      for (const events of readByTwo(text)) expect(events.size).toBe(2)
    }
  },
)
