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

/**
 * What became of a save: `saved`; `clash` with the number of another ticket; `refused` for good;
 * or `failed`, worth another try after so many milliseconds at least.
 */
export type Outcome = { is: 'saved' | 'clash' | 'refused' } | { is: 'failed'; wait: number }

/** Replies that stay the same however often the same message is sent. */
const final = new Set([400, 413, 415])

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
    if (final.has(error.status)) return { is: 'refused' }
    return { is: 'failed', wait: (error.body?.retryAfter ?? 0) * 1000 }
  }
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
