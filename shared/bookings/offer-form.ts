import type { Entries } from '../forms/form.ts'
import { parseEuros } from '../money.ts'

/** Reads fields that may stay empty. */
const typedIn = (entries: Entries) => (name: string) => entries[name]?.trim() || undefined

/** The rows of the form in which a line of the offer was begun. */
const rowsOf = (entries: Entries): string[] =>
  Object.keys(entries).flatMap((name) =>
    name.startsWith('text-') && entries[name]?.trim() ? [name.slice('text-'.length)] : [],
  )

/**
 * An offer as it was typed: `text-1`, `quantity-1` and `price-1` of each row, and the fields of
 * `offerEntries` beside them. A text that isn't an amount goes on as it is, and is refused.
 */
export function offerOf(entries: Entries) {
  const typed = typedIn(entries)
  const amount = (name: string) => {
    const text = typed(name)
    return text && (parseEuros(text) ?? text)
  }
  const lines = rowsOf(entries).map((row) => ({
    text: typed(`text-${row}`),
    quantity: Number(typed(`quantity-${row}`) ?? 1),
    price: amount(`price-${row}`),
  }))
  return {
    ...(lines.length > 0 && { lines }),
    keepLines: typed('keepLines') !== undefined,
    travel: amount('travel'),
    discount: amount('discount'),
    from: typed('from'),
    to: typed('to'),
    validUntil: typed('validUntil'),
  }
}

/** The form's name of a field of an offer: `lines.0.price` is the price of its first row. */
export function offerField(key: string, entries: Entries): string {
  const [, at, field] = /^lines\.(\d+)\.(\w+)$/.exec(key) ?? []
  return at === undefined ? key : `${field}-${rowsOf(entries)[Number(at)]}`
}
