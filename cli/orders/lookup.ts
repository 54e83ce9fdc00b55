import { civilDate } from '#shared/dates/civil-dates.ts'
import { InvalidArgumentError } from 'commander'
import type { Context } from '#server/context.ts'
import type { Order } from '#server/orders/feature.ts'
import { euros, parseEuros } from '#shared/money.ts'
import { findByName } from '../common/named.ts'
import { minute } from '../common/print.ts'

/**
 * An order by its number, whatever its spelling, by the number or payment reference of its invoice, or by
 * the name, company or address of its buyer. Part of a number is none, so that a slip never means another
 * order.
 * @throws when there is none; AmbiguousName when there are several
 */
export function mustFind({ features }: Context, given: string): Order {
  const { actions } = features.orders
  const order = actions.ofNumber(given)
  if (order) return order
  const ofDocument = actions.ofDocument(given)
  const isDocument = ofDocument.length > 0
  return findByName('Order', given, isDocument ? ofDocument : [...actions.orders.newest()], {
    namesOf: ({ name, company, email }) => (isDocument ? [given] : [name, company, email]),
    about: ({ number, state, placedAt, company, name, email, total }) =>
      [number, state, minute(placedAt), company ?? name, email, euros(total)].join('  '),
  })
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
