/** Bounds of orders (docs/contract.md, Orders). */
export const orderLimits = {
  /** Minutes for which an order that waits for its payment holds its pieces. */
  reservationMinutes: 30,
  /** Days until the invoice of a booking is due, or of a company that staff let pay after delivery. */
  dueDays: 14,
  /** Days until the invoice of a shop order is due; unpaid, the order ends a few days later. */
  transferDueDays: 7,
  /** Hours for which the success page shows everything. */
  successHours: 24,
  /** Days in which a consumer can withdraw. */
  withdrawalDays: 14,
  /** Days from a statement of withdrawal in which what was paid goes back. */
  payBackDays: 14,
} as const
