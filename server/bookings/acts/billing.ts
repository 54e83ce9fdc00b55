import { hasStates } from '#shared/shop/address-rules.ts'
import type { BillingEdit } from '#shared/bookings/visitor-page.ts'
import { ratedAt } from '#shared/bookings/price.ts'
import { failure } from '#shared/failures.ts'
import { grossOf } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { known } from '../access.ts'
import { createNotices, type Actor } from '../mails/notices.ts'
import { billingOf, type Booking } from '../schema.ts'
import type { BookingStore } from '../store/store.ts'
import { assertOpenTo, assertSeen } from './changes.ts'
import { checkCountry, checkPostcode, checkRegion } from './checks.ts'
import type { BookingBilling } from './ending.ts'

/**
 * Reprices a booking at the VAT rate of the invoiced party. Net prices are as agreed; the rate follows
 * the law.
 */
const ratedFor = (
  booking: Booking,
  { rate, now }: { rate: number; now: number },
): Pick<Booking, 'lines' | 'offer' | 'agreement' | 'fee'> => {
  const { lines, offer: offered, agreement, fee } = booking
  const rated = (some: Booking['lines']) => ratedAt(some, rate)
  const gross = fee && grossOf(fee.net, rate)
  const billing = billingOf(booking)
  return {
    lines: rated(lines),
    offer: offered && { ...offered, lines: rated(offered.lines) },
    agreement: agreement && {
      ...agreement,
      lines: rated(agreement.lines),
      ...(JSON.stringify(agreement.billing) !== JSON.stringify(billing) && {
        billing,
        billedAt: now,
      }),
    },
    // Rounding again could change a fee at the same rate by a cent.
    fee:
      fee && gross !== null && lines[0]?.rate !== rate
        ? { ...fee, vat: gross - fee.net, gross }
        : fee,
  }
}

/** Whether a booking would stay as it is; what VIES says once more is no change. */
const isLike = (booking: Booking, { vatCheck, ...next }: Partial<Booking>): boolean =>
  booking.vatCheck?.state === vatCheck?.state &&
  Object.entries(next).every(
    ([name, value]) => JSON.stringify(booking[name as keyof Booking]) === JSON.stringify(value),
  )

/** The person recorded as issuing an invoice, and the seller. */
type By = { actor: string; seller: Awaited<ReturnType<BookingBilling['seller']>> }

/** Sets the billing details of bookings. */
export function billingActs(
  platform: Platform,
  {
    bookings,
    billing,
    askDeposit,
  }: {
    bookings: BookingStore
    billing: BookingBilling
    /** Invoices the deposit that was agreed, as soon as its invoice has all it needs. */
    askDeposit: (tx: Transaction, booking: Booking, by: By) => void
  },
) {
  const { commit, clock, outbox } = platform
  const { recordInTimeline } = createNotices(platform)
  return {
    /**
     * Saves billing details; the VAT rate follows. Omitted fields stay, null clears one. A deposit that
     * was waiting for them is invoiced. Entries that are there already leave the booking as it is.
     * @throws wrong-state once the booking is over, invalid by field, missing
     */
    async setBilling(reference: string, actor: Actor, entries: BillingEdit): Promise<Booking> {
      checkCountry(entries)
      const entered = Object.fromEntries(
        Object.entries(entries).filter(([, value]) => value !== undefined),
      ) as Partial<Booking>
      const asIs = known(bookings.find(reference))
      const billed = { ...asIs, ...entered }
      // An address comes with its state; in a country without states, a known one is dropped.
      const namesAddress = ['country', 'street', 'region'].some((field) => field in entered)
      if (namesAddress && (billed.street !== null || entered.region)) checkRegion(billed)
      // One that was there before must not hold up a change to something else.
      if (billed.postcode !== asIs.postcode || billed.country !== asIs.country)
        checkPostcode(billed)
      const changes = {
        ...entered,
        ...(namesAddress && !hasStates(billed.country) && { region: null }),
      }
      // A number that was there before must not hold up a change to something else.
      const isEntered = billed.vatId !== asIs.vatId || billed.country !== asIs.country
      const [seller, { rate, vatCheck }] = await Promise.all([
        billing.seller(),
        billing.vatFor(billed, { isEntered }),
      ])
      const after = await commit((tx) => {
        const found = known(bookings.find(reference))
        assertSeen(actor, found)
        if (!found.fee) assertOpenTo('bill', found)
        const next = {
          ...changes,
          vatCheck,
          ...ratedFor({ ...found, ...changes }, { rate, now: clock() }),
        }
        const isSame = isLike(found, next)
        const now = isSame ? found : bookings.change(tx, found, next)
        if (!now)
          throw failure('changed', { message: 'Someone else has just changed this booking.' })
        if (!isSame) recordInTimeline(tx, now, actor, 'billing', found)
        const by = { actor: actor.name, seller }
        if (now.state === 'confirmed') askDeposit(tx, now, by)
        if (now.fee && billing.fee(tx, now, now.fee, by))
          return bookings.change(tx, now, { fee: null })
        return now
      })
      outbox.wake()
      return after!
    },
  }
}
