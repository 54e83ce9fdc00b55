/** Why a form was refused, as its page shows it; what was entered stays. */
export type Refusal = {
  status: number
  /** Of the failure, such as `taken`; null when there was no answer. */
  code: string | null
  message: string
  /** Messages by field name. */
  errors: Readonly<Record<string, string>>
  /** Further fields of the reply, such as the nearest free dates. */
  details: Readonly<Record<string, unknown>>
}

/** A failure as the server throws it, or the error of a reply as the browser does. */
type Thrown = {
  status?: number
  message?: string
  failure?: string
  errors?: Readonly<Record<string, string>>
  details?: Readonly<Record<string, unknown>>
  body?: Record<string, unknown> | null
}

/**
 * Reads what an action's call threw.
 * @returns why the form was refused; 503 when the server could not be reached or broke
 * @throws what was thrown when the thing itself is missing, since then there is no form either
 */
export function refusalOf(thrown: unknown): Refusal {
  const known: Thrown = thrown instanceof Error ? thrown : {}
  const { status = 503, failure, errors, details, body, message = '' } = known
  if (status === 404) throw thrown
  if (status >= 500) {
    return {
      status,
      code: null,
      message:
        'We could not reach the server, so nothing was sent. What you entered is still here: please try again in a moment.',
      errors: {},
      details: {},
    }
  }
  const said = body ?? { ...details, code: failure, errors }
  return {
    status,
    code: typeof said.code === 'string' ? said.code : null,
    message: message || 'Please check the highlighted fields.',
    errors: (said.errors ?? {}) as Record<string, string>,
    details: said,
  }
}
