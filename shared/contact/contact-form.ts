/** Numbers of the contact flow. */
export const contactLimits = {
  ticketIdLength: 6,
  maxName: 120,
  maxSubject: 200,
  minMessage: 5,
  maxMessage: 10_000,
  /** Milliseconds. */
  thanksMs: 8000,
  verificationFailedMs: 5000,
  submitLockMs: 5000,
} as const

/** What the form says about a field, word for word. */
export const contactMessages = {
  name: 'Name is required',
  subject: 'Subject is required',
  message: 'Message is required (min 5 characters)',
  captcha: 'Please answer the verification question',
} as const

/** The thank-you text, word for word. */
export const thankYouText = (ticketId: string) =>
  `Thank you for your message! We take it very seriously. We will reply to you by the next working day at the latest. Your ticket number: ${ticketId}.`

/** What is above it; the second while the message has not reached the server. */
export const thankYouTitles = { saved: 'Message sent', waiting: 'Message not sent yet' } as const

/** What is shown after a wrong answer to the verification question. */
export const verificationFailed = {
  title: 'Verification Failed',
  text: 'Please check your answer to the verification question and try again.',
} as const

/** What the contact section of the home page says of itself; the search finds it by these words. */
export const contactSectionTexts = {
  title: 'Contact',
  heading: "Let's Create Something Exceptional",
  lead: 'Tell us about your season, your car or your launch. We reply by the next working day.',
} as const
