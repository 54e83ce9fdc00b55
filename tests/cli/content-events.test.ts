import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentFiles } from '../support/content-files.ts'
import { runCli } from '../support/run-cli.ts'

const zone = 'Europe/Helsinki'
const event = (id: string, more: object = {}) => ({ id, title: id, start: '2027-06-05', ...more })

async function check(rows: object[]) {
  using files = contentFiles({ 'events.json': rows })
  const { code, out } = await runCli(['content', 'check', '--json'], {
    dataDir: mkdtempSync(join(tmpdir(), 'pitlane-cli-')),
    env: { CONTENT_DIR: files.dir },
  })
  const findings = JSON.parse(out) as { row: string; field: string; problem: string }[]
  return { code, said: findings.map(({ row, field, problem }) => `${row} ${field}: ${problem}`) }
}

test('every mistake in an event is named, drafts included', async () => {
  const { code, said } = await check([
    event('no-day', { start: '2027-02-30', Status: 'draft' }),
    event('backwards', { end: '2027-06-01' }),
    event('no-zone', { start: '2027-06-05T10:00' }),
    event('maybe', { status: 'maybe' }),
    event('twice'),
    event('twice'),
    event('script', { url: 'javascript:alert(1)' }),
    event('gone', { url: '/nowhere' }),
    event('picture', { image: 'missing' }),
    event('linked', { url: '/calendar/twice' }),
    event('timetable', { sessions: '10:00-11:00 Practice\nlater: Race' }),
    event('skipped', { start: '2027-03-28T03:30', end: '2027-03-28T09:00', zone }),
  ])
  expect(code).toBe(1)
  expect(said.toSorted()).toEqual([
    'backwards end: Before the start',
    'gone url: broken link: /nowhere',
    'maybe status: None of scheduled, tbc, postponed, cancelled',
    'no-day start: Not a valid date, or local date and time',
    'no-zone zone: Missing beside a time',
    'picture image: file not found: assets/missing.*',
    'script url: Not an allowed URL',
    'skipped start: the clocks of Europe/Helsinki never show 2027-03-28T03:30: they go forward',
    'timetable sessions: line 2 is not of the form "YYYY-MM-DD HH:MM-HH:MM Title"',
    'twice id: duplicate "twice"',
  ])
})

test('an hour that exists twice is none of the mistakes, nor is any status of an event', async () => {
  const { code, said } = await check([
    event('twice', { start: '2027-10-31T03:30', end: '2027-10-31T09:00', zone }),
    ...['scheduled', 'tbc', 'postponed', 'cancelled'].map((status) => event(status, { status })),
  ])
  expect([code, said]).toEqual([0, []])
})
