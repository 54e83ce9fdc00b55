import { dateAt, type CivilDate, addDays, daysBetween } from '#shared/dates/civil-dates.ts'
import { payableUntil } from '#shared/dates/due-dates.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { euros } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { type BooksSettings, ratesEnd, referenceRateOn } from '../books/settings.ts'
import type { Invoices } from '../documents/invoices.ts'
import { orderMail } from '../mails/mails.ts'
import type { OrderMail } from '../mails/order-mail-template.ts'
import type { Order } from '../order.ts'
import type { Charge, Invoice } from '../schema.ts'
import type { OrderStore } from '../store.ts'
import { isBusinessOrder } from '../withdrawal/right.ts'
import type { WithdrawalStore } from '../withdrawal/withdrawal-store.ts'
import { balanceOf } from './balance.ts'
import { leavePage } from './end-order.ts'

/** The fixed compensation of companies in cents (Debt Collection Act 513/1999, 10 e §). */
const compensation = 4_000

/**
 * The reminders of an invoice, in their order. Another one is a row here, its days in books/settings.ts
 * and its email in mails/payment-mails.ts. Charges are claimed once.
 */
const steps: readonly {
  readonly mail: OrderMail
  /** Days after the one before it, or after the due date. */
  readonly after: (late: BooksSettings['late']) => number
  /** How the timeline calls one that claims what being late costs; null for one that claims nothing. */
  readonly claims: string | null
}[] = [
  { mail: 'orderInvoiceReminder', after: () => 0, claims: null },
  {
    mail: 'orderSecondReminder',
    after: ({ secondAfter }) => secondAfter,
    claims: 'second reminder',
  },
]
/** Reminders of a run, of each step. */
const maxReminders = 100

/** An invoice that both reminders have not helped, as a collection agency needs it. Cents. */
export type CollectionRow = {
  readonly order: string
  readonly invoice: string
  readonly debtor: 'consumer' | 'company'
  readonly company: string | null
  readonly name: string
  readonly email: string
  readonly vatId: string | null
  readonly street: string | null
  readonly street2: string | null
  readonly postcode: string | null
  readonly city: string | null
  /** State or province, where an address has one. */
  readonly region: string | null
  readonly country: string
  readonly issuedOn: CivilDate
  readonly dueOn: CivilDate
  readonly remindedOn: CivilDate
  readonly remindedTwiceOn: CivilDate
  readonly reference: string
  readonly total: number
  readonly credited: number
  readonly paid: number
  /** What is left of the invoice. */
  readonly open: number
  /** Interest up to yesterday, and its yearly rate now. */
  readonly interest: number
  readonly rate: number | null
  /** Reminder fee and compensation. */
  readonly fees: number
  readonly claim: number
  readonly collectedOn: CivilDate | null
}

/** Reminders of invoices that are late, what being late costs, and what a collection agency is given. */
export type Reminders = ReturnType<typeof createReminders>

