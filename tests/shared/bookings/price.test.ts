import { expect, test } from 'vitest'
import { lineOf, ratedAt, roundVatOnTotal, totalOf } from '#shared/bookings/price.ts'
import { vatTable } from '#shared/money.ts'

test('the VAT of lines is rounded once, by at most a cent of a line, and an invoice comes to the same', () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 500; round += 1) {
    const rate = [25.5, 13.5, 24, 0][random(4)]!
    const lines = Array.from({ length: 1 + random(9) }, (_, at) =>
      lineOf(
        {
          kind: at > 0 && random(6) === 0 ? 'discount' : 'service',
          text: 'Work',
          quantity: 1 + random(3),
          price: 50_000 + random(400_000),
        },
        rate,
      ),
    ).map((line) =>
      line.kind === 'discount' ? lineOf({ ...line, price: (-line.price / 10) | 0 }, rate) : line,
    )
    const rounded = roundVatOnTotal(lines)
    const { net, vat, gross } = totalOf(rounded)
    expect(vatTable(rounded)).toEqual([{ rate, net, vat, gross }])
    expect(net).toBe(totalOf(lines).net)
    for (const [at, line] of rounded.entries()) {
      expect(Math.abs(line.gross - lines[at]!.gross)).toBeLessThanOrEqual(1)
    }
    expect(roundVatOnTotal(rounded)).toEqual(rounded)
    // What was agreed on stays as it was while its rate does.
    expect(ratedAt(lines, rate)).toEqual(lines)
  }
})
