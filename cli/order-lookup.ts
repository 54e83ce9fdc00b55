import { InvalidArgumentError } from 'commander'
import type { Context } from '#server/context.ts'
import { normalReference } from '#server/ids.ts'
import type { Order } from '#server/orders/order.ts'
import { parseEuros } from '#shared/money.ts'
import { harmless } from './terminal.ts'

/** An order by its number, whatever its spelling. @throws when there is none */
export function mustFind({ features }: Context, number: string): Order {
  const order = features.orders.actions.orders.find(normalReference(number))
  if (!order) throw new Error(`There is no order ${harmless(number)}.`)
  return order
}

/** An amount of an option, in cents. */
export function cents(text: string): number {
  const amount = parseEuros(text)
  if (amount !== null && amount > 0 && amount <= 100_000_000) return amount
  throw new InvalidArgumentError('Use euros such as 89.00.')
}
