/** Bounds of orders (docs/contract.md, Orders). */
export const orderLimits = {
  /** Minutes for which an order that waits for its payment holds its pieces. */
  reservationMinutes: 30,
  /** Days until an invoice is due. */
  dueDays: 14,
  /** Hours for which the success page shows everything. */
  successHours: 24,
  /** Days in which a consumer can withdraw. */
  withdrawalDays: 14,
} as const
