import type { CivilDate } from '#shared/dates/civil-dates.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Order } from '../order.ts'
import type { OrderStore } from '../store.ts'

/**
 * Records the gift card's payment once the order has its invoice; until then the card only reserves it.
 * Call inside a transaction.
 */
export function payByGiftCard(
  tx: Transaction,
  orders: Pick<OrderStore, 'pay'>,
  { id, giftCard, giftCardAmount }: Order,
  paidOn: CivilDate,
): void {
  if (giftCardAmount === 0) return
  orders.pay(tx, {
    order: id,
    source: 'gift-card',
    externalId: giftCard,
    payer: null,
    amount: giftCardAmount,
    paidOn,
  })
}
