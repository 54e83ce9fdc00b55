import { array, assert, asyncProperty, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { netOf, sum, times, vatTable } from '#shared/money.ts'
import { toBeWhole } from '../../support/orders.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'
import type { Cart } from '#shared/shop/shop.ts'

const rate = constantFrom(25.5, 13.5, 10, 0)
const line = record({
  unit: integer({ min: 0, max: 10_000_000 }),
  quantity: integer({ min: 1, max: 20 }),
  rate,
})

test('lines make the total, and net and VAT of every rate make its gross', () => {
  assert(
    property(array(line, { minLength: 1, maxLength: 40 }), (lines) => {
      const parts = lines.map(({ unit, quantity, rate: of }) => ({
        gross: times(unit, quantity),
        rate: of,
      }))
      const table = vatTable(parts)
      expect(sum(table.map(({ gross }) => gross))).toBe(sum(parts.map(({ gross }) => gross)))
      expect(new Set(table.map(({ rate: of }) => of)).size).toBe(table.length)
      for (const { net, vat, gross, rate: of } of table) {
        expect(net + vat).toBe(gross)
        // Exact to half a cent: gross / (1 + rate) in thousandths, without fractions.
        const divisor = 1000 + Math.round(of * 10)
        expect(Math.abs(net * divisor - gross * 1000) * 2).toBeLessThanOrEqual(divisor)
      }
    }),
  )
})

test('the net of a negative amount is the negative of the net', () => {
  assert(
    property(integer({ min: 0, max: 1_000_000_000 }), rate, (gross, of) => {
      expect(netOf(-gross, of) + netOf(gross, of)).toBe(0)
    }),
  )
})

test('orders of any cart are whole, and their credit notes return everything to zero', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const { catalogue } = site.context.features.shop
  const { actions } = site.context.features.orders
  const variants = catalogue
    .list()
    .flatMap(({ handle, variants: all }) =>
      all
        .filter(({ stock }) => stock === null || stock > 60)
        .map(({ variant }) => ({ handle, variant })),
    )
  const wish = record({
    which: constantFrom(...variants),
    quantity: integer({ min: 1, max: 3 }),
  })
  let shoppers = 0
  await assert(
    asyncProperty(
      array(wish, { minLength: 1, maxLength: 6 }),
      constantFrom<Record<string, string>>(
        { country: 'FI' },
        { country: 'AX', postcode: '22100' },
        { country: 'SE' },
        { country: 'US', state: 'IN' },
        { country: 'DE', vatId: 'DE136695976', company: 'Nordschleife GmbH' },
      ),
      async (wishes, place) => {
        const visitor = shopper(site, `127.1.${(shoppers += 1)}.1`)
        for (const { which, quantity } of wishes) {
          await visitor.put(which.handle, which.variant, quantity)
        }
        const quote = await visitor.post('/api/shop/cart/quote', place)
        const { total } = quote.json as Cart
        const reply = await visitor.post(
          '/api/shop/checkout',
          checkoutOf({ expectedTotal: total, digitalWaiver: true, ...place }),
        )
        expect([reply.status, reply.json?.total]).toEqual([201, total])
        const order = actions.orders.find(String(reply.json?.order))!
        const invoice = actions.invoiceOf(order)!
        toBeWhole(order, invoice)
        await actions.cancel(order.number, 'mika')
        const credit = actions.invoices.ofOrder(order.id).at(-1)!
        expect(credit.document.refersTo).toBe(invoice.number)
        expect(credit.total + invoice.total).toBe(0)
        const both = [...invoice.document.vat, ...credit.document.vat]
        for (const part of ['net', 'vat', 'gross'] as const) {
          for (const of of new Set(both.map((each) => each.rate))) {
            expect(sum(both.filter((each) => each.rate === of).map((each) => each[part]))).toBe(0)
          }
        }
      },
    ),
    { numRuns: 25 },
  )
})
