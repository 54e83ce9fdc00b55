import { officeTime } from '#shared/dates/helsinki-time.ts'
import { plainLine, plainLines } from '#shared/text/text.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import { mailbox, type Brand, type Message } from '../mail/message.ts'
import type { Mail } from '../mail/schema.ts'
import type { MailStore } from '../mail/store.ts'
import type { MailTemplate } from '../mail/template.ts'
import { html } from '../text/markup.ts'
import { sizeOf } from './inbound/email.ts'
import type { InboundStore } from './inbound/store.ts'
import type { TicketLinks } from './links.ts'
import { fileInWords, type ReplyFiles } from './reply-files.ts'
import type { Ticket, TicketMessage } from './schema.ts'
import type { TicketStore } from './store.ts'

/**
 * The emails of a conversation: our reply to the visitor, in the thread of the confirmation, and the
 * notice to staff that the visitor has added something.
 * @param email sender and staff inbox as the configuration has them
 */
export function conversationMails({
  tickets,
  mails,
  mail: { staff },
  links,
  inbound,
  files,
}: {
  tickets: Pick<TicketStore, 'find' | 'findMessage' | 'messages'>
  mails: Pick<MailStore, 'of'>
  mail: { staff: string }
  links: Pick<TicketLinks, 'visitorUrl' | 'staffUrl'>
  inbound: Pick<InboundStore, 'emailOf'>
  files: Pick<ReplyFiles, 'ofMessage' | 'attachments'>
}): Record<'ticketReply' | 'ticketAddition', MailTemplate> {
  const inbox = mailbox(staff)
  const gone = { skip: 'the ticket is gone' }

  /** The ticket and the message that an email is about; null once they are gone. */
  const about = ({ reference, data }: Mail) => {
    const { message: id } = JSON.parse(data ?? '{}') as { message: number }
    const ticket = tickets.find(reference!)
    const message = tickets.findMessage(id)
    return ticket && message ? { ticket, message } : null
  }

  return {
    ticketReply: {
      keptDays: 'feature',
      render(mail, brand) {
        const found = about(mail)
        if (!found) return gone
        const { ticket, message } = found
        const earlier = tickets.messages(ticket.ticketId).filter(({ id }) => id < message.id)
        return {
          to: { name: plainLine(ticket.name), address: ticket.email },
          message: {
            ...reply(ticket, message, {
              quoted: lastOfVisitor(ticket, earlier),
              attached: files.ofMessage(message.id).map(fileInWords),
              url: links.visitorUrl(ticket.ticketId),
              brand,
            }),
            attachments: files.attachments(message.id),
            replyTo: { name: inbox.name || brand.name, address: inbox.address },
            headers: { 'Auto-Submitted': 'no', ...threadOf(mails, mail) },
          },
        }
      },
    },
    ticketAddition: {
      keptDays: 'feature',
      render(mail, brand) {
        const found = about(mail)
        if (!found) return gone
        const { ticket, message } = found
        return {
          to: inbox,
          message: addition(ticket, message, {
            attachments: inbound.emailOf(message.id)?.attachments.map(sizeOf) ?? [],
            url: links.staffUrl(ticket.ticketId),
            brand,
          }),
        }
      },
    },
  }
}

/** Header fields that thread an email under the earlier ones to the visitor. */
function threadOf(mails: Pick<MailStore, 'of'>, { id, thingId }: Mail): Record<string, string> {
  const before = mails
    .of('ticket', thingId!)
    .filter(
      (each) =>
        each.id < id &&
        each.status === 'sent' &&
        (each.kind === 'confirmation' || each.kind === 'ticketReply'),
    )
    .map(({ messageId }) => `<${messageId}>`)
  return before.length === 0 ? {} : { 'In-Reply-To': before.at(-1)!, References: before.join(' ') }
}

/** What a reply quotes: the visitor's last message. */
function lastOfVisitor(
  { message, receivedAt }: Ticket,
  earlier: readonly TicketMessage[],
): { text: string; at: number } {
  const last = earlier.findLast(({ author }) => author === 'visitor')
  return last ? { text: last.text, at: last.at } : { text: message, at: receivedAt }
}

/** Our reply, signed, above the quoted message. */
function reply(
  ticket: Ticket,
  { name, text }: TicketMessage,
  {
    quoted,
    attached,
    url,
    brand,
  }: {
    quoted: { text: string; at: number }
    attached: readonly string[]
    url: string
    brand: Brand
  },
): Message {
  const subject = plainLine(ticket.subject)
  return mailMessage(brand, {
    subject: `Re: ${subject} [Ticket: ${ticket.ticketId}]`,
    headline: subject,
    body: [
      ...paragraphs(plainLines(text)),
      html`<p style="margin:24px 0 16px">${name}<br />${brand.name}</p>`,
      ...(attached.length > 0
        ? [html`<p class="soft" style="margin:0 0 16px">Attached: ${attached.join(', ')}</p>`]
        : []),
    ],
    button: { label: 'Open your ticket', url },
    more: html`<p class="soft" style="margin:24px 0 8px">
        On ${officeTime(quoted.at)}, ${plainLine(ticket.name)} wrote:
      </p>
      <blockquote
        class="soft rule"
        style="margin:0;padding:0 0 0 14px;border-left:3px solid #dcd9d2"
      >
        ${paragraphs(plainLines(quoted.text))}
      </blockquote>`,
    small: 'Reply to this email to reach us, or add to your ticket on its page.',
  })
}

/** The notice that a visitor has added something, with the visitor as reply-to. */
function addition(
  ticket: Ticket,
  { text }: TicketMessage,
  { attachments, url, brand }: { attachments: readonly string[]; url: string; brand: Brand },
): Message {
  const { ticketId, email, dueAt } = ticket
  const [name, subject] = [plainLine(ticket.name), plainLine(ticket.subject)]
  return {
    ...mailMessage(brand, {
      subject: `${name} added to a message [Ticket: ${ticketId}]`,
      preheader: subject,
      headline: subject,
      number: `Ticket ${ticketId}`,
      body: paragraphs(plainLines(text)),
      button: { label: 'Open this ticket', url },
      details: [
        ['Name', name],
        ['Email', email],
        ['Reply due', officeTime(dueAt)],
        ...(attachments.length > 0
          ? [['Attached to their email', attachments.join(', ')] as const]
          : []),
      ],
      small: 'Anyone with this link can answer this ticket: don’t forward it.',
    }),
    replyTo: { name, address: email },
  }
}
