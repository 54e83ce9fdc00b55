import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { BankPayment } from './bank-file.ts'
import type { Invoices } from './invoices.ts'
import type { PaymentDeps } from './ending.ts'
import type { Order } from './order.ts'
import { takeTransfer } from './payments.ts'
import type { OrderStore } from './store.ts'

/**
 * What a transfer turned out to be: it paid its invoice, a part of it, or more than it; a second
 * payment of what was paid before; money for an order that is cancelled or refunded; told before; or
 * without an invoice that it names.
 */
export type MatchOutcome = 'paid' | 'part' | 'over' | 'double' | 'closed' | 'known' | 'unknown'

/** A transfer and what became of it. */
export type Match = BankPayment & {
  readonly outcome: MatchOutcome
  readonly invoice: number | null
  readonly order: string | null
  /** Cents that the order still lacks; negative for what was paid too much. */
  readonly open: number | null
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
   */
  return async (
    payments: readonly BankPayment[],
    { actor, rehearse = false }: { actor: string; rehearse?: boolean },
  ): Promise<Match[]> => {
    const matches: Match[] = []
    try {
      await commit((tx) => {
        for (const payment of payments) {
          if (payment.amount > 0) matches.push(matchTransfer(tx, deps, payment, actor))
        }
        // Takes everything back.
        if (rehearse) throw new Rehearsed()
      })
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
    if (!rehearse) {
      outbox.wake()
      log.info({ transfers: matches.length }, 'bank statement matched')
    }
    return matches
  }
}

/** Pays the invoice that a transfer names, and tells what the transfer turned out to be. */
function matchTransfer(
  tx: Transaction,
  deps: Omit<PaymentDeps, 'shop'>,
  payment: BankPayment,
  actor: string,
): Match {
  const { orders, invoices } = deps
  const invoice = payment.reference === null ? null : invoices.ofReference(payment.reference)
  const order = invoice && orders.findId(invoice.order)
  if (!invoice || !order) {
    return { ...payment, outcome: 'unknown', invoice: null, order: null, open: null }
  }
  const before = order.total - orders.paid(order.id)
  const { recorded } = takeTransfer(tx, deps, order, {
    source: payment.source,
    amount: payment.amount,
    paidOn: payment.paidOn,
    actor,
  })
  const open = recorded ? before - payment.amount : before
  const outcome = recorded ? outcomeOf(order, { before, open }) : 'known'
  return { ...payment, outcome, invoice: invoice.number, order: order.number, open }
}

/** What money turned out to be that is recorded for an order. @param cents that it lacked before, and lacks now */
function outcomeOf(
  { state }: Order,
  { before, open }: { before: number; open: number },
): MatchOutcome {
  if (['cancelled', 'refunded', 'expired'].includes(state)) return 'closed'
  if (before <= 0) return 'double'
  if (open > 0) return 'part'
  return open < 0 ? 'over' : 'paid'
}
