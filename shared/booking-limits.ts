/** Bounds of a booking request (docs/contract.md, Booking). */
export const bookingLimits = {
  /** Days of one request. */
  daysMost: 31,
  /** Days that one question about availability may span. */
  availabilityDaysMost: 100,
  nameMost: 100,
  placeMost: 200,
  companyMost: 120,
  messageMost: 2000,
  budgetMost: 60,
  /** Of a line of an offer. */
  lineMost: 120,
  /** Of a street, postcode or town. */
  addressMost: 100,
} as const
