import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decimal,
  euros,
  grossOf,
  netOf,
  parseEuros,
  shared,
  sum,
  times,
  vatRate,
  vatTable,
  vatText,
} from '#shared/money.ts'

const rates = [25.5, 13.5, 10, 0, 24, 14]
const rate = fc.constantFrom(...rates)
const amount = fc.integer({ min: -100_000_000, max: 100_000_000 })
const line = fc.record({ gross: amount, rate })

test.each([
  ['general', '2026-11-20', 25.5],
  ['general', '2024-08-31', 24],
  ['general', '2024-09-01', 25.5],
  ['reduced', '2025-12-31', 14],
  ['reduced', '2026-01-01', 13.5],
  ['press', '2026-11-20', 10],
  ['none', '2026-11-20', 0],
] as const)('the %s rate on %s is %d %%', (vatClass, date, expected) => {
  expect(vatRate(vatClass, date)).toBe(expected)
})

test('a day without a known rate is an error', () => {
  expect(() => vatRate('general', '2012-12-31')).toThrow(RangeError)
})

test.each([
  [4999, 25.5, 3983],
  [-4999, 25.5, -3983],
  [1, 25.5, 1],
  [0, 25.5, 0],
  [11350, 13.5, 10000],
  [110, 10, 100],
  [77, 0, 77],
])('%d cents with %d %% are %d without', (gross, percent, net) => {
  expect(netOf(gross, percent)).toBe(net)
})

test('net and VAT of every rate make its gross, and all gross makes the total', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const table = vatTable(lines)
      for (const { rate: each, net, vat, gross } of table) {
        expect(net + vat).toBe(gross)
        expect(gross).toBe(sum(lines.filter((one) => one.rate === each).map((one) => one.gross)))
        expect(Math.abs(net * (1 + each / 100) - gross)).toBeLessThanOrEqual(
          0.5 * (1 + each / 100) + 1e-6,
        )
      }
      expect(sum(table.map(({ gross }) => gross))).toBe(sum(lines.map(({ gross }) => gross)))
    }),
  )
})

test('a credit note brings every sum back to zero', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      const back = vatTable(lines.map(({ gross, rate: each }) => ({ gross: -gross, rate: each })))
      for (const [index, { net, vat, gross }] of vatTable(lines).entries()) {
        expect([
          net + back[index]!.net,
          vat + back[index]!.vat,
          gross + back[index]!.gross,
        ]).toEqual([0, 0, 0])
      }
    }),
  )
})

test('VAT put on a net amount comes off again', () => {
  fc.assert(
    fc.property(amount, rate, (net, each) => {
      expect(netOf(grossOf(net, each), each)).toBe(net)
    }),
  )
})

test('parts by weight make the whole to the cent, and are fair to a cent', () => {
  fc.assert(
    fc.property(
      amount,
      fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 20 }),
      (whole, weights) => {
        const parts = shared(whole, weights)
        expect(sum(parts)).toBe(whole)
        const all = weights.reduce((a, b) => a + b, 0)
        for (const [index, part] of parts.entries()) {
          const ideal = all === 0 ? whole / weights.length : (whole * weights[index]!) / all
          expect(Math.abs(part - ideal)).toBeLessThan(1)
        }
      },
    ),
  )
  expect(shared(100, [1, 1, 1])).toEqual([34, 33, 33])
  expect(shared(5, [])).toEqual([])
})

test('amounts are written and read without a cent of loss', () => {
  fc.assert(
    fc.property(amount, (cents) => {
      expect(parseEuros(decimal(cents))).toBe(cents)
    }),
  )
})

test.each([
  ['12', 1200],
  ['12.5', 1250],
  ['12,50', 1250],
  [' 0.07 ', 7],
  ['-3.00', -300],
  ['−3.00', -300],
  ['-0', 0],
])('%s is %d cents', (text, cents) => {
  expect(parseEuros(text)).toBe(cents)
})

test.each(['', '1.234', '1e3', '0x10', '1 000', '€5', '12.', '.5', '--1', 'NaN', '9'.repeat(14)])(
  '"%s" is no amount',
  (text) => {
    expect(parseEuros(text)).toBeNull()
  },
)

test('amounts for people', () => {
  expect(euros(123_450)).toBe('€1,234.50')
  expect(euros(-7)).toBe('−€0.07')
  expect(vatText(25.5)).toBe('25.5 %')
  expect(vatText(10)).toBe('10 %')
})

test('every amount reads as the language has it', () => {
  const { format } = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (cents) => {
      fc.pre(cents !== 0)
      expect(euros(cents)).toBe(
        format(decimal(cents) as Intl.StringNumericLiteral).replace('-', '−'),
      )
    }),
  )
  expect(euros(0)).toBe('€0.00')
})

test('fractions of a cent and numbers beyond exactness are errors', () => {
  for (const wrong of [0.5, Number.NaN, Infinity, 2 ** 53]) {
    expect(() => netOf(wrong, 25.5)).toThrow(RangeError)
    expect(() => sum([wrong])).toThrow(RangeError)
  }
  expect(() => times(2 ** 52, 4)).toThrow(RangeError)
  expect(times(1999, 3)).toBe(5997)
})
