import { dayMs } from '#shared/dates/durations.ts'
import { newsletterPolicy } from '#shared/newsletter.ts'
import type { Platform } from '../feature.ts'
import { networkOf } from '../http/connections/client-address.ts'
import { maskEmail } from '../logging/log.ts'
import type { ConfirmData } from './mails.ts'
import type { Subscribers } from './store.ts'

/**
 * Takes a request for the newsletter; whether an email goes out, only the log knows.
 * @param from the client's address, and the page on which it asked
 */
export type Ask = (
  person: { email: string; name: string },
  from: { address: string; source: string | null },
) => Promise<void>

/** Stores the subscriber and queues the confirmation email in one transaction. */
export function createAsking(platform: Platform, subscribers: Subscribers): Ask {
  const { clock, commit, log, mails, outbox } = platform
  return async (person, { address, source }) => {
    const network = networkOf(platform, address)
    const proof = { network, policy: newsletterPolicy.version, source }
    const granted =
      !isBlockedDomain(person.email) &&
      (await commit((tx) => {
        const after = clock() - dayMs
        // However it is spelt, a mailbox gets one such email a day.
        if (mails.queuedTo(person.email, 'newsletterConfirm', after) > 0) return false
        const answer = subscribers.ask(tx, person, proof)
        if (answer === null) return false
        const { subscriber, dueAt } = answer
        const data: ConfirmData = { subscriber: subscriber.id, from: dueAt }
        return mails.enqueue(tx, 'newsletterConfirm', {
          key: `subscriber/${subscriber.id}:${clock()}`,
          about: { thing: 'subscriber', id: String(subscriber.id) },
          data,
          dueAt,
          recipient: person.email,
        })
      }))
    if (granted) outbox.wake()
    log.info({ email: maskEmail(person.email), granted }, 'newsletter requested')
  }
}

/** Domains of throw-away and reserved mailboxes; no confirmation is sent there. */
const blocked: ReadonlySet<string> = new Set([
  '10minutemail.com',
  'dispostable.com',
  'fakeinbox.com',
  'getnada.com',
  'grr.la',
  'guerrillamail.com',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'mintemail.com',
  'moakt.com',
  'sharklasers.com',
  'temp-mail.org',
  'tempmail.dev',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
])

/** Whether an address, or the domain above it, is blocked. */
function isBlockedDomain(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const parent = domain.split('.').slice(-2).join('.')
  return blocked.has(domain) || blocked.has(parent)
}
