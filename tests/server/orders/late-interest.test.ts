import { array, assert, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import {
  booksSchema,
  fiscalYearEndOf,
  ratesEnd,
  referenceRateOn,
  defaultBooks,
} from '#server/orders/books/settings.ts'
import { lateInterest, lateRateOn } from '#server/orders/payment/reminders.ts'
import { addDays, datesFrom } from '#shared/dates/civil-dates.ts'

const debt = (changes: Partial<Parameters<typeof lateInterest>[1]> = {}) => ({
  owed: 100_000,
  dueOn: '2025-06-20',
  isBusiness: false,
  payments: [],
  heldUp: [],
  ...changes,
})

test('rates are those that the Bank of Finland announced, with the points of the law on top', () => {
  const announced = [
    ['2023-06-30', 2.5],
    ['2023-07-01', 4],
    ['2024-12-31', 4.5],
    ['2025-06-30', 3.5],
    ['2025-07-01', 2.5],
    ['2026-06-30', 2.5],
    ['2026-07-01', null],
  ] as const
  for (const [day, rate] of announced)
    expect([day, referenceRateOn(defaultBooks(), day)]).toEqual([day, rate])
  expect(lateRateOn(defaultBooks(), '2026-03-01', false)).toBe(9.5)
  expect(lateRateOn(defaultBooks(), '2026-03-01', true)).toBe(10.5)
  expect(ratesEnd(defaultBooks())).toBe('2026-06-30')
})

test('interest runs from the day after the due date, by days, through a change of the rate', () => {
  // Ten days at 10.5 %, then ten at 9.5 %, of €1,000.
  expect(lateInterest(defaultBooks(), debt(), '2025-07-11')).toBe(
    Math.round((100_000 * (10 * 105 + 10 * 95)) / 365_000),
  )
  expect(lateInterest(defaultBooks(), debt(), '2025-06-21')).toBe(0)
  expect(lateInterest(defaultBooks(), debt(), '2025-06-22')).toBe(
    Math.round((100_000 * 105) / 365_000),
  )
  expect(lateInterest(defaultBooks(), debt({ isBusiness: true }), '2025-06-22')).toBe(
    Math.round((100_000 * 115) / 365_000),
  )
})

test('what is paid in part costs less from its day on, and days without a rate cost nothing', () => {
  const payments = [{ amount: 40_000, paidOn: '2025-06-26' }]
  expect(lateInterest(defaultBooks(), debt({ payments }), '2025-07-01')).toBe(
    Math.round((100_000 * 5 * 105 + 60_000 * 5 * 105) / 365_000),
  )
  const late = debt({ dueOn: '2026-06-25' })
  expect(lateInterest(defaultBooks(), late, '2026-07-01')).toBe(
    lateInterest(defaultBooks(), late, '2027-07-01'),
  )
})

test('days on which we asked not to pay cost nothing', () => {
  const heldUp = [{ from: '2025-06-10', to: '2025-06-25' }]
  expect(lateInterest(defaultBooks(), debt({ heldUp }), '2025-07-11')).toBe(
    Math.round((100_000 * (5 * 105 + 10 * 95)) / 365_000),
  )
  const open = [{ from: '2025-07-01', to: null }]
  expect(lateInterest(defaultBooks(), debt({ heldUp: open }), '2025-07-11')).toBe(
    lateInterest(defaultBooks(), debt(), '2025-07-01'),
  )
})

test('interest equals a sum day by day, whatever is paid when', () => {
  const payment = record({
    amount: integer({ min: -20_000, max: 60_000 }),
    day: integer({ min: 0, max: 400 }),
  })
  assert(
    property(
      integer({ min: 1, max: 5_000_000 }),
      array(payment, { maxLength: 5 }),
      integer({ min: 0, max: 700 }),
      (owed, given, days) => {
        const payments = given.map(({ amount, day }) => ({
          amount,
          paidOn: addDays('2025-05-01', day),
        }))
        const dueOn = '2025-05-20'
        const until = addDays(dueOn, days)
        let thousandths = 0n
        for (const day of datesFrom(addDays(dueOn, 1), addDays(until, -1))) {
          const rate = referenceRateOn(defaultBooks(), day)
          if (rate === null) continue
          const paid = payments
            .filter(({ paidOn }) => paidOn <= day)
            .reduce((sum, { amount }) => sum + amount, 0)
          thousandths += BigInt(Math.max(0, owed - paid)) * BigInt((rate + 7) * 10)
        }
        const exact = Number((thousandths * 2n + 365_000n) / 730_000n)
        expect(lateInterest(defaultBooks(), debt({ owed, dueOn, payments }), until)).toBe(exact)
      },
    ),
    { numRuns: 40 },
  )
})

test('a fiscal year ends on the day that is set', () => {
  expect(fiscalYearEndOf(defaultBooks(), '2026-11-20')).toBe('2026-12-31')
  expect(fiscalYearEndOf({ fiscalYearEnd: '06-30' }, '2026-06-30')).toBe('2026-06-30')
  expect(fiscalYearEndOf({ fiscalYearEnd: '06-30' }, '2026-07-01')).toBe('2027-06-30')
  expect(fiscalYearEndOf({ fiscalYearEnd: '02-28' }, '2028-02-29')).toBe('2028-02-29')
})

test('settings that break the law or the calendar are refused', () => {
  const wrong = [
    { fiscalYearEnd: '02-31' },
    { late: { consumerFee: 501 } },
    { late: { secondAfter: 13 } },
    { referenceRates: [{ from: '2026-07-02', percent: 2.5 }] },
    { referenceRates: [{ from: '2026-07-01', percent: 2.3 }] },
    { accounts: { goods: '=1+1' } },
    { acounts: {} },
  ]
  for (const settings of wrong)
    expect([settings, booksSchema.safeParse(settings).success]).toEqual([settings, false])
})
