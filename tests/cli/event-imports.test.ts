import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calendar, vevent, withSeason } from '../support/season-cli.ts'

test('times in UTC and without a zone are told by the clock at the venue', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const utc = (uid: string, ...more: string[]) =>
    vevent(
      `UID:${uid}`,
      `SUMMARY:${uid}`,
      'DTSTART:20270605T090000Z',
      'DTEND:20270605T100000Z',
      ...more,
    )
  const floating = vevent('UID:floating', 'SUMMARY:floating', 'DTSTART:20270605T120000')
  const path = file('a.ics', calendar(utc('utc'), floating))
  await expect(run('import', path)).rejects.toThrow('set one with --zone')
  await expect(run('import', path, '--zone', 'Mars/Olympus')).rejects.toThrow(
    'Unknown time zone: Mars/Olympus',
  )
  await run('import', path, '--zone', 'Europe/London', '--series', 'Open Cup')
  expect(stored()).toMatchObject([
    {
      start: '2027-06-05T10:00',
      end: '2027-06-05T11:00',
      zone: 'Europe/London',
      series: 'Open Cup',
    },
    { start: '2027-06-05T12:00', end: null, zone: 'Europe/London' },
  ])
  // Without the option, the calendar or the only zone of the country says it.
  const named = calendar('X-WR-TIMEZONE:Europe/Tallinn', utc('named'))
  await run('import', file('b.ics', named))
  await run('import', file('c.ics', calendar(utc('abroad', 'LOCATION:Spa\\, Belgium'))))
  expect(stored().slice(2)).toMatchObject([
    { start: '2027-06-05T12:00', zone: 'Europe/Tallinn' },
    { start: '2027-06-05T11:00', zone: 'Europe/Brussels', city: 'Spa', country: 'Belgium' },
  ])
})

test('zones are known by the names that Windows and other programs give them', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const at = (uid: string, zone: string, ...more: string[]) =>
    vevent(`UID:${uid}`, `SUMMARY:${uid}`, `DTSTART;TZID=${zone}:20270605T120000`, ...more)
  await run(
    'import',
    file(
      'a.ics',
      calendar(
        at('helsinki', 'FLE Standard Time'),
        at('tallinn', 'FLE Standard Time', 'LOCATION:Tallinn\\, Estonia'),
        at('berlin', '"W. Europe Standard Time"'),
        at('olson', '/freeassociation.sourceforge.net/Europe/Rome'),
      ),
    ),
  )
  expect(stored().map(({ zone, start }) => [zone, start])).toEqual(
    ['Europe/Helsinki', 'Europe/Tallinn', 'Europe/Berlin', 'Europe/Rome'].map((zone) => [
      zone,
      '2027-06-05T12:00',
    ]),
  )
  await expect(run('import', file('b.ics', calendar(at('x', 'Nowhere Time'))))).rejects.toThrow(
    'Event 1 (“x”): unknown time zone: Nowhere Time',
  )
})

test('a repeating event becomes one for each date of the season, without those taken out', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const weekly = [
    vevent(
      'UID:karting',
      'SUMMARY:Karting night',
      'DTSTART;TZID=Europe/Helsinki:20270105T180000',
      'DTEND;TZID=Europe/Helsinki:20270105T210000',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'EXDATE;TZID=Europe/Helsinki:20270112T180000',
    ),
    vevent(
      'UID:karting',
      'RECURRENCE-ID;TZID=Europe/Helsinki:20270119T180000',
      'SUMMARY:Karting final',
      'DTSTART;TZID=Europe/Helsinki:20270120T190000',
      'DTEND;TZID=Europe/Helsinki:20270120T220000',
    ),
  ]
  expect(await run('import', file('a.ics', calendar(...weekly)))).toContain('3 added')
  expect(stored()).toMatchObject([
    { id: 'karting-2027-01-05', start: '2027-01-05T18:00', end: '2027-01-05T21:00' },
    { id: 'karting-2027-01-19', title: 'Karting final', start: '2027-01-20T19:00' },
    { id: 'karting-2027-01-26', start: '2027-01-26T18:00' },
  ])
  const days = (rule: string) =>
    file('b.ics', calendar(vevent('UID:d', 'SUMMARY:D', 'DTSTART;VALUE=DATE:20270612', rule)))
  // A series without an end goes on until the end of next year.
  expect(await run('import', days('RRULE:FREQ=WEEKLY'), '--dry-run')).toContain('29 added')
  await expect(run('import', days('RRULE:FREQ=SECONDLY'))).rejects.toThrow('repeats secondly')
  await expect(run('import', days('RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'))).rejects.toThrow(
    'repeats on a day that never comes',
  )
})

