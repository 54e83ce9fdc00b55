import { CommanderError } from 'commander'
import { parseEuros } from '#shared/money.ts'

/** Wrong use of an argument, as commander has it. */
const wrong = (message: string) => new CommanderError(2, 'pitlane.argument', message)

const fail = (message: string): never => {
  console.error(`error: ${message}`)
  throw wrong(message)
}

/** A price in euros, as cents. @throws CommanderError */
export function cents(text: string): number {
  const amount = parseEuros(text)
  return amount !== null && amount >= 0 && amount <= 10_000_000
    ? amount
    : fail('Use a price in euros such as 89.00.')
}

/** The handle of a product. @throws CommanderError */
export const handle = (text: string): string =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 100
    ? text
    : fail('Use lower-case letters, digits and single hyphens.')

/** Reads `12`, `+5` or `unlimited`. @throws CommanderError */
export function pieces(text: string): { pieces: number | null } | { added: number } {
  if (text === 'unlimited') return { pieces: null }
  if (/^\d{1,6}$/.test(text)) return { pieces: Number(text) }
  if (/^\+\d{1,6}$/.test(text)) return { added: Number(text) }
  return fail('Use a whole number of pieces, +5 for more, or "unlimited".')
}
