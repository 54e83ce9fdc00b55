import {
  contactFieldOf,
  contactFields,
  saveContactForm,
  type ContactField,
  type ContactRecord,
} from '#shared/contact.ts'
import { contactLimits } from '#shared/contact-limits.ts'
import { ApiError, send } from '../api.ts'
import { logError } from '../site/log.ts'
import { tokenHeaders } from '../site/security-token.ts'

/** Why the server will not take a message as it is. */
export type Refusal = {
  /** What is wrong, by field; empty where no field is to blame. */
  errors: Partial<Record<ContactField, string>>
}

/**
 * What became of a save: `saved`; `clash` with the number of another ticket; `refused` for good, and
 * why; or `failed`, worth another try after so many milliseconds at least.
 */
export type Outcome =
  | { is: 'saved' | 'clash' }
  | { is: 'refused'; refusal: Refusal }
  | { is: 'failed'; wait: number }

/** Numbers that are drawn anew for a message when they are taken. */
export const maxClashes = 3

/** Replies that stay the same however often the same message is sent. */
const final = new Set([400, 413, 415])

/**
 * Saves a message once; errors are logged, never thrown.
 * @param proof the header X-Form-Proof, if there is one; it has to be of age, see `proofOf`
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
function refusalIn({ status, body }: Pick<ApiError, 'status' | 'body'>): Refusal {
  const errors: Refusal['errors'] = {}
  for (const [key, message] of Object.entries(body?.errors ?? {})) {
    const field = contactFields.find((name) => name === contactFieldOf(key))
    if (field && typeof message === 'string') errors[field] = message
  }
  if (status === 413) errors.message ??= 'Your message is too long. Please shorten it.'
  return { errors }
}

const characters = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from here on would make the first characters likelier than the last. */
const fair = 256 - (256 % characters.length)

/** A random ticket id: every one is equally likely. */
export function drawTicketId(): string {
  let id = ''
  while (id.length < contactLimits.ticketIdLength) {
    const [byte = fair] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < fair) id += characters[byte % characters.length]
  }
  return id
}