/** A weekly event of May 2027, 10:00 in a zone, with its last date and one left out as times in UTC. */
const weekly = (zone: string) =>
  vevent(
    'UID:weekly',
    'SUMMARY:Cup',
    `DTSTART;TZID=${zone}:20270501T100000`,
    `DTEND;TZID=${zone}:20270501T120000`,
    'RRULE:FREQ=WEEKLY;UNTIL=20270529T070000Z',
    'EXDATE:20270515T070000Z',
  )

/** The rules of Helsinki under a name of the file's own. */
const rulesAs = (name: string, ...more: string[]) =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    ...more,
    'BEGIN:DAYLIGHT',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0300',
    'DTSTART:19700329T030000',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    'TZOFFSETFROM:+0300',
    'TZOFFSETTO:+0200',
    'DTSTART:19701025T040000',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\r\n')

test('the dates of a rule are the same whether or not the file describes its zone', async () => {
  for (const zone of ['Europe/Helsinki', 'FLE Standard Time']) {
    for (const described of [[rulesAs(zone)], []]) {
      await using season = await withSeason()
      const { run, stored, file } = season
      await run('import', file('a.ics', calendar(...described, weekly(zone))))
      expect(stored().map(({ start }) => start)).toEqual(
        ['01', '08', '22', '29'].map((day) => `2027-05-${day}T10:00`),
      )
    }
  }
})

test('a zone of the file’s own is read by its rules, and told by the clock at the venue', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const custom = '(UTC+02:00) Helsinki\\, Kyiv\\, Riga'
  const at = (uid: string, zone: string, ...more: string[]) =>
    vevent(`UID:${uid}`, `SUMMARY:${uid}`, `DTSTART;TZID=${zone}:20270605T120000`, ...more)
  const own = file(
    'a.ics',
    calendar(rulesAs(custom), at('own', `"${custom.replaceAll('\\', '')}"`)),
  )
  await expect(run('import', own)).rejects.toThrow(
    'unknown time zone: (UTC+02:00) Helsinki, Kyiv, Riga; set one with --zone',
  )
  await run('import', own, '--zone', 'Europe/Stockholm')
  await run(
    'import',
    file(
      'b.ics',
      calendar(
        rulesAs('Here', 'X-LIC-LOCATION:Europe/Helsinki'),
        rulesAs('There'),
        at('here', 'Here'),
        at('there', 'There', 'LOCATION:Suzuka\\, Japan'),
      ),
    ),
  )
  expect(stored()).toMatchObject([
    { start: '2027-06-05T11:00', zone: 'Europe/Stockholm' },
    { start: '2027-06-05T12:00', zone: 'Europe/Helsinki' },
    { start: '2027-06-05T18:00', zone: 'Asia/Tokyo' },
  ])
})

