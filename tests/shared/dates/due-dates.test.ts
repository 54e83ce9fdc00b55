import { expect, test } from 'vitest'
import { addDays, datesFrom } from '#shared/dates/civil-dates.ts'
import { lastDueBefore, payableUntil } from '#shared/dates/due-dates.ts'

test('what is due on a day without banks is paid in time on the next working day', () => {
  const days = [
    ['2026-12-04', '2026-12-04'],
    ['2026-12-05', '2026-12-07'],
    ['2026-12-24', '2026-12-28'],
    ['2027-01-01', '2027-01-04'],
    ['2027-01-06', '2027-01-07'],
    ['2027-03-26', '2027-03-30'],
  ] as const
  for (const [dueOn, until] of days) expect([dueOn, payableUntil(dueOn)]).toEqual([dueOn, until])
})

test('a debt is late on a day exactly if it could be paid in time on no day from then on', () => {
  for (const today of datesFrom('2026-12-01', '2027-04-15')) {
    for (const dueOn of datesFrom(addDays(today, -9), addDays(today, 2))) {
      expect([today, dueOn, dueOn <= lastDueBefore(today)]).toEqual([
        today,
        dueOn,
        payableUntil(dueOn) < today,
      ])
    }
  }
})
