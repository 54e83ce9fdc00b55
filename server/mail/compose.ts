import type { Config } from '../config.ts'
import type { TicketStore } from '../contact/store.ts'
import type { FolderWriters } from '../folders/letters.ts'
import type { LogWriters } from '../logs/alerts.ts'
import type { NewsletterWriters } from '../newsletter/letters.ts'
import type { CallData } from './read-call.ts'
import type { Letter } from './mailer.ts'
import {
  confirmation,
  notice,
  recordMissing,
  staffDigest,
  type Brand,
  type DigestCounts,
  type Mailbox,
  type Message,
} from './messages.ts'
import type { Mail } from './store.ts'

/** Turns a row of the outbox into a mail, or into the reason why there is none to send. */
export type Compose = (mail: Mail) => Promise<Letter | { skip: string }>

/** Writes one kind of mail. */
export type Writer = (
  mail: Mail,
  who: Brand,
) => { to: Mailbox; message: Message } | { skip: string }

/** Mailboxes of machines; an answer to one comes back as the next enquiry. */
const machine = /^(?:mailer-daemon|postmaster|bounces?|(?:no|do-?not)-?reply)(?:[+._-].*)?$/i

/**
 * Reads a mailbox as MAIL_FROM and STAFF_EMAIL have it: an address, or `Name <address>`.
 * The configuration has already been checked.
 */
export function mailbox(text: string): Mailbox {
  const [, name = '', address = text] = text.match(/^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/) ?? []
  return { name: name.trim(), address: address.trim() }
}

/**
 * Makes the composer. Messages are rendered when they are sent, from the ticket and the settings
 * of that moment.
 * @param brand who we are; must answer soon, with whatever is known
 */
export function createCompose({
  mail: { from, staff },
  tickets,
  newsletter,
  folders,
  logs,
  brand,
}: {
  mail: Pick<Config['mail'], 'from' | 'staff'>
  tickets: TicketStore
  newsletter: NewsletterWriters
  folders: FolderWriters
  logs: LogWriters
  brand: () => Promise<Brand>
}): Compose {
  const sender = mailbox(from)
  const inbox = mailbox(staff)
  const own = new Set([sender, inbox].map(({ address }) => address.toLowerCase()))
  const isMachine = (address: string) =>
    own.has(address.toLowerCase()) || machine.test(address.slice(0, address.lastIndexOf('@')))

  const writers: Record<Mail['kind'], Writer> = {
    confirmation({ ticketId }, who) {
      const ticket = tickets.find(ticketId!)
      if (!ticket) return { skip: 'the ticket is gone' }
      if (isMachine(ticket.email)) return { skip: 'no answer to an automatic or own address' }
      const to = { name: '', address: ticket.email }
      return { to, message: confirmation({ ticketId: ticket.ticketId, brand: who }) }
    },
    notice({ ticketId }) {
      const ticket = tickets.find(ticketId!)
      return ticket ? { to: inbox, message: notice({ ticket }) } : { skip: 'the ticket is gone' }
    },
    recordMissing: ({ data }) => ({
      to: inbox,
      message: recordMissing(JSON.parse(data ?? '{}') as CallData),
    }),
    staffDigest: ({ data }) => ({
      to: inbox,
      message: staffDigest(JSON.parse(data ?? '{}') as DigestCounts),
    }),
    ...newsletter,
    ...folders,
    ...logs,
  }

  return async (mail) => {
    const who = await brand()
    const written = writers[mail.kind](mail, who)
    if ('skip' in written) return written
    return {
      ...written.message,
      from: { name: sender.name || who.name, address: sender.address },
      to: written.to,
      messageId: mail.messageId,
      file: fileName(mail),
    }
  }
}

/** Sorts by time and tells ticket and kind; the same in every attempt. */
function fileName({ queuedAt, ticketId, kind, id }: Mail): string {
  const time = new Date(queuedAt).toISOString().slice(0, 19).replaceAll(':', '-')
  return `${time}-${ticketId ?? id}-${kind}`
}
