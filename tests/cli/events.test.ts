import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { calendar, vevent, withSeason, type StoredEvent as Event } from '../support/season-cli.ts'
import { startSite } from '../support/site.ts'

const rally = { id: 'rally', title: 'Rally', start: '2027-06-05', Status: 'published', own: 'kept' }

test('a season that was saved in Windows-1252 keeps its letters when an event is added', async () => {
  await using season = await withSeason()
  const row = { id: 'a', title: 'Päijänteen ympäriajo', start: '2027-01-16', end: '2027-01-17' }
  writeFileSync(join(season.files.dir, 'events.json'), JSON.stringify([row]), 'latin1')
  await season.run('add', 'Öölanti', '--start', '2027-02-20')
  expect(season.stored().map(({ title }) => title)).toEqual(['Päijänteen ympäriajo', 'Öölanti'])
})

test('an event is added, changed, cancelled and removed, and the site shows it', async () => {
  await using season = await withSeason([rally])
  const { run, stored, site, files } = season
  await run('add', 'Ice Sprint', '--start', '2027-01-16', '--end', '2027-01-17', '--series', 'Ice')
  expect(stored().at(-1)).toMatchObject({ id: 'ice-sprint-2027', Status: 'published' })
  await expect(run('add', 'Ice Sprint', '--start', '2027-01-20')).rejects.toThrow('already')
  await run('add', 'Test Day 2027', '--start', '2027-02-20')
  expect(stored().at(-1)).toMatchObject({ id: 'test-day-2027' })
  await run('remove', 'test-day-2027', '--yes')
  await run('edit', 'rally', '--venue', 'Ounaskoski', '--coverage', 'free')
  expect(stored()[0]).toMatchObject({ own: 'kept', venue: 'Ounaskoski', coverage: 'free' })
  await run('edit', 'rally', '--venue', '')
  expect(stored()[0]?.venue).toBeNull()
  await run('cancel', 'rally')
  await expect
    .poll(async () => (await site.get('/calendar.ics')).text)
    .toMatch(/UID:event-rally@[\s\S]*STATUS:CANCELLED/)
  const list = JSON.parse(await run('list', '--json')) as Event[]
  expect(list.map(({ id }) => id)).toEqual(['ice-sprint-2027', 'rally'])
  expect(JSON.parse(await run('show', 'rally', '--json'))).toMatchObject({ status: 'cancelled' })
  await run('remove', 'rally', '--yes')
  expect(stored().map(({ id }) => id)).toEqual(['ice-sprint-2027'])
  await expect(run('remove', 'rally')).rejects.toThrow('Event not found: rally.')
  expect(readdirSync(files.dir).filter((name) => name.includes('.part'))).toEqual([])
})

test('events are listed and exported by days and status, and a day that there is not is wrong use', async () => {
  await using season = await withSeason([
    rally,
    { ...rally, id: 'ice', start: '2027-01-16', end: '2027-01-17', status: 'cancelled' },
  ])
  const ids = async (...args: string[]) =>
    (JSON.parse(await season.run(...args)) as Event[]).map(({ id }) => id)
  for (const verb of [
    ['list', '--json'],
    ['export', '--format', 'json'],
  ]) {
    expect(await ids(...verb)).toEqual(['ice', 'rally'])
    expect(await ids(...verb, '--from', '2027-01-17', '--to', '2027-06-04')).toEqual(['ice'])
    expect(await ids(...verb, '--from', '2027-01-18')).toEqual(['rally'])
    expect(await ids(...verb, '--status', 'cancelled')).toEqual(['ice'])
    expect(await ids(...verb, '--status', 'scheduled')).toEqual(['rally'])
    const wrong = await runCli(['events', ...verb, '--from', '2027-02-30'], season.site)
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('an existing date') })
  }
})

test('an event that the site would leave out is refused, and the file stays as it was', async () => {
  await using season = await withSeason([rally])
  const { run, stored } = season
  await expect(run('add', 'Nowhere', '--start', '2027-02-30')).rejects.toThrow(
    /Nothing was changed[\s\S]*start/,
  )
  await expect(run('add', 'No day')).rejects.toThrow(/start: Missing$/)
  await expect(run('add', 'No zone', '--start', '2027-02-20T10:00')).rejects.toThrow('zone')
  const skipped = ['--start', '2027-03-28T03:30', '--zone', 'Europe/Helsinki']
  await expect(run('add', 'No such hour', ...skipped)).rejects.toThrow(
    'the clocks of Europe/Helsinki never show 2027-03-28T03:30',
  )
  await expect(run('edit', 'rally', '--end', '2027-06-01')).rejects.toThrow('Before the start')
  await expect(run('edit', 'rally', '--start', '')).rejects.toThrow('start')
  expect(stored()).toEqual([rally])
})

