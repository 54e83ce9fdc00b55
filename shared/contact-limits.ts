/** Numbers of the contact flow. */
export const contactLimits = {
  ticketIdLength: 6,
  nameMost: 120,
  subjectMost: 200,
  messageLeast: 5,
  messageMost: 10_000,
  /** Milliseconds. */
  thanksMs: 8000,
  verificationFailedMs: 5000,
  submitLockMs: 5000,
} as const
