import { data } from 'react-router'
import { entriesOf, type Entries, type FieldErrors } from '#shared/forms/form.ts'

/** A form that came back: what was entered, and what is wrong with it. */
export type FormAnswer = {
  entries: Entries
  errors: FieldErrors
  /** A sentence for what no field is to blame for. */
  message: string | null
}

/** Reads the form that a page's action was sent. */
export const postedEntries = async (request: Request): Promise<Entries> =>
  entriesOf(await request.formData())

/** Reads fields that may stay empty: the trimmed text of one, undefined for an empty or missing one. */
export const filledIn =
  (entries: Entries) =>
  (name: string): string | undefined =>
    entries[name]?.trim() || undefined

/** A whole number as a field has it; NaN for anything else. */
export const wholeNumber = (text: string | undefined): number =>
  /^\d{1,9}$/.test(text?.trim() ?? '') ? Number(text) : Number.NaN

/** Why a call of an action was refused. */
export type Refusal = Omit<FormAnswer, 'entries'> & {
  status: number
  /** Of the failure, such as `taken`; null when there was no answer. */
  code: string | null
  /** In a sentence, even where a field is to blame. */
  reason: string
  /** Further fields of the reply, such as the nearest free dates. */
  details: Readonly<Record<string, unknown>>
}

/** A failure as the server throws it, or the error of a reply as the browser does. */
type Thrown = {
  status?: number
  message?: string
  failure?: string
  errors?: FieldErrors
  details?: Readonly<Record<string, unknown>>
  body?: Record<string, unknown> | null
}

/**
 * What is said when no answer came: the server may have taken the form and only its answer was lost. It
 * promises that a form may be sent again, which every action has to hold: by a key, by the state that the
 * form showed, or by saying what is to be there afterwards.
 */
const unanswered =
  'The server didn’t answer, so we can’t tell whether this went through. Your entries are still here. Please try again in a moment: it won’t count twice.'

/**
 * Reads what an action's call threw.
 * @returns why the form was refused; 503 when the server could not be reached or broke, with {@link unanswered}
 * @throws what was thrown when the thing itself is missing, since then there is no form either
 */
export function refusalOf(thrown: unknown): Refusal {
  const known: Thrown = thrown instanceof Error ? thrown : {}
  const { status = 503, failure, details, body } = known
  if (status === 404) throw thrown
  // A payment service that's down is said by the server, which was reached: it knows what was kept.
  if (status >= 500 && (failure ?? body?.code) !== 'payment-down') {
    return { status, code: null, reason: unanswered, message: unanswered, errors: {}, details: {} }
  }
  const said = body ?? { ...details, code: failure, errors: known.errors }
  const errors = (said.errors ?? {}) as FieldErrors
  const reason = known.message || 'Please check the highlighted fields.'
  return {
    status,
    code: typeof said.code === 'string' ? said.code : null,
    reason,
    message: Object.keys(errors).length > 0 ? null : reason,
    errors,
    details: said,
  }
}

/** Sends a form back with why it was refused, under the status of that. See {@link refusalOf}. */
export function sendBack(thrown: unknown, entries: Entries) {
  const { status, errors, message } = refusalOf(thrown)
  return data<FormAnswer>({ entries, errors, message }, { status })
}
