import { dateAt } from '#shared/dates/civil-dates.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { movedMoneyOf } from '../documents/bookings/booking-settlement.ts'
import type { Invoices } from '../documents/invoices.ts'
import { isOver, type Order } from '../order.ts'
import { balanceOf, leftOf } from '../payment/balance.ts'
import type { PaymentDeps } from '../payment/end-order.ts'
import { takeTransfer } from '../payment/take-payment.ts'
import type { OrderStore } from '../store.ts'
import { archiveIdIn, type BankEntry, type SkipReason } from './entry.ts'

/**
 * What a row of a statement turned out to be: it paid its invoice, a part of it, or more than it; a
 * second payment of what was paid before; money for an order that is cancelled or refunded; recorded
 * before; without an invoice that it names; or no payment at all.
 */
export type MatchOutcome =
  | 'paid'
  | 'part'
  | 'over'
  | 'double'
  | 'closed'
  | 'known'
  | 'unknown'
  | SkipReason

/** A row and what became of it. */
export type Match = BankEntry & {
  readonly outcome: MatchOutcome
  readonly invoice: number | null
  readonly order: string | null
  /** Cents that the order still lacks; negative for what was paid too much. */
  readonly open: number | null
  /** Orders that money without a reference may be for, the likeliest first. */
  readonly suggested: readonly string[]
}

/** Pays invoices with the transfers of a bank statement. */
export type Matching = ReturnType<typeof createMatching>

class Rehearsed extends Error {}

