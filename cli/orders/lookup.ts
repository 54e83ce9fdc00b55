import { civilDate } from '#shared/civil-dates.ts'
import { InvalidArgumentError } from 'commander'
import type { Context } from '#server/context.ts'
import type { Order } from '#server/orders/feature.ts'
import { parseEuros } from '#shared/money.ts'
import { harmless } from '../common/terminal.ts'

/** An order by its number, whatever its spelling. @throws when there is none */
export function mustFind({ features }: Context, number: string): Order {
  const order = features.orders.actions.ofNumber(number)
  if (!order) throw new Error(`Order not found: ${harmless(number)}.`)
  return order
}

/** An amount of an option, in cents. */
export function cents(text: string): number {
  const amount = parseEuros(text)
  if (amount !== null && amount > 0 && amount <= 100_000_000) return amount
  throw new InvalidArgumentError('Use euros such as 89.00.')
}

/** A civil date of an option. */
export function day(text: string): string {
  const date = civilDate(text)
  if (date) return date
  throw new InvalidArgumentError('Use YYYY-MM-DD.')
}
