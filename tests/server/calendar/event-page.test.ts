import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite } from '../../support/site.ts'

const event = (id: string, more: object = {}) => ({
  id,
  title: `Round ${id}`,
  series: 'Northern Cup',
  start: '2027-06-05',
  end: '2027-06-06',
  Status: 'published',
  ...more,
})

const night = event('night', {
  venue: 'Kymi Ring',
  city: 'Iitti',
  country: 'Finland',
  start: '2027-06-05T18:00',
  end: '2027-06-06T01:00',
  zone: 'Europe/Helsinki',
  organizer: 'Kymi Promotion',
  url: 'https://kymi.example/night',
  description: 'A race into the night.',
  sessions: '18:00-19:00 Practice\n2027-06-05 23:30-00:45 Night race\nnonsense',
})

async function open(rows: object[]) {
  const files = contentFiles({
    'events.json': rows,
    'settings.json': [{ id: 1, brand: 'Own Media', email: 'hello@own.example' }],
  })
  const site = await startSite({
    env: { CONTENT_DIR: files.dir },
    renderer: await builtRenderer(dist),
    sending: false,
  })
  return {
    site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      files[Symbol.dispose]()
    },
  }
}

/** What a page tells search engines, by type. */
const thingsIn = (html: string) =>
  new Map(
    Array.from(
      html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g),
      ([, json]) => {
        const thing = JSON.parse(json!) as Record<string, unknown>
        return [thing['@type'], thing]
      },
    ),
  )

test('an event has a page with its timetable in two zones, the way to book it, and what search engines need', async () => {
  await using calendar = await open([night, event('next', { start: '2027-07-03', end: null })])
  const { site } = calendar
  const { status, text } = await site.get('/calendar/night')
  expect(status).toBe(200)
  const plain = text.replaceAll('<!-- -->', '')
  expect(plain).toContain(`<link rel="canonical" href="${site.url}/calendar/night"`)
  for (const words of [
    'Saturday 5 June 2027',
    '18:00–19:00',
    '23:30–00:45',
    'Night race',
    'Kymi Promotion',
    'href="/booking?from=2027-06-05&amp;to=2027-06-06&amp;event=night"',
    'Book us here',
    'href="/calendar/night/event.ics"',
    'href="/calendar/next"',
    'Next in the Northern Cup',
  ]) {
    expect(plain).toContain(words)
  }
  expect(plain).not.toContain('nonsense')
  const things = thingsIn(text)
  expect(things.get('Event')).toMatchObject({
    startDate: '2027-06-05T18:00:00+03:00',
    endDate: '2027-06-06T01:00:00+03:00',
    organizer: { name: 'Kymi Promotion', url: 'https://kymi.example/night' },
    location: { name: 'Kymi Ring', address: { addressLocality: 'Iitti' } },
    url: `${site.url}/calendar/night`,
  })
  expect(things.get('BreadcrumbList')?.itemListElement).toMatchObject([
    { name: 'Home' },
    { name: 'Calendar', item: `${site.url}/calendar` },
    { name: 'Round night', item: `${site.url}/calendar/night` },
  ])
  expect((await site.get('/sitemap.xml')).text).toContain(`<loc>${site.url}/calendar/night</loc>`)
  await eventually(async () => {
    const found = await site.get('/api/search?q=kymi')
    expect(JSON.stringify(found.json)).toContain('/calendar/night')
  })
  expect((await site.get('/calendar')).text).toContain('href="/calendar/night"')
  expect((await site.get('/calendar/nowhere')).status).toBe(404)
})

test('an event is found by its month and year, and by those of its last day', async () => {
  await using calendar = await open([
    event('summer'),
    event('turn', { start: '2027-12-31', end: '2028-01-02' }),
  ])
  const pathsFor = async (term: string) => {
    const { json } = await calendar.site.get(
      `/api/search?q=${encodeURIComponent(term)}&type=events`,
    )
    return (json as { results: { path: string }[] }).results.map(({ path }) => path)
  }
  await eventually(async () => expect(await pathsFor('cup')).toHaveLength(2))
  expect(await pathsFor('northern cup june 2027')).toEqual(['/calendar/summer'])
  expect(await pathsFor('round 2028')).toEqual(['/calendar/turn'])
  expect(await pathsFor('december')).toEqual(['/calendar/turn'])
  expect(await pathsFor('round 2026')).toEqual([])
})

test('a search says that an event is off, and finds it by its title first all the same', async () => {
  await using calendar = await open([
    event('late', { title: 'Lakes Rally', status: 'postponed' }),
    event('off', { title: 'Forest Rally', status: 'cancelled' }),
    event('other', { title: 'Lakes Rally preview day' }),
  ])
  const titlesFor = async (term: string) => {
    const { json } = await calendar.site.get(
      `/api/search?q=${encodeURIComponent(term)}&type=events`,
    )
    const { results } = json as { results: { title: { text: string }[] }[] }
    return results.map(({ title }) => title.map(({ text }) => text).join(''))
  }
  await eventually(async () => expect(await titlesFor('rally')).toHaveLength(3))
  expect(await titlesFor('lakes rally')).toEqual([
    'Postponed: Lakes Rally',
    'Lakes Rally preview day',
  ])
  expect(await titlesFor('cancelled')).toEqual(['Cancelled: Forest Rally'])
})

