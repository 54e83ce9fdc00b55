import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fetchCalendar } from '#server/calendar/subscriptions/fetch-calendar.ts'
import { isPrivateAddress } from '#server/http/public-addresses.ts'
import { calendar, vevent, withSeason } from '../support/season-cli.ts'

/** An organiser's server. */
async function organiser(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/season.ics`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const round = (uid: string, date: string, ...more: string[]) =>
  vevent(`UID:${uid}`, `SUMMARY:Round ${uid}`, `DTSTART;VALUE=DATE:${date}`, ...more)

test('a subscribed calendar is read by a job, and its changes wait for approval', async () => {
  let feed = calendar(round('one', '20270605'), round('two', '20270705'))
  let asked = 0
  await using server = await organiser((request, response) => {
    asked += 1
    const tag = `"${Buffer.from(feed).length}-${feed.length}-${feed.includes('CANCELLED')}"`
    if (request.headers['if-none-match'] === tag) response.writeHead(304).end()
    else response.writeHead(200, { ETag: tag }).end(feed)
  })
  await using season = await withSeason([
    { id: 'one', title: 'Round one', start: '2027-06-05', end: '2027-06-05', Status: 'published' },
  ])
  const { run, stored, site } = season
  expect(await run('subscribe', server.url, '--series', 'Open Cup')).toContain('2 changes')
  await expect(run('subscribe', server.url)).rejects.toThrow('Already subscribed')
  const changes = JSON.parse(await run('changes', '--json')) as { event: string; kind: string }[]
  expect(changes.map(({ event, kind }) => [event, kind])).toEqual([
    ['one', 'changed'],
    ['two', 'new'],
  ])
  expect(stored()).toHaveLength(1)
  expect(await run('approve', 'two', '--by', 'Noora')).toContain('1 added')
  expect(stored()[1]).toMatchObject({ id: 'two', series: 'Open Cup', start: '2027-07-05' })
  expect(await run('dismiss', 'one')).toContain('1 change dismissed')
  expect(await run('changes')).toContain('Nothing to approve')

  // What staff change themselves is theirs until the organiser says something else.
  await run('edit', 'two', '--description', 'Our own words')
  feed = calendar(round('one', '20270605'), round('two', '20270706', 'STATUS:CANCELLED'))
  site.clock.advance(3_600_000)
  await site.context.jobs.runDue()
  const said = await run('changes')
  expect(said).toContain('changed: two')
  expect(said).toContain('start: 2027-07-05 → 2027-07-06')
  expect(said).not.toContain('one')
  await run('approve', '--all')
  expect(stored()[1]).toMatchObject({
    start: '2027-07-06',
    status: 'cancelled',
    description: 'Our own words',
  })
  await run('edit', 'two', '--status', 'scheduled')
  feed = calendar(round('one', '20270605'))
  expect(await run('changes', '--refresh')).toContain('gone: two')
  await run('approve', 'two')
  expect(stored()[1]).toMatchObject({ status: 'cancelled' })
  const before = asked
  expect(await run('unsubscribe', '1')).toContain('unsubscribed')
  site.clock.advance(3_600_000)
  await site.context.jobs.runDue()
  expect(asked).toBe(before)
  await expect(run('approve', 'two')).rejects.toThrow('No change to approve: two')
})

test('a calendar that is none, too large, missing or elsewhere is refused in a sentence', async () => {
  const answers: Record<string, RequestListener> = {
    '/none.ics': (_, response) => void response.end('<html>'),
    '/large.ics': (_, response) => void response.end('x'.repeat(5 * 1024 * 1024)),
    '/missing.ics': (_, response) => void response.writeHead(404).end(),
    '/round.ics': (_, response) => void response.writeHead(302, { Location: '/round.ics' }).end(),
    '/file.ics': (_, response) =>
      void response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
  }
  await using server = await organiser((request, response) =>
    answers[request.url!]!(request, response),
  )
  await using season = await withSeason()
  const { run } = season
  const subscribe = (path: string) => run('subscribe', new URL(path, server.url).href)
  await expect(subscribe('/none.ics')).rejects.toThrow('The file isn’t a calendar')
  await expect(subscribe('/large.ics')).rejects.toThrow('larger than 4 MB')
  await expect(subscribe('/missing.ics')).rejects.toThrow('answered 404')
  await expect(subscribe('/round.ics')).rejects.toThrow('More than 3 redirects')
  await expect(subscribe('/file.ics')).rejects.toThrow('Use an http(s) or webcal address')
  await expect(run('subscribe', 'ftp://x/y.ics')).rejects.toThrow('Use an http(s)')
  await expect(run('subscribe', 'https://me:secret@x.example/')).rejects.toThrow('password')
  expect(await run('feeds')).toBe('No subscribed calendars.\n')
})

test('a feed that changes under an approval is shown again before anything is taken over', async () => {
  let feed = calendar(round('one', '20270605'))
  await using server = await organiser((_, response) => void response.end(feed))
  await using season = await withSeason([])
  const { run, stored, site } = season
  const readAgain = async () => {
    site.clock.advance(3_600_000)
    await site.context.jobs.runDue()
  }
  await run('subscribe', server.url)
  expect(await run('changes')).toContain('new: one')
  feed = calendar(round('one', '20280101'), round('two', '20270705'))
  await readAgain()
  await expect(run('approve', 'one')).rejects.toThrow('The organiser has changed one since')
  await expect(run('approve', '--all')).rejects.toThrow('has changed one, two since')
  expect(stored()).toEqual([])
  expect(await run('changes')).toContain('1 January 2028')
  expect(await run('approve', '--all')).toContain('2 added')
  // What was taken over and is gone meanwhile was never shown as gone.
  feed = calendar(round('two', '20270705'))
  await readAgain()
  await expect(run('approve', 'one')).rejects.toThrow('has changed one since')
  expect(stored()[0]).toMatchObject({ start: '2028-01-01' })
})

test('what is new is shown as it would be published: off or on, with its hours', async () => {
  const feed = calendar(
    vevent(
      'UID:gp',
      'SUMMARY:Grand Prix',
      'STATUS:CANCELLED',
      'DTSTART;TZID=Europe/Rome:20270605T220000',
      'DTEND;TZID=Europe/Rome:20270606T020000',
      'LOCATION:Monza\\, Italy',
    ),
    vevent('UID:start', 'SUMMARY:Start', 'DTSTART;TZID=Europe/Helsinki:20270605T180000'),
    round('one', '20270605'),
  )
  await using server = await organiser((_, response) => void response.end(feed))
  await using season = await withSeason([])
  await season.run('subscribe', server.url)
  const lines = (await season.run('changes')).split('\n').filter((line) => line.startsWith('  '))
  expect(lines).toEqual([
    '  cancelled · 5–6 June 2027 · 22:00–02:00 Europe/Rome · Monza, Italy',
    '  Saturday 5 June 2027 · 18:00 Europe/Helsinki',
    '  Saturday 5 June 2027',
  ])
})

test('an event that can’t be read any more is named, and not taken for one that is gone', async () => {
  const at = (zone: string) =>
    calendar(
      vevent('UID:gp@x', 'SUMMARY:Grand Prix', `DTSTART;TZID=${zone}:20270605T120000`),
      vevent(
        'UID:cup@x',
        'SUMMARY:Cup',
        `DTSTART;TZID=${zone}:20270605T120000`,
        'RRULE:FREQ=WEEKLY;COUNT=2',
      ),
    )
  let feed = at('Europe/Helsinki')
  await using server = await organiser((_, response) => void response.end(feed))
  await using season = await withSeason([])
  const { run, stored } = season
  await run('subscribe', server.url)
  expect(await run('approve', '--all')).toContain('3 added')
  feed = at('Nowhere Time')
  const said = await run('changes', '--refresh')
  expect(said).toContain('Event 1 (“Grand Prix”) can’t be read: unknown time zone: Nowhere Time')
  expect(said).toContain('Nothing to approve')
  feed = calendar()
  expect(await run('changes', '--refresh')).toContain('gone: gp')
  expect(stored()).toHaveLength(3)
})

test.each([
  ['says 304 to a first question', (_, response) => void response.writeHead(304).end()],
  [
    'lies about its length',
    (_, response) => void response.writeHead(200, { 'Content-Length': '9' }).end(calendar()),
  ],
  [
    'hangs up in the middle',
    (_, response) => {
      response.writeHead(200, { 'Content-Length': '9999' }).write('BEGIN:VCALENDAR')
      setTimeout(() => response.destroy(), 20)
    },
  ],
  [
    'is compressed beyond measure',
    (_, response) =>
      void response
        .writeHead(200, { 'Content-Encoding': 'gzip' })
        .end(gzipSync('x'.repeat(1_000_000))),
  ],
  [
    'never ends a line',
    (_, response) => void response.end(`BEGIN:VCALENDAR\r\nX:${'y'.repeat(3_000_000)}`),
  ],
  [
    'repeats every second for ever',
    (_, response) =>
      void response.end(
        calendar(vevent('UID:r', 'SUMMARY:R', 'DTSTART:20270605T100000Z', 'RRULE:FREQ=SECONDLY')),
      ),
  ],
] as [string, RequestListener][])(
  'a calendar that %s adds nothing, and the site goes on',
  async (_, answer) => {
    await using server = await organiser(answer)
    await using season = await withSeason([])
    const { run, stored, site } = season
    const outcome = await run('subscribe', server.url).catch((error: Error) => error.message)
    expect(outcome).toMatch(/can’t be read|0 change|change\(s\)/)
    const changes = JSON.parse(await run('changes', '--json')) as unknown[]
    // A rule without an end is a season's worth of days at most, or nothing.
    expect(changes.length).toBeLessThan(1000)
    expect(stored()).toEqual([])
    expect((await site.get('/api/health')).status).toBe(200)
  },
)

test('a public site asks neither its own machine nor private networks', async () => {
  let asked = 0
  await using server = await organiser((_, response) => {
    asked += 1
    response.end(calendar())
  })
  const { port } = new URL(server.url)
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]']) {
    await expect(
      fetchCalendar(`http://${host}:${port}/`, { etag: null, allowPrivate: false }),
    ).rejects.toThrow('a public address')
  }
  expect(asked).toBe(0)
  for (const address of [
    '10.1.2.3',
    '169.254.169.254',
    '192.168.1.1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ])
    expect(isPrivateAddress(address), address).toBe(true)
  for (const address of ['93.184.216.34', '2606:2800:220::1'])
    expect(isPrivateAddress(address), address).toBe(false)
})

test('a feed that fails again and again is told by doctor, and the last good text stays', async () => {
  let works = true
  await using server = await organiser((_, response) => {
    if (works) response.end(calendar(round('one', '20270605')))
    else response.writeHead(500).end()
  })
  await using season = await withSeason()
  const { run, site } = season
  await run('subscribe', server.url)
  works = false
  for (let hour = 0; hour < 3; hour += 1) await run('changes', '--refresh')
  expect(await run('changes')).toContain('new: one')
  const check = site.context
    .contributions()
    .doctor.find(({ check: name }) => name === 'event feeds')
  expect(await check!.look()).toMatchObject({
    state: 'warn',
    text: expect.stringContaining('answered 500'),
  })
})
