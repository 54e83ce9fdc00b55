import {
  contactLimits,
  getFormProof,
  proofHeader,
  saveContactForm,
  type ContactRecord,
} from '#shared/contact.ts'
import { api, ApiError, send } from '../api.ts'
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

/** A sum with its proof and when it came by `Date.now()`, or null when the server has none for us. */
export const freshProof = () =>
  api(getFormProof, {}).then(
    ({ x, y, proof }) => ({ x, y, proof, cameAt: Date.now() }),
    () => null,
  )

/**
 * The value of X-Form-Proof for a sum with its answer. A browser fills a form in within a second;
 * since the server takes no proof that is so young, this waits until it is old enough.
 */
export async function ripe({
  x,
  y,
  proof,
  cameAt,
}: {
  x: number
  y: number
  proof: string
  cameAt: number
}): Promise<string> {
  const wait = cameAt + contactLimits.proofLeastAgeMs - Date.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  return proofHeader(proof, x + y)
}
