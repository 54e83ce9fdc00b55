import { array, assert, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { lowestBefore, priceAt, type RecordedPrice } from '#server/shop/catalogue/price-history.ts'

const day = 86_400_000
const at = (days: number) => Date.UTC(2026, 0, 1) + days * day
const price = (cents: number, from: number, until: number | null = null): RecordedPrice => ({
  price: cents,
  fromAt: at(from),
  untilAt: until === null ? null : at(until),
})

test('the latest price that has begun counts', () => {
  const history = [price(100, 0), price(120, 10), price(90, 40)]
  expect(priceAt(history, at(-1))).toBeNull()
  expect(priceAt(history, at(9))).toEqual({ price: 100, before: null })
  expect(priceAt(history, at(10))).toEqual({ price: 120, before: null })
})

test('a reduction shows the lowest price of the thirty days before it, and ends', () => {
  const history = [price(100, 0), price(120, 50), price(80, 60, 70)]
  expect(priceAt(history, at(60))).toEqual({ price: 80, before: 100 })
  expect(priceAt(history, at(70))).toEqual({ price: 120, before: null })
})

test('a price that ended more than thirty days before counts no more', () => {
  const history = [price(90, 0), price(120, 10), price(100, 60, 70)]
  expect(priceAt(history, at(65))).toEqual({ price: 100, before: 120 })
})

test('an earlier reduction within the thirty days is the price to tell', () => {
  const history = [price(120, 0), price(70, 40, 45), price(100, 60, 70)]
  expect(lowestBefore(history, at(60))).toBe(70)
})

test('a reduction is not announced when a lower price came after it was planned', () => {
  const history = [price(95, 0), price(79, 60, 70), price(75, 50, 55)]
  expect(priceAt(history, at(52))).toEqual({ price: 75, before: 95 })
  expect(priceAt(history, at(65))).toEqual({ price: 79, before: null })
  const same = [price(95, 0), price(79, 40, 45), price(79, 60, 70)]
  expect(priceAt(same, at(65))).toEqual({ price: 79, before: null })
})

test('without a history of thirty days there is nothing to tell', () => {
  expect(lowestBefore([price(100, 40)], at(60))).toBeNull()
})

test('the announced lowest price is at most any price of the last thirty days', () => {
  const histories = array(
    record({ cents: integer({ min: 1, max: 1000 }), from: integer({ min: 0, max: 100 }) }),
    { minLength: 1, maxLength: 12 },
  )
  assert(
    property(histories, (drawn) => {
      const history = [price(500, -40), ...drawn.map(({ cents, from }) => price(cents, from))]
      const told = lowestBefore(history, at(100))!
      for (let days = 70; days < 100; days += 1) {
        expect(told).toBeLessThanOrEqual(priceAt(history, at(days))!.price)
      }
    }),
  )
})