/** Opens the reminders for unpaid invoices. */
export function createReminders(
  platform: Platform,
  {
    orders,
    invoices,
    settings,
    isOwed,
    heldUp,
  }: {
    orders: OrderStore
    invoices: Invoices
    settings: () => BooksSettings
    /** Whether an invoice is still owed, as far as its booking says. */
    isOwed: (order: Order) => boolean
    /** The days on which a withdrawal kept an invoice from being paid. */
    heldUp: WithdrawalStore['heldUp']
  },
) {
  const { clock, commit, mails, outbox, timeline } = platform
  const deps = { orders, invoices }

  /** Late interest of an invoice up to yesterday, in cents. */
  const interestOf = (order: Order, { dueOn }: Invoice): number => {
    const today = dateAt(clock())
    const { credited } = balanceOf(order, deps)
    const debt = {
      owed: order.total - credited,
      dueOn: dueOn === null ? today : payableUntil(dueOn),
      isBusiness: isBusinessOrder(order),
      payments: orders.paymentsOf(order.id),
      heldUp: heldUp(order),
    }
    return lateInterest(settings(), debt, today)
  }

  /** Whether something of an invoice is really left to pay. */
  const isLate = (order: Order | null): order is Order =>
    order !== null && isOwed(order) && balanceOf(order, deps).open > 0

  /** Claims what being late costs, once. */
  const claim = (tx: Transaction, order: Order, invoice: Invoice): void => {
    if (orders.chargesOf(order.id).length > 0) return
    const { late } = settings()
    const claimedOn = dateAt(clock())
    const about = { order: order.id, claimedOn }
    const interest = late.interest ? interestOf(order, invoice) : 0
    if (interest > 0) orders.charge(tx, { ...about, kind: 'interest', amount: interest })
    if (!isBusinessOrder(order)) {
      if (late.consumerFee > 0) {
        orders.charge(tx, { ...about, kind: 'reminder', amount: late.consumerFee })
      }
    } else if (late.businessCompensation) {
      orders.charge(tx, { ...about, kind: 'compensation', amount: compensation })
    }
  }

  const collectable = (): Invoice[] =>
    invoices
      .reminded(steps.length, clock() - settings().late.collectAfter * dayMs)
      .filter(({ order }) => isLate(orders.findId(order)))

  const rowOf = (invoice: Invoice): CollectionRow => {
    const order = orders.findId(invoice.order)!
    const { credited, paid, open, charges } = balanceOf(order, deps)
    const claimed = orders.chargesOf(order.id).filter(({ waivedAt }) => waivedAt === null)
    const sumOf = (isWanted: (charge: Charge) => boolean) =>
      claimed.filter(isWanted).reduce((all, { amount }) => all + amount, 0)
    const fees = sumOf(({ kind }) => kind !== 'interest')
    // What staff have let go isn’t claimed again.
    const isWaived = claimed.length === 0 && orders.chargesOf(order.id).length > 0
    const isClaimed = settings().late.interest && !isWaived
    const interest = isClaimed ? interestOf(order, invoice) : 0
    const isBusiness = isBusinessOrder(order)
    return {
      order: order.number,
      invoice: String(invoice.number),
      debtor: isBusiness ? 'company' : 'consumer',
      company: order.company,
      name: order.name,
      email: order.email,
      vatId: order.vatId,
      street: order.street,
      street2: order.street2,
      postcode: order.postcode,
      city: order.city,
      region: order.region,
      country: order.country,
      issuedOn: invoice.issuedOn,
      dueOn: invoice.dueOn!,
      remindedOn: dateAt(invoice.reminders[0]!),
      remindedTwiceOn: dateAt(invoice.reminders[1]!),
      reference: invoice.reference,
      total: order.total,
      credited,
      paid,
      open,
      interest,
      rate: isClaimed ? lateRateOn(settings(), dateAt(clock()), isBusiness) : null,
      fees: Math.min(fees, charges),
      claim: open + interest + Math.min(fees, charges),
      collectedOn: invoice.collectedAt === null ? null : dateAt(invoice.collectedAt),
    }
  }

  return {
    /** Sends the reminders that are due. No one is reminded of what is withdrawn, credited, cancelled or paid. */
    remind: (): Promise<void> =>
      commit((tx) => {
        for (const [sent, { mail, after, claims }] of steps.entries()) {
          const before = clock() - after(settings().late) * dayMs
          for (const invoice of invoices.reminded(sent, before).slice(0, maxReminders)) {
            const order = orders.findId(invoice.order)
            if (isLate(order)) {
              if (claims !== null) claim(tx, order, invoice)
              orderMail(tx, mails, mail, order, invoice.number)
              if (claims !== null) {
                timeline.record(tx, {
                  thing: 'order',
                  thingId: order.number,
                  actor: 'system',
                  act: claims,
                  note: euros(balanceOf(order, deps).charges),
                })
              }
            }
            invoices.remind(tx, invoice)
          }
        }
      }),

    /** What a collection agency can be given: late in spite of both reminders; handed over ones where asked. */
    collection: ({ all = false }: { all?: boolean } = {}): CollectionRow[] =>
      collectable()
        .filter(({ collectedAt }) => all || collectedAt === null)
        .map(rowOf),

    /** Notes that invoices were given to a collection agency, so that the list has each of them once. */
    handOver: (rows: readonly CollectionRow[], actor: string): Promise<void> =>
      commit((tx) => {
        for (const { invoice, order, claim: amount } of rows) {
          invoices.collect(tx, Number(invoice))
          timeline.record(tx, {
            thing: 'order',
            thingId: order,
            actor,
            act: 'handed to collection',
            note: euros(amount),
          })
        }
      }),

    /**
     * Lets go what an order was charged for being late.
     * @throws missing; wrong-state where nothing is charged
     */
    async waive(number: string, actor: string): Promise<Order> {
      const order = await commit((tx) => {
        const found = orders.find(number)
        if (!found) throw failure('missing', { message: 'Order not found.' })
        const charged = orders.charged(found.id)
        if (orders.waive(tx, found.id) === 0) {
          throw failure('wrong-state', { message: `Nothing is charged to ${found.number}.` })
        }
        // The card page of its invoice asks for too much now.
        if (found.booking !== null) leavePage(tx, { platform }, found)
        timeline.record(tx, {
          thing: 'order',
          thingId: found.number,
          actor,
          act: 'charges waived',
          note: euros(charged),
        })
        return found
      })
      outbox.wake()
      return order
    },
    /** What an order is charged now. */
    chargesOf: ({ id }: Order): Charge[] =>
      orders.chargesOf(id).filter(({ waivedAt }) => waivedAt === null),
    /** The rate of late interest that an order pays today, in per cent; null where the table has ended. */
    rateOf: (order: Order): number | null =>
      lateRateOn(settings(), dateAt(clock()), isBusinessOrder(order)),
  }
}