/** Makes the matching by reference number. */
export function createMatching(
  platform: Platform,
  { orders, invoices }: { orders: OrderStore; invoices: Invoices },
) {
  const { commit, log, outbox } = platform
  const deps = { orders, invoices, platform }

  /**
   * Records the transfers that came in, all or none; what was recorded before stays as it is.
   * @param options `actor` of the timeline; `rehearse` tells what would happen and changes nothing
   * @returns a match for each row of the statement, in its order
   */
  return async (
    entries: readonly BankEntry[],
    { actor, rehearse = false }: { actor: string; rehearse?: boolean },
  ): Promise<Match[]> => {
    const matches: Match[] = []
    let unpaid: readonly Unpaid[] = []
    try {
      await commit((tx) => {
        unpaid = unpaidOrders(deps)
        /** Payments that rows of this statement stand for; two equal rows are two payments. */
        const claimed = new Set<number>()
        for (const entry of entries) {
          matches.push(matchEntry(tx, { ...deps, claimed }, entry, actor))
        }
        // Takes everything back.
        if (rehearse) throw new Rehearsed()
      })
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
    if (!rehearse) {
      outbox.wake()
      log.info({ rows: matches.length }, 'bank statement matched')
    }
    // Each row is compared with each open order, for which no one who writes should have to wait.
    return matches.map((match) =>
      match.outcome === 'unknown' ? { ...match, suggested: suggestions(unpaid, match) } : match,
    )
  }
}

type MatchDeps = Omit<PaymentDeps, 'shop' | 'payouts'> & { claimed: Set<number> }

/** Pays the invoice that a row names, and tells what the row turned out to be; without suggestions. */
function matchEntry(tx: Transaction, deps: MatchDeps, entry: BankEntry, actor: string): Match {
  const { orders, invoices, claimed } = deps
  const nothing = { invoice: null, order: null, open: null, suggested: [] }
  if (entry.skipped !== null) return { ...entry, ...nothing, outcome: entry.skipped }
  const invoice = entry.reference === null ? null : invoices.ofReference(entry.reference)
  const order = invoice && orders.findId(invoice.order)
  if (!invoice || !order) return { ...entry, ...nothing, outcome: 'unknown' }
  const about = { invoice: invoice.number, order: order.number, suggested: [] }
  const before = balanceOf(order, deps)
  const free = orders.paymentsOf(order.id).filter(({ id }) => !claimed.has(id))
  const recorded =
    free.find((payment) => isSame(payment, entry)) ?? byHand(tx, orders, { order, entry, free })
  if (recorded) {
    claimed.add(recorded.id)
    return { ...entry, ...about, outcome: 'known', open: before.open }
  }
  const { archiveId, payer, amount, paidOn, account } = entry
  const payment = { source: 'bank', externalId: archiveId, payer, amount, paidOn, account } as const
  takeTransfer(tx, deps, order, payment, actor)
  claimed.add(orders.paymentsOf(order.id).at(-1)!.id)
  const { open } = balanceOf(order, deps)
  const due = leftOf(before)
  return { ...entry, ...about, outcome: outcomeOf(order, { due, open }), open }
}

type Recorded = ReturnType<OrderStore['paymentsOf']>[number]

/**
 * The payment that staff had recorded by hand and that a row tells of, so that no one seems to have paid
 * twice: of its amount, and recorded once the bank had booked it. From then on it stands for that row alone.
 */
function byHand(
  tx: Transaction,
  orders: OrderStore,
  {
    order,
    entry: { amount, paidOn, payer, archiveId, account },
    free,
  }: { order: Order; entry: BankEntry; free: readonly Recorded[] },
): Recorded | undefined {
  const isStanding = new Set(orders.standingPayments(order.id).map(({ id }) => id))
  const candidates = free.filter(
    (payment) =>
      payment.source === 'staff' &&
      // Money that was moved to its right order came; what was only taken back never did.
      (isStanding.has(payment.id) || orders.movedPayments(payment.id).length > 0) &&
      payment.statementDay === null &&
      payment.amount === amount &&
      paidOn <= dateAt(payment.recordedAt) &&
      movedMoneyOf(payment, order) === null,
  )
  const found = candidates.find((payment) => payment.paidOn === paidOn) ?? candidates[0]
  if (found) {
    // Where it was recorded first, and moved to since, are the same money.
    for (const id of orders.sameMoney(found)) {
      orders.tie(tx, id, { statementDay: paidOn, statementId: archiveId, payer, account })
    }
  }
  return found
}

/**
 * Whether a row tells of a payment that was recorded before, maybe from a statement in another
 * format: by the bank's own number where both have one, else by day, amount and payer. The reference
 * has found the order already.
 */
function isSame(recorded: Recorded, { archiveId, payer, amount, paidOn }: BankEntry): boolean {
  const row = rowOf(recorded)
  if (row === null || recorded.amount !== amount) return false
  if (row.archiveId !== null && archiveId !== null) {
    return archiveIdIn(row.archiveId) === archiveIdIn(archiveId)
  }
  if (row.paidOn !== paidOn) return false
  const names = [wordsOf(recorded.payer ?? ''), wordsOf(payer)].map((words) =>
    [...words].toSorted(),
  )
  // Older payments and some formats have no name.
  return names.some((words) => words.length === 0) || names[0]!.join(' ') === names[1]!.join(' ')
}

/** What of a statement a payment is known to be; null for one that came another way. */
function rowOf({ source, externalId, paidOn, statementDay, statementId }: Recorded) {
  if (source === 'bank') return { archiveId: externalId, paidOn }
  return statementDay === null ? null : { archiveId: statementId, paidOn: statementDay }
}

/** An order with an open invoice, as far as money without a reference is compared with it. */
type Unpaid = { order: Order; open: number; invoice: number | null; names: ReadonlySet<string> }

const unpaidOrders = ({ orders, invoices }: Pick<PaymentDeps, 'orders' | 'invoices'>): Unpaid[] =>
  (['open', 'shipped'] as const)
    .flatMap((state) => orders.list({ state }))
    .filter(({ paidAt }) => paidAt === null)
    .map((order) => ({
      order,
      open: leftOf(balanceOf(order, { orders, invoices })),
      invoice: invoices.invoiceOf(order.id)?.number ?? null,
      names: wordsOf(`${order.name} ${order.company ?? ''}`),
    }))

/** Orders that money may be for: of its amount, its payer's name, or named in its message. */
function suggestions(unpaid: readonly Unpaid[], { amount, payer, message }: BankEntry): string[] {
  const payerWords = [...wordsOf(payer)]
  const written = wordsOf(message)
  return unpaid
    .map(({ order, open, invoice, names }) => {
      const isNamed = written.has(order.number.toLowerCase()) || written.has(String(invoice))
      const isPayer = payerWords.filter((word) => names.has(word)).length >= 2
      return {
        number: order.number,
        score: (isNamed ? 4 : 0) + (isPayer ? 2 : 0) + (open === amount ? 1 : 0),
      }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ number }) => number)
}

/** The words of a name or message, however it is spelt and in whatever order. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}-]+/u)
      .filter(Boolean),
  )

/** What money turned out to be that is recorded for an order. @param cents that were due, and are open now */
function outcomeOf({ state }: Order, { due, open }: { due: number; open: number }): MatchOutcome {
  if (isOver({ state })) return 'closed'
  if (due <= 0) return 'double'
  if (open > 0) return 'part'
  return open < 0 ? 'over' : 'paid'
}
