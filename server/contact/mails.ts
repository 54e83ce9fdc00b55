import { confirmationSubject, noticeSubject } from '#shared/contact.ts'
import { officeTime } from '#shared/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { textOfForeignHtml } from '../text/mail-text.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import type { CallData } from './mail-call-parser.ts'
import { mailbox, type Brand, type Message } from '../mail/message.ts'
import type { MailTemplate } from '../mail/template.ts'
import { html } from '../markup.ts'
import type { TicketStore } from './store.ts'
import type { Ticket } from './ticket.ts'

/** Mailboxes of machines; an answer to one comes back as the next enquiry. */
const machine = /^(?:mailer-daemon|postmaster|bounces?|(?:no|do-?not)-?reply)(?:[+._-].*)?$/i

/** The client that an address belongs to. */
type KnownClient = { name: string; panel: string }

/**
 * The mails of the contact flow: the confirmation to the visitor and the notice to staff, which go
 * out with each ticket, and the notice whose ticket never came.
 * @param mail sender and staff inbox as the configuration has them
 * @param clientOf the client with an address, or null
 */
export function contactMails({
  tickets,
  mail,
  clientOf,
}: {
  tickets: Pick<TicketStore, 'find'>
  mail: { from: string; staff: string }
  clientOf: (email: string) => KnownClient | null
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
        return { to, message: confirmation(ticket.ticketId, brand) }
      },
    },
    notice: {
      keptDays: 'feature',
      render({ reference }, brand) {
        const ticket = tickets.find(reference!)
        if (!ticket) return gone
        return { to: inbox, message: notice(ticket, clientOf(ticket.email), brand) }
      },
    },
    recordMissing: {
      render: ({ data }, brand) => ({
        to: inbox,
        message: recordMissing(JSON.parse(data ?? '{}') as CallData, brand),
      }),
    },
  }
}

/**
 * The confirmation to a visitor. It repeats nothing that the visitor wrote, so that nobody can send
 * words of his own to a stranger through us.
 */
function confirmation(ticketId: string, brand: Brand): Message {
  const more = brand.email
    ? `If you want to add something, write to ${brand.email} and mention your ticket number.`
    : 'If you want to add something, mention your ticket number.'
  return mailMessage(brand, {
    subject: confirmationSubject,
    preheader: 'We will reply to you by the next working day at the latest.',
    headline: 'Thank you for your message',
    number: `Your ticket number: ${ticketId}`,
    body: html`<p style="margin:0 0 16px">Hello,</p>
      <p style="margin:0 0 16px">Your message has reached us, and we take it very seriously.</p>`,
    next: [
      'One of us reads your message.',
      'We will reply to you by the next working day at the latest.',
      more,
    ],
    small: 'If you did not write to us, you can ignore this message.',
  })
}

/** The notice to staff, with the visitor as reply-to. */
function notice(ticket: Ticket, client: KnownClient | null, brand: Brand): Message {
  const { ticketId, name, email, subject, receivedAt, dueAt, message } = ticket
  const panel = client && brand.siteUrl + paths.panel(client.panel)
  return {
    ...mailMessage(brand, {
      subject: noticeSubject(name, ticketId),
      preheader: subject,
      headline: subject,
      number: `Ticket ${ticketId}`,
      body: paragraphs(message),
      details: [
        ['Name', name],
        ['Email', email],
        ['Subject', subject],
        ['Received', officeTime(receivedAt)],
        ['Reply due', officeTime(dueAt)],
        ...(client && panel
          ? [['Client', html`<a href="${panel}">${client.name}</a>`] as const]
          : []),
        ['Once answered', `pitlane tickets set ${ticketId} answered`],
      ],
      small: 'Your answer to this mail goes to the visitor.',
    }),
    replyTo: { name, address: email },
  }
}

/**
 * Passes a notice call on whose ticket never arrived: its words, without its markup.
 * @param call as it was remembered
 */
function recordMissing(call: CallData, brand: Brand): Message {
  return {
    ...mailMessage(brand, {
      subject: `[Record missing] ${call.subject ?? ''}`.trim(),
      headline: 'Record missing',
      body: html`<p style="margin:0 0 16px">
        This notice came from the website, but the message itself was never saved. What follows is
        all there is; it is not in the tickets. Check the sender before you answer.
      </p>`,
      details: [['Sender', call.replyTo ?? 'unknown']],
      more: paragraphs(textOfForeignHtml(call.htmlContent ?? '')),
    }),
    ...(call.replyTo && { replyTo: { name: '', address: call.replyTo } }),
  }
}