test('the agency is the organiser of its own events alone, and an unknown place stays unknown', async () => {
  await using calendar = await open([event('own', { organizer: 'own media' }), event('other')])
  const eventOf = async (id: string) =>
    thingsIn((await calendar.site.get(`/calendar/${id}`)).text).get('Event')
  // A page that is drawn before the settings are read has the usual name.
  await eventually(async () =>
    expect(await eventOf('own')).toMatchObject({
      organizer: { name: 'Own Media' },
      startDate: '2027-06-05',
    }),
  )
  const other = await eventOf('other')
  expect(other).not.toHaveProperty('organizer')
  expect(other).not.toHaveProperty('location')
})

test('a postponed, cancelled, past or full event says so and offers no booking', async () => {
  await using calendar = await open([
    event('late', { status: 'postponed' }),
    event('off', { status: 'cancelled' }),
    event('full', { coverage: 'full' }),
    event('old', { start: '2026-06-05', end: '2026-06-06' }),
  ])
  for (const [id, words] of [
    ['late', 'New date to be announced'],
    ['off', 'This event won’t take place'],
    ['full', 'All our crews are booked'],
    ['old', 'This event is over'],
    // The calendar that people subscribe to has no timetables.
    ['full', 'You’ll find it here as soon as we have it'],
    ['off', 'This event has been cancelled'],
  ]) {
    const { text } = await calendar.site.get(`/calendar/${id}`)
    expect(text, id).toContain(words)
    expect(text, id).not.toContain('event=')
  }
})

test('a session without an end ends as it begins, which a calendar file says by no end at all', async () => {
  const start = '2027-06-05T18:00'
  await using calendar = await open([
    event('night', {
      start,
      end: start,
      zone: 'Europe/Helsinki',
      sessions: '18:00 Drivers’ parade',
    }),
  ])
  const { text } = await calendar.site.get('/calendar/night/event.ics')
  const entries = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  expect(
    entries.map((each) => [
      String(each.getFirstPropertyValue('dtstart')),
      each.getFirstPropertyValue('dtend'),
    ]),
  ).toEqual([
    ['2027-06-05T18:00:00', null],
    ['2027-06-05T18:00:00', null],
  ])
})

test('an event is a calendar file with its sessions, and so is one with an odd ID', async () => {
  await using calendar = await open([night, event('a/b %')])
  const { site } = calendar
  const { text, headers } = await site.get('/calendar/night/event.ics')
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
  const entries = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  expect(entries.map((each) => String(each.getFirstPropertyValue('summary')))).toEqual([
    'Round night',
    'Round night: Practice',
    'Round night: Night race',
  ])
  expect(String(entries[2]!.getFirstPropertyValue('dtend'))).toBe('2027-06-06T00:45:00')
  expect(new Set(entries.map((each) => each.getFirstPropertyValue('uid'))).size).toBe(3)
  const again = await site.get('/calendar/night/event.ics', {
    headers: { 'If-None-Match': headers.etag! },
  })
  expect(again.status).toBe(304)
  expect((await site.get('/calendar/nowhere/event.ics')).status).toBe(404)
  expect((await site.get('/calendar/a%2Fb%20%25')).status).toBe(200)
  expect((await site.get('/calendar/a%2Fb%20%25/event.ics')).status).toBe(200)
})

test('a session keeps its UID when another one comes before it, and its reminder in calendars with it', async () => {
  const place = { start: '2027-06-05T08:00', end: '2027-06-05T20:00', zone: 'Europe/Helsinki' }
  const lines = ['09:00-10:00 Practice', '11:00-12:00 Practice', '18:00-19:00 Race']
  const files = contentFiles({
    'events.json': [event('gp', { ...place, sessions: lines.join('\n') })],
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir }, sending: false })
  const uidsByStart = async () => {
    const { text } = await site.get('/calendar/gp/event.ics')
    const entries = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    return new Map(
      entries.map((each) => [
        String(each.getFirstPropertyValue('dtstart')).slice(11, 16),
        String(each.getFirstPropertyValue('uid')),
      ]),
    )
  }
  const before = await uidsByStart()
  expect(new Set(before.values()).size).toBe(4)
  const more = ['08:30-08:50 Drivers’ briefing', ...lines, '19:30-20:00 Practice 2']
  files.write('events.json', [event('gp', { ...place, sessions: more.join('\n') })])
  await eventually(async () => expect((await uidsByStart()).size).toBe(6))
  const after = await uidsByStart()
  expect(new Set(after.values()).size).toBe(6)
  for (const [start, uid] of before) expect([start, after.get(start)]).toEqual([start, uid])
  files[Symbol.dispose]()
})

test('where the clocks are those of Helsinki, a time is said once', async () => {
  const at = (id: string, city: string, zone: string) =>
    event(id, { city, zone, start: '2027-06-05T10:00', end: '2027-06-05T17:00' })
  await using opened = await open([
    at('tallinn', 'Tallinn', 'Europe/Tallinn'),
    at('umea', 'Umeå', 'Europe/Stockholm'),
  ])
  const read = async (id: string) => {
    const { text } = await opened.site.get(`/calendar/${id}`)
    return text.slice(text.indexOf('<h1'), text.indexOf('Next in the'))
  }
  const [tallinn, umea] = [await read('tallinn'), await read('umea')]
  expect(tallinn).toContain('Tallinn and Helsinki time')
  expect(tallinn.match(/<dd>10:00–17:00<\/dd>/g)).toHaveLength(1)
  expect(umea).toContain('Local time, Umeå')
  expect(umea).toContain('<dd>11:00–18:00</dd>')
})
