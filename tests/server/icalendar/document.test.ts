import ICAL from 'ical.js'
import ical from 'node-ical'
import { expect, test } from 'vitest'
import {
  calendarText,
  feedText,
  isKnownZone,
  type CalendarEntry,
} from '#server/icalendar/document.ts'

const entry = (more: Partial<CalendarEntry>): CalendarEntry => ({
  uid: 'B-1@example.com',
  sequence: 0,
  start: '2027-05-14',
  end: '2027-05-14',
  zone: null,
  status: 'CONFIRMED',
  summary: 'Photography',
  modifiedAt: Date.UTC(2026, 10, 22, 9, 0, 0, 500),
  ...more,
})

const write = (...entries: CalendarEntry[]) =>
  calendarText({ producer: 'Apex North Media', method: 'REQUEST', entries })

/** When an event starts and ends, as each of two parsers that know nothing of ours reads it. */
function instants(text: string): [Date, Date][] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  }
  const first = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!)
  const second = Object.values(ical.sync.parseICS(text)).find((each) => each?.type === 'VEVENT')
  return [
    [first.startDate.toJSDate(), first.endDate.toJSDate()],
    [new Date(second!.start), new Date(second!.end!)],
  ]
}

test.each([
  ['in winter', '2027-01-15T09:00', '2027-01-15T17:30', '2027-01-15T07:00Z', '2027-01-15T15:30Z'],
  ['in summer', '2027-07-15T09:00', '2027-07-15T17:30', '2027-07-15T06:00Z', '2027-07-15T14:30Z'],
  [
    'over the switch in March',
    '2027-03-28T02:00',
    '2027-03-28T05:00',
    '2027-03-28T00:00Z',
    '2027-03-28T02:00Z',
  ],
  [
    'over the switch in October',
    '2027-10-31T02:00',
    '2027-10-31T05:00',
    '2027-10-30T23:00Z',
    '2027-10-31T03:00Z',
  ],
])('two parsers read the right instants %s', (_, start, end, startsAt, endsAt) => {
  const text = write(entry({ start, end, zone: 'Europe/Helsinki' }))
  for (const found of instants(text)) expect(found).toEqual([new Date(startsAt), new Date(endsAt)])
})

test('every zone that a time names is described in the file, also one that shares the rules of another', () => {
  const zones = ['Europe/Stockholm', 'Europe/Oslo', 'Europe/Berlin', 'America/Montreal', 'UTC']
  const text = write(
    ...zones.map((zone) => entry({ start: '2027-06-05T22:00', end: '2027-06-06T02:00', zone })),
  )
  const calendar = new ICAL.Component(ICAL.parse(text))
  const described = calendar
    .getAllSubcomponents('vtimezone')
    .map((each) => String(each.getFirstPropertyValue('tzid')))
  expect(described).toEqual(zones)
  const used = calendar
    .getAllSubcomponents('vevent')
    .map((each) => each.getFirstProperty('dtstart')!.getParameter('tzid'))
  expect(used).toEqual(zones)
  const [first, second] = instants(
    write(entry({ start: '2027-06-05T22:00', end: '2027-06-06T02:00', zone: 'Europe/Stockholm' })),
  )
  expect(first).toEqual(second)
  expect(first).toEqual([new Date('2027-06-05T20:00Z'), new Date('2027-06-06T00:00Z')])
})

test('whole days are civil dates, the end is the day after the last', () => {
  const text = write(entry({ start: '2027-03-27', end: '2027-03-28' }))
  expect(text).toContain('DTSTART;VALUE=DATE:20270327\r\n')
  expect(text).toContain('DTEND;VALUE=DATE:20270329\r\n')
  expect(text).not.toContain('VTIMEZONE')
})

test('stamps are in UTC, and long or odd text survives folding and escaping', () => {
  const summary = `Rally; Jyväskylä, "night" ${'ö'.repeat(90)}\\`
  const text = write(entry({ summary, description: 'one\ntwo' }))
  expect(text).toMatch(/\r\nDTSTAMP:20261122T090000Z\r\n/)
  expect(text).toMatch(/\r\nLAST-MODIFIED:20261122T090000Z\r\n/)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')!
  expect(event.getFirstPropertyValue('summary')).toBe(summary)
  expect(event.getFirstPropertyValue('description')).toBe('one\ntwo')
})

