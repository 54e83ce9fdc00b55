import ICAL from 'ical.js'
import ical from 'node-ical'
import { expect, test } from 'vitest'
import { eventOf as event, season, type EventRow } from '../../support/content-events.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

const eventsOf = (text: string) =>
  new Map(
    new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((each) => [String(each.getFirstPropertyValue('uid')).split('@')[0], each]),
  )

test('the sample season is read by two parsers, whole and by series', async () => {
  await using site = await startSite()
  const { text, headers, status } = await site.get('/calendar.ics')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT6H')
  const first = eventsOf(text)
  const second = Object.values(ical.sync.parseICS(text)).filter((each) => each?.type === 'VEVENT')
  expect(first.size).toBeGreaterThan(30)
  expect(second).toHaveLength(first.size)
  const again = await site.get('/calendar.ics', { headers: { 'If-None-Match': headers.etag! } })
  expect(again.status).toBe(304)
  const { json } = await site.get('/api/calendar')
  const [series] = (json as { series: { slug: string; count: number }[] }).series
  const part = await site.get(`/calendar/${series!.slug}.ics`)
  expect(eventsOf(part.text).size).toBe(series!.count)
  const same = await site.get(`/calendar/${series!.slug}.ics`, {
    headers: { 'If-None-Match': part.headers.etag! },
  })
  expect(same.status).toBe(304)
  expect((await site.get('/calendar/no-such-series.ics')).status).toBe(404)
})

test('a feed gives states by STATUS and title, dates as dates, times with their zone', async () => {
  using content = season([
    event({}),
    event({ id: 'tbc', status: 'tbc' }),
    event({ id: 'late', status: 'postponed' }),
    event({ id: 'off', status: 'cancelled' }),
    event({ id: 'hidden', Status: 'draft' }),
    event({
      id: 'night',
      start: '2027-03-28T01:30',
      end: '2027-03-28T04:30',
      zone: 'Europe/Helsinki',
    }),
  ])
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  const found = eventsOf((await site.get('/calendar.ics')).text)
  const statusOf = (id: string) => found.get(`event-${id}`)?.getFirstPropertyValue('status')
  expect(new Set(found.keys())).toEqual(
    new Set(['night', 'off', 'one', 'late', 'tbc'].map((id) => `event-${id}`)),
  )
  expect(['one', 'tbc', 'late', 'off'].map(statusOf)).toEqual([
    'CONFIRMED',
    'TENTATIVE',
    'TENTATIVE',
    'CANCELLED',
  ])
  expect(String(found.get('event-one')!.getFirstPropertyValue('dtend'))).toBe('2027-01-25')
  const { text } = await site.get('/calendar.ics')
  const [night] = Object.values(ical.sync.parseICS(text)).filter(
    (each) => each?.type === 'VEVENT' && each.uid.startsWith('event-night'),
  )
  expect(new Date((night as { start: Date }).start).toISOString()).toBe('2027-03-27T23:30:00.000Z')
})

test('a changed event keeps its UID and counts its SEQUENCE; the others stay as they are', async () => {
  using content = season([event({}), event({ id: 'two', title: 'Ice Sprint' })])
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  const before = eventsOf((await site.get('/calendar.ics')).text)
  site.clock.advance(3_600_000)
  content.write([event({ status: 'postponed' }), event({ id: 'two', title: 'Ice Sprint' })])
  const after = await eventually(async () => {
    const found = eventsOf((await site.get('/calendar.ics')).text)
    expect(found.get('event-one')!.getFirstPropertyValue('status')).toBe('TENTATIVE')
    return found
  })
  const facts = (events: typeof before, id: string) =>
    ['sequence', 'last-modified'].map((name) => String(events.get(id)!.getFirstPropertyValue(name)))
  expect(facts(before, 'event-one')).toEqual(['0', '2026-11-20T12:00:00Z'])
  expect(facts(after, 'event-one')).toEqual(['1', '2026-11-20T13:00:00Z'])
  expect(facts(after, 'event-two')).toEqual(facts(before, 'event-two'))
})

test('feeds that are made at the same time count a change once', async () => {
  using content = season([event({})])
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  await site.get('/calendar.ics')
  content.write([event({ status: 'postponed' })])
  const paths = ['/calendar.ics', '/calendar/snow-series.ics', '/calendar/one/event.ics']
  const found = await eventually(async () => {
    const texts = await Promise.all(paths.map(async (path) => (await site.get(path)).text))
    for (const text of texts) expect(text).toContain('STATUS:TENTATIVE')
    return texts
  })
  expect(found.map((text) => /SEQUENCE:(\d+)/.exec(text)![1])).toEqual(['1', '1', '1'])
})

test('the season lists coming events by month and by series', async () => {
  using content = season([
    event({ id: 'over', start: '2026-11-14', end: '2026-11-15' }),
    event({ id: 'running', start: '2026-11-19', end: '2026-11-22' }),
    event({ id: 'short', start: '2026-11-18', end: null, series: 'Other' }),
    event({}),
    event({ id: 'off', status: 'cancelled', start: '2027-01-31', end: '2027-02-01' }),
  ])
  await using site = await startSite({ env: { CONTENT_DIR: content.directory } })
  const ids = async (query: string) => {
    const { json } = await site.get(`/api/calendar${query}`)
    const { events, past } = json as { events: EventRow[]; past: EventRow[] }
    return [events.map(({ id }) => id), past.map(({ id }) => id)]
  }
  expect(await ids('')).toEqual([
    ['running', 'one', 'off'],
    ['short', 'over'],
  ])
  expect(await ids('?month=2027-02')).toEqual([['off'], []])
  expect(await ids('?series=other')).toEqual([[], ['short']])
  expect((await site.get('/api/calendar?month=2027-13')).status).toBe(404)
  expect((await site.get('/api/calendar?series=nobody')).status).toBe(404)
  const { json } = await site.get('/api/bookings/form?event=one')
  expect(json).toMatchObject({ event: { id: 'one', from: '2027-01-22', to: '2027-01-24' } })
  for (const id of ['off', 'over', 'nothing']) {
    expect((await site.get(`/api/bookings/form?event=${id}`)).json).toMatchObject({ event: null })
  }
})
