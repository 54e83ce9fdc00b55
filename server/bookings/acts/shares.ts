import { dayMs } from '#shared/dates/durations.ts'
import { isByDates, type SaleUnit } from '#shared/bookings/sale-units.ts'
import type { DateRange } from '#shared/bookings/bookings.ts'
import { datesFrom, daysBetween, type CivilDate } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { lastDayOf, monthOf } from '#shared/dates/months.ts'
import type { Sender } from '../../shares/claims.ts'
import type { Reached, Shares } from '../../shares/shares.ts'
import { readServiceDays } from '../days/availability.ts'
import type { Booking } from '../schema.ts'
import { daysWithout } from '../days/occupation.ts'
import type { DayStore } from '../store/day-store.ts'
import type { BookingRules } from '../days/rules.ts'
import type { BookingStore } from '../store/store.ts'

/** The noun of claims for dates. */
export const noun = 'booking'

/** What the rules look at. */
type ShareDeps = {
  shares: Shares
  bookings: Pick<BookingStore, 'openOfMailbox'>
  days: Pick<DayStore, 'loads' | 'blocks'>
  rules: () => BookingRules
  clock: () => number
}

/** Days for which a request is kept that never held anything; one that looks doubtful ends then. */
export const parkedDays = 14

/**
 * What a request waits for that holds nothing, and when it ends by itself (milliseconds of the
 * epoch): the link in an email, staff because of a limit, or staff because it may be a robot's.
 * @returns null for one that doesn't wait
 */
export function waitOf(
  shares: Pick<Shares, 'waiting'>,
  { reference, state, requestedAt }: Pick<Booking, 'reference' | 'state' | 'requestedAt'>,
): { for: 'link' | 'staff' | 'check'; until: number } | null {
  if (state !== 'quarantined') return null
  const claim = shares.waiting(noun, reference)
  if (!claim) return { for: 'check', until: requestedAt + parkedDays * dayMs }
  return { for: claim.parked === 'link' ? 'link' : 'staff', until: claim.until }
}

/** A request as far as the limits go. */
type Asked = { service: string; unit: SaleUnit } & DateRange

/** How many days a request claims. */
export const daysOf = ({ unit, from, to }: Omit<Asked, 'service'>): number =>
  isByDates(unit) ? daysBetween(from, to) + 1 : 0

/**
 * Which limit a request for dates is beyond. Ask inside the transaction that takes it.
 * @param options `except` is a booking that moves, which is not in its own way; `isProven` lifts the
 *   share of all strangers together, as the link in an email does
 * @returns null when it may hold its dates
 */
export function limitReached(
  deps: ShareDeps,
  sender: Sender,
  asked: Asked,
  { except, isProven = false }: { except?: Booking; isProven?: boolean } = {},
): Reached | null {
  const { shares, bookings, clock } = deps
  if (!shares.isOn) return null
  const { mailbox, network } = shares.settings().bookings
  const days = daysOf(asked)
  const reference = except?.reference ?? ''
  const open = bookings.openOfMailbox(sender.mailbox, reference)
  if (open.things >= mailbox.requests || open.units + days > mailbox.days) {
    return { parked: 'staff', limit: 'open requests from one mailbox' }
  }
  const taken = shares.claims.heldSince(noun, sender.network, clock() - dayMs, reference)
  if (taken.things >= network.requests || taken.units + days > network.days) {
    return { parked: 'staff', limit: 'requests from one network in a day' }
  }
  return !isProven && days > 0 && isBeyondShareInAll(deps, asked, except)
    ? { parked: 'link', limit: `${asked.service} days held by unanswered requests in a month` }
    : null
}

/**
 * Checks that a visitor may move a booking: so often a day, and within the same limits as a request.
 * @param movedToday how often its visitor has moved it in the last day
 * @throws too-many
 */
export function checkMove(
  deps: ShareDeps,
  booking: Booking,
  { range, movedToday }: { range: DateRange; movedToday: number },
): void {
  const { shares } = deps
  if (!shares.isOn) return
  const claim = shares.claims.find(noun, booking.reference)
  const reached =
    claim &&
    limitReached(
      deps,
      claim,
      { service: booking.service, unit: booking.unit, ...range },
      // Staff have agreed to it once, so its mailbox is known.
      { except: booking, isProven: claim.provenAt !== null || booking.state === 'confirmed' },
    )
  if (movedToday < shares.settings().bookings.moves && !reached) return
  shares.refused(noun, reached?.limit ?? 'moves of one booking in a day')
  throw failure('too-many', {
    message: 'You can’t move this booking again today. Please call or email us instead.',
    retryAfter: dayMs / 1000,
  })
}

/** Whether unanswered requests would hold more days of a month than all of them may together. */
function isBeyondShareInAll(
  { shares, days, rules, clock }: ShareDeps,
  { service, from, to }: Asked,
  except: Booking | undefined,
): boolean {
  const { part, least } = shares.settings().bookings.inAll
  const others = except ? daysWithout(days, except) : days
  const asked = datesFrom(from, to)
  return [...new Set(asked.map(monthOf))].some((month) => {
    const [first, last] = [`${month}-01`, lastDayOf(month)] as [CivilDate, CivilDate]
    const dates = datesFrom(first, last)
    const read = readServiceDays({
      rules: rules(),
      days: others,
      service,
      from: first,
      to: last,
      now: clock(),
      anyDay: true,
    })
    const open = dates.filter((date) => read.closedBecause(date) === null).length
    const loads = others.loads(first, last)
    const isHeld = (date: CivilDate) =>
      (loads.get(date) ?? []).some((load) => load.service === service && load.held > 0)
    const held = dates.filter(isHeld)
    const added = asked.filter((date) => monthOf(date) === month && !held.includes(date))
    return added.length > 0 && held.length + added.length > Math.max(least, Math.floor(open * part))
  })
}

/** What a request waits for that holds nothing, in words for staff. */
export const waitWords = {
  link: 'the link in the email to the client',
  staff: 'your decision: it’s over a limit',
  check: 'your decision: it may be spam',
} as const
