import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { integer, nullable, query, text, type NewRowOf } from '../../db/table.ts'
import {
  charges,
  payments,
  stripeEvents,
  type Charge,
  type NewPayment,
  type Payment,
} from '../schema.ts'

/** What the payments are known by that a dispute at the payment service makes: money taken, and given back. */
export const disputeIds = (dispute: string) => ({
  taken: `${dispute} taken`,
  back: `${dispute} given back`,
})

/** Whether a payment is one of {@link disputeIds}; no other id has a space. */
export const isOfDispute = (externalId: string | null): boolean =>
  externalId !== null && (externalId.endsWith(' taken') || externalId.endsWith(' given back'))

/** Prepares the statements of incoming and outgoing payments, and of the payment service's events. */
export function createPaymentRecords(db: Database, { clock }: { clock: () => number }) {
  const note = stripeEvents.insert(db, 'ON CONFLICT DO NOTHING')
  const known = stripeEvents.select(db, 'WHERE id = :id')
  const pay = payments.insert(db, 'ON CONFLICT DO NOTHING')
  const ofOrder = payments.select(db, 'WHERE "order" = :order ORDER BY id')
  const byId = payments.select(db, 'WHERE id = :id')
  const movedFrom = payments.select(db, 'WHERE corrects = :id AND amount > 0 ORDER BY id')
  const onDays = payments.select(db, 'WHERE paid_on BETWEEN :from AND :to ORDER BY paid_on, id')
  const setFee = payments.update(
    db,
    ['fee'],
    // Payments moved from another order, or returned by a dispute, have no fee.
    `WHERE payment_intent = :paymentIntent AND source = 'stripe' AND amount > 0 AND fee IS NULL
       AND external_id NOT LIKE '% given back'`,
  )
  const setOwnFee = payments.update(
    db,
    ['fee'],
    'WHERE "order" = :order AND external_id = :externalId',
  )
  const tie = payments.update(
    db,
    ['statementDay', 'statementId', 'payer', 'account'],
    'WHERE id = :id AND statement_day IS NULL',
  )
  const sums = query(
    db,
    `SELECT coalesce(sum(amount), 0) AS paid,
       max(paid_on) FILTER (WHERE amount > 0 AND source <> 'refund' AND id NOT IN
         (SELECT corrects FROM payments
          WHERE "order" = :order AND amount < 0 AND corrects IS NOT NULL)) AS paidOn
     FROM payments WHERE "order" = :order`,
    { paid: integer(), paidOn: nullable(text()) },
  )

  const onCards = query(
    db,
    `SELECT coalesce(sum(amount), 0) AS paid FROM payments WHERE "order" = :order AND (source = 'gift-card'
       OR (source = 'refund' AND external_id IN
         (SELECT CAST(id AS TEXT) FROM payouts WHERE "order" = :order AND method = 'gift-card')))`,
    { paid: integer() },
  )

  return {
    /** Records an event of the payment service. @returns false for a repeat */
    note: (tx: Transaction, id: string, type: string, outcome: string): boolean =>
      note(tx, { id, type, outcome, receivedAt: clock() }) !== null,
    /** Whether an event of the payment service has come before. */
    isKnown: (id: string): boolean => known.get({ id }) !== null,

    /**
     * Records an incoming payment, or a refund as a negative amount.
     * @returns false for a repeat; rows of bank statements are compared by the caller
     */
    pay: (tx: Transaction, payment: NewPayment): boolean =>
      pay(tx, {
        account: null,
        paymentIntent: null,
        corrects: null,
        ...payment,
        recordedAt: clock(),
      }) !== null,
    /** Records the payment service's fee. @param fee cents */
    setFee: (tx: Transaction, paymentIntent: string, fee: number): void =>
      void setFee(tx, { fee }, { paymentIntent }),
    /** Records what the payment service charges for a dispute, at the money that it moved. @param fee cents */
    setDisputeFee: (
      tx: Transaction,
      payment: { order: number; externalId: string },
      fee: number,
    ): void => void setOwnFee(tx, { fee }, payment),
    /** Links a payment recorded by hand to its row of a bank statement. */
    tie: (
      tx: Transaction,
      id: number,
      row: Pick<Payment, 'statementDay' | 'statementId' | 'payer' | 'account'>,
    ): void => void tie(tx, row, { id }),
    /** Payments of some days, both inclusive, in the order of their days. */
    paymentsOn: (from: string, to: string) => onDays.all({ from, to }),
    /** Every payment of an order, oldest first. */
    paymentsOf: (order: number) => ofOrder.all({ order }),
    /** Those of them that were not taken back, without the rows that took others back. */
    standingPayments: (order: number) => standing(ofOrder.all({ order })),
    /** A payment by its number; null for none. */
    payment: (id: number): Payment | null => byId.get({ id }),
    /** The numbers of the payments that are the same money: where it was recorded, and each order it moved to. */
    sameMoney: (payment: Payment): number[] => {
      const ids = [payment.id]
      for (let { corrects } = payment; corrects !== null;) {
        ids.unshift(corrects)
        corrects = byId.get({ id: corrects })?.corrects ?? null
      }
      const below = (id: number): number[] =>
        movedFrom.all({ id }).flatMap((next) => [next.id, ...below(next.id)])
      return [...ids, ...below(payment.id)]
    },
    /**
     * The payments that one became: at the order that it moved to and, where a part of it moved, of the
     * rest at its own; none for one that was not moved.
     */
    movedPayments: (id: number): Payment[] => movedFrom.all({ id }),
    /** What has been paid for an order and not paid back, in cents. */
    paid: (order: number): number => sums.get({ order })!.paid,
    /** The part paid by gift card, in cents. */
    paidByGiftCard: (order: number): number => onCards.get({ order })!.paid,
    /** The part paid in money. */
    paidInMoney: (order: number): number =>
      sums.get({ order })!.paid - onCards.get({ order })!.paid,
    /** The day of the last payment of an order; null where there is none. */
    paidOn: (order: number): string | null => sums.get({ order })!.paidOn,
    ...createCharges(db, { clock }),
  }
}

