/**
 * Everything that can go wrong on purpose: a stable code, its HTTP status and a sentence for people.
 * The list is closed; a failure is recognised by its code, never by its class, so it
 * survives the way through a bundle.
 */
const catalogue = {
  invalid: { status: 400, message: 'Please check the highlighted fields.' },
  malformed: { status: 400, message: 'We couldn’t read that request.' },
  'signed-out': { status: 401, message: 'Please enter your secret code.' },
  totp: { status: 401, message: 'Enter the number from your authenticator app.' },
  forbidden: { status: 403, message: 'This request didn’t come from our own pages.' },
  missing: { status: 404, message: "We couldn't find the page you're looking for." },
  'wrong-method': { status: 405, message: 'Method not allowed.' },
  duplicate: { status: 409, message: 'That ID is already in use.' },
  changed: { status: 409, message: 'This has just changed. Please look again.' },
  'wrong-state': { status: 409, message: 'That can’t be done now.' },
  taken: { status: 409, message: 'These dates were just taken.' },
  key: { status: 409, message: 'This form was already submitted with different details.' },
  stock: { status: 409, message: 'Not enough left in stock.' },
  price: { status: 409, message: 'A price has changed.' },
  gone: { status: 410, message: 'This is no longer available.' },
  'too-large': { status: 413, message: 'The request is too large.' },
  'wrong-type': { status: 415, message: 'Only JSON is accepted here.' },
  'too-many': { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  broken: { status: 500, message: 'An unexpected error occurred' },
  'payment-down': {
    status: 502,
    message: 'The payment service isn’t responding. Please try again in a moment.',
  },
  unavailable: { status: 503, message: 'This service is temporarily unavailable.' },
  'no-room': { status: 507, message: 'There’s no room for this on the server’s disk.' },
} as const

/** The codes of {@link failure}. */
export type FailureCode = keyof typeof catalogue

/** An expected failure: thrown anywhere, turned into a reply in one place. */
export type Failure = Error & {
  readonly failure: FailureCode
  readonly status: number
  /** Messages by field name, for input that a person can correct. */
  readonly errors?: Readonly<Record<string, string>>
  /** Seconds until it is worth trying again. */
  readonly retryAfter?: number
  /** Fields that the reply has beside the usual ones, such as the nearest free dates. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The body of every JSON error. */
export type FailureBody = {
  success: false
  message: string
  code: FailureCode
  errors?: Readonly<Record<string, string>>
  requestId?: string
  /** {@link Failure.details} */
  [detail: string]: unknown
}

/**
 * Makes a failure to throw.
 * @param code which one
 * @param more another sentence, messages by field, seconds to wait, further fields of the reply, the
 *   cause for the log
 */
export function failure(
  code: FailureCode,
  more: {
    message?: string
    errors?: Readonly<Record<string, string>>
    retryAfter?: number
    details?: Readonly<Record<string, unknown>>
    cause?: unknown
  } = {},
): Failure {
  const { status, message } = catalogue[code]
  return Object.assign(new Error(more.message ?? message, { cause: more.cause }), {
    failure: code,
    status,
    ...(more.errors && { errors: more.errors }),
    ...(more.retryAfter !== undefined && { retryAfter: more.retryAfter }),
    ...(more.details && { details: more.details }),
  })
}

/** Tells a {@link Failure} from any other thrown value. */
export function isFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Object && 'failure' in thrown && String(thrown.failure) in catalogue
}

/** The body of the JSON reply to a failure. */
export function failureBody(thrown: Failure, requestId?: string): FailureBody {
  return {
    ...thrown.details,
    success: false,
    message: thrown.message,
    code: thrown.failure,
    ...(thrown.errors && { errors: thrown.errors }),
    ...(requestId && { requestId }),
  }
}
