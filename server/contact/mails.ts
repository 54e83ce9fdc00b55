import { confirmationSubject, noticeSubject, type ContactField } from '#shared/contact/contact.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { plainLine, plainLines } from '#shared/text/text.ts'
import { textOfForeignHtml } from '../text/mail-text.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import { mailbox, type Brand, type Message } from '../mail/message.ts'
import type { MailTemplate } from '../mail/template.ts'
import { html } from '../text/markup.ts'
import type { TicketLinks } from './links.ts'
import { callData, type CallData, type Ticket } from './schema.ts'
import type { TicketStore } from './store.ts'

/** The kinds of emails that have a ticket as their reference. */
export const ticketMailKinds = ['confirmation', 'notice', 'ticketReply', 'ticketAddition'] as const

/** Automated mailboxes; a reply to one would come back as a new enquiry. */
const machine = /^(?:mailer-daemon|postmaster|bounces?|(?:no|do-?not)-?reply)(?:[+._-].*)?$/i

/** The client that an address belongs to. */
type KnownClient = { name: string; panel: string }

/**
 * The emails of the contact flow: the confirmation to the visitor and the notice to staff, which go out
 * with each ticket, and the notice for a call whose ticket never arrived.
 * @param email sender and staff inbox as the configuration has them
 * @param clientOf the client with an address, or null
 */
export function contactMails({
  tickets,
  mail,
  clientOf,
  links,
}: {
  tickets: Pick<TicketStore, 'find'>
  mail: { from: string; staff: string }
  clientOf: (email: string) => KnownClient | null
  links: Pick<TicketLinks, 'visitorUrl' | 'staffUrl'>
}): Record<'confirmation' | 'notice' | 'recordMissing', MailTemplate> {
  const inbox = mailbox(mail.staff)
  const own = new Set([mailbox(mail.from), inbox].map(({ address }) => address.toLowerCase()))
  const isMachine = (address: string) =>
    own.has(address.toLowerCase()) || machine.test(address.slice(0, address.lastIndexOf('@')))
  const gone = { skip: 'the ticket is gone' }

  return {
    confirmation: {
      keptDays: 'feature',
      render({ reference }, brand) {
        const ticket = tickets.find(reference!)
        if (!ticket) return gone
        if (isMachine(ticket.email)) return { skip: 'no answer to an automatic or own address' }
        const to = { name: '', address: ticket.email }
        const url = links.visitorUrl(ticket.ticketId)
        return { to, message: confirmation(ticket.ticketId, url, brand) }
      },
    },
    notice: {
      keptDays: 'feature',
      render({ reference }, brand) {
        const ticket = tickets.find(reference!)
        if (!ticket) return gone
        const url = links.staffUrl(ticket.ticketId)
        return { to: inbox, message: notice(ticket, clientOf(ticket.email), { url, brand }) }
      },
    },
    recordMissing: {
      render: ({ data }, brand) => ({
        to: inbox,
        message: recordMissing(callData.parse(JSON.parse(data ?? '{}')), brand),
      }),
    },
  }
}

/**
 * The confirmation to a visitor. It repeats nothing that the visitor wrote, so the form can't be
 * used to send someone's own words to a stranger.
 */
function confirmation(ticketId: string, url: string, brand: Brand): Message {
  const more = brand.email
    ? `Anything to add? Write to ${brand.email} and mention your ticket number.`
    : 'Anything to add? Mention your ticket number.'
  return mailMessage(brand, {
    subject: confirmationSubject,
    preheader: 'We will reply to you by the next working day at the latest.',
    headline: 'Thank you for your message',
    number: `Your ticket number: ${ticketId}`,
    body: html`<p style="margin:0 0 16px">Hello,</p>
      <p style="margin:0 0 16px">Your message has reached us, and we take it very seriously.</p>`,
    next: [
      'We read your message.',
      'We will reply to you by the next working day at the latest.',
      more,
    ],
    button: { label: 'Open your ticket', url },
    small: 'Didn’t contact us? Ignore this email.',
  })
}

/** The notice to staff, with the visitor as reply-to. */
function notice(
  ticket: Ticket,
  client: KnownClient | null,
  { url, brand }: { url: string; brand: Brand },
): Message {
  const { ticketId, email, receivedAt, dueAt } = ticket
  // Stored letter by letter; here they are among words of ours.
  const [name, subject] = [plainLine(ticket.name), plainLine(ticket.subject)]
  /** The line of each field; the message is above them. */
  const lines: Record<Exclude<ContactField, 'message'>, readonly [label: string, value: string]> = {
    name: ['Name', name],
    email: ['Email', email],
    subject: ['Subject', subject],
  }
  // At the desk: the panel itself asks for a code of the client.
  const page = client && brand.siteUrl + paths.deskThing('clients', client.panel)
  return {
    ...mailMessage(brand, {
      subject: noticeSubject(name, ticketId),
      preheader: subject,
      headline: subject,
      number: `Ticket ${ticketId}`,
      body: paragraphs(plainLines(ticket.message)),
      details: [
        ...Object.values(lines),
        ['Received', officeTime(receivedAt)],
        ['Reply due', officeTime(dueAt)],
        ...(client && page
          ? [['Client', html`<a href="${page}">${client.name}</a>`] as const]
          : []),
      ],
      button: { label: 'Answer this ticket', url },
      small:
        'Reply to this email to answer the visitor. Anyone with the link can answer this ticket: don’t forward it.',
    }),
    replyTo: { name, address: email },
  }
}

/**
 * Forwards a notice call whose ticket never arrived: its text, without markup.
 * @param call as it was remembered
 */
function recordMissing(call: CallData, brand: Brand): Message {
  return {
    ...mailMessage(brand, {
      subject: `[Record missing] ${call.subject ?? ''}`.trim(),
      headline: 'Record missing',
      body: html`<p style="margin:0 0 16px">
        The message wasn’t saved as a ticket. This is all we received; check the sender before
        replying.
      </p>`,
      details: [['Sender', call.replyTo ?? 'unknown']],
      more: paragraphs(textOfForeignHtml(call.htmlContent ?? '')),
    }),
    ...(call.replyTo && { replyTo: { name: '', address: call.replyTo } }),
  }
}
