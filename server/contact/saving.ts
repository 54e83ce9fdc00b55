import type { ContactRecord, SaveReply } from '#shared/contact.ts'
import type { Platform } from '../feature.ts'
import { networkOf } from '../http/network-of.ts'
import { maskEmail } from '../log/log.ts'
import type { TicketStore } from './store.ts'
import { queueTicketMails } from './ticket-mails.ts'

/** Who sends a message: the client's address, and the X-Form-Proof header if there is one. */
type Sender = { address: string; proof: string | null }

/** Keeps a message and queues its two mails, all or nothing; `website` is the honeypot. */
export type Save = (
  record: ContactRecord & { website?: unknown },
  sender: Sender,
) => Promise<SaveReply>

/**
 * Makes the function that saves a message (docs/contract.md, Mail and Contact form). It resolves
 * once ticket and mails are on disk, and never tells whether the ticket went into quarantine.
 */
export function createSave(platform: Platform, tickets: TicketStore): Save {
  const { formProofs: proofs, mails, outbox, commit, clock, log } = platform
  return async ({ website, ...record }, { address, proof }) => {
    const ticketId = record['Ticket ID']
    const origin = {
      network: networkOf(platform, address),
      proof: proofs.read(proof),
      isTrapped: typeof website === 'string' ? website.trim() !== '' : Boolean(website),
    }
    const { status, quarantined } = await commit((tx) => {
      const saved = tickets.save(tx, record, origin)
      if (saved.status === 'saved' && !saved.quarantined) {
        queueTicketMails(tx, mails, { ticketId, email: record.Email }, clock())
      }
      return saved
    })
    if (status === 'saved') {
      outbox.wake()
      log.info({ ticketId, email: maskEmail(record.Email), quarantined }, 'ticket saved')
    }
    return { success: true, ticketId, status }
  }
}
