import { expect, test } from 'vitest'
import type { EventDetails, Season } from '#shared/calendar.ts'
import { book } from '../../support/bookings.ts'
import { contentFiles } from '../../support/content-files.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'

const event = (id: string, more: object = {}) => ({
  id,
  title: `Round ${id}`,
  start: '2027-01-20',
  end: '2027-01-21',
  Status: 'published',
  ...more,
})

const oneCrew = {
  services: { photography: { capacity: 1 }, 'website-design': { needsCrew: false } },
  crew: [
    { name: 'Aino', services: ['photography'], away: [{ from: '2027-03-01', to: '2027-03-31' }] },
  ],
}

async function open(events: object[], rules: object = oneCrew) {
  const files = contentFiles({ 'events.json': events, 'booking-rules.json': rules })
  const site = await startSite({ env: { CONTENT_DIR: files.dir }, sending: false })
  return {
    site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      files[Symbol.dispose]()
    },
  }
}

const said = async (site: Site, id: string) => {
  const { event: found } = (await site.get(`/api/calendar/events/${id}`)).json as EventDetails
  return [found.coverage, found.bookPath]
}

test('coverage follows bookings: open while a crew is left, full when all are booked, ours when it is over', async () => {
  await using calendar = await open([event('a')])
  const { site } = calendar
  expect(await said(site, 'a')).toEqual(['free', '/booking?from=2027-01-20&to=2027-01-21&event=a'])
  const one = await book(site, { from: '2027-01-20', to: '2027-01-20', event: 'a' })
  // The day that is left is what can be asked for.
  expect(await said(site, 'a')).toEqual(['free', '/booking?from=2027-01-21&to=2027-01-21&event=a'])
  await book(site, { from: '2027-01-21', to: '2027-01-21', email: 'b@example.com' })
  expect(await said(site, 'a')).toEqual(['full', null])
  const { events } = (await site.get('/api/calendar')).json as Season
  expect(events).toMatchObject([{ coverage: 'full', bookPath: null }])
  await runOn(site, 'bookings', 'confirm', String(one.json?.reference))
  site.clock.advance(Date.UTC(2027, 0, 23) - site.clock())
  expect(await said(site, 'a')).toEqual(['covered', null])
})

test('without crew, and on closed days, nothing is offered; staff may open a holiday', async () => {
  const easter = { start: '2027-03-26', end: '2027-03-26' }
  const rows = [
    event('easter', easter),
    event('away', { start: '2027-03-10', end: '2027-03-11' }),
    event('soon', { start: '2026-11-21', end: '2026-11-21' }),
    event('pinned', { ...easter, coverage: 'free' }),
  ]
  await using calendar = await open(rows, { ...oneCrew, crew: [] })
  const { site } = calendar
  expect(await said(site, 'easter')).toEqual(['none', null])
  expect(await said(site, 'pinned')).toEqual(['free', null])
  expect(await said(site, 'soon')).toEqual(['none', null])
  expect(await runOn(site, 'events', 'show', 'easter')).toContain(
    'Can’t be booked: Good Friday is a public holiday',
  )
  await using opened = await open(rows, {
    ...oneCrew,
    crew: [
      { name: 'Aino', services: ['photography'], away: [{ from: '2027-03-01', to: '2027-03-20' }] },
    ],
    open: [{ from: '2027-03-26', to: '2027-03-26', reason: 'Easter race' }],
  })
  expect(await said(opened.site, 'easter')).toEqual([
    'free',
    '/booking?from=2027-03-26&to=2027-03-26&event=easter',
  ])
  expect(await said(opened.site, 'away')).toEqual(['none', null])
  const { status } = await book(opened.site, {
    from: '2027-03-26',
    to: '2027-03-26',
    event: 'easter',
  })
  expect(status).toBe(201)
})

test('what staff pin stands above bookings, and what does not take place is never offered', async () => {
  await using calendar = await open([
    event('full', { coverage: 'full' }),
    event('none', { coverage: 'none' }),
    event('late', { status: 'postponed' }),
    event('off', { status: 'cancelled', coverage: 'free' }),
  ])
  const { site } = calendar
  expect(await said(site, 'full')).toEqual(['full', null])
  expect((await said(site, 'none'))[1]).toContain('event=none')
  expect((await said(site, 'late'))[1]).toBeNull()
  expect((await said(site, 'off'))[1]).toBeNull()
  const { status } = await book(site, { from: '2027-01-20', to: '2027-01-20', event: 'late' })
  expect(status).toBe(400)
})

test('what staff pinned ends where it can’t be true: a day that is over isn’t open, and one that is off isn’t ours', async () => {
  const soon = { start: '2026-11-25', end: '2026-11-26' }
  const hours = { start: '2027-01-20T10:00', end: '2027-01-20T12:00', zone: 'Europe/Helsinki' }
  await using calendar = await open([
    event('free', { ...soon, coverage: 'free' }),
    event('full', { ...soon, coverage: 'full' }),
    event('ours', { ...soon, coverage: 'covered' }),
    event('off', { status: 'cancelled', coverage: 'free' }),
    event('late', { ...hours, status: 'postponed', coverage: 'covered', sessions: '10:00 Start' }),
  ])
  const { site } = calendar
  const coverages = async () =>
    Promise.all(
      ['free', 'full', 'ours', 'off', 'late'].map(async (id) => (await said(site, id))[0]),
    )
  expect(await coverages()).toEqual(['free', 'full', 'covered', 'none', 'none'])
  const file = async (id: string) => (await site.get(`/calendar/${id}/event.ics`)).text
  expect(await file('off')).not.toContain('You can still book us')
  expect(await file('late')).not.toContain('We’re there')
  // Each entry says it, whichever of them someone looks at.
  expect((await file('late')).match(/SUMMARY:.*/g)).toEqual([
    'SUMMARY:Postponed: Round late',
    'SUMMARY:Postponed: Round late: Start',
  ])
  site.clock.advance(Date.UTC(2026, 10, 27, 12) - site.clock())
  expect(await coverages()).toEqual(['none', 'none', 'covered', 'none', 'none'])
  expect(await file('free')).not.toContain('You can still book us')
  expect(await runOn(site, 'events', 'show', 'free')).toContain('none (from bookings and rules)')
})

test('feeds and kept pages are made anew once bookings change what the calendar says', async () => {
  await using calendar = await open([event('a', { end: null })])
  const { site } = calendar
  await site.context.jobs.runDue()
  expect((await site.get('/calendar.ics')).text).toContain('You can still book us')
  await book(site, { from: '2027-01-20', to: '2027-01-20' })
  site.clock.advance(60_000)
  await site.context.jobs.runDue()
  await eventually(async () =>
    expect((await site.get('/calendar.ics')).text).toContain('We’re fully booked'),
  )
})