/** The payments of an order that were not taken back, without the rows that took others back. */
function standing(all: readonly Payment[]): Payment[] {
  const isCorrection = ({ amount, corrects }: Payment) => amount < 0 && corrects !== null
  const takenBack = new Set(all.filter(isCorrection).map(({ corrects }) => corrects))
  return all.filter((payment) => !isCorrection(payment) && !takenBack.has(payment.id))
}

/** Prepares the statements of what late payments cost. */
function createCharges(db: Database, { clock }: { clock: () => number }) {
  const insert = charges.insert(db)
  const ofOrder = charges.select(db, 'WHERE "order" = :order ORDER BY id')
  const onDays = charges.select(
    db,
    'WHERE claimed_on BETWEEN :from AND :to ORDER BY claimed_on, id',
  )
  const waived = charges.select(db, 'WHERE waived_at IS NOT NULL ORDER BY waived_at, id')
  const charged = query(
    db,
    `SELECT coalesce(sum(amount), 0) AS charged FROM charges
     WHERE "order" = :order AND waived_at IS NULL`,
    { charged: integer() },
  )
  const waive = charges.update(db, ['waivedAt'], 'WHERE "order" = :order AND waived_at IS NULL')

  return {
    /** Records a late-payment charge. */
    charge: (tx: Transaction, charge: Omit<NewRowOf<typeof charges>, 'claimedAt'>): void =>
      void insert(tx, { ...charge, claimedAt: clock() }),
    /** What an order was charged, waived claims among them, the first one first. */
    chargesOf: (order: number): Charge[] => ofOrder.all({ order }),
    /** What was claimed on some days, both inclusive. */
    chargesOn: (from: string, to: string): Charge[] => onDays.all({ from, to }),
    /** Charges waived by staff or ended by full credit notes, oldest first. */
    waivedCharges: (): Charge[] => waived.all(),
    /** Unwaived late-payment charges of an order, in cents. */
    charged: (order: number): number => charged.get({ order })!.charged,
    /** Waives an order's late-payment charges. @returns how many */
    waive: (tx: Transaction, order: number): number => waive(tx, { waivedAt: clock() }, { order }),
  }
}
