import { saveContactForm, type ContactRecord } from '#shared/contact.ts'
import { ApiError, send } from '../api.ts'
import { logError } from '../site/log.ts'
import { tokenHeaders } from './security-token.ts'
import type { FieldName, Refusal } from './unsent.ts'

/**
 * What became of a save: `saved`; `clash` with the number of another ticket; `refused` for good, and
 * why; or `failed`, worth another try after so many milliseconds at least.
 */
export type Outcome =
  | { is: 'saved' | 'clash' }
  | { is: 'refused'; refusal: Refusal }
  | { is: 'failed'; wait: number }

/** Replies that stay the same however often the same message is sent. */
const final = new Set([400, 413, 415])

/** The form's field for a field of the record. */
const fields: Readonly<Record<string, FieldName>> = {
  Name: 'name',
  Email: 'email',
  Subject: 'subject',
  Message: 'message',
}

/**
 * Saves a message once; errors are logged, never thrown.
 * @param proof the header X-Form-Proof, if there is one; it has to be of age, see {@link ripe}
 */
export async function save(record: ContactRecord, proof: string | null): Promise<Outcome> {
  try {
    await send(saveContactForm, record, {
      ...tokenHeaders(),
      ...(proof && { 'X-Form-Proof': proof }),
    })
    return { is: 'saved' }
  } catch (error) {
    if (!(error instanceof ApiError)) {
      logError(error)
      return { is: 'failed', wait: 0 }
    }
    logError(`HTTP error! status: ${error.status}`)
    if (error.status === 409) return { is: 'clash' }
    if (final.has(error.status)) return { is: 'refused', refusal: refusalIn(error) }
    return { is: 'failed', wait: (error.body?.retryAfter ?? 0) * 1000 }
  }
}

/** What a refusal says of the fields of the form. */
export function refusalIn({ status, body }: Pick<ApiError, 'status' | 'body'>): Refusal {
  const errors: Refusal['errors'] = {}
  for (const [key, message] of Object.entries(body?.errors ?? {})) {
    const field = fields[key]
    if (field && typeof message === 'string') errors[field] = message
  }
  if (status === 413) errors.message ??= 'This is too long for our server. Please shorten it.'
  return { errors }
}