test.each(['a', 'ö', '€', '🏁'])('no line is longer than 75 octets with its fold: %s', (letter) => {
  for (let shift = 0; shift < 4; shift += 1) {
    const summary = `${'x'.repeat(shift)}${letter.repeat(300)}`
    const text = write(entry({ summary }))
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')!
    expect(event.getFirstPropertyValue('summary')).toBe(summary)
  }
})

test('a feed says its name and how often to ask again', () => {
  const text = calendarText({
    name: 'Season',
    producer: 'X',
    refresh: 'PT6H',
    entries: [entry({})],
  })
  expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT6H\r\n')
  expect(text).toContain('X-PUBLISHED-TTL:PT6H\r\n')
  expect(text).toContain('X-WR-CALNAME:Season\r\n')
  expect(text).not.toContain('METHOD')
})

test('a long feed is the same text, and lets others have their turn', async () => {
  const entries = Array.from({ length: 5_000 }, (_, index) =>
    entry({ uid: `event-${index}`, summary: `Event ${index}, ${'ö'.repeat(index % 90)}` }),
  )
  const document = { name: 'Season', producer: 'X', refresh: 'PT6H', entries }
  let turns = 0
  const immediate = () => {
    turns += 1
    pending = setImmediate(immediate)
  }
  let pending = setImmediate(immediate)
  const text = await feedText(document)
  clearImmediate(pending)
  expect(turns).toBeGreaterThanOrEqual(9)
  expect(text).toBe(calendarText(document))
  expect(await feedText({ producer: 'X', entries: [] })).toBe(
    calendarText({ producer: 'X', entries: [] }),
  )
})

test('an organiser cannot break out of a parameter', () => {
  const text = write(
    entry({ organizer: { name: 'Evil";X="y\r\nATTENDEE:mailto:x@y', address: 'a@example.com' } }),
  )
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')!
  expect(event.getAllProperties('attendee')).toEqual([])
  expect(event.getFirstPropertyValue('organizer')).toBe('mailto:a@example.com')
})

test('zones are known by their IANA names alone', () => {
  expect(isKnownZone('America/Indiana/Indianapolis')).toBe(true)
  expect(isKnownZone('Europe/Nowhere')).toBe(false)
  expect(isKnownZone('../../etc')).toBe(false)
})

test('no text begins a line of its own, and what calendars can’t hold is left out', () => {
  const odd = 'Lap\u0007s\r\nATTENDEE:mailto:x@example.com\u0000'
  const text = calendarText({
    name: `${odd.slice(0, -1)}; Lahti, final\\`,
    producer: odd,
    entries: [
      entry({
        uid: `a${odd}`,
        summary: odd,
        description: 'One\r\ntwo\rthree\n\u0001four',
        location: odd,
        categories: [odd],
        organizer: { name: odd, address: 'a@example.com' },
        attendee: { name: odd, address: 'b@example.com' },
      }),
    ],
  })
  const unfolded = text.replaceAll('\r\n ', '')
  const lines = unfolded.split('\r\n')
  expect(lines.filter((line) => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(line))).toEqual([])
  expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toHaveLength(1)
  const line = 'Lap s ATTENDEE:mailto:x@example.com'
  expect(lines).toContain(String.raw`X-WR-CALNAME:${line}\; Lahti\, final\\`)
  expect(lines).toContain(String.raw`NAME:${line}\; Lahti\, final\\`)
  expect(lines).toContain(`SUMMARY:${line}`)
  expect(lines).toContain(String.raw`DESCRIPTION:One\ntwo\nthree\nfour`)
  const parsed = Object.values(ical.sync.parseICS(text)).find((each) => each?.type === 'VEVENT')
  expect(parsed).toMatchObject({ summary: line, description: 'One\ntwo\nthree\nfour' })
})
