import type { DateRange } from '#shared/bookings/bookings.ts'
import type {
  BookingEdit,
  CancelReason,
  EnteredBooking,
  OfferEntries,
} from '#shared/bookings/staff-page.ts'
import { dayMs, hourMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { oneLine } from '#shared/text/text.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { normalReference } from '../../secrets/ids.ts'
import { known, type BookingLinks } from '../access.ts'
import { billingActs } from './billing.ts'
import { blocking } from './blocking.ts'
import {
  cancel,
  confirm,
  decline,
  expire,
  isOpenTo,
  isPossible,
  isTaken,
  move,
  assertSeen,
  tooLate,
  type Changed,
} from './changes.ts'
import { dueIfCancelled, settlementInWords, type Doing } from './ending.ts'
import { accept, offer, refuse } from './offers.ts'
import type { WorkEntries } from './own-lines.ts'
import { crewActs, mailCrew } from './crew.ts'
import { edit, enter } from './staff-work.ts'
import { dropMail, knownToCustomer, undoDecision, undoOf, outdatedVersion } from './undo.ts'
import { scheduleJobs } from './schedule.ts'
import type { BookingDocuments } from '../documents.ts'
import { system } from '../mails/snapshot.ts'
import { cancelReasonTexts } from '#shared/bookings/page-texts.ts'
import { createNotices, type Actor } from '../mails/notices.ts'
import { requestAction } from './request.ts'
import type { Booking } from '../schema.ts'
import { checkMove, daysOf, noun, waitOf } from './shares.ts'
import { waitingActs } from './waiting.ts'
import { bookingViews, visitorCancelReason, type BookingViewDeps } from '../views.ts'

/** Everything visitors and staff can do with bookings. */
export type BookingActions = ReturnType<typeof bookingActions>

/** Acts of staff that vouch for a booking's sender; declining doesn't. */
const answers = new Set(['confirmed', 'offered', 'cancelled', 'moved'])

/** Makes the actions: each is one transaction with its documents, emails, jobs and timeline entry. */
export function bookingActions(
  platform: Platform,
  parts: BookingViewDeps & { links: BookingLinks; documents: BookingDocuments },
) {
  const { commit, clock, outbox, jobs, log, shares, timeline } = platform
  const { deps, links, billing } = parts
  const { bookings, days, rules } = deps
  const { queueMails, recordInTimeline } = createNotices(platform)

  /** Does everything that follows from a change: timeline, money, emails and jobs. */
  const follow = (
    tx: Transaction,
    { before, after: changedTo }: Changed,
    actor: Actor,
    act: string,
    { seller, because, travel }: Doing,
  ) => {
    const claim = shares.claims.find(noun, changedTo.reference)
    const isOn = isTaken(changedTo.state)
    if (claim?.parked && isOn) shares.release(tx, claim)
    // Whose wish it was decides what is due, and nothing else keeps it.
    const isOwn = actor.isVisitor && because === 'customer'
    const why = changedTo.state === 'cancelled' && !isOwn ? cancelReasonTexts[because] : null
    recordInTimeline(tx, changedTo, actor, act, before, why)
    const by = { actor: actor.name, seller }
    const settlement = isOn
      ? null
      : billing.settle(tx, before, dueIfCancelled(before, because, clock(), travel), by)
    const settled = settlement
      ? settlementInWords(settlement, { isTravelKnown: travel !== undefined })
      : []
    const after = settlement?.feeWaits
      ? bookings.change(tx, changedTo, { fee: settlement.fee })!
      : changedTo
    const documents = billing.issued(after.reference)
    const undo = undoOf(deps, { before, after }, { actor, act, documents })
    // These replace decisions whose emails are dropped.
    const isAnew = act === 'undone' || (act === 'moved' && !actor.isVisitor)
    const outdated = isAnew ? outdatedVersion(knownToCustomer(before, clock()), after) : null
    bookings.keepUndo(tx, after, undo)
    queueMails(tx, after, actor, before, {
      settled,
      because,
      ...(undo && { visitorDueAt: undo.until }),
      isUndone: act === 'undone',
      known: outdated,
    })
    // An undone decision is news only to those who were emailed in between.
    const since = act === 'undone' ? (before.undo?.at ?? clock()) : null
    mailCrew(tx, platform, deps, { before, after, dueAt: undo?.until, since })
    scheduleJobs(tx, jobs, rules(), after, clock())
    if (after.state === 'confirmed' && before.state !== 'confirmed') askDeposit(tx, after, by)
    return after
  }

  /** Invoices the deposit that was agreed, as soon as its invoice has all it needs. */
  const askDeposit = (
    tx: Transaction,
    booking: Booking,
    by: { actor: string; seller: Doing['seller'] },
  ) => {
    const percent = booking.agreement?.deposit ?? null
    if (percent !== null) billing.deposit(tx, booking, percent, by)
  }

  /** Makes a change with its emails, all or nothing. */
  const change = async (
    reference: string,
    actor: Actor,
    act: string,
    work: (tx: Transaction, booking: Booking) => Changed,
    because: CancelReason = actor.isVisitor ? 'customer' : 'us',
    travel?: number,
  ): Promise<Booking> => {
    const seller = await billing.seller()
    const after = await commit((tx) => {
      const found = known(bookings.find(reference))
      assertSeen(actor, found)
      if (!actor.isVisitor && answers.has(act)) bookings.verify(tx, found)
      // The previous decision is replaced, so its email would be out of date.
      dropMail(tx, platform, found)
      return follow(tx, work(tx, found), actor, act, { seller, because, travel })
    })
    outbox.wake()
    log.info({ booking: reference, act, state: after.state }, 'booking changed')
    return after
  }

  const mustBeInTime = (booking: Booking) => {
    const late = tooLate(booking, rules().cutOffDays, clock())
    if (late) throw failure('gone', { message: late })
  }

  const movesToday = (reference: string): number => {
    const now = clock()
    // Those from while the clock was ahead would count until then, which may be years.
    const isOfToday = (at: number) => at > now - dayMs && at <= now + hourMs
    return timeline
      .of('booking', reference)
      .filter(
        ({ act, actor, at }) => act === 'moved' && actor.startsWith('visitor') && isOfToday(at),
      ).length
  }

  return {
    bookings,
    days,
    rules,
    billing,
    /** Agreements and call sheets. */
    documents: parts.documents,

    /** A booking by its reference, in either case. @throws missing */
    find(reference: string): Booking {
      const booking = bookings.find(normalReference(reference))
      if (booking) return booking
      throw failure('missing', { message: `Booking not found: ${oneLine(reference)}.` })
    },

    ...blocking(platform, deps),
    ...crewActs(platform, deps),
    ...billingActs(platform, { bookings, billing, askDeposit }),
    serviceTitle: parts.serviceTitle,
    sheetUrl: links.sheetUrl,
    visitorUrl: links.visitorUrl,
    staffUrl: links.staffUrl,
    ...bookingViews(parts),

    request: requestAction(platform, parts),

    /**
     * Confirms a request at the price shown; `isByPhone` records that the visitor agreed by phone.
     * @throws `taken`, changed, wrong-state, missing
     */
    confirm: (
      reference: string,
      actor: Actor,
      answer: string | null,
      { isByPhone = false, keepLines = false }: { isByPhone?: boolean; keepLines?: boolean } = {},
    ) =>
      change(reference, actor, isByPhone ? 'confirmed by phone' : 'confirmed', (tx, booking) => {
        bookings.verify(tx, booking)
        return confirm(tx, deps, booking, { answer, by: actor.name, isByPhone, keepLines })
      }),
    /**
     * Answers a request with an offer: other lines, or other dates.
     * @throws invalid by field, `taken`, changed, wrong-state, missing
     */
    async offer(reference: string, actor: Actor, note: string | null, entries: OfferEntries) {
      const { rate, vatCheck } = await billing.vatFor(known(bookings.find(reference)))
      return change(reference, actor, 'offered', (tx, booking) =>
        offer(tx, deps, booking, { entries, rate, vatCheck, note, by: actor.name }),
      )
    },
    /** Accepts the offer as it was shown. @throws changed, wrong-state, gone, missing */
    accept: (reference: string, actor: Actor, shown: string | undefined) =>
      change(reference, actor, 'accepted', (tx, booking) => {
        // Only the mailbox that the offer went to has this link.
        bookings.verify(tx, booking)
        return accept(tx, deps, booking, { by: actor.name, shown })
      }),
    /** Declines the offer as it was shown. @throws changed, wrong-state, gone, missing */
    refuse: (reference: string, actor: Actor, shown: string | undefined) =>
      change(reference, actor, 'declined by the client', (tx, booking) =>
        refuse(tx, deps, booking, shown),
      ),
    /** @throws changed, wrong-state, missing */
    decline: (reference: string, actor: Actor, answer: string | null) =>
      change(reference, actor, 'declined', (tx, booking) => decline(tx, deps, booking, answer)),
    /**
     * Cancels a booking for staff, at any time, and settles its payments.
     * @param because who wants to cancel, which decides what is due; us unless staff say otherwise
     * @param travel net cents of travel that we can't get back, if the organiser cancels; undefined for
     *   all that was agreed
     * @throws invalid by field, changed, wrong-state, missing
     */
    cancel: (
      reference: string,
      actor: Actor,
      answer: string | null = null,
      because?: CancelReason,
      travel?: number,
    ) =>
      change(
        reference,
        actor,
        'cancelled',
        (tx, booking) => cancel(tx, deps, booking, answer),
        because,
        travel,
      ),
    /**
     * Cancels a booking for its visitor, before the cut-off. The fee can rise at midnight, or after a
     * change by staff; if the organiser cancelled the event, only travel is due.
     * @param due the fee in cents that the visitor was shown; undefined accepts any
     * @throws gone, changed, wrong-state, missing
     */
    async withdraw(reference: string, actor: Actor, due: number | undefined): Promise<Booking> {
      const because = await visitorCancelReason(known(bookings.find(reference)), parts)
      const work = (tx: Transaction, booking: Booking) => {
        mustBeInTime(booking)
        const isOther = due !== undefined && dueIfCancelled(booking, because, clock()).gross !== due
        if (isOther && isPossible('cancel', booking.state)) {
          throw failure('changed', {
            message:
              'The cost of cancelling has changed since you opened this page. Please check it before you cancel.',
          })
        }
        return cancel(tx, deps, booking)
      }
      return change(reference, actor, 'cancelled', work, because)
    },
    /**
     * Moves a booking: visitors before the cut-off, staff at any time.
     * @param entered lines of staff's own, or that those entered by hand keep their price
     * @throws gone, invalid, `taken`, changed, wrong-state
     */
    async move(
      reference: string,
      actor: Actor,
      range: DateRange,
      entered: WorkEntries = {},
    ): Promise<Booking> {
      const asIs = known(bookings.find(reference))
      const asked = await billing.vatFor(asIs)
      // VIES being down today is no reason to charge VAT that wasn't agreed on.
      const [line] = asIs.lines
      const { rate, vatCheck } =
        asked.vatCheck?.state === 'down' && line
          ? { rate: line.rate, vatCheck: asIs.vatCheck }
          : asked
      return change(reference, actor, 'moved', (tx, booking) => {
        if (actor.isVisitor) {
          mustBeInTime(booking)
          checkMove(deps, booking, { range, movedToday: movesToday(reference) })
        }
        const claim = shares.claims.find(noun, reference)
        if (claim) shares.claims.change(tx, claim, { units: daysOf({ ...booking, ...range }) })
        const isAsked = actor.isVisitor
        const work = isAsked ? null : { ...entered, rate, vatCheck }
        return move(tx, deps, booking, { ...range, by: actor.name, isAsked, work })
      })
    },

    /**
     * Starts a card payment of one of the booking's invoices.
     * @param token the last part of the address to return to
     * @param order the invoice's order; by default the first one payable by card
     * @returns the address of the page at the payment service
     * @throws missing for an order of another booking; changed, wrong-state, payment-down
     */
    payByCard(booking: Booking, token: string, order: string | undefined): Promise<string> {
      const { reference } = booking
      const paid =
        order ?? billing.of(reference).find(({ isPayableByCard }) => isPayableByCard)?.order
      if (paid === undefined) {
        throw failure('wrong-state', {
          message: 'Nothing is left to pay by card for this booking.',
        })
      }
      const { siteUrl } = platform.config
      return billing.payByCard(reference, paid, {
        success: siteUrl + paths.bookingPaid(token, paid),
        cancel: siteUrl + paths.bookingPage(token),
      })
    },

    /**
     * Undoes the last decision of staff, before its email goes out.
     * @throws gone, wrong-state, `taken`, missing
     */
    undo: (reference: string, actor: Actor) =>
      change(reference, actor, 'undone', (tx, booking) => undoDecision(tx, deps, booking, billing)),

    /**
     * Saves a booking that staff enter, such as one made by phone.
     * @param isAgreed whether the customer has already agreed, which confirms it
     * @throws invalid by field, `taken`, missing
     */
    async enter(
      entries: EnteredBooking,
      actor: Actor,
      { isAgreed = false }: { isAgreed?: boolean } = {},
    ): Promise<Booking> {
      const [eventTitle, service, seller] = await Promise.all([
        entries.event ? parts.eventTitle(entries.event) : null,
        parts.service(entries.service),
        billing.seller(),
      ])
      const { company = null, country = null, vatId = null } = entries
      const { rate, vatCheck } = await billing.vatFor(
        { company, country, vatId },
        { isEntered: true },
      )
      const entered = await commit((tx) => {
        const booking = enter(tx, deps, entries, {
          service,
          rate,
          vatCheck,
          eventTitle,
        })
        recordInTimeline(tx, booking, actor, 'entered', null)
        if (!isAgreed) {
          queueMails(tx, booking, actor, null)
          scheduleJobs(tx, jobs, rules(), booking, clock())
          return booking
        }
        const by = { answer: null, by: actor.name, isByPhone: true, isAnyway: entries.anyway }
        return follow(tx, confirm(tx, deps, booking, by), actor, 'confirmed by phone', {
          seller,
          because: 'us',
        })
      })
      outbox.wake()
      log.info(
        { booking: entered.reference, act: 'entered', state: entered.state },
        'booking entered',
      )
      return entered
    },

    /**
     * Corrects details of a booking. The customer is emailed about a new place or time; a new mailbox
     * gets a link of its own, and those to the earlier one end.
     * @throws invalid by field, changed, wrong-state, missing
     */
    async edit(
      reference: string,
      actor: Actor,
      entries: BookingEdit,
      { isQuiet = false }: { isQuiet?: boolean } = {},
    ): Promise<Booking> {
      const after = await commit((tx) => {
        const found = known(bookings.find(reference))
        assertSeen(actor, found)
        const { before, after: now, fields, isHeard } = edit(tx, deps, found, entries)
        recordInTimeline(tx, now, actor, 'edited', before, fields.join(', '))
        queueMails(tx, now, actor, before, {
          // The email of a pending decision covers it, and bookings that are over need none.
          isQuiet:
            isQuiet ||
            !isHeard ||
            !isTaken(now.state) ||
            (before.undo !== null && clock() < before.undo.until),
        })
        mailCrew(tx, platform, deps, { before, after: now })
        return now
      })
      outbox.wake()
      return after
    },

    ...waitingActs(platform, { deps, billing, follow }),

    /** Expires a request or offer that is past its deadline; one answered in the meantime stays. */
    async expire(reference: string): Promise<void> {
      const booking = bookings.find(reference)
      if (!booking || !isOpenTo('expire', booking)) return
      const until =
        booking.change?.heldUntil ??
        (booking.state === 'offered' ? booking.offer?.validUntil : booking.heldUntil) ??
        waitOf(shares, booking)?.until
      if ((until ?? Infinity) > clock()) return
      await change(reference, system, 'expired', (tx, found) => expire(tx, deps, found))
    },
  }
}