/** Points that the Interest Act (633/1982) puts on the reference rate: section 4, and 4 a for companies. */
const margins = { consumer: 7, business: 8 } as const

/** What interest is worked out from. */
type LateDebt = {
  /** What was owed from the beginning, credit notes taken off, in cents. */
  readonly owed: number
  /** The last day on which it could be paid in time. */
  readonly dueOn: CivilDate
  readonly isBusiness: boolean
  /** What was paid, negative for what went back. */
  readonly payments: readonly { readonly amount: number; readonly paidOn: CivilDate }[]
  /** Days that cost nothing, since we asked not to pay then; both inclusive, null without an end yet. */
  readonly heldUp: readonly { readonly from: CivilDate; readonly to: CivilDate | null }[]
}

/** The rate of late interest on a day in per cent; null for days that the table of rates doesn’t reach. */
export function lateRateOn(
  settings: Pick<BooksSettings, 'referenceRates'>,
  day: CivilDate,
  isBusiness: boolean,
): number | null {
  const rate = referenceRateOn(settings, day)
  return rate === null ? null : rate + margins[isBusiness ? 'business' : 'consumer']
}

/**
 * Late interest (Interest Act 4, 4 a and 5 §): of what was owed on each day after the due date, up to the
 * day before another, by actual days of a year of 365. Worked out in exact integers and rounded once.
 * Days beyond the table of reference rates cost nothing.
 * @param until the first day that doesn’t count
 * @returns cents
 */
export function lateInterest(
  settings: Pick<BooksSettings, 'referenceRates'>,
  { owed, dueOn, isBusiness, payments, heldUp }: LateDebt,
  until: CivilDate,
): number {
  const first = addDays(dueOn, 1)
  const end = earliest(until, addDays(ratesEnd(settings), 1))
  if (first >= end) return 0
  const changes = [
    first,
    // What is paid on a day is owed up to the day before it.
    ...payments.map(({ paidOn }) => paidOn),
    ...settings.referenceRates.map(({ from }) => from),
    ...heldUp.flatMap(({ from, to }) => (to === null ? [from] : [from, addDays(to, 1)])),
  ]
  const starts = [...new Set(changes)].filter((day) => day >= first && day < end).toSorted()
  let thousandths = 0n
  for (const [at, from] of starts.entries()) {
    if (heldUp.some((days) => days.from <= from && (days.to === null || from <= days.to))) continue
    const paid = payments
      .filter(({ paidOn }) => paidOn <= from)
      .reduce((all, { amount }) => all + amount, 0)
    const principal = Math.max(0, owed - paid)
    const days = daysBetween(from, starts[at + 1] ?? end)
    const tenths = Math.round((lateRateOn(settings, from, isBusiness) ?? 0) * 10)
    thousandths += BigInt(principal) * BigInt(tenths) * BigInt(days)
  }
  const year = 365n * 1000n
  return Number((thousandths * 2n + year) / (year * 2n))
}

const earliest = (a: CivilDate, b: CivilDate): CivilDate => (a < b ? a : b)