test('no date is lost or doubled: whole days from midnight, a first date beside others, dates without their event', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const zone = 'TZID=Europe/Helsinki'
  const single = (date: string) =>
    vevent(
      'UID:single',
      'SUMMARY:Round',
      `RECURRENCE-ID;${zone}:${date}T100000`,
      `DTSTART;${zone}:${date}T110000`,
    )
  const outlook = calendar(
    vevent(
      'UID:days',
      'SUMMARY:Two\\nwhole days',
      `DTSTART;${zone}:20270605T000000`,
      `DTEND;${zone}:20270607T000000`,
      'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
    ),
    vevent(
      'UID:listed',
      'SUMMARY:Listed',
      'DTSTART;VALUE=DATE:20270612',
      'RDATE;VALUE=DATE:20270619',
    ),
  )
  // Two calendars in one file, as of someone who joins them.
  const joined = outlook + calendar(single('20270703'), single('20270710'))
  expect(await run('import', file('a.ics', joined))).toContain('5 added')
  expect(stored()).toMatchObject([
    { id: 'days', title: 'Two whole days', start: '2027-06-05', end: '2027-06-06' },
    { id: 'listed-2027-06-12', start: '2027-06-12' },
    { id: 'listed-2027-06-19', start: '2027-06-19' },
    { id: 'single-2027-07-03', start: '2027-07-03T11:00' },
    { id: 'single-2027-07-10', start: '2027-07-10T11:00' },
  ])
})

test('descriptions lose their markup, and places are split into venue, city and country', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const at = (uid: string, location: string, ...more: string[]) =>
    vevent(
      `UID:${uid}`,
      `SUMMARY:${uid}`,
      'DTSTART;VALUE=DATE:20270605',
      `LOCATION:${location}`,
      ...more,
    )
  await run(
    'import',
    file(
      'a.ics',
      calendar(
        at(
          'a',
          'Kymiring\\, Kausantie 1\\, 47450 Iitti\\, Finland',
          'DESCRIPTION:<p>Two <b>heats</b> &amp\\; a final.</p><script>alert(1)</script><p>Gates at 9</p>',
        ),
        at('b', 'Monza\\, Italy'),
        at('c', 'Circuit of the Americas\\, Austin\\, TX\\, USA'),
        at('d', 'Autodromo Nazionale Monza\\nMonza\\nItalia'),
        at('e', 'Ahvenisto'),
        at('f', 'Silverstone Circuit\\, Towcester\\, UK'),
      ),
    ),
  )
  expect(
    stored().map(({ venue = null, city = null, country = null }) => [venue, city, country]),
  ).toEqual([
    ['Kymiring', 'Iitti', 'Finland'],
    [null, 'Monza', 'Italy'],
    ['Circuit of the Americas', 'Austin', 'United States'],
    ['Autodromo Nazionale Monza', 'Monza', 'Italy'],
    ['Ahvenisto', null, null],
    ['Silverstone Circuit', 'Towcester', 'United Kingdom'],
  ])
  expect(stored()[0]?.description).toBe('Two heats & a final.\n\nGates at 9')
})

test('a bad row is named with what is wrong, and left out when asked to', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const table = file(
    'a.csv',
    'title,start,end\nGood,2027-09-05,\n,2027-09-06,\nBack,2027-09-06,2027-09-01\nMany,2027-09-07,,,\nThis too,2027-09-08,\n',
  )
  await expect(run('import', table)).rejects.toThrow(
    /Nothing was changed[\s\S]*Line 3: no title[\s\S]*Line 4: end: Before the start[\s\S]*Line 5: has more cells/,
  )
  expect(stored()).toEqual([])
  const said = await run('import', table, '--skip-bad')
  expect(said).toContain('2 added')
  expect(said).toContain('Skipped: Line 4: end: Before the start')
  expect(stored().map(({ title }) => title)).toEqual(['Good', 'This too'])
  const broken = vevent('UID:bad', 'SUMMARY:Bad', 'DTSTART:tomorrow')
  const fine = vevent('UID:fine', 'SUMMARY:Fine', 'DTSTART;VALUE=DATE:20270605')
  const ics = await run('import', file('b.ics', calendar(broken, fine)), '--skip-bad')
  expect(ics).toMatch(/1 added[\s\S]*Skipped: Event 1 \(“Bad”\)/)
})