test('an export is what an import reads, and importing it again changes nothing', async () => {
  await using season = await withSeason([rally])
  const { run, stored, site, file } = season
  const out = join(site.dataDir, 'season.csv')
  await run(
    'add',
    'Night, "race"',
    '--start',
    '2027-08-01T20:00',
    '--end',
    '2027-08-02T02:00',
    '--zone',
    'Europe/Helsinki',
  )
  await run('export', '--out', out)
  const before = stored()
  expect(await run('import', out)).toBe('0 added, 0 changed, 2 unchanged\n')
  for (const format of ['json', 'ndjson']) {
    const path = join(site.dataDir, `season.${format}`)
    await run('export', '--format', format, '--out', path)
    expect(await run('import', path)).toBe('0 added, 0 changed, 2 unchanged\n')
  }
  const row = { id: 'drift', title: 'Drift', start: '2027-09-04', status: 'tbc' }
  await expect(
    run('import', file('row.json', JSON.stringify([{ ...row, Status: 'draft' }]))),
  ).rejects.toThrow('Line 2 has status twice.')
  await expect(run('import', file('cut.ndjson', '{"title":"Dr'))).rejects.toThrow(
    'Line 1 isn’t valid JSON.',
  )
  expect(stored()).toEqual(before)
  expect(
    await run('import', file('new.csv', 'title,start,series\nDrift Open,2027-09-04,Drift\n')),
  ).toBe('1 added, 0 changed, 0 unchanged\n')
  expect(stored().at(-1)).toMatchObject({ id: 'drift-open-2027', series: 'Drift' })
  await expect(
    run('import', file('bad.csv', 'title,start\nGood,2027-09-05\n,2027-09-06\n')),
  ).rejects.toThrow('Line 3')
  await expect(run('import', file('season.txt', ''))).rejects.toThrow(
    '.ics, .csv, .json or .ndjson',
  )
  expect(stored()).toHaveLength(3)
})

test('a UTC time beside one with a zone is converted to that zone, as our feeds need it', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const switchNight = vevent(
    'UID:switch',
    'SUMMARY:Night of the switch',
    'DTSTART:20271031T003000Z',
    'DTEND;TZID=Europe/Helsinki:20271031T060000',
  )
  await run('import', file('e.ics', calendar(switchNight)))
  expect(stored()).toMatchObject([
    { start: '2027-10-31T03:30', end: '2027-10-31T06:00', zone: 'Europe/Helsinki' },
  ])
  const abroad = switchNight.replace(
    'DTSTART:20271031T003000Z',
    'DTSTART;TZID=Europe/Rome:20271031T013000',
  )
  await expect(run('import', file('f.ics', calendar(abroad)))).rejects.toThrow(
    'a different time zone',
  )
})

test('a calendar file is imported by its UIDs: its end is exclusive, ours is not', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const days = (end: string, status = 'CONFIRMED') =>
    vevent(
      'UID:gp-1@fia.example',
      'SUMMARY:Grand Prix',
      'DTSTART;VALUE=DATE:20270612',
      `DTEND;VALUE=DATE:${end}`,
      'LOCATION:Kymiring\\, Iitti\\, Finland',
      `STATUS:${status}`,
    )
  const night = vevent(
    'UID:night',
    'SUMMARY:Night stage',
    'DTSTART;TZID=Europe/Tallinn:20270702T200000',
    'DTEND;TZID=Europe/Tallinn:20270702T233000',
  )
  const utc = vevent('UID:utc', 'SUMMARY:Webinar', 'DTSTART:20270301T100000Z')
  expect(await run('import', file('a.ics', calendar(days('20270614'), night, utc)))).toContain(
    '3 added',
  )
  expect(stored()).toMatchObject([
    {
      id: 'gp-1',
      start: '2027-06-12',
      end: '2027-06-13',
      venue: 'Kymiring',
      city: 'Iitti',
      country: 'Finland',
      status: 'scheduled',
    },
    { id: 'night', start: '2027-07-02T20:00', end: '2027-07-02T23:30', zone: 'Europe/Tallinn' },
    { id: 'utc', start: '2027-03-01T10:00', zone: 'UTC' },
  ])
  expect(
    await run('import', file('b.ics', calendar(days('20270615', 'CANCELLED'))), '--dry-run'),
  ).toContain('0 added, 1 changed, 0 unchanged\n\nDry run: nothing changed.')
  expect(stored()[0]).toMatchObject({ status: 'scheduled' })
  await run('import', file('b.ics', calendar(days('20270615', 'CANCELLED'))))
  expect(stored()).toHaveLength(3)
  expect(stored()[0]).toMatchObject({ end: '2027-06-14', status: 'cancelled' })
  await expect(run('import', file('d.ics', 'no calendar'))).rejects.toThrow(
    'The file isn’t a calendar',
  )
})

test('events of a content service elsewhere are not ours to write', async () => {
  await using site = await startSite({ env: { CONTENT_URL: 'http://127.0.0.1:9' }, sending: false })
  await expect(runOn(site, 'events', 'list')).rejects.toThrow('CONTENT_URL is set')
})

test('an event whose id is a number is shown, edited and removed, and holds up no other', async () => {
  await using season = await withSeason([{ ...rally, id: 12 }, rally])
  const { run, stored } = season
  expect(JSON.parse(await run('show', '12', '--json'))).toMatchObject({ title: 'Rally' })
  await run('edit', '12', '--venue', 'Ounaskoski')
  await run('edit', 'rally', '--city', 'Rovaniemi')
  expect(stored()).toMatchObject([
    { id: 12, venue: 'Ounaskoski', own: 'kept' },
    { id: 'rally', city: 'Rovaniemi' },
  ])
  const file = season.file('season.csv', await run('export', '--format', 'csv'))
  expect(await run('import', file)).toContain('0 added, 0 changed, 2 unchanged')
  await run('cancel', '12')
  await run('remove', '12', '--yes')
  expect(stored().map(({ id }) => id)).toEqual(['rally'])
  await expect(run('remove', '12', '--yes')).rejects.toThrow('Event not found: 12.')
})

test('two events whose ids read alike are refused', async () => {
  await using season = await withSeason([{ ...rally, id: 12 }, { ...rally, id: '12' }, rally])
  await expect(season.run('edit', 'rally', '--venue', 'X')).rejects.toThrow('duplicate ID 12')
})
