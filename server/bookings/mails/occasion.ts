import type { Booking } from '../schema.ts'

/** What has happened to a booking, as its emails tell it. */
export const occasions = [
  'requested',
  'request-moved',
  'moved',
  'edited',
  'offered',
  'confirmed',
  'change-asked',
  'change-confirmed',
  'change-declined',
  'change-expired',
  'change-withdrawn',
  'declined',
  'cancelled',
  'expired',
  'quarantined',
  'undone',
] as const

/** One of {@link occasions}. */
export type Occasion = (typeof occasions)[number]

/** Who did it, as far as emails tell it. */
export const doers = ['visitor', 'staff', 'system'] as const

/** One of {@link doers}. */
export type Doer = (typeof doers)[number]

/** Who changes a booking, as far as it matters here. */
type Who = { name: string; isVisitor: boolean }

/** The actor of what happens because its time has come. */
export const system: Who = { name: 'system', isVisitor: false }

export const doerOf = ({ name, isVisitor }: Who): Doer => {
  if (isVisitor) return 'visitor'
  return name === system.name ? 'system' : 'staff'
}

/** What has happened between two states of a booking; `before` is null for a new one. */
export function occasionOf(before: Booking | null, after: Booking, actor: Who): Occasion {
  const { state } = after
  if (before === null || state !== before.state) return state
  const isMoved = before.from !== after.from || before.to !== after.to
  if (state === 'confirmed' && after.change && after.change.askedAt !== before.change?.askedAt) {
    return 'change-asked'
  }
  if (state === 'confirmed' && before.change && !after.change) {
    if (isMoved) return before.change.from === after.from ? 'change-confirmed' : 'moved'
    const endings = { visitor: 'withdrawn', staff: 'declined', system: 'expired' } as const
    return `change-${endings[doerOf(actor)]}`
  }
  if (!isMoved) return 'edited'
  return actor.isVisitor ? 'request-moved' : 'moved'
}