test('a table with two events of one title and year is refused, where one would replace the other', async () => {
  await using season = await withSeason()
  const { file, run, stored } = season
  const days = 'title,start\nTrack day,2027-04-10\nTrack day,2027-05-08\n'
  await expect(run('import', file('a.csv', days))).rejects.toThrow(
    'Line 3: the same ID as line 2, “track-day-2027”: give each its own in a column “id”',
  )
  expect(stored()).toEqual([])
  const named = days.replace('start', 'start,id').replace('-04-10', '-04-10,april')
  expect(await run('import', file('b.csv', named))).toContain('2 added')
  const again = `${named}Track day,2027-05-08\n`
  expect(await run('import', file('c.csv', again))).toContain('0 added, 0 changed, 3 unchanged')
})

test('events of a calendar that share their UID, or have none, are named where one would replace the other', async () => {
  await using season = await withSeason()
  const { file, run, stored } = season
  const day = (uid: string, title: string, date: string, ...more: string[]) =>
    vevent(
      ...(uid ? [`UID:${uid}`] : []),
      `SUMMARY:${title}`,
      `DTSTART;VALUE=DATE:${date}`,
      ...more,
    )
  const copied = calendar(
    day('1', 'One', '20270410'),
    day('1', 'Two', '20270510'),
    day('', 'Open day', '20270411'),
    day('', 'Open day', '20270511'),
  )
  await expect(run('import', file('a.ics', copied))).rejects.toThrow(
    /Event 2 \(“Two”\): the same ID as event 1 \(“One”\), “1”: give each its own UID[\s\S]*Event 4 \(“Open day”\): the same ID as event 3/,
  )
  const revised = calendar(
    day('2', 'New date', '20270510', 'SEQUENCE:2'),
    day('2', 'Old date', '20270410', 'SEQUENCE:1'),
  )
  expect(await run('import', file('b.ics', revised))).toContain('1 added')
  expect(stored()).toMatchObject([{ title: 'New date', start: '2027-05-10' }])
})

test('a table as a Finnish office saves it is read: Windows-1252, semicolons, dates with dots', async () => {
  await using season = await withSeason()
  const { run, stored, file } = season
  const text =
    'Title;Start;End;City;Country;Zone\r\nJyväskylän ralli;1.10.2027;2.10.2027;Jyväskylä;Finland;\r\nIltakisa;5.6.2027 18.00;5.6.2027 klo 21:30;Hämeenlinna;Finland;\r\n'
  await run('import', file('a.csv', Buffer.from(text, 'latin1')))
  expect(stored()).toMatchObject([
    { title: 'Jyväskylän ralli', start: '2027-10-01', end: '2027-10-02', city: 'Jyväskylä' },
    { start: '2027-06-05T18:00', end: '2027-06-05T21:30', zone: 'Europe/Helsinki' },
  ])
  await expect(run('import', file('b.csv', 'title;start\nNever;31.2.2027\n'))).rejects.toThrow(
    'Line 2: 31.2.2027 is not a date',
  )
})

test('a change that a crash cut off is in nobody’s way, one that is under way is said', async () => {
  await using season = await withSeason()
  const { run, stored, file, files } = season
  const path = file(
    'a.ics',
    calendar(vevent('UID:one', 'SUMMARY:One', 'DTSTART;TZID=Europe/Helsinki:20270605T120000')),
  )
  // Under the process ID that a container gives to each run.
  const part = join(files.dir, `.events.${process.pid}.part`)
  writeFileSync(part, '[')
  await expect(run('import', path)).rejects.toThrow(
    'events.json is being changed by someone else; try again.',
  )
  utimesSync(part, 1, 1)
  await run('import', path)
  expect(stored()).toHaveLength(1)
  expect(existsSync(part)).toBe(false)
})
