import { expect } from 'vitest'
import { sum, times } from '#shared/money.ts'
import type { Invoice } from '#server/orders/schema.ts'
import type { Order } from '#server/orders/order.ts'

/** Checks that an order and its invoice say the same, to the cent. */
export function toBeWhole(order: Order, invoice: Invoice): void {
  for (const { unit, quantity, total } of order.lines) expect(total).toBe(times(unit, quantity))
  expect(sum([order.shipping, ...order.lines.map(({ total }) => total)])).toBe(order.total)
  const { document } = invoice
  expect([invoice.total, document.total]).toEqual([order.total, order.total])
  expect(sum(document.lines.map(({ total }) => total))).toBe(order.total)
  expect(sum(document.vat.map(({ gross }) => gross))).toBe(order.total)
  for (const { net, vat, gross } of document.vat) expect(net + vat).toBe(gross)
}
