import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { failure } from '#shared/failures.ts'
import { euros } from '#shared/money.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { restOf, type CreditRequest } from '../documents/credit-note.ts'
import { orderMail } from '../mails/mails.ts'
import type { Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'
import { ibanIn } from '../bank/entry.ts'
import type { Seller } from '../documents/invoice-document.ts'
import type { Invoice, Payout, PayoutBatch } from '../schema.ts'
import { changed, known } from '../staff-actions.ts'
import { endShipping } from '../shipping/end-shipping.ts'
import { balanceOf } from './balance.ts'
import { expireKind, leavePage } from './end-order.ts'
import { pain001, type Transfer, type TransferFile } from './pain001.ts'

/** Days ahead that a bank takes a transfer for. */
const latestExecution = 60

/** The outcome of a credit: its note, and the refunds. */
export type Credited = { order: Order; credit: Invoice; payouts: readonly Payout[] }

/** What of a line of an order's invoice can be credited; cents and pieces. */
export type Creditable = {
  /** Its place on the invoice, from 0. */
  readonly at: number
  readonly title: string
  readonly left: number
  readonly pieces: number
  /** Whether its pieces can go back in stock. */
  readonly isGoods: boolean
}

/** States of an order in which its invoice can be credited. */
const creditable: readonly Order['state'][] = ['open', 'paid', 'shipped', 'attention']

/** Credits a part of an order inside a transaction; see `credit` of {@link creditActions}. */
export type CreditWithin = ReturnType<typeof creditActions>['creditWithin']

/** A file for the bank. */
export type PayoutFile = { batch: number; xml: string; transfers: readonly Transfer[] }

/** The account that payouts are paid from. @throws wrong-state without one in the settings */
function debtorOf({ name, iban, bic }: Seller): TransferFile['debtor'] {
  const own = iban === null ? null : ibanIn(iban)
  if (own !== null) return { name, iban: own, bic }
  throw failure('wrong-state', {
    message: 'The file needs the account that pays: enter a valid “iban” in the settings.',
  })
}

const noBatch = (number: number) =>
  failure('missing', { message: `Bank file not found: ${number}.` })

/** Creates the staff's acts on part of an order's money; each is one transaction. */
export function creditActions(
  platform: Platform,
  { shop, orders, invoices, parcels, payouts, seller, stripe }: OrderDeps,
) {
  const { commit, clock, jobs, log, mails, outbox, timeline } = platform
  /** Pieces of the order's lines that a credit note takes back; the shipping has no line there. */
  const restock = (tx: Transaction, order: Order, { document }: Invoice): void => {
    for (const { line, quantity, isReduction } of document.lines) {
      const bought = line === null || isReduction ? undefined : order.lines[line]
      const variant = bought?.variantId ?? null
      if (variant !== null) shop.catalogue.restock(tx, variant, -quantity)
    }
  }

  /** The state of an order once a part of it was credited. */
  const stateAfter = (order: Order, isPaidBack: boolean): Order['state'] => {
    const { credited, open } = balanceOf(order, { orders, invoices })
    if (credited >= order.total) {
      return order.paidAt !== null || isPaidBack ? 'refunded' : 'cancelled'
    }
    return order.state === 'open' && open <= 0 ? 'paid' : order.state
  }

  const fileOf = (batch: PayoutBatch, debtor: TransferFile['debtor']): PayoutFile => {
    const transfers = payouts.ofBatch(batch.id).map((payout): Transfer => {
      const order = orders.findId(payout.order)
      const account = payouts.accountOf(payout)
      if (!order || !account)
        throw failure('wrong-state', { message: `Payout ${payout.id} has no account.` })
      const why = payout.credit === null ? payout.reason : `credit note ${payout.credit}`
      const invoice = invoices.invoiceOf(order.id)
      // Clients know their booking and its invoices; no email named the order behind one.
      const about =
        order.booking === null
          ? `Order ${order.number}`
          : `Booking ${order.booking}${invoice ? `, invoice ${invoice.number}` : ''}`
      return {
        endToEndId: `payout-${order.number}-${payout.id}`.slice(0, 35),
        cents: payout.amount,
        ...account,
        message: `${about}, ${why}`,
      }
    })
    const { message, executeOn, madeAt, id } = batch
    const made = new Date(madeAt).toISOString().slice(0, 19)
    const xml = pain001({ message, executeOn, madeAt: made, debtor, transfers })
    return { batch: id, xml, transfers }
  }

  /** Credits a part of an order. Call inside a transaction. @throws as `credit` */
  const creditWithin = (
    tx: Transaction,
    number: string,
    requested: CreditRequest,
    { reason, restock: isRestocked, actor }: { reason: string; restock: boolean; actor: string },
  ): Credited => {
    const order = known(orders.find(number))
    const invoice = invoices.invoiceOf(order.id)
    if (!invoice || !creditable.includes(order.state)) {
      throw failure('wrong-state', {
        message: `${order.number} is ${order.state}, so there’s nothing to credit.`,
      })
    }
    const credit = invoices.credit(tx, order, invoice, { requested, reason })
    if (isRestocked) restock(tx, order, credit)
    // Nothing owed, nothing late.
    if (balanceOf(order, { orders, invoices }).credited >= order.total) orders.waive(tx, order.id)
    const { open } = balanceOf(order, { orders, invoices })
    const back =
      open < 0 ? payouts.refund(tx, order, { amount: -open, credit: credit.number, reason }) : []
    const state = stateAfter(order, back.length > 0)
    // An order sent on account keeps its state when it's paid.
    const isPaid = (state === 'paid' || state === 'shipped') && open <= 0 && order.paidAt === null
    const after = changed(
      orders.change(tx, order, {
        state,
        ...(isPaid && { paidAt: clock() }),
        ...(state === 'cancelled' && { reservedUntil: null }),
      }),
    )
    if (state === 'cancelled') shop.discounts.giveBack(tx, order.id)
    if (state !== 'open') jobs.cancel(tx, expireKind, order.number)
    // The invoice's card page now asks for too much.
    if (order.booking !== null) leavePage(tx, { platform }, order)
    timeline.record(tx, {
      thing: 'order',
      thingId: order.number,
      actor,
      act: 'credited',
      before: order.state,
      after: after.state,
      note: `${euros(-credit.total)}, credit note ${credit.number}: ${reason}`,
    })
    orderMail(tx, mails, 'orderCredited', after, credit.number)
    return { order: after, credit, payouts: back }
  }

  return {
    creditWithin,
    balanceOf: (order: Order) => balanceOf(order, { orders, invoices }),

    /** The lines of an order's invoice of which something is left to credit; none where nothing can be. */
    creditableOf(order: Order): Creditable[] {
      const invoice = invoices.invoiceOf(order.id)
      if (!invoice || !creditable.includes(order.state)) return []
      const credits = invoices.ofOrder(order.id).filter(({ kind }) => kind === 'credit')
      const rest = restOf(
        invoice.document,
        credits.map(({ document }) => document),
      )
      return rest.flatMap(({ left, pieces }, at) =>
        left === 0
          ? []
          : [
              {
                at,
                title: invoice.document.lines[at]!.title,
                left,
                pieces,
                isGoods: order.lines[at]?.kind === 'physical',
              },
            ],
      )
    },

    /** Orders with money of the buyer's that isn't on its way back yet, the oldest first. */
    overpaid: (): Order[] =>
      orders.paidBeyond().filter((order) => balanceOf(order, { orders, invoices }).open < 0),
    /**
     * Orders whose payment went back, by a dispute or a refund at Stripe, without a credit note for it; the
     * oldest first.
     */
    wentBack: (): Order[] => orders.paidBelow(),

    /** Invoices that are late and not paid, credited or covered, with their orders; the oldest debt first. */
    lateInvoices: (): { order: Order; invoice: Invoice }[] =>
      invoices.late().flatMap((invoice) => {
        const order = orders.findId(invoice.order)
        return order && balanceOf(order, { orders, invoices }).open > 0 ? [{ order, invoice }] : []
      }),

    /**
     * Credits lines, pieces or an amount of an order by a credit note. What was paid beyond the rest
     * goes back: by Stripe by itself, else it is put on the list to pay. The buyer is told what, how
     * and when.
     * @param options `restock` puts returned pieces back on the shelf
     * @throws missing; wrong-state without an invoice and for more than is left; changed when someone else was
     *   faster
     */
    async credit(
      number: string,
      requested: CreditRequest,
      options: { reason: string; restock: boolean; actor: string },
    ): Promise<Credited> {
      const done = await commit((tx) => {
        const credited = creditWithin(tx, number, requested, options)
        const sent = endShipping(tx, { orders, parcels }, credited.order.id)
        return sent ? { ...credited, order: sent } : credited
      })
      outbox.wake()
      log.info({ order: number, credit: done.credit.number }, 'order credited')
      return done
    },

    /**
     * Refunds an overpayment or double payment.
     * @throws missing; wrong-state when nothing is overpaid
     */
    async payBackExcess(number: string, actor: string): Promise<Payout[]> {
      const made = await commit((tx) => {
        const order = known(orders.find(number))
        const { open } = balanceOf(order, { orders, invoices })
        if (open >= 0) {
          throw failure('wrong-state', { message: `${order.number} isn’t overpaid.` })
        }
        const back = payouts.refund(tx, order, {
          amount: -open,
          credit: null,
          reason: 'overpaid',
        })
        timeline.record(tx, {
          thing: 'order',
          thingId: order.number,
          actor,
          act: 'overpayment refunded',
          note: euros(-open),
        })
        for (const { id } of back) orderMail(tx, mails, 'orderExcess', order, null, { payout: id })
        return back
      })
      outbox.wake()
      return made
    },

    /** Payouts still to be made, or all of them. */
    payouts: ({ all = false }: { all?: boolean } = {}): Payout[] =>
      all ? payouts.all() : payouts.open(),

    /** How everything paid for an order would be refunded. */
    waysBack: (order: Order) => payouts.waysBack(order, orders.paid(order.id)),

    /** Every payout of an order, oldest first. */
    payoutsOf: ({ id }: Order): Payout[] => payouts.ofOrder(id),

    /**
     * Marks payouts as paid at the bank, all or none, and emails their buyers.
     * @throws missing, wrong-state
     */
    async paidAtBank(ids: readonly number[], actor: string): Promise<Payout[]> {
      const paid = await commit((tx) =>
        ids.map((id) => {
          const payout = payouts.paidAtBank(tx, id, actor)
          const order = orders.findId(payout.order)
          if (order) orderMail(tx, mails, 'orderPaidOut', order, null, { payout: id })
          return payout
        }),
      )
      outbox.wake()
      return paid
    },

    /** The account a payout goes to; null if unknown. */
    accountOf: payouts.accountOf,

    /**
     * Sets the account a payout goes to.
     * @throws invalid for a text that isn't an IBAN; missing; wrong-state for one that has gone
     */
    toAccount(
      id: number,
      account: { iban: string; name: string | null; actor: string },
    ): Promise<Payout> {
      const iban = ibanIn(account.iban)
      if (iban === null) {
        const message = `${account.iban} isn’t an IBAN: check its digits.`
        throw failure('invalid', { message, errors: { iban: message } })
      }
      return commit((tx) => {
        const payout = payouts.toAccount(tx, id, { iban, name: account.name })
        const order = orders.findId(payout.order)
        if (order) {
          timeline.record(tx, {
            thing: 'order',
            thingId: order.number,
            actor: account.actor,
            act: 'account for refund entered',
            note: `payout ${id}, account ending ${iban.slice(-4)}`,
          })
        }
        return payout
      })
    },

    /**
     * Puts what is to be paid at the bank into a file for it (pain.001), and notes that it is in there.
     * @param options `executeOn`, a civil date
     * @returns the file’s number and content, and what is left out for lack of an account
     * @throws invalid for a day that has passed or is far off; wrong-state when there is nothing to pay, and
     *   without an account of the seller
     */
    async exportPayouts(options: {
      executeOn: string
      actor: string
    }): Promise<PayoutFile & { without: Payout[] }> {
      const today = dateAt(clock())
      // What is in a file can't be put into another one, so a day that the bank refuses would hold it up.
      if (options.executeOn < today || options.executeOn > addDays(today, latestExecution)) {
        throw failure('invalid', {
          message: `The bank can’t pay on ${longDate(options.executeOn)}: choose a day from today to ${longDate(addDays(today, latestExecution))}.`,
        })
      }
      const debtor = debtorOf(await seller())
      const { batch, without } = await commit((tx) => payouts.batch(tx, options))
      return { ...fileOf(batch, debtor), without }
    },

    /** The content of an earlier bank file, unchanged. @throws missing, wrong-state */
    async payoutFile(number: number): Promise<PayoutFile> {
      const batch = payouts.findBatch(number)
      if (!batch) throw noBatch(number)
      return fileOf(batch, debtorOf(await seller()))
    },

    /** The payouts of a bank file not yet marked as paid. @throws missing for no such file */
    ofBatch(number: number): Payout[] {
      if (!payouts.findBatch(number)) throw noBatch(number)
      return payouts.ofBatch(number).filter(({ sentAt }) => sentAt === null)
    },

    /** Sends a payout by the payment service, for its job. @throws payment-down */
    sendPayout: (id: string): Promise<void> => payouts.send(Number(id), stripe),
  }
}
