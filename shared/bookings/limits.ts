/** Bounds of a booking request (docs/contract.md, Booking). */
export const bookingLimits = {
  /** Days of one request. */
  maxDays: 31,
  /** Days that one question about availability may span. */
  maxAvailabilityDays: 100,
  maxName: 100,
  maxPlace: 200,
  maxCompany: 120,
  maxMessage: 2000,
  maxBudget: 60,
  /** Of a line of an offer. */
  maxLine: 120,
  /** Of a street, postcode or town. */
  maxAddress: 100,
} as const
