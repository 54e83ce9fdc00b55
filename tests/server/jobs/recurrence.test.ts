import { expect, test } from 'vitest'
import { firstDue, nextDue } from '#server/jobs/recurrence.ts'

const iso = (at: number) => new Date(at).toISOString()
const at = (text: string) => Date.parse(text)

test.each([
  ['before its time', '2026-11-20T05:59:00Z', '2026-11-20T06:00:00.000Z'],
  ['at its very time', '2026-11-20T06:00:00Z', '2026-11-21T06:00:00.000Z'],
  ['in the evening', '2026-11-20T20:00:00Z', '2026-11-21T06:00:00.000Z'],
  ['after midnight in Helsinki', '2026-11-20T22:30:00Z', '2026-11-21T06:00:00.000Z'],
  ['in summer', '2026-07-01T12:00:00Z', '2026-07-02T05:00:00.000Z'],
  ['before the clocks go forward', '2026-03-28T12:00:00Z', '2026-03-29T05:00:00.000Z'],
  ['before the clocks go back', '2026-10-24T12:00:00Z', '2026-10-25T06:00:00.000Z'],
])('a job of 08:00, asked %s', (_, now, due) => {
  expect(iso(nextDue({ daily: '08:00' }, at(now)))).toBe(due)
})

test.each([
  ['skipped by the clocks: an hour later', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['on the day after', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00.000Z'],
  ['shown twice: the first counts', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['and never the second', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
])('03:30 is %s', (_, now, due) => {
  expect(iso(nextDue({ daily: '03:30' }, at(now)))).toBe(due)
})

test('every quarter of an hour follows the clock', () => {
  expect(iso(nextDue({ everyMinutes: 15 }, at('2026-11-20T12:07:31Z')))).toBe(
    '2026-11-20T12:15:00.000Z',
  )
  expect(iso(nextDue({ everyMinutes: 15 }, at('2026-11-20T12:15:00Z')))).toBe(
    '2026-11-20T12:30:00.000Z',
  )
})

test('a new daily job waits for its time, and does not wait once that is over', () => {
  expect(iso(firstDue({ daily: '08:00' }, at('2026-11-20T03:00:00Z')))).toBe(
    '2026-11-20T06:00:00.000Z',
  )
  expect(iso(firstDue({ daily: '08:00' }, at('2026-11-20T12:00:00Z')))).toBe(
    '2026-11-20T12:00:00.000Z',
  )
})
