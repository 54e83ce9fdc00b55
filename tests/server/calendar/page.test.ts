import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../../support/content-files.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { createClock, startSite } from '../../support/site.ts'

const event = (id: string, more: object = {}) => ({
  id,
  title: `Round ${id}`,
  series: 'Northern Cup',
  city: 'Kouvola',
  country: 'Finland',
  start: '2027-06-05',
  end: '2027-06-06',
  Status: 'published',
  ...more,
})

async function open(rows: object[], clock = createClock()) {
  const files = contentFiles({ 'events.json': rows })
  const site = await startSite({
    env: { CONTENT_DIR: files.dir },
    renderer: await builtRenderer(dist),
    sending: false,
    clock,
  })
  return {
    page: (path: string) => site.get(path),
    site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      files[Symbol.dispose]()
    },
  }
}

/** The events that a page tells search engines of, by name. */
const eventsIn = (html: string) =>
  new Map(
    Array.from(
      html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g),
      ([, json]) => JSON.parse(json!) as Record<string, unknown> & { name: string },
    )
      .filter((thing) => thing['@type'] === 'Event')
      .map((thing) => [thing.name, thing]),
  )

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1]
const canonicalOf = (html: string) => /<link rel="canonical" href="(.*?)"/.exec(html)?.[1]

test('every event says to people and to search engines what became of it', async () => {
  await using calendar = await open([
    event('a', { coverage: 'free' }),
    event('b', { status: 'tbc' }),
    event('c', { status: 'postponed' }),
    event('d', { status: 'cancelled', coverage: 'free' }),
    event('e', { coverage: 'full' }),
    event('f', {
      start: '2027-07-03T10:00',
      end: '2027-07-03T18:00',
      zone: 'Europe/London',
      city: 'Silverstone',
    }),
    event('old', { start: '2026-06-05', end: '2026-06-06' }),
  ])
  const { text, status } = await calendar.page('/calendar')
  expect(status).toBe(200)
  const told = eventsIn(text)
  const statusOf = (id: string) => told.get(`Round ${id}`)?.eventStatus
  expect(['a', 'b', 'c', 'd'].map(statusOf)).toEqual(
    ['EventScheduled', 'EventScheduled', 'EventPostponed', 'EventCancelled'].map(
      (word) => `https://schema.org/${word}`,
    ),
  )
  expect(told.get('Round a')).toMatchObject({
    startDate: '2027-06-05',
    endDate: '2027-06-06',
    location: { name: 'Kouvola', address: { addressCountry: 'Finland' } },
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  })
  expect(told.get('Round f')).toMatchObject({
    startDate: '2027-07-03T10:00:00+01:00',
    endDate: '2027-07-03T18:00:00+01:00',
  })
  for (const word of ['To be confirmed', 'Postponed', 'Cancelled', 'fully booked', 'slots open'])
    expect(text).toContain(word)
  const bookable = Array.from(text.matchAll(/href="\/booking\?[^"]*event=(\w+)"/g), ([, id]) => id)
  expect(bookable).toEqual(['a', 'b', 'f'])
  expect(text).toContain('Local time, Silverstone')
  expect(text.replaceAll('<!-- -->', '')).toContain('<dd>12:00–20:00</dd>')
  expect(text).not.toContain('Your time')
  expect(text).toMatch(/<details[^>]*>[\s\S]*Round old/)
})

test('list, months and series have titles and addresses of their own', async () => {
  await using calendar = await open([
    event('a'),
    event('b', { series: 'Ice Cup', start: '2027-07-05', end: null }),
  ])
  const paths = [
    '/calendar',
    '/calendar?month=2027-06',
    '/calendar?month=2027-07',
    '/calendar?series=ice-cup',
    '/calendar?month=2027-06&series=northern-cup',
  ]
  const pages = await Promise.all(paths.map((path) => calendar.page(path)))
  expect(new Set(pages.map(({ text }) => titleOf(text))).size).toBe(paths.length)
  expect(pages.map(({ text }) => canonicalOf(text)?.replaceAll('&amp;', '&'))).toEqual(
    paths.map((path) => calendar.site.url + path),
  )
  expect(pages[3]!.text).toContain(`/calendar/ice-cup.ics`)
  expect(pages[3]!.text).toContain('href="webcal://')
  expect(pages[3]!.text).not.toContain('Round a')
  const empty = await calendar.page('/calendar?month=2031-01')
  expect([empty.status, canonicalOf(empty.text)]).toEqual([200, undefined])
  expect(empty.text).toContain('content="noindex"')
  // Of the last month there is no next one, and the first years would be a table of 1,900 years.
  const beyond = ['9999-12', '0099-12', '0000-01'].map((month) => `/calendar?month=${month}`)
  for (const path of [
    ...beyond,
    '/calendar?month=2027-13',
    '/calendar?month=June',
    '/calendar?series=none',
  ])
    expect([path, (await calendar.page(path)).status]).toEqual([path, 404])
})

test('a site without events has a calendar that says so', async () => {
  await using calendar = await open([])
  const { status, text } = await calendar.page('/calendar')
  expect(status).toBe(200)
  expect(text).toContain('The next season is being planned')
  expect(text).toContain('/calendar.ics')
})

test('an event is on until its last day has passed where it is', async () => {
  const pacific = event('west', {
    city: 'Long Beach',
    country: 'United States',
    start: '2027-06-05T18:00',
    end: '2027-06-05T22:00',
    zone: 'America/Los_Angeles',
  })
  const east = event('east', { start: '2027-06-06', end: null, zone: 'Asia/Tokyo' })
  // It runs: 05:00 in Helsinki, 19:00 the day before in Long Beach.
  const clock = createClock(Date.parse('2027-06-06T02:00:00Z'))
  await using calendar = await open([pacific, east], clock)
  const { site, page } = calendar
  const isOver = async (id: string) =>
    ((await site.get(`/api/calendar/events/${id}`)).json as { event: { isOver: boolean } }).event
      .isOver
  const listed = async () => {
    const { json } = await site.get('/api/calendar')
    const ids = (events: { id: string }[]) => events.map(({ id }) => id)
    const { events, past } = json as { events: { id: string }[]; past: { id: string }[] }
    return { coming: ids(events), past: ids(past) }
  }
  const first = () => runOn(site, 'events', 'list')
  expect(await listed()).toEqual({ coming: ['west', 'east'], past: [] })
  expect((await page('/calendar/west')).text).not.toContain('This event is over')
  expect((await page('/calendar?month=2027-06')).text).not.toContain('data-past')
  expect((await first()).indexOf('west')).toBeLessThan((await first()).indexOf('east'))
  // 18:30 in Helsinki: in Tokyo it's the next day.
  clock.advance(13.5 * 3_600_000)
  expect(await Promise.all(['west', 'east'].map(isOver))).toEqual([true, true])
  expect(await listed()).toEqual({ coming: [], past: ['east', 'west'] })
  expect((await page('/calendar/east')).text).toContain('This event is over')
})
