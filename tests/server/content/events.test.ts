import { expect, test } from 'vitest'
import { contentFiles } from '../../support/content-files.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { startSite } from '../../support/site.ts'

const event = (id: string, more: object = {}) => ({
  id,
  title: id,
  start: '2027-06-05',
  Status: 'published',
  ...more,
})

async function read(rows: object[]) {
  using files = contentFiles({ 'events.json': rows })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const events = await site.context.content.rows('events')
  const refused = site
    .logLines()
    .map((line) => JSON.parse(line) as { msg?: string; row?: string; field?: string })
    .filter(({ msg }) => msg === 'content row left out' || msg === 'content field left out')
    .map(({ row, field }) => `${row} ${field}`)
  const wire = await site.get('/items/events?fields=*')
  return { events, refused, wire: (wire.json as { data: Record<string, unknown>[] }).data }
}

test('shows published events, the earliest first, whatever their organiser says of them', async () => {
  const { events, wire } = await read([
    event('later', { start: '2027-08-01', status: 'cancelled' }),
    event('undecided', { start: '2027-05-01', status: 'tbc', coverage: 'full' }),
    event('without-a-word', { start: '2027-04-01', Status: null, status: null }),
    event('draft', { Status: 'draft', status: 'scheduled' }),
  ])
  expect(events.map(({ id, status, coverage }) => [id, status, coverage])).toEqual([
    ['without-a-word', 'scheduled', undefined],
    ['undecided', 'tbc', 'full'],
    ['later', 'cancelled', undefined],
  ])
  expect(wire.map(({ id }) => id)).not.toContain('draft')
  expect(wire.find(({ id }) => id === 'later')).toMatchObject({ status: 'cancelled', end: null })
})

test('brings times to one shape and keeps a date a date', async () => {
  const { events } = await read([
    event('day', { start: '2026-10-25', end: '2026-10-25', zone: 'Europe/Tallinn' }),
    event('time', {
      start: '2027-03-27T22:00:00',
      end: '2027-03-28 06:00',
      zone: 'Europe/Helsinki',
    }),
    event('open', { end: '', zone: ' ' }),
  ])
  const times = Object.fromEntries(
    events.map(({ id, start, end, zone }) => [id, [start, end, zone]]),
  )
  expect(times).toEqual({
    day: ['2026-10-25', '2026-10-25', 'Europe/Tallinn'],
    time: ['2027-03-27T22:00', '2027-03-28T06:00', 'Europe/Helsinki'],
    open: ['2027-06-05', null, null],
  })
})

test('leaves out an event with an impossible time alone, and says which field', async () => {
  const zone = 'Europe/Helsinki'
  const { events, refused } = await read([
    event('sound'),
    event('no-such-day', { start: '2027-02-29' }),
    event('no-such-hour', { start: '2027-06-05T24:30', zone }),
    event('an-instant', { start: '2027-06-05T10:00:00Z', zone }),
    event('backwards', { start: '2027-06-05', end: '2027-06-04' }),
    event('mixed', { start: '2027-06-05', end: '2027-06-05T18:00', zone }),
    event('a-decade', { start: '2027-06-05', end: '2037-06-05' }),
    event('nowhere', { start: '2027-06-05T10:00' }),
    event('mars', { zone: 'Mars/Olympus' }),
    event('offset', { start: '2027-06-05T10:00', zone: '+03:00' }),
    event('unknown-status', { status: 'maybe' }),
    event('unknown-coverage', { coverage: 'half' }),
  ])
  expect(events.map(({ id, coverage }) => [id, coverage])).toEqual([
    ['sound', undefined],
    ['unknown-coverage', undefined],
  ])
  expect(refused.toSorted()).toEqual([
    'a-decade end',
    'an-instant start',
    'backwards end',
    'mars zone',
    'mixed end',
    'no-such-day start',
    'no-such-hour start',
    'nowhere zone',
    'offset zone',
    'unknown-coverage coverage',
    'unknown-status status',
  ])
})

test('takes an address away that is no link', async () => {
  const { events } = await read([
    event('script', { url: 'javascript:alert(1)' }),
    event('elsewhere', { url: '//evil.example' }),
    event('page', { url: '/news/a' }),
    event('site', { url: 'https://series.example/' }),
  ])
  expect(Object.fromEntries(events.map(({ id, url }) => [id, url]))).toEqual({
    script: null,
    elsewhere: null,
    page: '/news/a',
    site: 'https://series.example/',
  })
})

test('a Directus without the events collection has none, without a failure', async () => {
  await using directus = await startDirectus({
    collections: { services: [{ id: 1, title: 'Photography', url: 'photography' }] },
  })
  await using site = await startSite({ env: { CONTENT_URL: directus.url } })
  expect(await site.context.content.rows('events')).toEqual([])
  const reply = await site.get('/items/events')
  expect([reply.status, reply.json]).toEqual([200, { data: [] }])
  const complaints = site
    .logLines()
    .map((line) => JSON.parse(line) as { level: string | number; collection?: string })
    .filter(({ collection, level }) => collection === 'events' && level !== 'debug' && level !== 20)
  expect(complaints).toEqual([])
})

test('a Directus with events of its own shows those, without its drafts', async () => {
  await using directus = await startDirectus({
    collections: {
      events: [event('race', { status: 'tbc' }), event('draft', { Status: 'draft' })],
    },
  })
  await using site = await startSite({ env: { CONTENT_URL: directus.url } })
  const events = await site.context.content.rows('events')
  expect(events.map(({ id, status }) => [id, status])).toEqual([['race', 'tbc']])
})
