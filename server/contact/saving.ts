import { ipKeyGenerator } from 'express-rate-limit'
import type { ContactRecord, SaveReply } from '#shared/contact.ts'
import type { Context } from '../context.ts'
import { maskEmail } from '../log.ts'
import type { Proofs } from './proofs.ts'
import { queueTicketMails } from './ticket-mails.ts'

/** Who sends a message: the client's address, and the X-Form-Proof header if there is one. */
type Sender = { address: string; proof: string | null }

/** Keeps a message and queues its two mails, all or nothing; `website` is the honeypot. */
export type Save = (
  record: ContactRecord & { website?: unknown },
  sender: Sender,
) => Promise<SaveReply>

/** A keyed hash that stands for a client's network (IPv6 by /56), for limits only. */
export const networkOf = ({ keys }: Pick<Context, 'keys'>, address: string) =>
  keys.hash('network', ipKeyGenerator(address, 56)).slice(0, 22)

/**
 * Makes the function that saves a message (design 1.1 to 1.4). It resolves once ticket and mails
 * are on disk, and never tells whether the ticket went into quarantine.
 */
export function createSave(context: Context, proofs: Proofs): Save {
  const { tickets, mails, outbox, commit, clock, log } = context
  return async ({ website, ...record }, { address, proof }) => {
    const ticketId = record['Ticket ID']
    const origin = {
      network: networkOf(context, address),
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
