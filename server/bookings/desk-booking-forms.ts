import type { DeskAct } from '#shared/desk/things.ts'
import type { BookingActions } from './acts/acts.ts'
import type { Booking } from './schema.ts'

/** What the acts of a booking are offered from. */
export type Offering = { actions: BookingActions; clock: () => number }

/** An act with its form; false where it isn’t offered. */
export type Offered = DeskAct | false

/** Lines of a hint, each a paragraph. */
export const lines = (...said: (string | false | null)[]): string => said.filter(Boolean).join('\n')

/** When the client hears of a decision that can be undone. */
export function heard({ mails }: Booking, { actions }: Offering, isFinal = false): string {
  if (!mails) return 'The client gets no emails about this booking.'
  const { undoMinutes } = actions.rules()
  if (undoMinutes === 0) return 'The client gets an email at once.'
  return `The client’s email goes out after ${undoMinutes} minutes${isFinal ? '' : '; until then you can undo this'}.`
}
